"""From records to what stands in them of test items: fields, where, and how they differ."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Integers
from neardup.methods.decontaminate.index import BuiltIndex
from neardup.plan import Sides
from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, from_lists, schema_of, with_carried

# Of each record, what was found in it: values of LOCATED end to end.
UNITS = schema_of("doc size length int64, found [int64]")
NAMES = ("item", "occurrence", "field", "kind", "start_at", "end_at", "likeness")
LOCATED = schema_of(f"doc {' '.join(NAMES)} int64")

VERBATIM, SPLIT, NUMBERS, REORDERED, NEAR = range(5)
PASSAGE, QUESTION, OPTIONS, ANSWER, WHOLE = range(5)
UNIT = 1_000_000_000  # similarities are whole numbers on their way, as all lists are
FAR_APART = 1_000  # characters between two parts of an item that do not belong together
MOST_OPTIONS = 0.7  # of all options' words must be there


class FoundPart(NamedTuple):
    """A part of an item in a text."""

    part: int
    start: int
    end: int
    similarity: float
    kind: int


def units_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of units for these records; extra columns are named by number."""
    return with_carried(UNITS, records)


def find_items(schema: pa.Schema, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Find test items in each record's text; a text without words becomes a problem."""
    from neardup.kernels.items import COLUMNS, find_parts
    from neardup.text import unicode_table

    index: BuiltIndex = sides["index"].built
    rows, sizes, lengths = find_parts(*utf8(batch["text"]), unicode_table(), index.parts)
    found = located(batch["text"], rows.reshape(-1, COLUMNS), index)
    bounds = np.cumsum([0, *(len(found.get(row, ())) for row in range(batch.num_rows))])
    values = [value for row in sorted(found) for value in found[row]]
    wordless = pc.and_(pc.equal(pa.array(sizes), 0), pc.is_null(batch["problem"]))
    known = {
        "size": pa.array(sizes),
        "length": pa.array(lengths),
        "found": pa.ListArray.from_arrays(bounds.astype(np.int32), pa.array(values, pa.int64())),
        "problem": pc.if_else(wordless, NO_WORDS, batch["problem"]),
    }
    return carrying(schema, known, batch)


def located(texts: pa.Array, rows: Integers, index: BuiltIndex) -> dict[int, list[int]]:
    """Return what was found in each text, if anything was: values of LOCATED end to end."""
    by_item: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    for text, part, *rest in rows.tolist():
        by_item.setdefault((text, int(index.items[part])), set()).add((part, *rest))
    found: dict[int, list[int]] = {}
    for (number, item), parts in sorted(by_item.items()):
        text = texts[number].as_py()
        listed = (found_part(text, row, index) for row in parts)
        occurrence = 0
        for group in occurrences(sorted(listed, key=lambda one: (one.start, one.part))):
            fields = list(fields_of(group, index))
            for field, one in fields:
                likeness = round(one.similarity * UNIT)
                values = (item, occurrence, field, one.kind, one.start, one.end, likeness)
                found.setdefault(number, []).extend(values)
            occurrence += bool(fields)
    return found


def found_part(text: str, row: tuple[int, ...], index: BuiltIndex) -> FoundPart:
    """Return a part that was found, with the mark at its end if the item has it too."""
    part, start, end, cost, same = row
    own = index.texts[part].rstrip()
    end += text[end : end + 1] == own[-1:] and not own[-1:].isalnum()
    if index.needs[part]:
        similarity = 1 - cost / int(index.totals[part])
    else:
        similarity = 1 - cost / (64 * int(index.sizes[part]))
    kind = NEAR if cost else VERBATIM if same else NUMBERS
    if kind == VERBATIM and text.count("\n", start, end) > own.count("\n"):
        kind = SPLIT
    return FoundPart(part, start, end, similarity, kind)


def occurrences(found: Iterable[FoundPart]) -> Iterator[list[FoundPart]]:
    """Bring together the parts of an item that stand together, each once."""
    group: list[FoundPart] = []
    for one in found:
        again = any(other.part == one.part for other in group)
        if group and (again or one.start - max(other.end for other in group) > FAR_APART):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def fields_of(group: list[FoundPart], index: BuiltIndex) -> Iterator[tuple[int, FoundPart]]:
    """Yield the fields of an item in one place, and then all of it; nothing if that is too little."""
    by_field = {
        field: [one for one in group if index.fields[one.part] == field]
        for field in (PASSAGE, QUESTION, OPTIONS, ANSWER)
    }
    asked = (PASSAGE, QUESTION)
    fields: list[tuple[int, FoundPart]] = [(f, one) for f in asked for one in by_field[f][:1]]
    options = all_options(by_field[OPTIONS], index)
    if options is not None:
        fields.append((OPTIONS, options))
    fields += [
        (ANSWER, one)
        for one in by_field[ANSWER][:1]
        if options is None or not options.start <= one.start < options.end
    ]
    if not any(index.needs[one.part] for one in group if stands(one, fields, index)):
        return
    yield from fields
    yield WHOLE, together([one for _, one in fields], index)


def stands(one: FoundPart, fields: list[tuple[int, FoundPart]], index: BuiltIndex) -> bool:
    """Return whether the field of a part is among those that were found."""
    return any(field == index.fields[one.part] for field, _ in fields)


def all_options(found: list[FoundPart], index: BuiltIndex) -> FoundPart | None:
    """Return the options of an item as one, if most of them are there: one alone is an answer."""
    if len(found) < 2:
        return None
    own = index.options_of(int(index.items[found[0].part]))
    total = int(index.sizes[own].sum())
    there = sum(int(index.sizes[one.part]) for one in found)
    if there < MOST_OPTIONS * total:
        return None
    likeness = sum(one.similarity * int(index.sizes[one.part]) for one in found) / total
    kind = max(one.kind for one in found)
    order = [one.part for one in sorted(found, key=lambda one: one.start)]
    if len(found) < len(own):
        kind = NEAR
    elif order != sorted(order):
        kind = max(kind, REORDERED)
    start, end = min(one.start for one in found), max(one.end for one in found)
    return FoundPart(found[0].part, start, end, likeness, kind)


def together(fields: list[FoundPart], index: BuiltIndex) -> FoundPart:
    """Return all fields as one: its kind is that of the field which differs most."""
    sizes = [max(int(index.sizes[one.part]), 1) for one in fields]
    likeness = sum(one.similarity * size for one, size in zip(fields, sizes, strict=True)) / sum(sizes)
    start, end = min(one.start for one in fields), max(one.end for one in fields)
    return FoundPart(fields[0].part, start, end, likeness, max(one.kind for one in fields))


def list_found(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Give each field of an item that was found a row, and each place of an item one more."""
    values, bounds = from_lists(batch["found"])
    rows = values[bounds[0] : bounds[-1]].reshape(-1, len(NAMES))
    docs = np.repeat(batch["doc"].to_numpy(), np.diff(bounds) // len(NAMES))
    columns = [docs, *(np.ascontiguousarray(column) for column in rows.T)]
    return pa.RecordBatch.from_arrays(columns, schema=LOCATED)


# What a part is like: whether it is looked for by itself, and words that are boilerplate.
JUDGED = schema_of("part item field words searched repeated int64")
REPEATED = schema_of("item int64, text string")


def judge_parts(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Say of each part of an item whether it can be looked for: a row a part."""
    index: BuiltIndex = sides["index"].built
    parts = batch["part"].to_numpy()
    repeated = index.sums(index.repeated.astype(np.int64))
    long_enough = index.sizes >= index.settings.min_words
    state = np.where(index.needs > 0, 1, np.where(long_enough, 2, 0))
    columns = [parts, index.items[parts], index.fields[parts]]
    columns += [index.sizes[parts], state[parts], repeated[parts]]
    return pa.RecordBatch.from_arrays(columns, schema=JUDGED)


def list_boilerplate(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Return a row for each run of words in an item that is boilerplate."""
    index: BuiltIndex = sides["index"].built
    rows = [
        {"item": int(index.items[part]), "text": text}
        for part in batch["part"].to_pylist()
        for text in index.boilerplate(part)
    ]
    return pa.RecordBatch.from_pylist(rows, schema=REPEATED)
