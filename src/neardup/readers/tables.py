"""Arrow tables to records: columns by dotted name, text of any string type, in bounded batches."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Bools, Integers
from neardup.durable import is_for_want_of_room
from neardup.errors import DamagedFileError, InputError
from neardup.readers.columns import Columns, Looked, choose
from neardup.readers.records import (
    BATCH_BYTES,
    BATCH_ROWS,
    Decisions,
    ReaderSettings,
    Record,
    as_type,
    kinds_of,
    to_batch,
)

FAILURES = (pa.ArrowException, OSError, ValueError, MemoryError)
STRINGS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
LOST = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError)


def uncopied(where: str, error: BaseException) -> BaseException:
    """Return the error for a file that cannot be read whole; what is wrong with the copy stays so."""
    if is_for_want_of_room(error):
        return error
    return DamagedFileError(str(error), where=where)


def names_of(schema: pa.Schema) -> list[str]:
    """Return the names of all columns, those inside structs with dots."""
    return [name for field in schema for name in _names(field, "")]


def _names(field: pa.Field, prefix: str) -> list[str]:
    name = prefix + field.name
    if not pa.types.is_struct(field.type):
        return [name]
    return [name, *(inner for part in field.type for inner in _names(part, f"{name}."))]


def look_at(schema: pa.Schema, settings: ReaderSettings, where: str) -> Looked:
    """Choose the columns of a table by its schema, and say of which types they are."""
    columns = choose(names_of(schema), settings, where)
    return columns, {name: _plain_type(_field(schema, name)) for name in wanted(columns)}


def wanted(columns: Columns) -> list[str]:
    """Return the names of all columns to read."""
    named = [columns.text, columns.id, *columns.others.values()]
    return list(dict.fromkeys(name for name in named if name))


def _field(schema: pa.Schema, name: str) -> pa.DataType:
    if name in schema.names:
        return schema.field(schema.get_all_field_indices(name)[0]).type
    first, *rest = name.split(".")
    kind = schema.field(schema.get_all_field_indices(first)[0]).type
    for part in rest:
        kind = kind.field(part).type
    return kind


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type in which a column is carried along: whatever is not simple becomes text."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    simple = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_temporal)
    return kind if any(test(kind) for test in simple) else pa.string()


def column(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Return a column by its name, or a field of a struct by its dotted name."""
    if name in batch.schema.names:
        return batch.column(batch.schema.get_all_field_indices(name)[0])
    first, *rest = name.split(".")
    found = batch.column(batch.schema.get_all_field_indices(first)[0])
    for part in rest:
        found = pc.struct_field(found, part)
    return found


def to_records(
    batch: pa.RecordBatch, columns: Columns, schema: pa.Schema, limit: int
) -> Iterator[pa.RecordBatch]:
    """Yield a batch of any table as records, cut so that the text of each piece is bounded."""
    for start in range(0, batch.num_rows, BATCH_ROWS):
        for piece in _bounded(batch.slice(start, BATCH_ROWS), columns.text):
            yield _records(piece, columns, schema, limit)


def readable(
    found: Iterator[pa.RecordBatch],
    where: str,
    columns: Columns,
    schema: pa.Schema,
    settings: ReaderSettings,
) -> Iterator[pa.RecordBatch]:
    """Yield a part of a table as records, as far as it can be read; then say why no further."""
    try:
        for batch in found:
            yield from to_records(batch, columns, schema, settings.max_record)
    except FAILURES as error:
        yield unread(where, error, schema)


def unread(where: str, error: BaseException, schema: pa.Schema) -> pa.RecordBatch:
    """Return the record that stands for what cannot be read; a full disk is no fault of the input."""
    if is_for_want_of_room(error):
        raise error
    return to_batch([Record(problem="unreadable", detail=f"{where}: {error}")], schema)


def _bounded(batch: pa.RecordBatch, name: str) -> Iterator[pa.RecordBatch]:
    """Cut a batch where its text passes the size of one; a larger single record stays whole."""
    sizes = _sizes(column(batch, name))
    start = size = 0
    if sizes.sum() > BATCH_BYTES:
        for row, length in enumerate(sizes.tolist()):
            if size and size + length > BATCH_BYTES:
                yield batch.slice(start, row - start)
                start, size = row, 0
            size += length
    yield batch.slice(start)


def _sizes(text: pa.Array) -> Integers:
    """Return the bytes of each value, without unfolding a dictionary: that may be a bomb."""
    if pa.types.is_dictionary(text.type):
        own = _sizes(text.dictionary)
        at = pc.fill_null(text.indices.cast(pa.int64()), 0).to_numpy(zero_copy_only=False)
        return own[at] if len(own) else np.zeros(len(text), np.int64)
    try:
        lengths = pc.binary_length(text)
    except LOST:
        return np.zeros(len(text), np.int64)
    filled = pc.fill_null(lengths.cast(pa.int64()), 0)
    return np.asarray(filled.to_numpy(zero_copy_only=False))


