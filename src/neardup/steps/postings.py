"""Rows of (key, doc), and the lists of documents that they make."""

import numpy as np
import pyarrow as pa

from neardup.arrays import Hashes, Integers
from neardup.steps.columns import schema_of

KEYS = schema_of("key doc int64")
SIZED_KEYS = schema_of("key doc sizes int64")
SIZE = 1 << 32  # of a set, above how many keys it has: both in one number
SHARED = schema_of("a b int64, too_long bool")
COUNTED = schema_of("a b int64, too_long bool, common lists int64")
HUBS = 10  # in too long a posting list, all are compared with its first ones only


def rows_of_keys(docs: Integers, values: Hashes, bounds: Integers) -> pa.RecordBatch:
    """Return a row (key, doc) for each value of each document's list."""
    owners = np.repeat(docs, np.diff(bounds))
    return pa.RecordBatch.from_arrays([values.view(np.int64), owners], schema=KEYS)


def shared_rows(a: Integers, b: Integers, heads: Integers) -> pa.RecordBatch:
    """Return the pairs a, b that share a key, and the first documents of lists too long to pair all.

    Such a document is paired with itself, as it belongs to its list, and is marked as `too_long`.
    """
    too_long = np.repeat([False, True], [len(a), len(heads)])
    columns = [np.concatenate([a, heads]), np.concatenate([b, heads]), too_long]
    return pa.RecordBatch.from_arrays(columns, schema=SHARED)


def counted_rows(
    pairs: tuple[Integers, Integers, Integers], long_lists: tuple[Integers, Integers]
) -> pa.RecordBatch:
    """Return the pairs a, b with how many keys they have in `common`, and who is in too long lists.

    Of each `head` of such a list a row says in how many `lists` behind it each member is. As in
    `shared_rows`, the head stands beside itself once a list, too.
    """
    a, b, common = pairs
    behind, lists = np.unique(np.stack(long_lists), axis=1, return_counts=True)
    heads = long_lists[0][long_lists[0] == long_lists[1]]
    sizes = [len(a), len(lists), len(heads)]
    columns = [
        np.concatenate([a, behind[0], heads]),
        np.concatenate([b, behind[1], heads]),
        np.repeat([False, False, True], sizes),
        np.concatenate([common, np.zeros(sizes[1] + sizes[2], np.int64)]),
        np.concatenate([np.zeros(sizes[0], np.int64), lists, np.zeros(sizes[2], np.int64)]),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=COUNTED)


def shared_keys(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the rows whose key is in another row as well, sorted by key."""
    keys = batch["key"].to_numpy()
    order = np.argsort(keys)
    same = keys[order[1:]] == keys[order[:-1]]
    return batch.take(pa.array(order[np.append(same, False) | np.append(False, same)]))


def numbered(docs: pa.Array) -> tuple[Integers, Integers]:
    """Return the distinct documents in order, and for each row the number of its document there.

    As np.unique does, without sorting all rows.
    """
    encoded = docs.dictionary_encode()
    known = encoded.dictionary.to_numpy()
    order = np.argsort(known)
    rank = np.empty(len(known), np.int64)
    rank[order] = np.arange(len(known))
    return known[order], rank[encoded.indices.to_numpy()]


def list_numbers(keys: Integers) -> Integers:
    """Return the number of the list that each row belongs to; keys are sorted."""
    return np.cumsum(np.diff(keys, prepend=keys[:1]) != 0)


def bounds_of(lists: Integers, count: int) -> Integers:
    """Return where each list begins in a column of sorted list numbers, and where the last ends."""
    return np.searchsorted(lists, np.arange(count + 1))
