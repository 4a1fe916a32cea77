"""Damaged streams give all that is before the damage, and say where it begins."""

import gzip
import json
import random
from pathlib import Path

import pytest
from tests.readers.samples import PACKINGS, packed, rows_of

from neardup.errors import DamagedFileError
from neardup.readers import jsonl
from neardup.readers.file import Whole
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings

WORDS = [f"{a}{b}{c}" for a in "bdgklmnprst" for b in "aeiou" for c in "bdgklmnprst"]


def documents(count: int) -> bytes:
    """Make JSON Lines of words that compress as texts do: seldom said before, but not noise."""
    draw = random.Random(5)
    lines = [{"id": str(i), "text": " ".join(draw.choices(WORDS, k=40))} for i in range(count)]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def unpacked(path: Path) -> tuple[bytes, tuple[str, str] | None]:
    """Return what a stream gives, in steps of an odd size, and why it ended."""
    with find([path])[0].open_stream() as stream:
        parts = []
        while part := stream.read(4097):
            parts.append(part)
        return b"".join(parts), stream.failure


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz"])
def test_a_wrong_checksum_costs_nothing_that_was_unpacked(tmp_path: Path, packing: str) -> None:
    text = documents(30)
    data = bytearray(packed(text, packing))
    index = 4 * (int.from_bytes(data[-8:-4], "little") + 1)  # of an xz file; its checksum is before
    data[{"gz": -6, "bz2": 11, "xz": -12 - index - 4}[packing]] ^= 1
    path = tmp_path / f"a.jsonl.{packing}"
    path.write_bytes(data)
    found, failure = unpacked(path)
    assert text.startswith(found)
    assert len(text) - len(found) <= (packing != "gz"), "at most the byte on which the check fails"
    assert failure is not None
    assert f"behind {len(found):,} unpacked bytes" in failure[1]
    rows = rows_of(path)
    assert [row["id"] for row in rows if row["problem"] is None] == [str(i) for i in range(30)]
    assert rows[-1]["problem"] == "unreadable"


@pytest.mark.parametrize("packing", PACKINGS[1:])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_all_before_a_damage_is_given(tmp_path: Path, packing: str, part: float) -> None:
    """What cannot be known is the block that the damage is in: up to 128 kB, or 900 of bzip2."""
    text = documents(6000)
    data = bytearray(packed(text, packing))
    at = int(len(data) * part)
    data[at : at + 2000] = bytes(2000)
    path = tmp_path / f"a.jsonl.{packing}"
    path.write_bytes(data)
    found, failure = unpacked(path)
    block = {"gz": 0, "xz": 0, "bz2": 900_000}.get(packing, 128 << 10)
    same = next((i for i, (a, b) in enumerate(zip(found, text, strict=False)) if a != b), len(found))
    assert same >= int(len(text) * (part - 0.02)) - block
    assert failure is not None or packing in ("zst", "lz4")  # which need not have checksums
    assert failure is None or f"{len(found):,}" in failure[1]


def test_members_before_and_behind_a_damaged_one(tmp_path: Path) -> None:
    """The place of a member in the file is right for the second damage, too."""
    texts = [documents(40), b"x" * 100 + documents(50), documents(60)]
    members = [bytearray(gzip.compress(text)) for text in texts]
    for member in members[1:]:
        member[-5] ^= 1
    path = tmp_path / "a.gz"
    path.write_bytes(b"".join(members))
    found = []
    with find([path])[0].open_stream() as stream:
        found.append(stream.read(1 << 20))
        while stream.failure and stream.resume():
            found.append(stream.read(1 << 20))
    assert found == [texts[0] + texts[1], texts[2]]


@pytest.mark.parametrize("packing", PACKINGS[1:])
def test_whoever_copies_is_told_of_a_damage(tmp_path: Path, packing: str) -> None:
    data = packed(documents(3000), packing)
    path = tmp_path / f"a.jsonl.{packing}"
    path.write_bytes(data[: len(data) // 2])
    with Whole.of(find([path])[0]).open_stream() as stream, pytest.raises(DamagedFileError) as told:
        while stream.read(1 << 16):
            pass
    assert told.value.where == path.name
    assert "truncated" in told.value.what.lower()


@pytest.mark.parametrize("packing", PACKINGS[1:])
def test_the_last_bytes_before_a_damage_are_given(tmp_path: Path, packing: str) -> None:
    first, second = documents(33), documents(20)
    path = tmp_path / f"a.jsonl.{packing}"
    path.write_bytes(packed(first, packing) + packed(second, packing)[:20])
    found, failure = unpacked(path)
    assert found.startswith(first)
    assert failure is not None
    assert failure[0] == "truncated"


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz"])
def test_records_behind_a_damaged_member_are_read(tmp_path: Path, packing: str) -> None:
    members = [bytearray(packed(documents(count), packing)) for count in (40, 50, 60)]
    middle = len(members[1]) // 2
    members[1][middle : middle + 8] = bytes(b ^ 90 for b in members[1][middle : middle + 8])
    path = tmp_path / f"a.jsonl.{packing}"
    path.write_bytes(b"".join(members))
    rows = rows_of(path)
    good = [row["id"] for row in rows if row["problem"] is None]
    assert good[:40] == [str(n) for n in range(40)]
    assert good[-60:] == [str(n) for n in range(60)]
    assert sum(row["problem"] == "unreadable" for row in rows) == 1
    file = find([path])[0]
    with pytest.raises(DamagedFileError):
        jsonl.rewrite(Whole.of(file), tmp_path / "copy.jsonl", Decisions(), ReaderSettings())
