"""What runs on the executors: functions from Arrow batches to Arrow batches.

Each of them is made on the driver and sent with all it needs. Nothing here knows of a session.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from neardup.engines.spark.apart import shelf_in
from neardup.engines.spark.columns import Packed, pack, unpack
from neardup.engines.spark.connect import SummaryFile
from neardup.engines.spark.failures import carried
from neardup.plan import MapFunction, Summary
from neardup.readers.numbers import together

Batches = Iterator[pa.RecordBatch]
CHUNK = 16 << 20
STATES = "state long, chunk long, bytes binary"
BLOCK = "neardup_block"
WANTED = "neardup_wanted_in"
PORTION = "portion"  # of the input, for one task: a source and its splits


class Side(Protocol):
    """A summary as tasks have it: a broadcast, or what stands in for one."""

    @property
    def value(self) -> Any:
        """Return the summary."""


def reading(
    function: MapFunction, sides: Mapping[str, Side], apart: str | None = None
) -> Callable[[Batches], Batches]:
    """Return the task that reads what it is given, and maps the records.

    Here and below, `apart` is the folder in which lists are left.
    """

    def run(given: Batches) -> Batches:
        values = {name: side.value for name, side in sides.items()}
        with shelf_in(apart) as shelf, carried():
            for packed in (p for batch in given for p in batch.column(PORTION).to_pylist()):
                source, splits = pickle.loads(packed)
                read = (records for split in splits for records in source.read(split))
                for records in together(read):
                    yield from pack(function(records, values), shelf)

    return run


def mapping(
    function: MapFunction,
    sides: Mapping[str, Side],
    lists: Mapping[str, Packed],
    whole: bool,
    apart: str | None = None,
) -> Callable[[Batches], Batches]:
    """Return the task that maps batches; with `whole`, all batches of its partition as one."""

    def run(batches: Batches) -> Batches:
        values = {name: side.value for name, side in sides.items()}
        rows = (part for batch in batches for part in unpack(batch, lists))
        with shelf_in(apart) as shelf:
            for batch in as_one(rows) if whole else rows:
                yield from pack(function(batch, values), shelf)

    return run


def looking_up(
    function: MapFunction,
    sides: Mapping[str, Side],
    lists: Mapping[str, Packed],
    found_lists: Mapping[str, Packed],
    apart: str | None = None,
) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Return the task that maps a block of rows, given all rows that it may look up."""

    def run(rows: pa.Table, found: pa.Table) -> pa.Table:
        from neardup.engines.local.lookup import BatchLookup

        known = found.drop_columns([WANTED])
        known = known.sort_by(known.column_names[0]).combine_chunks()
        lookup = BatchLookup([p for batch in known.to_batches() for p in unpack(batch, found_lists)])
        values = {name: side.value for name, side in sides.items()} | {"lookup": lookup}
        given = as_one(p for b in rows.drop_columns([BLOCK]).to_batches() for p in unpack(b, lists))
        with shelf_in(apart) as shelf:
            mapped = [part for batch in given for part in pack(function(batch, values), shelf)]
        return pa.Table.from_batches(mapped)

    return run


@dataclass(frozen=True)
class Files:
    """Columns of a table in a folder that tasks reach; of lists, what they are carried as."""

    folder: Path
    columns: tuple[str, ...]
    lists: tuple[tuple[str, Packed], ...]

    @property
    def paths(self) -> list[Path]:
        """Return the files of the table."""
        return sorted(self.folder.glob("*.parquet"))

    def rows(self) -> int:
        """Return how many rows the table has."""
        return sum(int(pq.read_metadata(path).num_rows) for path in self.paths)

    def size(self) -> int:
        """Return the bytes of the files, at most: those of all columns."""
        return sum(path.stat().st_size for path in self.paths)

    def unpacked(self, rows: pa.Table) -> Batches:
        """Yield some of its rows, with their lists."""
        for batch in rows.combine_chunks().to_batches():
            yield from unpack(batch, dict(self.lists))


@lru_cache(4)
def whole_table(files: Files) -> pa.Table:
    """Return a table that is small, which a process reads once."""
    parts = [pq.read_table(path, columns=list(files.columns)) for path in files.paths]
    return pa.concat_tables(parts)


