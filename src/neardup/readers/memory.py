"""Data in memory as a source: lists, frames, Arrow, datasets, and whatever yields strings or dicts.

And the same data without some of their rows: a frame stays a frame, with its index.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, compress, islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.arrays import Bools
from neardup.errors import InputError
from neardup.readers import hub, tables
from neardup.readers.columns import Columns, choose, names_of
from neardup.readers.html_columns import extracted
from neardup.readers.json_records import LOOK_RECORDS, from_object, look_at_objects, too_large
from neardup.readers.numbers import ROW_BITS, Split, grouped, numbered, with_numbers
from neardup.readers.records import (
    LINK_SHARE,
    ReaderSettings,
    Record,
    batches,
    check,
    column_types,
    records_schema,
)

NAME = "memory"
SPLIT_BYTES = 16 << 20
TEXT = Columns("text", None, {})


@dataclass(frozen=True)
class TableSource:
    """Documents in memory, already in the form that readers yield."""

    batches: tuple[pa.RecordBatch, ...]
    records: pa.Schema
    settings: ReaderSettings
    origin: hub.Origin | None = field(default=None, compare=False)
    rows: int = field(default=0, compare=False)  # of the input, without what it is compared against

    @classmethod
    def open(cls, data: object, settings: ReaderSettings) -> "TableSource":
        """Take the text and the other columns asked for from data of any known kind."""
        check(settings)
        origin = None
        if hub.is_dataset(data):
            table, settings, origin = hub.opened(data, settings)
        else:
            table = _table(data)
        found, schema = (
            _from_table(table, settings)
            if table is not None
            else _from_objects(_iterable(data), settings)
        )
        whole = tuple(found)
        return cls(whole, schema, settings, origin, sum(batch.num_rows for batch in whole))

    def __getstate__(self) -> dict[str, Any]:
        """Leave what it came from behind where it is sent elsewhere."""
        return {**self.__dict__, "origin": None}

    @classmethod
    def joined(cls, first: "TableSource", second: "TableSource") -> "tuple[TableSource, int]":
        """Return two sources as one, and the number that the second one's documents begin with."""
        if first.records != second.records:
            raise InputError("the two inputs have different columns", where=NAME)
        batches = *first.batches, *second.batches
        both = cls(batches, first.records, first.settings, first.origin, first.rows)
        split = next((s for s in both.splits() if s.end > len(first.batches)), None)
        if split is None:
            raise InputError("there is nothing to compare with", where=NAME)
        before = sum(batch.num_rows for batch in first.batches[split.begin :])
        return both, (split.number << ROW_BITS) + before

    @property
    def names(self) -> list[str]:
        """Return the one name that stands for a file's."""
        return [NAME]

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the schema of the numbered batches."""
        return with_numbers(self.records)

    @property
    def holds_gil(self) -> bool:
        """Say that threads are good enough: all is there."""
        return False

    def splits(self) -> list[Split]:
        """Cut the batches into parts of some size."""
        single = (Split(0, 0, at, at + 1, batch.nbytes) for at, batch in enumerate(self.batches))
        return [
            Split(number, 0, group[0].begin, group[-1].end, sum(split.size for split in group))
            for number, group in enumerate(grouped(single, SPLIT_BYTES))
        ]

    def part(self, splits: Sequence[Split]) -> "tuple[TableSource, Sequence[Split]]":
        """Return what is needed to read some splits that follow each other."""
        first, last = splits[0].begin, splits[-1].end
        moved = [split._replace(begin=split.begin - first, end=split.end - first) for split in splits]
        return replace(self, batches=self.batches[first:last]), moved

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Yield the records of one part."""
        found = self.batches[split.begin : split.end]
        yield from numbered(found, split, self.schema, self.settings.strict, NAME)

    def fingerprint(self) -> str:
        """Return a digest of the data themselves."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        digest = hashlib.sha256(str(self.records).encode())
        for batch in self.batches:
            digest.update(batch.serialize())
        return digest.hexdigest()


def _from_table(table: pa.Table, settings: ReaderSettings) -> tuple[Iterable[pa.RecordBatch], pa.Schema]:
    columns, types = tables.look_at(table.schema, settings, NAME)
    schema = records_schema(column_types(types, settings))
    found = chain.from_iterable(
        tables.to_records(batch, columns, schema, settings.max_record) for batch in table.to_batches()
    )
    return extracted(found, settings.raw) if columns.is_html else found, schema


def plain_records(data: object, settings: ReaderSettings) -> Iterator[Record] | None:
    """Return the records of a list of dicts, one by one; None if it takes more than that."""
    more = settings.strict or settings.fields
    if more or not isinstance(data, list) or any(isinstance(item, PathLike) for item in data[:1]):
        return None
    names = dict.fromkeys(name for item in data[:LOOK_RECORDS] for name in names_of(item))
    if not names:
        return None
    check(settings)
    columns = choose(names, settings, NAME)
    records = (_record(item, columns, settings.max_record) for item in _iterable(data))
    return None if columns.is_html else records


def _from_objects(
    items: Iterator[Any], settings: ReaderSettings
) -> tuple[Iterable[pa.RecordBatch], pa.Schema]:
    first = list(islice(items, LOOK_RECORDS))
    if first and all(isinstance(item, str) and _is_file(item) for item in first):
        hint = "Give Path objects to read the files: [Path(name) for name in names]."
        raise InputError("these strings are names of files, not texts", where=first[0], hint=hint)
    columns, types = look_at_objects(first, settings, NAME)
    named = [name for name in settings.columns if name != LINK_SHARE]
    asked = settings.text_column or settings.id_column or named
    if asked and first and not types:
        hint = "Leave the columns out, or give dicts or a table instead of strings."
        raise InputError("strings have no columns", where=NAME, hint=hint)
    schema = records_schema(column_types(types, settings))
    records = (_record(item, columns, settings.max_record) for item in chain(first, items))
    found = batches(records, schema)
    return extracted(found, settings.raw) if columns.is_html else found, schema


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero in it
        return False


def _record(item: object, columns: Columns, limit: int) -> Record:
    if isinstance(item, dict):
        record = from_object(item, columns)
    elif item is None or isinstance(item, str):
        record = from_object({"text": item}, TEXT)
    else:
        detail = f"a Python {type(item).__name__}, where a string or a dict should be"
        return Record(problem="text is not a string", detail=detail)
    # no text has more than four bytes a character, so most need not be encoded to be measured
    if record.text and len(record.text) * 4 > limit and len(record.text.encode()) > limit:
        return too_large(limit, record.id)
    return record


def _iterable(data: Any) -> Iterator[Any]:
    if hasattr(data, "notna"):  # pandas with a column of mixed types
        whole = data.astype(object).where(data.notna(), None)
        return iter(whole if data.ndim == 1 else whole.to_dict("records"))
    if isinstance(data, Mapping | bytes) or not isinstance(data, Iterable):
        raise InputError(
            f"cannot read documents from a Python {type(data).__name__}",
            where=NAME,
            hint="Give a path, a list of strings or dicts, a frame, a dataset, or Arrow data.",
        )
    return (dict(item) if isinstance(item, Mapping) else item for item in data)


def _table(data: object) -> pa.Table | None:
    """Return data of the kinds that have columns as an Arrow table, None for other kinds."""
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.Array | pa.ChunkedArray):
        return pa.table({"text": data})
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    library = type(data).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(data)
    if library == "polars":
        return _from_polars(data)
    if isinstance(data, dict) and data and all(isinstance(v, list | tuple) for v in data.values()):
        return pa.table(data)
    if hasattr(data, "to_table") and hasattr(data, "schema"):  # an Arrow dataset
        return data.to_table()
    if hasattr(data, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(data).read_all()
    return None


def _from_pandas(data: Any) -> pa.Table | None:
    """Convert a frame or a series; None for one whose columns mix types: it is read row by row."""
    try:
        if data.ndim == 1:
            return pa.table({"text": pa.Array.from_pandas(data)})
        return pa.Table.from_pandas(data, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None


def _from_polars(data: Any) -> pa.Table:
    if hasattr(data, "collect"):
        data = data.collect()
    found = data.to_arrow()
    return found if isinstance(found, pa.Table) else pa.table({"text": found})


def kept_rows(data: Any, keep: Bools) -> Any:
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


def kept_of_dataset(data: object, keep: Bools) -> Any:
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


def check_length(rows: int, keep: Bools) -> None:
    """Refuse data that are not what was read."""
    if rows != len(keep):
        what = f"these data have {rows:,} rows, and those that were read {len(keep):,}"
        raise InputError(what, where=NAME, hint="Give the very data that the run was given.")
