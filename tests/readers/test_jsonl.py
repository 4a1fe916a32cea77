"""JSON Lines: ranges of bytes, the fast and the careful way, and lines that stay as they are."""

import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.readers.samples import rows_of

from neardup.readers import jsonl
from neardup.readers.columns import Columns
from neardup.readers.files import find
from neardup.readers.json_records import Parser, look_at
from neardup.readers.records import Decisions, ReaderSettings, records_schema
from neardup.readers.streams import Stream

SCHEMA = records_schema({})


def ranges(size: int, step: int) -> list[tuple[int, int]]:
    return [(at, at + step) for at in range(0, max(size, 1), step)]


def lines_by_range(data: bytes, step: int, limit: int) -> list[bytes | None]:
    found: list[bytes | None] = []
    for begin, end in ranges(len(data), step):
        stream = Stream(io.BytesIO(data), max(begin - 1, 0))
        for block in jsonl.line_blocks(stream, begin, end, limit):
            found += [None] if block is None else block.splitlines(keepends=True)
    return found


@given(st.lists(st.text("ab", max_size=9)), st.integers(1, 12), st.booleans())
def test_ranges_of_any_size_give_each_line_once(lines: list[str], step: int, closed: bool) -> None:
    data = "\n".join(lines).encode() + (b"\n" if closed else b"")
    assert lines_by_range(data, step, 1 << 20) == data.splitlines(keepends=True)


@given(st.lists(st.text("ab", max_size=30), max_size=8), st.integers(1, 40), st.integers(1, 20))
def test_lines_over_the_limit_are_found_once(lines: list[str], step: int, limit: int) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_chunk_size", lambda position, end: 3)
        found = lines_by_range(data, step, limit)
    # a line is dropped or given whole, and exactly the order of the lines is kept
    assert len(found) == len(lines)
    for line, got in zip(lines, found, strict=True):
        assert got is None or got == line.encode() + b"\n"
        assert got is not None or len(line) > limit


SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
OBJECTS = st.fixed_dictionaries({}, optional=dict.fromkeys(("text", "id", "url", "x"), VALUES))
SPECIAL = ["NaN", "-NaN", "Infinity", "-Infinity", "Inf", "-Inf", "nan", "inf", "True", "None"]
ODD = [*SPECIAL, "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "1_0", "'a'"]
ODD_OBJECTS = st.tuples(st.sampled_from(["%s", "[1, %s]", '{"y": %s}']), st.sampled_from(ODD)).map(
    lambda drawn: '{"text": "Inf, -NaN", "x": ' + drawn[0] % drawn[1] + "}"
)
LINES = st.lists(
    OBJECTS.map(json.dumps)
    | ODD_OBJECTS
    | st.fixed_dictionaries({"text": st.text(max_size=5), "id": st.text("xy", max_size=2)}).map(
        lambda row: json.dumps(row, ensure_ascii=False)
    )
    | st.sampled_from(
        [
            "",
            "  ",
            "{",
            "[]",
            "null",
            " null",
            "5",
            "{}",
            '{"text": "a", "id": -0}',
            '{"text": "\\ud800"}',
            '{"text": "a"} x',
        ]
    ),
    max_size=6,
)


@settings(max_examples=200)
@given(LINES)
def test_the_fast_ways_and_the_careful_way_agree(lines: list[str]) -> None:
    block = "".join(f"{line}\n" for line in lines).encode()
    types = dict.fromkeys(("text", "id", "url"), pa.string())
    looked = Columns("text", "id", {"url": "url"}), types
    if _names_text(lines):
        looked = look_at(block.split(b"\n"), ReaderSettings(), "here")
    scanned = Parser(looked, SCHEMA, 1 << 20, scanned=0)
    fast = Parser(looked, SCHEMA, 1 << 20)
    careful = Parser((looked[0], {}), SCHEMA, 1 << 20)
    one, two, three = (
        [row for batch in parser.records(block) for row in batch.to_pylist()]
        for parser in (scanned, fast, careful)
    )
    assert one == two == three
    assert len(one) == sum(1 for line in lines if line.strip())


def _names_text(lines: list[str]) -> bool:
    for line in lines:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and "text" in value:
            return True
    return False


def test_numbers_as_ids_are_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "text": "x"}\n{"id": 2.5, "text": "y"}\n{"id": true, "text": "z"}\n')
    assert [row["id"] for row in rows_of(path)] == ["1", "2.5", "true"]


def test_types_that_change_late_are_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"id": i, "text": "x", "year": 2000} for i in range(200)]
    rows += [{"id": "last", "text": "y", "year": "unknown"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = rows_of(path, ReaderSettings(columns=("year",)))
    assert [row["id"] for row in found] == [*map(str, range(200)), "last"]
    assert found[0]["year"] == 2000
    assert found[-1]["year"] is None


def test_a_name_with_a_dot_need_not_be_nested(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "x", "a.b": "flat"}\n')
    assert rows_of(path, ReaderSettings(columns=("a.b",)))[0]["a.b"] == "flat"


def test_blank_lines_and_a_byte_order_mark_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text": "x"}\n\n  \r\n{"text": "y"}\r\n\n')
    assert [row["text"] for row in rows_of(path)] == ["x", "y"]


def test_columns_are_known_by_records_with_bytes_that_are_not_utf8_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "\xf21", "text": "x"}\n{"id": "2", "\xf2ext": "y", "tmxt": "z"}\n')
    assert [row["text"] for row in rows_of(path)] == ["x", None]


def test_rewrite_keeps_bad_blank_and_large_lines(tmp_path: Path) -> None:
    path, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    large = json.dumps({"text": "z" * 500})
    lines = ['{"text": "a"}', "", "not json", large, '{"text":  "b" }\r', '{"text": "c"}']
    path.write_text("\n".join(lines), newline="")
    options = ReaderSettings(max_record=100)
    rows = rows_of(path, options)
    assert [row["problem"] for row in rows] == [None, "invalid JSON", "too large", None, None]
    keep = np.array([False, False, False, True, False])
    file = find([path])[0]
    assert jsonl.rewrite(file, target, Decisions(keep), options) == 3
    kept = ["", "not json", large, '{"text":  "b" }\r', ""]
    assert target.read_bytes().decode() == "\n".join(kept)


def test_the_schema_is_that_of_all_readers() -> None:
    assert SCHEMA.field("text").type == pa.large_string()
