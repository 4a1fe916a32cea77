"""What runs on the executors: functions from Arrow batches to Arrow batches.

Each of them is made on the driver and sent with all it needs. Nothing here knows of a session.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import pyarrow as pa

from neardup.engines.spark.apart import shelf_in
from neardup.engines.spark.columns import Packed, pack, unpack
from neardup.engines.spark.failures import carried
from neardup.plan import MapFunction, Summary
from neardup.readers.numbers import together
from neardup.readers.source import Source, Split

Batches = Iterator[pa.RecordBatch]
CHUNK = 16 << 20
STATES = "state long, chunk long, bytes binary"
BLOCK = "neardup_block"
WANTED = "neardup_wanted_in"


class Side(Protocol):
    """A summary as tasks have it: a broadcast, or what stands in for one."""

    @property
    def value(self) -> Any:
        """Return the summary."""

    def destroy(self) -> None:
        """Give up what it takes."""


def reading(
    source: Source,
    groups: Sequence[Sequence[Split]],
    function: MapFunction,
    sides: Mapping[str, Side],
    apart: str | None = None,
) -> Callable[[Batches], Batches]:
    """Return the task that reads groups of splits, given by their numbers, and maps their records.

    Here and below, `apart` is the folder in which lists are left.
    """

    def run(numbers: Batches) -> Batches:
        values = {name: side.value for name, side in sides.items()}
        with shelf_in(apart) as shelf, carried():
            for number in (n for batch in numbers for n in batch.column(0).to_pylist()):
                read = (records for split in groups[number] for records in source.read(split))
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
) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Return the task that maps a block of rows, given all rows that it may look up."""

    def run(rows: pa.Table, found: pa.Table) -> pa.Table:
        from neardup.engines.local.lookup import BatchLookup

        known = found.drop_columns([WANTED])
        known = known.sort_by(known.column_names[0]).combine_chunks()
        lookup = BatchLookup([p for batch in known.to_batches() for p in unpack(batch, found_lists)])
        values = {name: side.value for name, side in sides.items()} | {"lookup": lookup}
        given = as_one(p for b in rows.drop_columns([BLOCK]).to_batches() for p in unpack(b, lists))
        mapped = [part for batch in given for part in pack(function(batch, values))]
        return pa.Table.from_batches(mapped)

    return run


def folding(start: Callable[[], Summary], lists: Mapping[str, Packed]) -> Callable[[Batches], Batches]:
    """Return the task that makes one summary of its partition, as rows of bytes."""

    def run(batches: Batches) -> Batches:
        summary = start()
        for part in (part for batch in batches for part in unpack(batch, lists)):
            summary.add(part)
        yield from chunks(summary, partition())

    return run


def merged(batches: Batches) -> Batches:
    """Merge the summaries of a partition into one."""
    found = summaries(batches)
    for first in found:
        for other in found:
            first.merge(other)
        yield from chunks(first, partition())


def total(start: Summary, batches: Iterable[pa.RecordBatch]) -> Summary:
    """Return what all summaries that rows of bytes hold make together."""
    for summary in summaries(batches):
        start.merge(summary)
    return start


def chunks(summary: Summary, number: int) -> Batches:
    """Yield a summary as rows of bytes."""
    from pyspark import cloudpickle

    content = cloudpickle.dumps(summary)  # type: ignore[no-untyped-call]
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
                yield pickle.loads(b"".join(parts))
                parts = []
            last = row["state"]
            parts.append(row["bytes"])
    if parts:
        yield pickle.loads(b"".join(parts))


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
