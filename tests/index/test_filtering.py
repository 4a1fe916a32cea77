"""A filter beside an index: what is new goes on, and is in the index then."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import prose, replaced
from tests.index.building import built, named

from neardup.errors import InputError
from neardup.index.filtering import Amounts, Filter, Lines, blocks
from neardup.index.online import Index
from neardup.readers.records import ReaderSettings

OLD, NEW = prose(80, 1), prose(80, 3)


def lines_of(*records: Any) -> list[bytes]:
    return [json.dumps(record).encode() + b"\n" for record in records]


def through(
    index: Index, lines: list[bytes], annotate: bool = False, key: str | None = None, **reader: Any
) -> list[bytes]:
    chosen = Filter(index, key=key)
    return Lines(chosen, ReaderSettings(id_column=key, **reader), "stdin", annotate).passed(lines)


def test_what_is_new_goes_on_and_is_known_from_then_on(index: Index) -> None:
    lines = lines_of(*named([replaced(OLD, 40), NEW, replaced(NEW, 40)]))
    assert through(index, lines) == lines[1:2]
    assert through(index, lines) == []
    assert len(index) == 3
    found = index.seen(replaced(NEW, 40))
    assert found is not None and found.id == "d1#3" and 0.7 <= (found.similarity or 0) < 1
    assert index.seen(prose(80, 9)) is None


def test_ids_are_names_and_a_key_is_more(index: Index) -> None:
    index.add(named([prose(80, 7)]), replace_ids=True)  # d0
    other = lines_of({"id": "d0", "text": NEW}, {"id": "d0", "text": prose(80, 4)})
    assert through(index, other, key="id") == []
    assert through(index, other) == other
    again = lines_of({"id": "x", "text": prose(80, 5)}, {"id": "x", "text": prose(80, 6)})
    assert through(index, again, key="id") == again[:1]
    assert "x" in index and len(index) == 5


def test_a_key_counts_only_if_its_record_went_on(index: Index) -> None:
    lines = lines_of(
        {"url": "u", "text": OLD}, {"url": "u", "text": NEW}, {"url": "u", "text": prose(80, 4)}
    )
    assert through(index, lines, key="url") == lines[1:2]


def test_addresses_of_a_page_are_one_key_as_in_clean(index: Index) -> None:
    urls = ["https://example.org/a?utm_source=x", "http://www.example.org/a/", "https://example.org/b"]
    lines = lines_of(*({"url": url, "text": prose(80, 20 + n)} for n, url in enumerate(urls)))
    assert through(index, lines, key="url") == [lines[0], lines[2]]
    assert "example.org/a" in index
    [again] = through(index, lines[1:2], annotate=True, key="url")
    assert json.loads(again)["neardup_keeper"] == "example.org/a"
    links = [line.replace(b'"url"', b'"link"') for line in lines]
    with built(index.path.with_name("other"), [OLD]) as other:  # other columns are compared as they are
        assert through(other, links, key="link") == links


def test_addresses_that_an_index_has_as_they_were_given_are_known(index: Index) -> None:
    url = "https://example.org/given?b=1&a=2"
    index.add([{"id": url, "text": prose(80, 30)}])
    assert through(index, lines_of({"url": url, "text": prose(80, 31)}), key="url") == []


def test_a_key_that_no_record_has_is_named_as_it_was_asked_for(index: Index) -> None:
    with pytest.raises(InputError, match=r"no column 'link'\n.*Name one with key=\."):
        through(index, lines_of({"text": NEW, "url": "u"}), key="link")
    with pytest.raises(InputError, match=r"Name one with key=\."):
        list(index.filter([{"text": NEW, "url": "u"}], key="link"))


def test_whatever_comes_together_the_answers_are_the_same(tmp_path: Path) -> None:
    texts = [prose(40, n % 23) if n % 3 else replaced(prose(40, n % 23), 15 + n % 9) for n in range(120)]
    lines = lines_of(*({"id": f"d{n % 50}", "text": text} for n, text in enumerate(texts)))
    found = []
    for size in (1, 7, 120):
        with built(tmp_path / f"{size}.neardup", [prose(40, 5)]) as index:
            parts = [lines[at : at + size] for at in range(0, len(lines), size)]
            found.append([line for part in parts for line in through(index, part, key="id")])
    assert found[0] == found[1] == found[2]
    assert 20 < len(found[0]) < 60


def test_bad_lines_go_on_as_they_are_and_are_counted(index: Index) -> None:
    bad = [b"{not json\n", b"\n", b'{"id": 7}\n', b'{"text": "\xff"}\n']
    lines = Lines(Filter(index), ReaderSettings(), "stdin", False)
    assert lines.passed([*lines_of({"text": NEW}), *bad, *lines_of({"text": OLD})]) == [
        *lines_of({"text": NEW}),
        *bad,
    ]
    assert lines.amounts == Amounts(read=6, new=1, known=1, unusable=4)


def test_known_records_are_marked_in_place(index: Index) -> None:
    lines = [b'{"text": "%s",  "n": 1.50}\n' % text.encode() for text in (OLD, NEW)]
    marked = through(index, lines, annotate=True)
    assert marked[0].endswith(b'"n": 1.50, "neardup_keeper": "d0", "neardup_similarity": 1.0}\n')
    assert marked[1].endswith(b'"n": 1.50, "neardup_keeper": null, "neardup_similarity": null}\n')


def test_lines_of_plain_text_are_documents(index: Index) -> None:
    text = [b"one two three four five six\n", b"Another line, with other words\n"]
    assert through(index, [*text, b"ONE two three, four five six!\n"]) == text
    with pytest.raises(InputError, match="plain text has no column 'url'"):
        through(index, text, key="url")
    with pytest.raises(InputError, match="cannot be annotated"):
        through(index, text, annotate=True)


def test_a_column_that_no_record_has_is_refused_before_anything_goes_on(index: Index) -> None:
    with pytest.raises(InputError, match="no column 'txt'"):
        through(index, lines_of({"text": NEW}), text_column="txt")
    assert len(index) == 2


def test_records_of_a_program_are_filtered_as_they_come(index: Index) -> None:
    records = [{"text": NEW, "url": "a"}, {"text": OLD, "url": "b"}, {"text": prose(80, 4), "url": "a"}]
    assert list(index.filter(iter(records), key="url")) == records[:1]
    assert list(index.filter([OLD, prose(80, 8)])) == [prose(80, 8)]
    assert "a" in index and len(index) == 4


def test_lines_are_taken_as_they_come() -> None:
    source, sink = os.pipe()
    found = blocks(source)
    os.write(sink, b"one\ntw")
    assert next(found) == [b"one\n"]
    os.write(sink, b"o\nthree\r\n")
    os.write(sink, b"four")
    assert next(found) == [b"two\n", b"three\r\n"]
    os.close(sink)
    assert list(found) == [[b"four"]]
    os.close(source)
