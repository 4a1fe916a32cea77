"""Columns that units of all kinds have, and columns of lists as arrays."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.readers.records import KNOWN

NO_WORDS = "no words"
CARRIED = ("file", "id", *KNOWN, "problem", "detail")


def extras(records: pa.Schema) -> list[str]:
    """Return the names of the columns that the user asked to carry along."""
    known = {"doc", "text", *CARRIED}
    return [name for name in records.names if name not in known]


def to_lists(values: npt.NDArray[np.uint64], bounds: npt.NDArray[np.int64]) -> pa.ListArray:
    """Make a column of lists; 64-bit values are signed in all tables, as Spark has no unsigned."""
    return pa.ListArray.from_arrays(bounds.astype(np.int32), pa.array(values.view(np.int64)))


def from_lists(column: pa.ListArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the values of a column of lists end to end, and where each list begins."""
    bounds = column.offsets.to_numpy().astype(np.int64)
    return column.values.to_numpy(), bounds


def list_column(values: npt.NDArray[np.int32], bounds: npt.NDArray[np.int64]) -> pa.ListArray:
    """Make a column of lists."""
    return pa.ListArray.from_arrays(bounds.astype(np.int32), pa.array(values))
