"""Maps that are put together for a task: two in one, or one whose rows leave it in pieces.

What the first of two functions makes only for the second does not go through Java. And Spark takes a
table apart row by row to bring rows with the same key together, which costs more than what is then done
with them: here the task that makes the rows sorts them by part itself, and hands Spark one row a part,
with its number and each column as a list.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from neardup.engines.spark.columns import TYPES
from neardup.plan import Map, MapFunction, Sides

PART = "neardup_part"
MOST_PARTS = 1 << 16


def fits(schema: pa.Schema) -> bool:
    """Return whether tables of this schema can be cut into pieces: all columns are whole numbers."""
    return all(str(field.type) in TYPES for field in schema)


def cut(step: Map, parts: int) -> Map:
    """Return the step that makes pieces of what another one makes."""
    lists = [field.with_type(pa.list_(field.type)) for field in step.schema]
    schema = pa.schema([pa.field(PART, pa.int64()), *lists])
    return replace(
        step, function=partial(cut_rows, step.function, min(parts, MOST_PARTS), schema), schema=schema
    )


def cut_rows(
    function: MapFunction, parts: int, schema: pa.Schema, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Map rows and cut what comes of them into parts, by their first column."""
    from neardup.kernels.partition import partitions_of

    rows = function(batch, sides)
    # numbers this short are sorted by counting
    numbers = partitions_of(rows.column(0).to_numpy(), parts).astype(np.uint16)
    order = np.argsort(numbers, kind="stable")
    found, starts = np.unique(numbers[order], return_index=True)
    bounds = pa.array(np.append(starts, len(order)), pa.int32())
    lists = [pa.ListArray.from_arrays(bounds, column) for column in rows.take(order).columns]
    return pa.RecordBatch.from_arrays([found.astype(np.int64), *lists], schema=schema)


def joined(
    function: MapFunction, schema: pa.Schema, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Map the rows that pieces are made of."""
    columns = [lists.flatten() for lists in batch.columns[1:]]
    return function(pa.RecordBatch.from_arrays(columns, schema=schema), sides)


def chained(first: Map, second: Map) -> Map:
    """Return the step that does what two do, one after the other."""
    return replace(
        first,
        name=second.name,
        function=partial(one_after_the_other, first.function, second.function),
        schema=second.schema,
        sides=(*first.sides, *second.sides),
    )


def one_after_the_other(
    first: MapFunction, second: MapFunction, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Map rows, and then what comes of them."""
    return second(first(batch, sides), sides)
