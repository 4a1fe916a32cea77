"""From records to units: each document's set of shingles, with all that is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.readers.records import KNOWN
from neardup.signatures.shingles import Shingles

NO_WORDS = "no words"
OWN = pa.schema(
    [
        ("doc", pa.int64()),
        ("size", pa.int64()),
        ("digest", pa.int64()),
        ("shingles", pa.list_(pa.int64())),
        ("length", pa.int64()),
    ]
)
CARRIED = ("file", "id", *KNOWN, "problem", "detail")


def units_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of units for these records; extra columns are named by number.

    So that no user's column name, whatever it holds, gets into SQL.
    """
    carried = [records.field(name) for name in CARRIED]
    extra = [records.field(name).with_name(f"extra_{i}") for i, name in enumerate(extras(records))]
    return pa.schema([*OWN, *carried, *extra])


def extras(records: pa.Schema) -> list[str]:
    """Return the names of the columns that the user asked to carry along."""
    known = {"doc", "text", *CARRIED}
    return [name for name in records.names if name not in known]


@dataclass(frozen=True)
class MakeUnits:
    """Shingles each record's text; a text without words becomes a problem."""

    shingles: Shingles
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one unit a record."""
        from neardup.kernels.counters import digests

        del sides
        sets = self.shingles.of(batch["text"])
        sizes = np.diff(sets.bounds)
        wordless = pc.and_(pc.equal(pa.array(sizes), 0), pc.is_null(batch["problem"]))
        problem = pc.if_else(wordless, NO_WORDS, batch["problem"])
        known = {
            "doc": batch["doc"],
            "size": pa.array(sizes),
            "digest": pa.array(digests(sets.values, sets.bounds).view(np.int64)),
            "shingles": to_lists(sets.values, sets.bounds),
            "length": pa.array(sets.characters),
            "problem": problem,
        }
        columns = [known[n] if n in known else batch[n] for n in (*OWN.names, *CARRIED)]
        columns += [batch[name] for name in extras(batch.schema)]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)


def to_lists(values: npt.NDArray[np.uint64], bounds: npt.NDArray[np.int64]) -> pa.ListArray:
    """Make a column of lists; 64-bit values are signed in all tables, as Spark has no unsigned."""
    return pa.ListArray.from_arrays(bounds.astype(np.int32), pa.array(values.view(np.int64)))


def from_lists(column: pa.ListArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the values of a column of lists end to end, and where each list begins."""
    bounds = column.offsets.to_numpy().astype(np.int64)
    return column.values.to_numpy(), bounds
