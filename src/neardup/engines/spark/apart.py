"""Lists that stay beside Spark: tasks write them to files, and rows carry only where they lie.

Whatever Python makes goes to Java, into a table, and back to Python with each step that reads it. Most
of it is lists of numbers that Java never looks at. So where all tasks reach the folder of a run as a
disk, a list is written once, and each task that wants it maps its file into memory.

Each attempt at a task writes a file of its own, so that one that failed or was too slow leaves a file
that no row of a whole table names.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

PLACE = np.dtype([("file", "<i8"), ("begin", "<i8"), ("size", "<i8")])  # begin and size in bytes
MAPPED = 8  # files that a process has mapped at a time
RANDOM_BITS = 63


class Shelf:
    """The file in which one attempt at a task leaves its lists."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._number = uuid.uuid4().int >> (128 - RANDOM_BITS)
        self._file: IO[bytes] | None = None
        self._end = 0

    def put(self, column: pa.ListArray) -> pa.BinaryArray:
        """Write lists of numbers; return where each of them lies."""
        width = column.values.type.bit_width // 8
        bounds = column.offsets.to_numpy().astype(np.int64) * width
        places = np.empty(len(column), PLACE)
        places["file"] = self._number
        places["begin"] = self._end + bounds[:-1] - bounds[0]
        places["size"] = np.diff(bounds)
        if size := int(bounds[-1] - bounds[0]):
            data = column.values.buffers()[1]
            self._write(data.slice(column.values.offset * width + int(bounds[0]), size))
        ends = np.arange(len(column) + 1, dtype=np.int32) * PLACE.itemsize
        buffers = [None, pa.py_buffer(ends), pa.py_buffer(places)]
        return pa.Array.from_buffers(pa.binary(), len(column), buffers)

    def _write(self, data: pa.Buffer) -> None:
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = path_of(self._folder, self._number).open("xb")
        self._file.write(data)
        self._end += data.size

    def close(self) -> None:
        """Leave the file whole."""
        if self._file is not None:
            self._file.close()


@contextmanager
def shelf_in(folder: str | None) -> Iterator[Shelf | None]:
    """Give a new shelf in a folder, None where lists go along with their rows."""
    shelf = Shelf(folder) if folder else None
    try:
        yield shelf
    finally:
        if shelf:
            shelf.close()


def path_of(folder: Path, number: int) -> Path:
    """Return the file of a shelf."""
    return folder / f"{number:016x}"


def places_in(column: pa.BinaryArray) -> npt.NDArray[np.void]:
    """Return the places that a column holds."""
    _, offsets, data = column.buffers()
    if not len(column):
        return np.empty(0, PLACE)
    first = int(np.frombuffer(offsets, np.int32)[column.offset])
    return np.frombuffer(data, PLACE, len(column), first)


def fetched(column: pa.BinaryArray, kind: pa.DataType, folder: str) -> pa.ListArray:
    """Return the lists whose places a column holds; those that lie together are not copied."""
    places = places_in(column)
    bounds = np.concatenate([[0], np.cumsum(places["size"])]) // (kind.bit_width // 8)
    values = joined([piece(folder, run) for run in runs(places[places["size"] > 0])])
    numbers = pa.Array.from_buffers(kind, int(bounds[-1]), [None, values])
    return pa.ListArray.from_arrays(pa.array(bounds, pa.int32()), numbers)


def runs(places: npt.NDArray[np.void]) -> Iterator[npt.NDArray[np.void]]:
    """Yield the places in groups that lie one behind the other."""
    ends = places["begin"] + places["size"]
    apart = (places["file"][1:] != places["file"][:-1]) | (places["begin"][1:] != ends[:-1])
    bounds = [0, *(np.flatnonzero(apart) + 1).tolist(), len(places)]
    for begin, end in pairwise(bounds):
        if begin < end:
            yield places[begin:end]


def piece(folder: str, run: npt.NDArray[np.void]) -> pa.Buffer:
    """Return the bytes of places that lie one behind the other."""
    begin, end = int(run["begin"][0]), int(run["begin"][-1] + run["size"][-1])
    return mapped(folder, int(run["file"][0])).slice(begin, end - begin)


@lru_cache(MAPPED)
def mapped(folder: str, number: int) -> pa.Buffer:
    """Return a file as it lies in memory."""
    return pa.memory_map(str(path_of(Path(folder), number))).read_buffer()


def joined(buffers: list[pa.Buffer]) -> pa.Buffer:
    """Return the bytes of buffers as one."""
    if len(buffers) == 1:
        return buffers[0]
    return pa.py_buffer(
        np.concatenate([np.empty(0, np.uint8), *(np.frombuffer(b, np.uint8) for b in buffers)])
    )
