"""Lines of JSON to records: whole blocks at a time where all is in order, else line by line.

Three readers, each slower and less particular than the one before: our scanner, Arrow's parser, and
Python's, which says of each bad line what is wrong with it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pajson

from neardup.readers.columns import Columns, Looked, choose, names_of, pick, unknown
from neardup.readers.reader import LARGE
from neardup.readers.records import (
    NOTES,
    Choice,
    ReaderSettings,
    Record,
    as_type,
    batches,
    guarded,
    kinds_of,
)

LOOK_RECORDS = 100
LOOK_LINES = 10_000  # of which some may be good
NOT_JSON = (ValueError, RecursionError)
REFUSED = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, pa.ArrowCapacityError)
BOM = b"\xef\xbb\xbf"
# numbers that Arrow knows and Python does not: what is read must be known again when it is removed
ARROWS_OWN = re.compile(rb"[:\[,\s](?:-NaN|-?Inf)\s*[,\]}]")


def look_at(lines: Iterable[bytes], settings: ReaderSettings, where: str) -> Looked:
    """Choose the columns by the first lines, and say of which types they are."""
    records: list[Any] = []
    for number, line in enumerate(lines):
        with suppress(*NOT_JSON):
            records.append(parsed(line.removeprefix(BOM).decode("utf-8", "surrogateescape")))
        if len(records) == LOOK_RECORDS or (records and number > LOOK_LINES):
            break
    return look_at_objects(records, settings, where)


def look_at_objects(records: list[Any], settings: ReaderSettings, where: str) -> Looked:
    """Do the same for parsed values."""
    names = dict.fromkeys(name for record in records for name in names_of(record))
    if not names:
        return unknown(settings)
    columns = choose(names, settings, where)
    wanted = [columns.text, *([columns.id] if columns.id else []), *columns.others.values()]
    flat = {n for n in wanted if "." in n and any(isinstance(r, dict) and n in r for r in records)}
    types = {name: _type([pick(r, name) for r in records]) for name in wanted}
    texts = [columns.text, *(name for name in settings.fields if name in types)]
    types |= dict.fromkeys(texts, pa.string())  # a number is not text
    return columns._replace(flat=frozenset(flat)), types


def _type(values: list[Any]) -> pa.DataType:
    kinds = {type(value) for value in values if value is not None}
    known = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    return known.get(kinds.pop(), pa.string()) if len(kinds) == 1 else pa.string()


class Parser:
    """Parses blocks of whole lines; a record over `limit` bytes is too large.

    Blocks of `scanned` bytes and more are given to the scanner first.
    """

    def __init__(self, looked: Looked, schema: pa.Schema, limit: int, scanned: int = LARGE) -> None:
        self._columns, types = looked
        self._schema = schema
        self._limit = limit
        self._options = _options(self._columns, types)
        nested = any("." in name for name in types if name not in self._columns.flat)
        self._scanned = scanned if types and not nested else limit + 1

    @cached_property
    def _scanner(self) -> Any:
        from neardup.readers.json_scan import Scanner

        return Scanner(self._columns, self._schema)

    def records(self, block: bytes) -> Iterator[pa.RecordBatch]:
        """Yield the records of a block, one row for each line that is not blank."""
        batch = None
        if len(block) <= self._limit:
            batch = self._scanner.scan(block) if len(block) >= self._scanned else None
            if batch is None and self._options:
                batch = self._fast(block)
        if batch is None:
            yield from batches(self._careful(block), self._schema)
        elif batch.num_rows:
            yield batch

    def _fast(self, block: bytes) -> pa.RecordBatch | None:
        """Parse a whole block, or give up on anything out of the ordinary."""
        # Arrow crashes if the first value is a `null`, and takes later ones for objects without text.
        if not block.lstrip().startswith(b"{"):
            return None
        if (b"-NaN" in block or b"Inf" in block) and ARROWS_OWN.search(block):
            return None
        blocks = pajson.ReadOptions(use_threads=False, block_size=len(block) + 1)
        try:
            table = pajson.read_json(pa.BufferReader(block), blocks, self._options)
            table = table.combine_chunks()
            table.validate(full=True)  # UTF-8 above all
            lines = block.count(b"\n") + (not block.endswith(b"\n"))
            if table.num_rows != lines and table.num_rows != _not_blank(block):
                return None
            text = _column(table, self._columns.text, self._columns.flat)
            if text.null_count and table.num_rows != _objects(block):
                return None
            return self._assembled(table)
        except REFUSED:
            return None

    def _assembled(self, table: pa.Table) -> pa.RecordBatch:
        origin = {"text": self._columns.text, **self._columns.others}
        if self._columns.id:
            origin["id"] = self._columns.id
        found = {ours: _column(table, theirs, self._columns.flat) for ours, theirs in origin.items()}
        lost = found["text"].null_count and not self._columns.lenient
        missing = found["text"].is_null() if lost else None
        if missing is not None:
            text = pa.scalar(None, pa.string())
            found["problem"] = pc.if_else(missing, "no text", text)
            found["detail"] = pc.if_else(missing, _no_text(self._columns), text)
            for name in self._columns.others:
                found[name] = pc.if_else(missing, pa.scalar(None, found[name].type), found[name])
        arrays = [
            found[f.name].cast(f.type) if f.name in found else pa.nulls(table.num_rows, f.type)
            for f in self._schema
        ]
        chunks = [a.combine_chunks() if isinstance(a, pa.ChunkedArray) else a for a in arrays]
        return pa.RecordBatch.from_arrays(chunks, schema=self._schema)

    def _careful(self, block: bytes) -> Iterator[Record]:
        """Parse line by line, and say of each bad line what is wrong with it."""
        for line in block.split(b"\n"):
            if len(line) > self._limit:
                yield too_large(self._limit)
            elif line.strip():
                yield from_line(line, self._columns)


def _options(columns: Columns, types: Mapping[str, pa.DataType]) -> pajson.ParseOptions | None:
    """Return how Arrow should parse, or None where it cannot: `a` and `a.b` are both asked for."""
    root: dict[str, Any] = {}
    for name, kind in types.items():
        node = root
        *parents, leaf = [name] if name in columns.flat else name.split(".")
        for parent in parents:
            node = node.setdefault(parent, {})
            if not isinstance(node, dict):
                return None
        if leaf in node:
            return None
        node[leaf] = kind
    if not root:
        return None
    fields = [(name, _as_struct(node)) for name, node in root.items()]
    return pajson.ParseOptions(explicit_schema=pa.schema(fields), unexpected_field_behavior="ignore")


def _as_struct(node: object) -> pa.DataType:
    if isinstance(node, dict):
        return pa.struct([(name, _as_struct(inner)) for name, inner in node.items()])
    return node


def _column(table: pa.Table, name: str, flat: frozenset[str]) -> pa.ChunkedArray:
    first, *rest = [name] if name in flat else name.split(".")
    column = table[first]
    for part in rest:
        column = pc.struct_field(column, part)
    return column


def _not_blank(block: bytes) -> int:
    return sum(1 for line in block.split(b"\n") if line.strip())


def _objects(block: bytes) -> int:
    return block.count(b"\n{") + block.startswith(b"{")


def _no_text(columns: Columns) -> str:
    return f"{columns.text!r} is null or missing"


def too_large(limit: int, own_id: str | None = None) -> Record:
    """Return the record for one that is over the limit."""
    return Record(id=own_id, problem="too large", detail=f"over {limit:,} bytes in one record")


@guarded
def from_line(line: bytes, columns: Columns) -> Record:
    """Take what is needed from one line."""
    try:
        return from_object(parsed(line.decode("utf-8")), columns)
    except UnicodeDecodeError as error:
        bad = Record(problem="invalid UTF-8", detail=f"at byte {error.start} of the record")
        return _despite(line, columns) or bad
    except NOT_JSON as error:
        return Record(problem="invalid JSON", detail=str(error))


def _despite(line: bytes, columns: Columns) -> Record | None:
    """Return the record of a line whose text is UTF-8, though something else in it is not."""
    try:
        record = from_object(parsed(line.decode("utf-8", "surrogateescape")), columns)
    except NOT_JSON:
        return None
    return None if record.is_bad() else record


def parsed(text: str | bytes) -> Any:
    """Return a JSON value; numbers of thousands of digits, which Python refuses, are texts.

    >>> parsed("[1, " + "9" * 5000 + "]")[1] == "9" * 5000
    True
    """
    try:
        return json.loads(text)
    except ValueError as error:
        if type(error) is not ValueError:  # it is no JSON, or no UTF-8
            raise
        return json.loads(text, parse_int=str)


def from_object(record: object, columns: Columns) -> Record:
    """Take what is needed from one parsed JSON value."""
    if not isinstance(record, dict):
        return Record(problem="not an object", detail=f"a JSON {type(record).__name__}")
    text = pick(record, columns.text)
    given = pick(record, columns.id) if columns.id else None
    own_id = as_type(given, pa.string())
    if columns.lenient:
        text = as_type(text, pa.string())
    if isinstance(text, str) or columns.lenient:
        try:
            (text or "").encode("utf-8")
        except UnicodeEncodeError:
            return Record(id=own_id, problem="invalid UTF-8", detail="half of a surrogate pair")
        others = {ours: pick(record, theirs) for ours, theirs in columns.others.items()}
        return Record(text, own_id, others)
    if text is None:
        return Record(id=own_id, problem="no text", detail=_no_text(columns))
    kind = f"{columns.text!r} is a JSON {type(text).__name__}"
    return Record(id=own_id, problem="text is not a string", detail=kind)


def rewritten(line: bytes, columns: Columns, choice: Choice, notes: Mapping[int, Any] | None) -> bytes:
    """Return one JSON object with what was decided for it: another text, and its notes."""
    if choice.text is not None:
        line = with_text(line, columns.text, choice.text)
    return line if notes is None else annotated(line, choice.note, kinds_of(notes))


def with_text(line: bytes, name: str, text: str) -> bytes:
    """Put another text into one JSON object; its other values stay, and all of it if one is not UTF-8.

    >>> with_text(b'{"id": 7, "meta": {"body": "one two"}}', "meta.body", "two")
    b'{"id": 7, "meta": {"body": "two"}}'
    """
    mark = BOM if line.startswith(BOM) else b""
    try:
        record = json.loads(line.removeprefix(BOM).decode("utf-8"))
    except UnicodeDecodeError:
        return line
    inner, leaf = record, name
    while leaf not in inner and "." in leaf:
        first, _, leaf = leaf.partition(".")
        inner = inner[first]
    inner[leaf] = text
    whole = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return mark + whole + line[len(line.rstrip()) :]


def annotated(line: bytes, note: dict[str, Any], kinds: Iterable[str] = NOTES) -> bytes:
    """Add the notes to one JSON object and leave its other bytes alone; what is bad stays as is."""
    try:
        record = json.loads(line.decode("utf-8").removeprefix("\ufeff"))
    except NOT_JSON:
        return line
    if not isinstance(record, dict):
        return line
    fields = {f"neardup_{name}": note.get(name) for name in kinds}
    body = line.rstrip()
    if any(name in record for name in fields):  # annotated before
        whole = json.dumps(record | fields, ensure_ascii=False)
        return whole.encode("utf-8", "surrogatepass") + line[len(body) :]
    added = json.dumps(fields, ensure_ascii=False)[1:-1].encode()
    return body[:-1] + (b", " if record else b"") + added + b"}" + line[len(body) :]
