"""Bringing rows together: each once, in order, and at a cost that does not depend on parts."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from neardup.engines.local import store
from neardup.engines.local.shuffle import Shuffle, grouped_parts, runs_of
from neardup.engines.local.store import StoredTable, TableWriter

ROWS = pa.schema([("key", pa.int64()), ("place", pa.int64()), ("word", pa.string())])


def word(place: int) -> str | None:
    return f"word {place}" if place % 3 else None


def table_of(folder: Path, parts: int, rows: int) -> StoredTable:
    """Write a table whose rows have their place in it; keys are equal in some of them."""
    writer = TableWriter(folder, ROWS)
    for part in range(parts):
        places = np.arange(part * rows, (part + 1) * rows)
        columns = [
            pa.array(places % 97),
            pa.array(places),
            pa.array(map(word, places.tolist())),
        ]
        writer.write_part(part, [pa.RecordBatch.from_arrays(columns, schema=ROWS)])
    return writer.finish()


def shuffled(rows: Shuffle) -> Iterator[pa.RecordBatch]:
    for number, (_, parts) in reversed(list(enumerate(rows.groups))):
        rows.scatter(number, parts)
    for partition in range(rows.partitions):
        yield from rows.gather(partition)


@pytest.mark.parametrize("run_bytes", [1, 2000, 1 << 20])
def test_rows_with_the_same_key_come_together_in_their_order(run_bytes: int, tmp_path: Path) -> None:
    table = table_of(tmp_path / "table", parts=12, rows=50)
    with closing(Shuffle(table, tmp_path / "shuffle", 1000, run_bytes)) as rows:
        batches = list(shuffled(rows))
        assert len(batches) > 10
    assert all(batch.schema == ROWS for batch in batches)
    found = [(batch["place"].to_pylist(), batch["word"].to_pylist()) for batch in batches]
    assert sorted(place for places, _ in found for place in places) == [*range(600)]
    assert all(words == [*map(word, places)] for places, words in found)
    assert all(places == sorted(places) for places, _ in found)
    keys = [set(batch["key"].to_pylist()) for batch in batches]
    assert sum(map(len, keys)) == 97
    assert not (tmp_path / "shuffle").exists()


def test_it_is_the_same_where_files_have_one_place_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""

    def found() -> list[pa.RecordBatch]:
        with closing(Shuffle(table, tmp_path / "shuffle", 1000, 700)) as rows:
            return list(shuffled(rows))

    table = table_of(tmp_path / "table", parts=12, rows=50)
    usual = found()
    monkeypatch.delattr(os, "pread")
    monkeypatch.delattr(os, "pwrite")
    assert found() == usual


def test_an_empty_table_has_no_batches(tmp_path: Path) -> None:
    table = TableWriter(tmp_path / "table", ROWS).finish()
    with closing(Shuffle(table, tmp_path / "shuffle", 1000, 1000)) as rows:
        assert list(shuffled(rows)) == []


def test_a_part_is_opened_once_and_a_byte_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Counter[str] = Counter()
    read: list[tuple[int, int]] = []

    def opening(path: Path) -> Any:
        opened[path.name] += 1
        return mapped_file(path)

    def reading(file: int, size: int, begin: int) -> bytes:
        read.append((begin, begin + size))
        return pread(file, size, begin)

    mapped_file, pread = store.mapped_file, os.pread
    table = table_of(tmp_path / "table", parts=300, rows=20)
    monkeypatch.setattr(store, "mapped_file", opening)
    monkeypatch.setattr(os, "pread", reading)
    with closing(Shuffle(table, tmp_path / "shuffle", 2000, 1 << 20)) as rows:
        assert rows.partitions > 100
        assert sum(batch.num_rows for batch in shuffled(rows)) == 6000
        files = [*(tmp_path / "shuffle").iterdir()]
        size = sum(file.stat().st_size for file in files)
    assert len(opened) == 300
    assert set(opened.values()) == {1}
    assert len(files) == 1
    assert sorted(read)[0][0] == 0
    assert max(end for _, end in read) == size
    assert sum(end - begin for begin, end in read) == size, "there are no footers"


@pytest.mark.parametrize("parts", [10, 400])
def test_pieces_are_as_many_as_the_bytes_ask_for(parts: int, tmp_path: Path) -> None:
    """The same rows in forty times as many parts are written in as many pieces."""
    table = table_of(tmp_path / "table", parts, 8000 // parts)
    with closing(Shuffle(table, tmp_path / "shuffle", 10_000, 1 << 18)) as rows:
        list(shuffled(rows))
        assert len(rows.groups) <= 6 + 4


def test_parts_are_put_together_up_to_a_size() -> None:
    sizes = [(3, Path("a")), (3, Path("b")), (3, Path("c")), (9, Path("d")), (1, Path("e"))]
    groups = grouped_parts(sizes, 7)
    assert [(size, [part.name for part in parts]) for size, parts in groups] == [
        (6, ["a", "b"]),
        (3, ["c"]),
        (9, ["d"]),
        (1, ["e"]),
    ]


def test_runs_are_cut_between_batches() -> None:
    batch = pa.record_batch([pa.array(range(10), pa.int64())], ["n"])
    assert [run.num_rows for run in runs_of([batch] * 5, 2 * batch.nbytes)] == [20, 20, 10]
    assert [run.num_rows for run in runs_of([batch] * 2, 1)] == [10, 10]