@lru_cache(4)
def by_key(files: Files) -> pa.Table:
    """Return a small table in the order of its first column."""
    return whole_table(files).sort_by(files.columns[0]).combine_chunks()


def looking_up_in_files(
    function: MapFunction,
    sides: Mapping[str, Side],
    given: Files,
    known: Files,
    keys: Sequence[str],
    size: int,
    apart: str | None = None,
) -> Callable[[Batches], Batches]:
    """Return the task that maps blocks of a small table, given by numbers, which looks up in another."""

    def run(numbers: Batches) -> Batches:
        from neardup.engines.local.lookup import BatchLookup

        values = {name: side.value for name, side in sides.items()}
        with shelf_in(apart) as shelf:
            for number in (n for batch in numbers for n in batch.column(0).to_pylist()):
                rows = whole_table(given).slice(number * size, size)
                wanted = np.unique(np.concatenate([rows[key].to_numpy() for key in keys]))
                own = by_key(known)[0].to_numpy()
                found = by_key(known).take(np.flatnonzero(np.isin(own, wanted, kind="sort")))
                values["lookup"] = BatchLookup(list(known.unpacked(found)))
                for batch in as_one(given.unpacked(rows)):
                    yield from pack(function(batch, values), shelf)

    return run


def folding(
    start: Callable[[], Summary], lists: Mapping[str, Packed], folder: Path | None = None
) -> Callable[[Batches], Batches]:
    """Return the task that makes one summary of its partition, as rows of bytes.

    Here and below, these say only where it lies if there is a folder for it.
    """

    def run(batches: Batches) -> Batches:
        summary = start()
        for part in (part for batch in batches for part in unpack(batch, lists)):
            summary.add(part)
        yield from chunks(summary, partition(), folder)

    return run


def merging(folder: Path | None) -> Callable[[Batches], Batches]:
    """Return the task that merges the summaries of its partition into one."""

    def run(batches: Batches) -> Batches:
        found = summaries(batches)
        for first in found:
            for other in found:
                first.merge(other)
            yield from chunks(first, partition(), folder)

    return run


def total(start: Summary, batches: Iterable[pa.RecordBatch]) -> Summary:
    """Return what all summaries that rows of bytes hold make together."""
    for summary in summaries(batches):
        start.merge(summary)
    return start


def chunks(summary: Summary, number: int, folder: Path | None) -> Batches:
    """Yield a summary as rows of bytes."""
    from pyspark import cloudpickle

    told = SummaryFile.of(summary, folder) if folder else summary
    content = cloudpickle.dumps(told)  # type: ignore[no-untyped-call]
    for chunk, begin in enumerate(range(0, len(content), CHUNK)):
        columns = [[number], [chunk], [content[begin : begin + CHUNK]]]
        yield pa.RecordBatch.from_arrays(
            [
                pa.array(columns[0], pa.int64()),
                pa.array(columns[1], pa.int64()),
                pa.array(columns[2], pa.binary()),
            ],
            names=["state", "chunk", "bytes"],
        )


def summaries(batches: Iterable[pa.RecordBatch]) -> Iterator[Summary]:
    """Yield the summaries that rows of bytes hold, which are sorted by summary and chunk."""
    parts: list[bytes] = []
    last = None
    for batch in batches:
        for row in batch.to_pylist():
            if row["state"] != last and parts:
                yield opened(parts)
                parts = []
            last = row["state"]
            parts.append(row["bytes"])
    if parts:
        yield opened(parts)


def opened(parts: list[bytes]) -> Summary:
    """Return the summary that bytes are, or that they tell the place of."""
    found: Summary | SummaryFile = pickle.loads(b"".join(parts))
    return found.read() if isinstance(found, SummaryFile) else found


def partition() -> int:
    """Return the number of the partition that this task computes."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context else 0


def as_one(batches: Iterable[pa.RecordBatch]) -> Batches:
    """Yield all batches as one; none if there are no rows."""
    found = [batch for batch in batches if batch.num_rows]
    if found:
        yield found[0] if len(found) == 1 else pa.concat_batches(found)
