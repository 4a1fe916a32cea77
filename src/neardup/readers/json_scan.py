"""The fast way through JSON Lines: our own scanner, for fields at the top of plain objects."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Bools, Bytes, Integers
from neardup.kernels.jsonlines import ESCAPED, MISSING, OTHER, STRING, collect, count_lines, scan_lines
from neardup.kernels.vectors import WIDE
from neardup.readers.columns import Columns


class Scanner:
    """Scans blocks of whole lines for some fields; the first of them is the text."""

    def __init__(self, columns: Columns, schema: pa.Schema) -> None:
        origin = {"text": columns.text, "id": columns.id, **columns.others}
        self._fields = {ours: theirs for ours, theirs in origin.items() if theirs is not None}
        names = [name.encode() for name in self._fields.values()]
        self._names = np.frombuffer(b"".join(names), np.uint8)
        self._bounds = np.cumsum([0, *map(len, names)])
        self._schema = schema
        self._texts = (STRING, MISSING) if columns.lenient else (STRING,)

    def scan(self, block: bytes) -> pa.RecordBatch | None:
        """Return the records of a block, or None if anything is out of the ordinary."""
        data = np.frombuffer(block, np.uint8)
        lines = count_lines(data) + 1
        spans = np.empty((lines, len(self._fields), 2), np.int64)
        kinds = np.empty((lines, len(self._fields)), np.uint8)
        text, offsets = np.empty(len(data) + WIDE, np.uint8), np.empty(lines + 1, np.int64)
        count = scan_lines(data, self._names, self._bounds, spans, kinds, text, offsets)
        if count < 0 or not np.isin(kinds[:count, 0], self._texts).all():
            return None
        present = kinds[:count, 0] == STRING
        try:
            found = {"text": strings(text, offsets[: count + 1], None if present.all() else present)}
            for number, name in enumerate(self._fields):
                if number:
                    kind = self._schema.field(name).type
                    found[name] = column(data, spans[:count, number], kinds[:count, number], kind)
            columns = [found.get(f.name, pa.nulls(count, f.type)) for f in self._schema]
        except (pa.ArrowInvalid, UnusualError):
            return None
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)


class UnusualError(Exception):
    """A value that a slower reader must judge."""


def column(data: Bytes, spans: Integers, kinds: Bytes, kind: pa.DataType) -> pa.Array:
    """Return the values of a field as an Arrow array."""
    present = kinds != MISSING
    if not present.any():
        return pa.nulls(len(kinds), kind)
    quoted = (kinds == STRING) | (kinds == ESCAPED)
    is_text = pa.types.is_string(kind)
    if (is_text and (kinds == OTHER).any()) or (not is_text and quoted.any()):
        raise UnusualError
    # of one line alone they are contiguous anyway, for which all would be compiled once more
    out, offsets = collect(data, np.ascontiguousarray(spans), np.ascontiguousarray(kinds))
    if not len(offsets):
        raise UnusualError
    found = strings(out, offsets, present)
    if is_text and not quoted.all() and pc.any(pc.equal(found, "-0")).as_py():
        raise UnusualError  # the only whole number that is not written as it is read: 0
    return found.cast(kind)


def strings(data: Bytes, offsets: Integers, present: Bools | None) -> pa.LargeStringArray:
    """Return strings that lie end to end as an Arrow array; they must be valid UTF-8."""
    valid = None if present is None else pa.array(present).buffers()[1]
    buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(data)]
    array = pa.LargeStringArray.from_buffers(len(offsets) - 1, *buffers[1:], buffers[0])
    array.validate(full=True)
    return array
