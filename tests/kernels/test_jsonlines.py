"""The scanner of JSON Lines against Python's own parser."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.jsonlines import ESCAPED, INTEGER, MISSING, OTHER, STRING, count_lines, scan_lines

FIELDS = ["text", "id", "n"]


def scan(block: bytes) -> list[dict[str, Any]] | None:
    """Return what the kernel found, as Python values, or None if it gave up."""
    data = np.frombuffer(block, np.uint8)
    names = np.frombuffer("".join(FIELDS).encode(), np.uint8)
    bounds = np.cumsum([0, *map(len, FIELDS)])
    lines = block.count(b"\n") + 1
    assert count_lines(data) == lines - 1
    spans = np.zeros((lines, len(FIELDS), 2), np.int64)
    kinds = np.zeros((lines, len(FIELDS)), np.uint8)
    text, offsets = np.empty(len(data) + 1, np.uint8), np.zeros(lines + 1, np.int64)
    count = scan_lines(data, names, bounds, spans, kinds, text, offsets)
    if count < 0:
        return None
    found = []
    for r in range(count):
        record: dict[str, Any] = {}
        for f, name in enumerate(FIELDS):
            raw = block[spans[r, f, 0] : spans[r, f, 1]].decode()
            if f == 0 and kinds[r, f] == STRING:
                record[name] = bytes(text[offsets[r] : offsets[r + 1]]).decode()
            elif kinds[r, f] in (STRING, ESCAPED):
                record[name] = json.loads(f'"{raw}"')
            elif kinds[r, f] in (INTEGER, OTHER):
                record[name] = json.loads(raw)
            else:
                assert kinds[r, f] == MISSING
        found.append(record)
    return found


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner)
)
OBJECTS = st.fixed_dictionaries(
    {}, optional={"text": st.text(max_size=20), "id": SCALARS, "n": SCALARS, "x": VALUES, "y": VALUES}
)
STYLES = st.sampled_from([{}, {"ensure_ascii": False}, {"separators": (" , ", " :\t")}])


@given(st.lists(st.tuples(OBJECTS, STYLES), max_size=5), st.sampled_from(["\n", "\r\n", "\n\n", " \n"]))
def test_it_finds_what_json_finds(lines: list[tuple[dict[str, Any], dict[str, Any]]], end: str) -> None:
    block = "".join(json.dumps(record, **style) + end for record, style in lines).encode(
        "utf-8", "replace"
    )
    expected = [json.loads(line) for line in block.splitlines() if line.strip()]
    wanted = [{k: v for k, v in r.items() if k in FIELDS and v is not None} for r in expected]
    found = scan(block)
    if any(0xD800 <= ord(c) < 0xE000 for r in expected for v in r.values() for c in str(v)):
        return
    assert found == wanted


@given(st.lists(OBJECTS, min_size=1, max_size=2), st.data())
def test_what_it_accepts_after_damage_is_still_what_json_finds(
    records: list[dict[str, Any]], data: st.DataObject
) -> None:
    block = bytearray("\n".join(json.dumps(record) for record in records).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(block) - 1))
        block[at] = data.draw(st.sampled_from(b'{}[]",:\\ \n0-.eEtn\x01u'))
    found = scan(bytes(block))
    if found is None:
        return
    expected = [json.loads(line) for line in bytes(block).split(b"\n") if line.strip()]
    assert found == [{k: v for k, v in r.items() if k in FIELDS and v is not None} for r in expected]


UNUSUAL = [
    b'{"text": "a", "text": "b"}',
    b'{"te\\u0078t": "a"}',
    b'{"text": {"a": 1}}',
    b'{"text": "\\ud800"}',
    b'{"text": "a"',
    b'{"text": "a",}',
    b'{"x": 01}',
    b'{"x": 1.}',
    b'{"x": nul}',
    b"[1]",
    b'{"x": NaN}',
    b'{"text": "a"} {"text": "b"}',
    b'{"text": "a\tb"}',
    b'{"x": ' + b"[" * 100 + b"]" * 100 + b"}",
    b'{"x": [1 2]}',
    b'{"x": {"a"}}',
    b'{"x": [1,]}',
]


@pytest.mark.parametrize("line", UNUSUAL)
def test_it_gives_up_on_what_others_should_judge(line: bytes) -> None:
    assert scan(line + b"\n") is None


@pytest.mark.parametrize("special", ['"', "\\", "\n", "é", "\x01", "\U0001f600", "\n\n"])
@pytest.mark.parametrize("size", [0, 1, 62, 63, 64, 65, 127, 128, 129, 200])
def test_strings_that_are_read_many_bytes_at_a_time(special: str, size: int) -> None:
    """Whatever is special is found wherever it is, in wanted fields and in others."""
    for place in {0, size // 2, max(size - 1, 0), size}:
        value = "a" * place + special + "b" * (size - place)
        record = {"x": value, "text": value, "id": value}
        for style in ({}, {"ensure_ascii": False}):
            line = json.dumps(record, **style)  # type: ignore[arg-type]
            for after in ("", "\n", "\n" + " " * 100):
                assert scan((line + after).encode()) == [{"text": value, "id": value}]
            assert scan(line[: len(line) - 10].encode()) is None
