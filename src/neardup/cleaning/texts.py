"""The texts of a corpus between stages: kept as they are read, told by their words, and cut."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Bytes, Integers
from neardup.plan import Sides
from neardup.results.cutting import without
from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, Lookup, carrying, schema_of, with_carried
from neardup.text import unicode_table

UNITS = schema_of("doc size length digest digest_2 int64")
LISTS = schema_of("doc int64, starts ends [int64]")
ROOM = 16 << 20  # characters of texts that are fetched at once
NOT_SAMPLED = "not in the sample"
SPREAD = 0x9E3779B97F4A7C15  # numbers of records times this are spread evenly over 64 bits


def hold(sample: float, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Keep records as they are read, or some of them: the others have a problem and no text."""
    if sample >= 1:
        return batch
    spread = batch["doc"].to_numpy().astype(np.uint64) * np.uint64(SPREAD)
    out = pa.array((spread >> np.uint64(11)) * 2.0**-53 >= sample)
    new = {"text": pa.scalar("", pa.large_string()), "problem": pa.scalar(NOT_SAMPLED)}
    for name, value in new.items():
        at = batch.schema.get_field_index(name)
        batch = batch.set_column(at, batch.schema.field(at), pc.if_else(out, value, batch[name]))
    return batch


def units_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of what is known of records."""
    return with_carried(UNITS, records)


def tell(schema: pa.Schema, whole: bool, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Tell the words, characters and digests of texts, and what records carry along.

    Digests are of the words or, with `whole`, of all characters. A text without words has a problem.
    """
    from neardup.kernels.word_digests import word_digests

    words, characters, *digests = word_digests(*utf8(batch["text"]), unicode_table())
    if whole:
        digests = list(whole_digests(*utf8(batch["text"])).T)
    wordless = pc.and_(pc.equal(pa.array(words), 0), pc.is_null(batch["problem"]))
    bad = pc.is_valid(batch["problem"]).to_numpy(zero_copy_only=False)
    known = {
        "size": pa.array(np.where(bad, 0, words)),
        "length": pa.array(characters),
        **{name: pa.array(own.copy()) for name, own in zip(UNITS.names[-2:], digests, strict=True)},
        "problem": pc.if_else(wordless, NO_WORDS, batch["problem"]),
    }
    return carrying(schema, known, batch)


def whole_digests(data: Bytes, offsets: Integers) -> Integers:
    """Return 128 bits of a digest of each text."""
    found = b"".join(
        blake2b(data[begin:end].data, digest_size=16).digest()
        for begin, end in pairwise(offsets.tolist())
    )
    return np.frombuffer(found, np.int64).reshape(-1, 2)


def list_cuts(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Put the cuts of each document into lists, those that touch as one; all have a row from -1 on."""
    docs, starts, ends = (column.to_numpy() for column in batch.columns)
    order = np.lexsort((starts, docs))
    docs, starts, ends = docs[order], starts[order], ends[order]
    own, first = np.unique(docs, return_index=True)
    real = starts >= 0
    touch = real[1:] & (docs[1:] == docs[:-1]) & (starts[1:] == ends[:-1])
    begins, closes = real & ~np.append(False, touch), real & ~np.append(touch, False)
    bounds = np.append(0, np.cumsum(begins))[np.append(first, len(docs))].astype(np.int32)
    chosen = starts[begins], ends[closes]
    lists = (pa.ListArray.from_arrays(bounds, pa.array(each)) for each in chosen)
    return pa.RecordBatch.from_arrays([pa.array(own), *lists], schema=LISTS)


def cut_texts(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Return the records with texts out of which is cut what their lists say."""
    if not batch.num_rows:
        return batch
    lists = sides["lookup"].take(batch["doc"])
    starts, ends = lists["starts"], lists["ends"]
    rows = np.flatnonzero(pc.list_value_length(starts).to_numpy())
    new = [
        without(batch["text"][row].as_py(), zip(starts[row].as_py(), ends[row].as_py(), strict=True))
        for row in rows.tolist()
    ]
    at = batch.schema.get_field_index("text")
    chosen = np.zeros(batch.num_rows, bool)
    chosen[rows] = True
    texts = pc.replace_with_mask(batch["text"], pa.array(chosen), pa.array(new, pa.large_string()))
    return batch.set_column(at, batch.schema.field(at), texts)


def with_texts(
    batch: pa.RecordBatch, column: str, place: str, lookup: Lookup
) -> Iterator[tuple[pa.RecordBatch, Integers, pa.Array]]:
    """Yield rows, by a column of documents and their place, with the texts of these.

    That is a bounded number at a time, all rows of a document together, with the number of the text of
    each. The batch has the `length` of each row's text.
    """
    batch = batch.take(pa.array(np.lexsort((batch[place].to_numpy(), batch[column].to_numpy()))))
    docs = batch[column].to_numpy()
    firsts = np.flatnonzero(np.diff(docs, prepend=np.int64(-1)))
    sizes = np.cumsum(batch["length"].to_numpy()[firsts])
    cuts = firsts[np.flatnonzero(np.diff(sizes // ROOM, prepend=-1))].tolist()
    for begin, end in pairwise([*cuts, batch.num_rows]):
        own, which = np.unique(docs[begin:end], return_inverse=True)
        yield batch.slice(begin, end - begin), which, lookup.take(pa.array(own))["text"]
