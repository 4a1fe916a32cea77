"""HTML: one document a file."""

from pathlib import Path

import numpy as np
import pytest
from tests.readers.samples import one, rows_of

from neardup.readers import formats, html
from neardup.readers.fields import with_fields
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings

ARTICLE = "<p>" + "This is a sentence of the article, long enough to count. " * 10 + "</p>"
PAGE = f"""<!doctype html><html><head><title> The title </title><style>p {{}}</style></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul></nav>
<main><article><h1>Head line</h1>{ARTICLE}</article></main><script>var x = "no";</script>
<footer>Imprint and privacy</footer></body></html>"""


def test_html_main_content_and_raw(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    row = one(path)
    assert row["title"] == "The title"
    assert row["id"] == "page.html"
    assert "sentence of the article" in row["text"]
    assert "Imprint" not in row["text"]
    raw = one(path, raw=True)["text"]
    assert "Imprint and privacy" in raw
    assert "About us" in raw
    assert "var x" not in raw
    assert "p {}" not in raw


def test_all_text_is_read_where_little_prose_was_taken_for_the_main_content(tmp_path: Path) -> None:
    story = "The ferry to the islands stays in harbour because of the storm, and sails on Friday. " * 9
    page = f"<body><main>Results</main><aside><p>{story}</p></aside></body>"
    (tmp_path / "page.html").write_text(page)
    assert story.strip() in one(tmp_path / "page.html")["text"]


def test_html_without_suffix(tmp_path: Path) -> None:
    (tmp_path / "page").write_text(PAGE)
    assert one(tmp_path / "page")["title"] == "The title"


@pytest.mark.parametrize(
    "data",
    [
        "<p>größer</p>".encode("utf-8-sig"),
        '<meta charset="iso-8859-1"><p>größer</p>'.encode("latin-1"),
        "<p>größer</p>".encode("utf-16"),
        "<p>größer</p>".encode(),
    ],
)
def test_html_encodings(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "page.html").write_bytes(data)
    assert one(tmp_path / "page.html")["text"] == "größer"


def test_a_page_without_text(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<html><body><img src=x></body></html>")
    assert one(tmp_path / "page.html")["problem"] == "no text"


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 15_000 + "words",
        "<div>words</div>" * 80_000,
        "<ul>" + "<li>words" * 100_000,
        "<" * 100_000 + " words",
    ],
)
def test_odd_pages_take_no_time(page: str) -> None:
    record = html.page(page.encode(), None, ReaderSettings(), "x")
    assert record.text is not None
    assert "words" in record.text


def test_rewrite_copies_or_does_not(tmp_path: Path) -> None:
    for name, data in (("a.txt", b"text"), ("b.html", PAGE.encode()), ("c.bin", bytes(9))):
        path, target = tmp_path / name, tmp_path / "out" / name
        target.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        file = find([path])[0]
        reader = formats.reader_of(file)
        assert not reader.annotates
        kept = reader.rewrite(file, target, Decisions(np.array([False])), ReaderSettings())
        assert kept == (name == "c.bin")  # a file with a problem is never deleted
        assert reader.rewrite(file, target, Decisions(), ReaderSettings()) == 1
        assert target.read_bytes() == data


def test_the_text_of_a_page_stands_for_a_field(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    fields = with_fields(ReaderSettings(), ["title", "body", "answer"])
    [row] = rows_of(tmp_path / "a.html", fields)
    [whole] = rows_of(tmp_path / "a.html")
    assert (row["text"], row["title"], row["answer"]) == (whole["text"], whole["title"], None)


@pytest.mark.parametrize("most", [html.MOST_LOOKED_AT, 5_000_000])
def test_the_share_of_links_is_much_the_same_if_few_are_looked_at(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MOST_LOOKED_AT", most)
    links = "".join(
        f"<p><a href='/{n}'>story number {n:04}</a> and as much of text</p>" for n in range(900)
    )
    (tmp_path / "page.html").write_text(f"<body>{links}</body>")
    row = one(tmp_path / "page.html", columns=("link_share",), raw=True)
    assert float(row["link_share"]) == pytest.approx(0.45, abs=0.02)
