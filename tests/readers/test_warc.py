"""Web archives: pages come out of good, old, odd and damaged ones alike."""

import gzip
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.readers.samples import http, packed, record, rows_of

from neardup.readers import warc
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings

PAGE = "<html><head><title>A title</title></head><body><p>Some words, größer.</p></body></html>"
BROTLI = bytes.fromhex(  # the page as other tools compress it
    "1b5800209c07d9b9e2a4266f44b3f113445093430be8f65b06ada02c00fbfab4ad17b80291f3"
    "808b0fe288122f5e6cf3181bbe4d294b29e66f550bea946860718ca805032fc34f77ab810a08"
)


def chunked(data: bytes) -> bytes:
    parts = [data[i : i + 20] for i in range(0, len(data), 20)]
    return b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in parts) + b"0\r\n\r\n"


def read(tmp_path: Path, data: bytes, name: str = "a.warc", **settings: Any) -> list[dict[str, Any]]:
    (tmp_path / name).write_bytes(data)
    return rows_of(tmp_path / name, ReaderSettings(**settings))


INFO = record("warcinfo", b"software: test\r\n", "application/warc-fields")
GOOD = record("response", http(PAGE.encode()))


@pytest.mark.parametrize("packing", ["", "gz", "zst", "lz4", "bz2", "xz"])
def test_pages_with_their_facts(tmp_path: Path, packing: str) -> None:
    request = record("request", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    members = b"".join(packed(part, packing) for part in (INFO, request, GOOD, GOOD))
    rows = read(tmp_path, members, f"a.warc.{packing}" if packing else "a.warc")
    assert len(rows) == 2
    assert rows[0]["text"] == "Some words, größer."
    assert rows[0]["title"] == "A title"
    assert rows[0]["url"] == "http://example.com/"
    assert rows[0]["date"] == "2020-02-02T02:02:02Z"
    assert rows[0]["id"].startswith("urn:uuid:")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (gzip.compress(PAGE.encode()), {"Content_Encoding": "gzip"}),
        (zlib.compress(PAGE.encode()), {"Content_Encoding": "deflate"}),
        (zlib.compress(PAGE.encode())[2:-4], {"Content_Encoding": "deflate"}),
        (BROTLI, {"Content_Encoding": "br"}),
        (packed(PAGE.encode(), "zst"), {"Content_Encoding": "zstd"}),
        (chunked(PAGE.encode()), {"Transfer_Encoding": "chunked"}),
        (
            chunked(gzip.compress(PAGE.encode())),
            {"Transfer_Encoding": "chunked", "Content_Encoding": "gzip"},
        ),
        (PAGE.encode(), {"Transfer_Encoding": "chunked", "Content_Encoding": "gzip"}),  # untrue
        (PAGE.encode("latin-1"), {"kind": "text/html; charset=iso-8859-1"}),
        (PAGE.encode("utf-16"), {}),
    ],
    ids=["gzip", "zlib", "deflate", "br", "zstd", "chunked", "both", "untrue", "latin-1", "utf-16"],
)
def test_http_encodings_are_undone(tmp_path: Path, body: bytes, headers: dict[str, str]) -> None:
    rows = read(tmp_path, record("response", http(body, **headers)))
    assert [row["text"] for row in rows] == ["Some words, größer."]


@pytest.mark.parametrize(
    "data",
    [
        record("response", http(b"gone", "404 Not Found")),
        record("response", http(b"\x89PNG", kind="image/png")),
        record("response", http(b"a {}", kind="text/css")),
        record("response", b"2020", "text/dns", WARC_Target_URI="dns:example.com"),
        record("revisit", http(PAGE.encode())),
        record("metadata", b"a: b", "text/plain"),
        record("resource", b"log", "text/plain", WARC_Target_URI="metadata://wget/log"),
    ],
)
def test_what_is_no_page_is_no_record(tmp_path: Path, data: bytes) -> None:
    assert read(tmp_path, INFO + data) == []


def test_wet_resources_and_trec_ids(tmp_path: Path) -> None:
    data = record("conversion", b"Plain words.", "text/plain", WARC_TREC_ID="clueweb09-1")
    data += record("resource", PAGE.encode(), "text/html; charset=utf-8")
    rows = read(tmp_path, data, "a.warc.wet")
    assert [row["text"] for row in rows] == ["Plain words.", "Some words, größer."]
    assert rows[0]["id"] == "clueweb09-1"


def test_arc_files(tmp_path: Path) -> None:
    body = http(PAGE.encode())
    data = b"filedesc://a.arc 0.0.0.0 20200202020202 text/plain 17\n1 0 Somewhere\n\n\n\n"
    data += b"http://example.com/a b 1.2.3.4 20200202020202 text/html %d\n%b\n" % (len(body), body)
    rows = read(tmp_path, data, "a.arc")
    assert [row["text"] for row in rows if row["text"]] == ["Some words, größer."]
    assert rows[-1]["url"] == "http://example.com/a b"
    assert rows[-1]["date"] == "2020-02-02T02:02:02Z"


def test_old_archives_with_bare_line_feeds(tmp_path: Path) -> None:
    data = GOOD.replace(b"\r\n", b"\n").replace(b"WARC/1.0", b"WARC/0.18")
    length = len(http(PAGE.encode()).replace(b"\r\n", b"\n"))
    old = str(len(http(PAGE.encode()))).encode()
    data = data.replace(b"Content-Length: " + old, b"Content-Length: %d" % length)
    assert [row["text"] for row in read(tmp_path, data)] == ["Some words, größer."]


