"""dedup of files that cannot be read whole: never less than what was there."""

import gzip
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.cleaning.records import IDS, RECORDS, REMOVED, Write, decoded, encoded, found_in

import neardup


@pytest.mark.parametrize("damage", ["cut", "flipped"])
@pytest.mark.parametrize("kind", ["jsonl.gz", "parquet"])
@pytest.mark.parametrize("mode", ["remove", "annotate"])
def test_what_cannot_be_read_whole_is_copied_as_it_is(
    kind: str, damage: str, mode: Any, write: Write, tmp_path: Path
) -> None:
    """Its duplicates stay, and are not said to be removed; those in other files go."""
    good = write("jsonl", RECORDS[3:], name="in/good")
    path = write(kind, RECORDS[:3] * 40, name="in/bad")
    data = bytearray(path.read_bytes())
    if damage == "cut":
        data = data[: len(data) - 20]
    else:
        data[len(data) // 2] ^= 0xFF
        data[-5] ^= 0xFF
    path.write_bytes(data)
    result = found_in(tmp_path / "in", tmp_path)
    done = neardup.dedup(result, tmp_path / "clean", mode=mode)
    assert list(done.damaged) == [path.name]
    assert done.damaged[path.name]
    assert (done.output / path.name).read_bytes() == data
    gone = pq.read_table(done.tables / REMOVED)
    assert set(gone["source"].to_pylist()) <= {good.name}
    assert done.removed == len(gone) == len((done.tables / IDS).read_text().splitlines())
    assert done.kept == result.counts["documents"] - done.removed


def test_passages_of_a_damaged_file_stay(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    said = "These words were said by someone before, and were then said again by everyone else. " * 5
    lines = [{"id": f"{i}", "text": f"Of their own {i} have a beginning. {said}"} for i in range(6)]
    packed = [gzip.compress(encoded("jsonl", part)) for part in (lines[:3], lines[3:])]
    (folder / "good.jsonl.gz").write_bytes(packed[0])
    bad = packed[1][:-8] + bytes(8)  # the checksum is wrong
    (folder / "bad.jsonl.gz").write_bytes(bad)
    result = neardup.passages(folder, output=tmp_path / "out", keep_steps=False)
    assert result.counts["documents"] == 6
    done = neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert list(done.damaged) == ["bad.jsonl.gz"]
    assert (done.output / "bad.jsonl.gz").read_bytes() == bad
    gone = pq.read_table(done.tables / REMOVED)
    assert set(gone["source"].to_pylist()) == {"good.jsonl.gz"}
    left = decoded(done.output / "good.jsonl.gz")
    before = sum(len(row["text"]) for row in lines[:3])
    assert done.characters == before - sum(len(row["text"]) for row in left)


@pytest.mark.parametrize("name", ["big.txt", "big.jsonl", "big.jsonl.gz"])
def test_a_file_with_a_hole_keeps_it(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    lines = [b'{"text": "a few words that are here twice"}\n'] * 2
    path = folder / name
    if name.endswith(".gz"):  # nothing has holes in there
        path.write_bytes(gzip.compress(lines[0] + bytes(1 << 20) + b"\n" + lines[1]))
    else:
        with path.open("wb") as out:
            out.write(lines[0])
            out.seek(64 << 20, 1)
            out.write(b"\n" + lines[1])
            out.truncate(out.tell() + (32 << 20))
    (folder / "other.jsonl").write_bytes(lines[0])
    result = neardup.documents(folder, output=tmp_path / "out", max_record="1MB")
    done = neardup.dedup(result, tmp_path / "clean", mode="remove", keep="first")
    copy = done.output / name
    if name == "big.txt":  # it is larger than a record may be, so it stays
        assert copy.stat().st_size == path.stat().st_size
        with path.open("rb") as one, copy.open("rb") as other:
            assert all(one.read(1 << 20) == other.read(1 << 20) for _ in range(97))
    assert copy.stat().st_blocks * 512 < 4 << 20
    if name != "big.txt":
        assert done.removed == 2
