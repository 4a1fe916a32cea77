"""Datasets of Hugging Face as a source, and the same datasets without some of their rows."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from neardup.errors import InputError
from neardup.readers.records import ReaderSettings
from neardup.readers.tables import look_at, names_of, wanted

BATCH = 1000  # rows of a stream that are taken together
SPLIT = "split"  # where datasets have several: the column that tells of which a document is
WHERE = "dataset"


def is_dataset(data: object) -> bool:
    """Return whether data is a dataset of Hugging Face, a stream, or several by name."""
    return type(data).__module__.partition(".")[0] == "datasets"


def is_stream(part: object) -> bool:
    """Return whether the rows of a dataset come one after the other only."""
    return not hasattr(part, "num_rows")


@dataclass(frozen=True)
class Origin:
    """A dataset that was read, and how many rows each of its parts has."""

    data: Any
    lengths: tuple[int, ...]

    def without(self, rows: Collection[int]) -> Any:
        """Return the same without some rows, by their numbers over all parts; features stay."""
        gone = set(rows)
        found = {}
        first = 0
        for (name, part), length in zip(parts_of(self.data).items(), self.lengths, strict=True):
            own = {row - first for row in gone if first <= row < first + length}
            found[name] = left_of(part, own, length)
            first += length
        several: Any = type(self.data)
        return several(found) if isinstance(self.data, Mapping) else found[""]


def parts_of(data: object) -> dict[str, Any]:
    """Return the datasets by the names of their splits; one alone has none."""
    return dict(data) if isinstance(data, Mapping) else {"": data}


def left_of(part: Any, gone: set[int], length: int) -> Any:
    """Return a dataset without some rows; a stream is read again when it is asked for its rows."""
    if is_stream(part):
        return part.filter(partial(stays, gone), with_indices=True)
    return part.select([row for row in range(length) if row not in gone])


def stays(gone: set[int], _: object, number: int) -> bool:
    """Return whether a row of a stream stays."""
    return number not in gone


def opened(data: object, settings: ReaderSettings) -> tuple[pa.Table, ReaderSettings, Origin]:
    """Return the columns asked for as a table, how it is read, and where it came from."""
    parts = parts_of(data)
    tables = [table_of(part, settings) for part in parts.values()]
    lengths = tuple(map(len, tables))
    if isinstance(data, Mapping) and not any(SPLIT in table.column_names for table in tables):
        named = zip(tables, parts, strict=True)
        tables = [t.append_column(SPLIT, pa.array([name] * len(t), pa.string())) for t, name in named]
        settings = replace(settings, columns=tuple(dict.fromkeys((*settings.columns, SPLIT))))
    try:
        return pa.concat_tables(tables, promote_options="default"), settings, Origin(data, lengths)
    except pa.ArrowInvalid as error:
        names = ", ".join(parts)
        hint = "Give them one by one."
        raise InputError(f"the splits {names} have other columns", where=WHERE, hint=hint) from error


def table_of(part: Any, settings: ReaderSettings) -> pa.Table:
    """Return the columns asked for of one dataset."""
    if not is_stream(part):
        schema = part.with_format("arrow")[:0].schema
        return part.select_columns(columns_in(schema, settings)).with_format("arrow")[:]
    batches = part.with_format("arrow").iter(batch_size=BATCH)
    first = next(batches, None)
    if first is None:
        raise InputError("the stream has no rows", where=WHERE)
    names = columns_in(first.schema, settings)
    return pa.concat_tables(chosen(first, batches, names), promote_options="default")


def chosen(first: pa.Table, rest: Iterator[pa.Table], names: list[str]) -> Iterator[pa.Table]:
    """Yield some columns of tables."""
    yield first.select(names)
    yield from (table.select(names) for table in rest)


def columns_in(schema: pa.Schema, settings: ReaderSettings) -> list[str]:
    """Return the columns to read, in their order: of what is inside a struct, all of it."""
    columns, _ = look_at(schema, settings, WHERE)
    asked = {name if name in schema.names else name.partition(".")[0] for name in wanted(columns)}
    extra = {SPLIT} & set(names_of(schema))
    return [name for name in schema.names if name in asked | extra]