def test_wrong_lengths_cost_one_record_only(tmp_path: Path) -> None:
    short = GOOD.replace(b"Content-Length: ", b"Content-Length: 1\r\nX-Was: ", 1)
    rows = read(tmp_path, short + GOOD + b"garbage\r\n\r\n" + GOOD)
    assert [row["text"] for row in rows if row["text"]] == ["Some words, größer."] * 2
    assert [row["problem"] for row in rows if row["problem"]] == ["unreadable", "unreadable"]


@pytest.mark.parametrize("part", [0.2, 0.5, 0.95])
@pytest.mark.parametrize("packing", ["", "gz"])
def test_truncated_archives(tmp_path: Path, part: float, packing: str) -> None:
    last = packed(GOOD, packing)
    data = packed(GOOD, packing) + last[: int(len(last) * part)]
    rows = read(tmp_path, data, f"a.warc.{packing}" if packing else "a.warc")
    assert rows[0]["text"] == "Some words, größer."
    assert [row["problem"] for row in rows[1:]] == ["truncated"]


def test_one_damaged_member_costs_one_record(tmp_path: Path) -> None:
    members = [packed(record("response", http(f"<p>Page {i}</p>".encode())), "gz") for i in range(5)]
    broken = bytearray(members[2])
    broken[60:90] = b"\xff" * 30
    data = b"".join([*members[:2], bytes(broken), *members[3:]])
    rows = read(tmp_path, data, "a.warc.gz")
    assert [row["text"] for row in rows] == ["Page 0", "Page 1", None, "Page 3", "Page 4"]
    assert rows[2]["problem"] == "unreadable"


def test_bombs_and_nonsense_inside_records(tmp_path: Path) -> None:
    bomb = http(gzip.compress(bytes(5 << 20)), Content_Encoding="gzip")
    broken = http(b"\x1f\x8b\x08 not gzip at all", Content_Encoding="gzip")
    image = http(b"\x89PNG\r\n\x1a\n" + bytes(100))
    blank = http(b"<html><body></body></html>")
    deep = http(b"<div>" * 100_000)
    data = b"".join(record("response", b) for b in (bomb, broken, image, blank, deep)) + GOOD
    rows = read(tmp_path, data, max_record=1 << 20)
    wrong = ["too large", "unreadable", "not text", "no text", "unreadable"]
    assert [row["problem"] for row in rows] == [*wrong, None]


def test_rewrite_keeps_all_but_the_pages_dropped(tmp_path: Path) -> None:
    pages = [record("response", http(f"<p>Page {i}</p>".encode())) for i in range(3)]
    blank = record("response", http(b"<html></html>"))
    parts = [INFO, pages[0], record("request", b"GET / HTTP/1.1\r\n\r\n"), pages[1], blank, pages[2]]
    for packing in ("", "gz"):
        path = tmp_path / f"a.warc{packing}"
        target = tmp_path / f"b.warc{packing}"
        path.write_bytes(b"".join(packed(part, packing) for part in parts))
        keep = np.array([True, False, False, True])
        file = find([path])[0]
        assert warc.rewrite(file, target, Decisions(keep), ReaderSettings()) == 3
        expected = b"".join(part for part in parts if part is not pages[1])
        data = target.read_bytes()
        assert (gzip.decompress(data) if packing else data) == expected
        if packing:
            assert data.count(b"\x1f\x8b\x08") == 5  # a member for each record


@pytest.mark.parametrize("packing", ["", "gz"])
@pytest.mark.parametrize("large", [1 << 20, 40])
def test_what_is_longer_than_it_says_stays_whole_or_goes_whole(
    tmp_path: Path, packing: str, large: int
) -> None:
    """Bytes without a record would stand before the next one, where other readers stop."""
    pages = [record("response", http(f"<p>Page {i}</p>".encode())) for i in range(5)]
    padded = [page[:-4] + bytes(2) + page[-4:] for page in pages]
    cut = pages[2].replace(b"Length: 57", b"Length: 52")
    assert cut != pages[2]
    stray = pages[4] + b"lost and found\r\n\r\n"
    parts = [INFO, padded[0], padded[1], cut, pages[3], stray, padded[2]]
    path, target = tmp_path / "a.warc", tmp_path / "b.warc"
    path.write_bytes(b"".join(packed(part, packing) for part in parts))
    rows = rows_of(path, ReaderSettings(max_record=large))
    problems = [row["problem"] for row in rows]
    if large > 40:
        assert problems == [None, None, "unreadable", None, None, "unreadable", None]
        assert "more than its length says" in rows[2]["detail"]
    keep = np.array([True, False, False, True, False, False, False])
    decided = Decisions(keep)
    warc.rewrite(find([path])[0], target, decided, ReaderSettings(max_record=large))
    data = target.read_bytes()
    if large > 40:
        stays = [INFO, padded[0], cut, pages[3], b"lost and found\r\n\r\n"]
    else:
        assert set(problems) == {"too large", "unreadable"}
        stays = parts
    assert (gzip.decompress(data) if packing else data) == b"".join(stays)
    if packing:
        assert data.count(b"\x1f\x8b\x08") == len(stays)
