"""Columns as Spark carries them: lists of numbers as bytes, or as the places where they lie.

Spark takes a list apart and copies its numbers one by one. Bytes it copies at once, and in Arrow a
column of lists becomes a column of bytes without a copy. A field's metadata says what its bytes are,
and SQL that just passes a column on passes the metadata on, too.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.engines.spark.apart import Shelf, fetched, places_in

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

VALUES = "neardup.values"
FOLDER = "neardup.folder"
AT_ONCE = 32 << 20  # bytes of lists that are fetched for one batch
MOST_BYTES = 1 << 30  # of one column in a batch; Arrow's offsets of bytes end at twice that
LARGE = pa.large_string()  # Spark hands texts back with shorter offsets than kernels read
TYPES = {str(kind): kind for kind in (pa.int32(), pa.int64())}


class Packed(NamedTuple):
    """What the bytes of a column are: numbers of a type, or their places in the files of a folder."""

    values: str
    folder: str | None = None


def is_packed(kind: pa.DataType) -> bool:
    """Return whether columns of this type are carried as bytes."""
    return pa.types.is_list(kind) and str(kind.value_type) in TYPES


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type in which Spark carries a column: its own, or the next that Spark has."""
    if is_packed(kind):
        return pa.binary()
    if kind == LARGE:
        return pa.string()
    if pa.types.is_unsigned_integer(kind):
        return pa.decimal128(20, 0) if kind.bit_width == 64 else pa.int64()
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return pa.string()
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    return pa.date32() if pa.types.is_date64(kind) else kind


def spark_schema(schema: pa.Schema, folder: str | None = None) -> "StructType":
    """Return a table's schema as Spark declares it; `folder` has its lists, if rows do not."""
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import BinaryType, StructField, StructType

    plain = pa.schema([f.with_type(plain_type(f.type)) for f in schema])
    fields = []
    for own, spark in zip(schema, from_arrow_schema(plain).fields, strict=True):
        if is_packed(own.type):
            kind = {VALUES: str(own.type.value_type)} | ({FOLDER: folder} if folder else {})
            fields.append(StructField(own.name, BinaryType(), True, kind))
        elif own.type == LARGE:
            fields.append(StructField(own.name, spark.dataType, True, {VALUES: str(LARGE)}))
        else:
            fields.append(StructField(own.name, spark.dataType, True))
    return StructType(fields)


def packed_columns(schema: "StructType") -> dict[str, Packed]:
    """Return the columns that are lists, with what their bytes are."""
    known = {f.name: f.metadata or {} for f in schema.fields}
    return {n: Packed(told[VALUES], told.get(FOLDER)) for n, told in known.items() if VALUES in told}


def pack(batch: pa.RecordBatch, shelf: Shelf | None = None) -> Iterator[pa.RecordBatch]:
    """Yield a batch with its lists as bytes, in pieces if these are very many; or on a shelf."""
    own = [c for c in batch.columns if c.type == LARGE or (is_packed(c.type) and not shelf)]
    if batch.num_rows > 1 and any(c.nbytes > MOST_BYTES for c in own):
        half = batch.num_rows // 2
        yield from pack(batch.slice(0, half))
        yield from pack(batch.slice(half))
        return
    put = shelf.put if shelf else to_bytes
    columns = [
        put(c) if is_packed(c.type) else c.cast(plain_type(c.type), safe=False) for c in batch.columns
    ]
    yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def unpack(batch: pa.RecordBatch, packed: Mapping[str, Packed]) -> Iterator[pa.RecordBatch]:
    """Yield a batch with lists where they were carried as bytes; in pieces if much is to be fetched."""
    names = batch.schema.names
    for begin, end in pairwise(cuts(batch, packed)):
        part = batch.slice(begin, end - begin)
        columns = [
            lists_of(column, packed[name]) if name in packed else column
            for name, column in zip(names, part.columns, strict=True)
        ]
        yield pa.RecordBatch.from_arrays(columns, names=names)


def cuts(batch: pa.RecordBatch, packed: Mapping[str, Packed]) -> list[int]:
    """Return where a batch is cut, so that not too much is fetched for a piece, with both ends."""
    apart = [name for name, how in packed.items() if how.folder]
    sizes = sum((places_in(batch[name])["size"] for name in apart), np.zeros(batch.num_rows, np.int64))
    shares = np.cumsum(sizes) // AT_ONCE
    return [0, *(np.flatnonzero(np.diff(shares)) + 1).tolist(), batch.num_rows]


def lists_of(column: pa.BinaryArray, packed: Packed) -> pa.ListArray:
    """Return the lists of a column, from their bytes or places; texts with the offsets they had."""
    if packed.values == str(LARGE):
        return column.cast(LARGE)
    kind = TYPES[packed.values]
    return fetched(column, kind, packed.folder) if packed.folder else to_lists(column, kind)


def to_bytes(column: pa.ListArray) -> pa.BinaryArray:
    """Return lists of numbers as bytes."""
    values = column.values
    width = values.type.bit_width // 8
    bounds = column.offsets.to_numpy().astype(np.int64)
    first = bounds[0]
    offsets = ((bounds - first) * width).astype(np.int32)
    data = values.buffers()[1] if len(values) else None
    rest = pa.py_buffer(b"") if data is None else data.slice((values.offset + int(first)) * width)
    return pa.Array.from_buffers(pa.binary(), len(column), [None, pa.py_buffer(offsets), rest])


def to_lists(column: pa.BinaryArray, kind: pa.DataType) -> pa.ListArray:
    """Return lists of numbers from their bytes."""
    if not len(column):
        return pa.array([], pa.list_(kind))
    width = kind.bit_width // 8
    _, offsets, data = column.buffers()
    bounds = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    first, count = int(bounds[0]), int(bounds[-1] - bounds[0]) // width
    values = pa.Array.from_buffers(kind, count, [None, data.slice(first) if data else pa.py_buffer(b"")])
    return pa.ListArray.from_arrays(pa.array((bounds - first) // width, pa.int32()), values)
