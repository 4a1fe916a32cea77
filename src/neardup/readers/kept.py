"""Data in memory without some of its rows: a frame stays a frame, with its index."""

from itertools import compress
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.arrays import Bools
from neardup.errors import InputError
from neardup.readers import hub
from neardup.readers.memory import NAME

Mask = Bools


def kept_rows(data: Any, keep: Mask) -> Any:
    """Return the rows of data that stay, as data of the same kind.

    >>> kept_rows(["one", "two", "three"], np.array([True, False, True]))
    ['one', 'three']
    """
    library = type(data).__module__.partition(".")[0]
    if hub.is_dataset(data):
        return kept_of_dataset(data, keep)
    if hasattr(data, "collect"):  # a frame of Polars that is not there yet
        return kept_rows(data.collect(), keep).lazy()
    if isinstance(data, dict):
        return {name: kept_rows(column, keep) for name, column in data.items()}
    if not hasattr(data, "__len__") or isinstance(data, str | bytes):
        hint = "Give the frame, table or list that was read; files are written by neardup.dedup."
        what = f"a Python {type(data).__name__} has no rows to choose from"
        raise InputError(what, where=NAME, hint=hint)
    check_length(len(data), keep)
    if library == "pandas":
        return data.loc[keep]
    if library == "polars":
        return data.filter(keep)
    if isinstance(data, pa.Table | pa.RecordBatch | pa.Array | pa.ChunkedArray):
        return data.filter(pa.array(keep))
    left = compress(data, keep)
    return tuple(left) if isinstance(data, tuple) else list(left)


def kept_of_dataset(data: object, keep: Mask) -> Any:
    """Return a dataset of Hugging Face without the rows that go; of a stream, all are counted on."""
    lengths = [getattr(part, "num_rows", None) for part in hub.parts_of(data).values()]
    if None in lengths:
        if len(lengths) > 1:
            hint = "result.to_dataset() returns those that were read."
            raise InputError("the rows of these streams cannot be told apart", where=NAME, hint=hint)
        lengths = [len(keep)]
    check_length(sum(length for length in lengths if length), keep)
    gone = np.flatnonzero(~keep).tolist()
    return hub.Origin(data, tuple(length or 0 for length in lengths)).without(gone)


def check_length(rows: int, keep: Mask) -> None:
    """Refuse data that are not what was read."""
    if rows != len(keep):
        what = f"these data have {rows:,} rows, and those that were read {len(keep):,}"
        raise InputError(what, where=NAME, hint="Give the very data that the run was given.")