def _records(batch: pa.RecordBatch, columns: Columns, schema: pa.Schema, limit: int) -> pa.RecordBatch:
    text, problem, detail = _text(column(batch, columns.text), columns.text, limit)
    if columns.lenient:
        problem = pc.if_else(pc.equal(problem, "no text"), pa.scalar(None, pa.string()), problem)
    found = {"text": text, "problem": problem, "detail": detail}
    origin = columns.others | ({"id": columns.id} if columns.id else {})
    for ours, theirs in origin.items():
        if ours in schema.names:
            found[ours] = _cast(column(batch, theirs), schema.field(ours).type)
    arrays = [found.get(f.name, pa.nulls(batch.num_rows, f.type)) for f in schema]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _text(values: pa.Array, name: str, limit: int) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return the text, and for each row without any what is wrong and the details."""
    rows = len(values)
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_null(kind):
        return _all_bad(rows, "no text", f"{name!r} is null")
    if not _is_text(kind):
        bad = pc.if_else(values.is_null(), "no text", "text is not a string")
        why = pc.if_else(values.is_null(), f"{name!r} is null", f"{name!r} holds {kind}")
        return pa.nulls(rows, pa.large_string()), bad, why
    sizes = _sizes(values)
    try:
        text = values.cast(pa.large_string())
        text.validate(full=True)
    except LOST:
        return _decoded(values, name, limit)
    if text.null_count == 0 and (not rows or sizes.max() <= limit):
        return text, pa.nulls(rows, pa.string()), pa.nulls(rows, pa.string())
    return _decoded(values, name, limit)


def _is_text(kind: pa.DataType) -> bool:
    return any(test(kind) for test in (*STRINGS, *BYTES, pa.types.is_fixed_size_binary))


def _all_bad(rows: int, problem: str, detail: str) -> tuple[pa.Array, pa.Array, pa.Array]:
    return pa.nulls(rows, pa.large_string()), *(
        pa.repeat(pa.scalar(words), rows) for words in (problem, detail)
    )


def _decoded(values: pa.Array, name: str, limit: int) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Do the same value by value, where some are null, too large or not UTF-8."""
    texts: list[str | None] = []
    problems: list[str | None] = []
    details: list[str | None] = []
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    for value in values.cast(pa.large_binary()).to_pylist():
        text = problem = detail = None
        if value is None:
            problem, detail = "no text", f"{name!r} is null"
        elif len(value) > limit:
            problem, detail = "too large", f"over {limit:,} bytes in one record"
        else:
            try:
                text = value.decode("utf-8")
            except UnicodeDecodeError as error:
                problem, detail = "invalid UTF-8", f"at byte {error.start} of {name!r}"
        texts.append(text)
        problems.append(problem)
        details.append(detail)
    strings = pa.string()
    return (pa.array(texts, pa.large_string()), pa.array(problems, strings), pa.array(details, strings))


def _cast(values: pa.Array, kind: pa.DataType) -> pa.Array:
    try:
        found = values.cast(kind)
        found.validate(full=True)
        return found
    except LOST:
        if _is_text(values.type):
            values = values.cast(pa.large_binary())
        return pa.array([as_type(value, kind) for value in values.to_pylist()], kind)


def with_notes(schema: pa.Schema, notes: Mapping[int, dict[str, Any]] | None) -> pa.Schema:
    """Return a schema with the columns of the notes, in place of older ones of the same names."""
    if notes is None:
        return schema
    added = [pa.field(f"neardup_{name}", kind) for name, kind in kinds_of(notes).items()]
    names = {field.name for field in added}
    return pa.schema([*(f for f in schema if f.name not in names), *added], schema.metadata)


def kept(batch: pa.RecordBatch, first: int, bad: Bools, decided: Decisions) -> pa.RecordBatch:
    """Return the rows of a batch to keep, with their notes; `first` is the first row's position."""
    keep, notes, _ = decided
    rows = np.ones(batch.num_rows, bool)
    if keep is not None:
        given = np.asarray(keep[first : first + batch.num_rows], bool)
        rows[: len(given)] = given
    rows |= bad
    if notes is not None:
        own = [notes.get(first + row, {}) for row in range(batch.num_rows)]
        schema = with_notes(batch.schema, notes)
        kinds = kinds_of(notes)
        added = [pa.array([note.get(n) for note in own], kind) for n, kind in kinds.items()]
        names = {f"neardup_{n}" for n in kinds}
        old = [batch.column(i) for i, n in enumerate(batch.schema.names) if n not in names]
        batch = pa.RecordBatch.from_arrays([*old, *added], schema=schema)
    return batch if rows.all() else _filtered(batch, rows)


def _filtered(batch: pa.RecordBatch, rows: Bools) -> pa.RecordBatch:
    try:
        return batch.filter(pa.array(rows))
    except pa.ArrowNotImplementedError:  # there are types that Arrow can only slice: views of strings
        edges = np.flatnonzero(np.diff(rows, prepend=False, append=False)).reshape(-1, 2).tolist()
        parts = [batch.slice(begin, end - begin) for begin, end in edges]
        return pa.concat_batches([batch.slice(0, 0), *parts])


def with_texts(
    batch: pa.RecordBatch, first: int, name: str, texts: Mapping[int, str] | None
) -> pa.RecordBatch:
    """Put other texts into a batch; `first` is the first row's position."""
    rows = [row for row in range(batch.num_rows) if texts and first + row in texts]
    new = {row: texts[first + row] for row in rows} if texts else {}
    if not new:
        return batch
    at = batch.schema.get_field_index(name)
    if at < 0:
        hint = 'Take mode="list", or put the texts into a column of their own.'
        raise InputError(f"the texts are nested in another column ({name})", hint=hint)
    kind = batch.schema.field(at).type
    values = [new.get(row, value) for row, value in enumerate(batch.column(at).to_pylist())]
    if _is_bytes(kind):
        values = [v.encode() if isinstance(v, str) else v for v in values]
    return batch.set_column(at, batch.schema.field(at), pa.array(values, kind))


def _is_bytes(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(test(kind) for test in BYTES)


def bad_rows(batch: pa.RecordBatch, columns: Columns, limit: int) -> Bools:
    """Say of each row of a table whether it is a record with a problem."""
    only = Columns(columns.text, None, {})
    schema = pa.schema({"text": pa.large_string(), "problem": pa.string(), "detail": pa.string()})
    parts = [
        part["problem"].is_valid().to_numpy(zero_copy_only=False)
        for part in to_records(batch, only, schema, limit)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, bool)
