"""Dumps of MediaWiki: every page comes once however the file is cut, and bad ones are counted."""

import bz2
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.readers.samples import packed

from neardup.errors import InputError
from neardup.readers import bzip2, formats, wikipedia
from neardup.readers.bzip2 import Boundary, Damage, unpacked
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="de">
  <siteinfo>
    <base>https://de.wikipedia.org/wiki/Hauptseite</base>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="6" case="first-letter">Datei</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
"""
TAIL = "</mediawiki>\n"


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def revision(number: int, text: str) -> str:
    return (
        f"    <revision>\n      <id>{number}</id>\n      <timestamp>2020-01-0{number % 9 + 1}T00:00:00Z"
        f"</timestamp>\n      <contributor><username>x</username><id>5</id></contributor>\n"
        f'      <text xml:space="preserve">{escape(text)}</text>\n    </revision>\n'
    )


def page(number: int, title: str, *texts: str, ns: int = 0, extra: str = "") -> str:
    revisions = "".join(revision(100 * number + n, text) for n, text in enumerate(texts))
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{ns}</ns>\n    <id>{number}</id>\n"
        f"{extra}{revisions}  </page>\n"
    )


PAGES = [
    page(
        1,
        "Bern & Thun",
        "'''Bern''' ist eine Stadt.<ref>x</ref>\n[[Datei:A.jpg|mini|Bild]]\nSie ist alt.",
    ),
    page(2, "Berne", "#REDIRECT [[Bern]]", extra='    <redirect title="Bern" />\n'),
    page(3, "Diskussion:Bern", "Eine Frage.", ns=1),
    page(4, "東京", "東京は日本の首都である。大きい。"),
    page(5, "Alt", "Erste Fassung des Textes.", "Zweite Fassung des Textes."),
    page(6, "Tabelle", "{|\n| a\n| b\n|}"),
]
DUMP = (HEAD + "".join(PAGES) + TAIL).encode()
GOOD = ["1", "4", "5"]


def rows_of(path: Path, **options: Any) -> list[dict[str, Any]]:
    source = FileSource.open([path], ReaderSettings(**options))
    return [row for split in source.splits() for b in source.read(split) for row in b.to_pylist()]


def written(tmp_path: Path, data: bytes, name: str = "dump.xml") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def problems(rows: list[dict[str, Any]]) -> Counter[str]:
    return Counter(row["problem"] for row in rows if row["problem"])


def texts(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {row["id"]: row["text"] for row in rows if not row["problem"]}


@pytest.mark.parametrize("packing", ["", "bz2", "gz", "zst"])
def test_articles_with_title_id_revision_and_clean_text(tmp_path: Path, packing: str) -> None:
    rows = rows_of(written(tmp_path, packed(DUMP, packing), "dewiki.xml-p1p6.x"))
    assert texts(rows) == {
        "1": "Bern ist eine Stadt. Sie ist alt.",
        "4": "東京は日本の首都である。大きい。",
        "5": "Zweite Fassung des Textes.",
    }
    assert problems(rows) == {"redirect": 1, "other namespace": 1, "no text": 1}
    first = rows[0]
    assert (first["title"], first["revision"]) == ("Bern & Thun", "100")
    assert first["url"] == "https://de.wikipedia.org/w/index.php?oldid=100"
    assert first["date"] == "2020-01-02T00:00:00Z"


def test_redirects_namespaces_and_revisions_on_request(tmp_path: Path) -> None:
    path = written(tmp_path, DUMP)
    assert "2" in texts(rows_of(path, redirects=True))
    assert "3" in texts(rows_of(path, namespaces="0,1"))
    assert set(texts(rows_of(path, namespaces="all"))) == {"1", "3", "4", "5"}
    found = texts(rows_of(path, revisions=True))
    assert found["5@500"] == "Erste Fassung des Textes."
    assert found["5@501"] == "Zweite Fassung des Textes."


def test_strict_does_not_mind_redirects(tmp_path: Path) -> None:
    path = written(tmp_path, (HEAD + "".join(PAGES[:5]) + TAIL).encode())
    assert set(texts(rows_of(path, strict=True))) == set(GOOD)
    with pytest.raises(InputError, match="no text"):
        rows_of(written(tmp_path, DUMP, "all.xml"), strict=True)


@pytest.mark.parametrize("size", [1, 7, 50, 400, 3000])
def test_a_plain_file_may_be_cut_anywhere(tmp_path: Path, monkeypatch: Any, size: int) -> None:
    path = written(tmp_path, DUMP)
    whole = rows_of(path)
    monkeypatch.setattr(wikipedia, "SPLIT_BYTES", size)
    monkeypatch.setattr(wikipedia, "STEP", 64)
    source = FileSource.open([path], ReaderSettings())
    assert len(source.splits()) > 1 or size == 3000
    assert [row["id"] for row in rows_of(path)] == [row["id"] for row in whole]
    assert texts(rows_of(path)) == texts(whole)


def multistream(cut: int | None) -> bytes:
    """Pack as Wikimedia does, some pages a stream; or, like pbzip2, so many bytes a stream."""
    if cut:
        return b"".join(bz2.compress(DUMP[at : at + cut]) for at in range(0, len(DUMP), cut))
    parts = [HEAD, "".join(PAGES[:2]), "".join(PAGES[2:4]), "".join(PAGES[4:]), TAIL]
    return b"".join(bz2.compress(part.encode()) for part in parts)


@pytest.mark.parametrize("cut", [None, 97, 700])
@pytest.mark.parametrize("size", [10, 333, 1 << 20])
def test_a_packed_file_may_be_cut_anywhere(
    tmp_path: Path, monkeypatch: Any, cut: Any, size: int
) -> None:
    whole = rows_of(written(tmp_path, DUMP))
    path = written(tmp_path, multistream(cut), "dump.xml.bz2")
    monkeypatch.setattr(wikipedia, "SPLIT_PACKED", size)
    assert [row["id"] for row in rows_of(path)] == [row["id"] for row in whole]
    assert texts(rows_of(path)) == texts(whole)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 400_000), max_size=3))
def test_blocks_of_a_single_stream_are_read_by_themselves(seed: int, cuts: list[int]) -> None:
    rng = np.random.default_rng(seed)
    data = rng.integers(97, 110, 250_000, np.uint8).tobytes()
    packed = bz2.compress(data, 1)  # blocks of 100 kB
    places = sorted({0, *(cut for cut in cuts if cut < len(packed))})
    found = b""
    for begin, end in zip(places, [*places[1:], -1], strict=True):
        for piece in unpacked(as_file(packed), begin, end):
            if isinstance(piece, Boundary):
                break
            assert isinstance(piece, bytes)
            found += piece
    assert found == data


def as_file(data: bytes) -> Any:
    import io

    return io.BytesIO(data)


def test_a_damaged_block_costs_no_more_than_itself() -> None:
    data = np.random.default_rng(1).integers(97, 110, 350_000, np.uint8).tobytes()
    packed = bytearray(bz2.compress(data, 1))
    packed[len(packed) // 2] ^= 0xFF
    found = [p for p in unpacked(as_file(bytes(packed)), 0, -1) if not isinstance(p, Boundary)]
    assert sum(isinstance(piece, Damage) for piece in found) == 1
    assert sum(len(piece) for piece in found if isinstance(piece, bytes)) >= 200_000


def test_a_truncated_dump_gives_its_whole_pages(tmp_path: Path) -> None:
    cut = DUMP.index(b"<title>Alt") + 60
    rows = rows_of(written(tmp_path, DUMP[:cut]))
    assert set(texts(rows)) == {"1", "4"}
    assert problems(rows)["truncated"] == 1
    long = (HEAD + "".join(page(n, f"T{n}", f"Text {n}. " * 900) for n in range(1, 200)) + TAIL).encode()
    packed = bz2.compress(long, 1)
    rows = rows_of(written(tmp_path, packed[: len(packed) * 2 // 3], "cut.xml.bz2"))
    assert len(texts(rows)) > 20
    assert problems(rows)["truncated"] >= 1


def test_broken_xml_is_counted_and_the_next_page_is_read(tmp_path: Path) -> None:
    broken = PAGES[0].replace("</page>", "") + PAGES[3].replace("<title>東京</title>", "") + PAGES[4]
    rows = rows_of(written(tmp_path, (HEAD + broken + TAIL).encode()))
    assert set(texts(rows)) == {"5"}
    assert problems(rows) == {"broken XML": 2}
    rows = rows_of(written(tmp_path, (HEAD + "<page><title>x</title></page>" + TAIL).encode(), "b.xml"))
    assert problems(rows) == {"no text": 1}


def test_a_page_of_ten_megabytes(tmp_path: Path) -> None:
    huge = page(
        9, "Huge", "Ein [[Link]] im Satz. {{V|" + "x" * 5_000_000 + "}}" + "Noch ein Satz. " * 400_000
    )
    path = written(tmp_path, (HEAD + huge + PAGES[4] + TAIL).encode())
    begun = time.process_time()
    found = texts(rows_of(path))
    assert time.process_time() - begun < 10
    assert len(found["9"]) > 5_000_000 and "5" in found
    rows = rows_of(path, max_record=1 << 20)
    assert set(texts(rows)) == {"5"}
    assert problems(rows) == {"too large": 1}
    file, target, keep = find([path])[0], tmp_path / "out.xml", Decisions(np.array([True, False]))
    formats.reader_of(file).rewrite(file, target, keep, ReaderSettings(max_record=1 << 20))
    assert target.read_bytes() == path.read_bytes().replace(PAGES[4].strip().encode(), b"")


def test_templates_nested_a_thousand_deep_and_never_closed(tmp_path: Path) -> None:
    bad = page(8, "Bad", "{{a|" * 1_000 + "\n\nText danach ist da.") + PAGES[4]
    assert texts(rows_of(written(tmp_path, (HEAD + bad + TAIL).encode())))["8"] == "Text danach ist da."


def test_a_dump_is_written_again_without_some_pages(tmp_path: Path) -> None:
    file = find([written(tmp_path, DUMP)])[0]
    target = tmp_path / "out.xml"
    keep = np.array([True, True, True, False, True, True])
    assert formats.reader_of(file).rewrite(file, target, Decisions(keep), ReaderSettings()) == 5
    assert set(texts(rows_of(target))) == {"1", "5"}
    assert target.read_bytes() == DUMP.replace(PAGES[3].strip().encode(), b"")


def test_a_page_without_an_end_has_none_when_the_next_is_left_out(tmp_path: Path) -> None:
    endless, rest = PAGES[0].replace("  </page>\n", ""), "</text>\n    </revision>\n  </page>\n"
    endless = endless[: endless.index("</text>")]
    path = written(tmp_path, (HEAD + endless + PAGES[3] + rest + PAGES[4] + TAIL).encode())
    assert set(texts(rows_of(path))) == {"4", "5"}
    file, target = find([path])[0], tmp_path / "out.xml"
    keep = np.array([True, False, True])
    assert formats.reader_of(file).rewrite(file, target, Decisions(keep), ReaderSettings()) == 2
    assert set(texts(rows_of(target))) == {"5"}
    assert endless.strip().encode() in target.read_bytes()


def test_no_namespaces_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="namespaces"):
        rows_of(written(tmp_path, DUMP), namespaces="talk")


def test_search_dumps_are_read_as_json_lines(tmp_path: Path) -> None:
    lines = [{"index": {"_id": "1"}}, {"title": "Bern", "text": "Bern ist eine Stadt.", "page_id": 1}]
    path = written(tmp_path, "".join(json.dumps(x) + "\n" for x in lines).encode(), "wiki.json")
    rows = rows_of(path)
    assert [row["title"] for row in rows if not row["problem"]] == ["Bern"]


def test_the_marks_of_blocks_are_found_at_every_bit() -> None:
    for shift in range(8):
        bits = "1" * (16 + shift) + f"{bzip2.BLOCK:048b}" + "0" * (24 - shift)
        data = int(bits, 2).to_bytes(len(bits) // 8, "big")
        assert bzip2._marks(data, 80) == [80 + 16 + shift]
