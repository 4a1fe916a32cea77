"""Pages of all kinds of input."""

import gzip
import json
import random
from pathlib import Path

import pyarrow as pa
from tests.methods.pages.sites import html, pairs, sentences

import neardup
from neardup.methods.pages.units import sites_of


def test_html_and_url_columns_of_jsonl(tmp_path: Path) -> None:
    dice = random.Random(2)
    story, other = sentences(dice, 10), sentences(dice, 10)
    rows = [
        {"id": "a", "html": html(story), "url": "http://www.One.example:80/x"},
        {"id": "b", "html": html([*story, "The end of it."]), "url": "https://two.example/"},
        {"id": "c", "html": html(other), "url": None},
        {"id": "d", "html": "<html><body></body></html>", "url": "http://one.example/empty"},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for source in (str(tmp_path / "pages.jsonl"), rows, pa.Table.from_pylist(rows)):
        found = neardup.pages(source)
        assert pairs(found) == {("a", "b")}
        assert found.documents["site"].to_pylist() == ["one.example", "two.example", None]
        assert found.documents["title"].to_pylist() == ["A story"] * 3
        assert found.counts["skipped.no text"] == 1
        text = found.explain("a", "b").passages[0].difference.text_a
        assert text.split("\n")[0] == story[0]


def test_folders_of_html_know_their_site_by_what_pages_say(tmp_path: Path) -> None:
    story = sentences(random.Random(3), 10)
    (tmp_path / "one.html").write_text(html(story, "https://www.one.example/story"))
    (tmp_path / "two.html").write_text(html(story[1:], "/story"))
    found = neardup.pages(tmp_path)
    assert found.counts["pairs"] == 1
    assert found.documents["site"].to_pylist() == ["one.example", None]


def test_web_archives(tmp_path: Path) -> None:
    story = sentences(random.Random(3), 10)
    records = []
    for site, own in (("one", story), ("two", story[1:])):
        page = html(own).encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{site}>\r\n"
            f"WARC-Target-URI: https://www.{site}.example/\r\n"
            "Content-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n"
        )
        records.append(gzip.compress(head.encode() + http + b"\r\n\r\n"))
    (tmp_path / "pages.warc.gz").write_bytes(b"".join(records))
    found = neardup.pages(tmp_path / "pages.warc.gz")
    assert found.counts["pairs"] == 1
    assert found.documents["site"].to_pylist() == ["one.example", "two.example"]


def test_sites_are_hosts() -> None:
    urls = [
        "https://user@www.News.Example.org:8080/a?b",
        "http://example.org",
        "ftp://x.y/z",
        "no address",
        "",
        None,
    ]
    assert sites_of(pa.array(urls)).to_pylist() == [
        "news.example.org",
        "example.org",
        "x.y",
        None,
        None,
        None,
    ]
