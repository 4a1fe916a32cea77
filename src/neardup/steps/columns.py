"""Columns that units of all kinds have, columns of lists as arrays, and what a Map may fetch."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pyarrow as pa

from neardup.arrays import Hashes, Integers, Places
from neardup.readers.records import KNOWN

if TYPE_CHECKING:
    from neardup.kernels.lists import Lists

NO_WORDS = "no words"
CARRIED = ("file", "id", *KNOWN, "problem", "detail")


def extras(records: pa.Schema) -> list[str]:
    """Return the names of the columns that the user asked to carry along."""
    known = {"doc", "text", *CARRIED}
    return [name for name in records.names if name not in known]


def numbered_names(columns: Iterable[str], prefix: str = "extra") -> dict[str, str]:
    """Return numbered names for the users' columns: whatever one holds, it does not get into SQL.

    >>> numbered_names(["a score", "select"])
    {'a score': 'extra_0', 'select': 'extra_1'}
    """
    return {name: f"{prefix}_{i}" for i, name in enumerate(columns)}


def with_carried(own: pa.Schema, records: pa.Schema) -> pa.Schema:
    """Return the schema of units with these columns of their own, and what their records carry along."""
    carried = [records.field(name) for name in CARRIED]
    extra = [records.field(name).with_name(new) for name, new in numbered_names(extras(records)).items()]
    return pa.schema([*own, *carried, *extra])


def carrying(
    schema: pa.Schema, known: Mapping[str, pa.Array], records: pa.RecordBatch
) -> pa.RecordBatch:
    """Return units of what is known of them, and what their records carry along."""
    extra = {new: records[name] for name, new in numbered_names(extras(records.schema)).items()}
    columns = {**{name: records[name] for name in ("doc", *CARRIED)}, **extra, **known}
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


def schema_of(columns: str) -> pa.Schema:
    """Return the schema of columns that are written as names and their type; [ ] stands for a list.

    >>> schema_of("a b int64, words [int32]").types
    [DataType(int64), DataType(int64), ListType(list<item: int32>)]
    """
    fields: list[tuple[str, pa.DataType]] = []
    for part in columns.split(","):
        *names, kind = part.split()
        known = pa.type_for_alias(kind.strip("[]"))
        fields += [(name, pa.list_(known) if kind.startswith("[") else known) for name in names]
    return pa.schema(fields)


def slices(batch: pa.RecordBatch, weights: Integers, most: int) -> Iterator[pa.RecordBatch]:
    """Cut a batch so that what the rows of a slice weigh fits into bounded memory."""
    starts = np.flatnonzero(np.diff(np.cumsum(weights) // most, prepend=-1)).tolist() or [0]
    for start, end in pairwise([*starts, batch.num_rows]):
        yield batch.slice(start, end - start)


def to_lists(values: Hashes, bounds: Integers) -> pa.ListArray:
    """Make a column of lists; 64-bit values are signed in all tables, as Spark has no unsigned."""
    return pa.ListArray.from_arrays(bounds.astype(np.int32), pa.array(values.view(np.int64)))


def from_lists(column: pa.ListArray) -> tuple[Integers, Integers]:
    """Return the values of a column of lists end to end, and where each list begins."""
    bounds = column.offsets.to_numpy().astype(np.int64)
    return column.values.to_numpy(), bounds


def list_column(values: Places, bounds: Integers) -> pa.ListArray:
    """Make a column of lists."""
    return pa.ListArray.from_arrays(bounds.astype(np.int32), pa.array(values))


class Lookup(Protocol):
    """The large table from which a Map fetches rows by the first column."""

    def take(self, keys: pa.Array) -> pa.RecordBatch:
        """Return the rows with these keys, which are sorted and distinct."""

    def lists(self, column: str, keys: Integers) -> "Lists":
        """Return where the lists of these keys lie, in their order; they need not be distinct."""

    def portions(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield a batch in pieces, and let go of what was read for each; whole if memory allows."""
