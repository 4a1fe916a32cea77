"""Bringing rows together by their first column, in bounded memory, as MapReduce does.

The rows of a table are taken in runs, each as large as memory allows, however many parts it takes.
A run is sorted by partition, which is a hash of the first column, and appended to one file; where its
partitions begin is remembered. A partition is then read from the runs: a piece of each.
"""

import os
import shutil
import threading
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.arrays import Integers
from neardup.engines.local.store import StoredTable, read_part
from neardup.kernels.partition import places_by_partition, put

MOST_PARTITIONS = 1024
NOTHING = pa.py_buffer(b"")
SHARES = 4  # runs a worker, at least, so that none waits long for another


class Run(NamedTuple):
    """Rows sorted by partition: number p is in the bytes bounds[p] to bounds[p + 1] of the file."""

    group: int
    turn: int
    bounds: Integers


class Shuffle:
    """The partitions of one table, each of about the given number of bytes."""

    def __init__(
        self, table: StoredTable, folder: Path, partition_bytes: int, run_bytes: int, workers: int = 1
    ) -> None:
        sizes = [(part.stat().st_size, part) for part in table.parts]
        self.bytes = sum(size for size, _ in sizes)
        self.partitions = min(max(-(-self.bytes // partition_bytes), 1), MOST_PARTITIONS)
        self._schema = table.schema
        self._run_bytes = run_bytes
        self.groups = grouped_parts(sizes, min(run_bytes, self.bytes // (SHARES * workers)))
        self._runs: list[Run] = []
        self._end = 0
        self._lock = threading.Lock()
        self._folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._file = (folder / "runs").open("w+b", buffering=0)

    def scatter(self, group: int, parts: Iterable[Path]) -> None:
        """Append the rows of one group of parts to the file, sorted by partition."""
        batches = (batch for part in parts for batch in read_part(part))
        for turn, rows in enumerate(runs_of(batches, self._run_bytes)):
            places, starts = places_by_partition(rows.column(0).to_numpy(), self.partitions)
            rows = moved(rows, places)
            slices = (rows.slice(begin, end - begin) for begin, end in pairwise(starts.tolist()))
            pieces = [piece.serialize() if piece.num_rows else NOTHING for piece in slices]
            self._append(group, turn, pieces)

    def _append(self, group: int, turn: int, pieces: list[pa.Buffer]) -> None:
        bounds = np.cumsum([0, *(piece.size for piece in pieces)])
        with self._lock:
            bounds += self._end
            self._end = int(bounds[-1])
            self._runs.append(Run(group, turn, bounds))
        for begin, piece in zip(bounds.tolist(), pieces, strict=False):
            written = 0
            while written < piece.size:
                written += self._write(memoryview(piece)[written:], begin + written)

    def gather(self, partition: int) -> Iterator[pa.RecordBatch]:
        """Yield the rows of one partition as one batch."""
        found = []
        for run in sorted(self._runs, key=lambda run: run[:2]):
            begin, end = run.bounds[partition : partition + 2].tolist()
            if begin < end:
                piece = self._read(end - begin, begin)
                found.append(pa.ipc.read_record_batch(pa.py_buffer(piece), self._schema))
        if found:
            yield pa.concat_batches(found)

    def _write(self, data: memoryview, place: int) -> int:
        if hasattr(os, "pwrite"):
            return os.pwrite(self._file.fileno(), data, place)
        with self._lock:  # Windows has one place for all threads
            self._file.seek(place)
            return self._file.write(data)

    def _read(self, size: int, place: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), size, place)
        with self._lock:
            self._file.seek(place)
            return self._file.read(size)

    def close(self) -> None:
        """Delete the file."""
        self._file.close()
        shutil.rmtree(self._folder)


def moved(rows: pa.RecordBatch, places: npt.NDArray[np.uint32]) -> pa.RecordBatch:
    """Return the rows in their new places."""
    simple = [column.type == pa.int64() and not column.null_count for column in rows.columns]
    order = np.empty(0 if all(simple) else len(places), np.uint32)
    order[places[: len(order)]] = np.arange(len(order), dtype=np.uint32)
    columns = [
        pa.array(put(column.to_numpy(), places)) if fast else column.take(pa.array(order))
        for column, fast in zip(rows.columns, simple, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=rows.schema)


def grouped_parts(sizes: Iterable[tuple[int, Path]], most: int) -> list[tuple[int, list[Path]]]:
    """Put parts that follow each other together as long as they have at most `most` bytes."""
    groups: list[tuple[int, list[Path]]] = []
    held = 0
    for size, part in sizes:
        if groups and held + size <= most:
            held += size
            groups[-1][1].append(part)
            groups[-1] = held, groups[-1][1]
        else:
            held = size
            groups.append((held, [part]))
    return groups


def runs_of(batches: Iterable[pa.RecordBatch], most: int) -> Iterator[pa.RecordBatch]:
    """Put small batches together to `most` bytes or less; larger ones stay whole."""
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        if held and size + batch.nbytes > most:
            yield pa.concat_batches(held)
            held, size = [], 0
        held.append(batch)
        size += batch.nbytes
    if held:
        yield pa.concat_batches(held)
