"""Candidate threads, by posting lists (`term`) or by blocks of threads (`doc`): both lose no pair.

The similarity of a field is at most the share of one thread's set that the other has too. So, of all
values of a thread, weighed by field, the other has those worth the threshold or more: some of its rarest
ones must be among them. Those keys (`thread_keys`) are the only ones that are indexed. Of fields that
are compared by containment, nothing is indexed where the others are worth enough, and else everything.
"""

from functools import partial

import numpy as np
import pyarrow as pa

from neardup.arrays import Array
from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import bounds_in, size_names
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.clusters import Order
from neardup.steps.columns import Lookup, slices
from neardup.steps.counters import Counters
from neardup.steps.crowds import paired
from neardup.steps.postings import (
    HUBS,
    SHARED,
    bounds_of,
    list_numbers,
    numbered,
    shared_keys,
    shared_rows,
)
from neardup.steps.rejected import REACH, worth_keeping

BLOCK = 1 << 14  # threads that are compared with each other, or with another block, at once
SLICE_VALUES = 1 << 19  # of the threads that are scored at once
UNLIMITED = 2**40


def measures(settings: ThreadSettings) -> list[str]:
    """Return what is measured of a pair: the weighted similarity, and that of each field."""
    return ["similarity", *(f"score_{i}" for i in range(len(settings.fields)))]


def compared_schema(settings: ThreadSettings) -> pa.Schema:
    """Return the schema of pairs, and of those that just miss being one."""
    own = [(name, pa.float64()) for name in measures(settings)]
    return pa.schema([("a", pa.int64()), ("b", pa.int64()), *own, ("holds", pa.bool_())])


def steps(
    settings: ThreadSettings, counters: int, order: Order, against: Against = EVERYTHING
) -> list[Step]:
    """Return the steps from `units`, `firsts`, `copies` and `documents` to `compared`."""
    sizes = size_names(settings)
    keys = pa.schema([("key", pa.int64()), ("doc", pa.int64()), *((n, pa.int32()) for n in sizes)])
    before: list[Step] = [
        Fold("counts", "units", partial(Counters, counters, "signatures"), only="firsts"),
        Map("keys", "units", partial(take_keys, settings, keys), keys, sides=("counts",), only="firsts"),
    ]
    columns = ("signatures", *sizes)
    schema = compared_schema(settings)
    if settings.index == "term":
        found = paired(order, settings.max_postings) + candidates(against)
        return [
            *before,
            Map("shared", "keys", partial(pair_threads, settings, against), SHARED, grouped=True),
            Sql("candidates", found, keep=True),
            Map(
                *("compared", "candidates", partial(score, settings), schema),
                lookup="units",
                lookup_columns=columns,
                lookup_keys=("a", "b"),
                task_rows=4096,
            ),
        ]
    # of identical threads one is compared, and the others may be of the other side
    by_copies = against.is_given and not against.within
    asked = f"where {against.of_groups()}"
    last = Sql("compared", f"{SCORED}{asked}", keep=True)
    return [
        *before,
        Sql("members", MEMBERS, keep=True),
        Sql("blocks", BLOCKS, keep=True),
        Sql("blocked", blocked(against)),
        Map(
            "scored" if by_copies else "compared",
            "blocked",
            partial(score_blocks, settings, against),
            schema,
            grouped=True,
            lookup="units",
            lookup_columns=columns,
            lookup_keys=("doc",),
        ),
        *([last] if by_copies else []),
    ]


def candidates(against: Against) -> str:
    """Return the end of a statement: of its `pairs`, those that are asked for."""
    return f"""
select s.a as a, s.b as b, x.size + y.size as size
from pairs s join {{copies}} x on x.doc = s.a join {{copies}} y on y.doc = s.b
where {against.of_groups()} order by 1, 2
"""


SCORED = """
select s.* from {scored} s join {copies} x on x.doc = s.a join {copies} y on y.doc = s.b
"""

MEMBERS = f"""
select k.key as key, k.doc as doc, c.number - c.number % {BLOCK} as block
from {{keys}} k join {{copies}} c on c.doc = k.doc
"""

BLOCKS = """
select block, first, cast(row_number() over (order by block) - 1 as bigint) as turn
from (select block, min(doc) as first from {members} group by block) b
"""


def blocked(against: Against) -> str:
    """Return the statement for each block with itself and with every later one, if not both are old."""
    pair = "select cast(x.turn * 1000000 + y.turn as bigint) as pair, m.key as key, m.doc as doc"
    both = "from {blocks} x join {blocks} y on"
    asked = f"and not {against.old('x.first')}" if against.is_given else ""
    return f"""
{pair}, 0 as side {both} x.turn <= y.turn {asked} join {{members}} m on m.block = x.block
union all
{pair}, 1 as side {both} x.turn < y.turn {asked} join {{members}} m on m.block = y.block
"""


def take_keys(
    settings: ThreadSettings, schema: pa.Schema, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Take the keys of each thread."""
    from neardup.kernels.threads import thread_keys

    values, bounds = bounds_in(batch, len(settings.fields))
    how = measured_by(settings)
    keys, starts = thread_keys(values, bounds, *how, settings.threshold, sides["counts"].table)
    owners = pa.array(np.repeat(np.arange(batch.num_rows), np.diff(starts)))
    others = [batch[name].take(owners) for name in ("doc", *size_names(settings))]
    return pa.RecordBatch.from_arrays([pa.array(keys.view(np.int64)), *others], schema=schema)


def pair_threads(
    settings: ThreadSettings, against: Against, batch: pa.RecordBatch, _: Sides
) -> pa.RecordBatch:
    """Pair the threads of each posting list, as far as the sizes of their fields allow."""
    batch = shared_keys(batch)
    if not batch.num_rows:
        return pa.RecordBatch.from_pylist([], schema=SHARED)
    known, numbers = numbered(batch["doc"])
    sizes = np.empty((len(known), len(settings.fields)), np.int32)
    for field, name in enumerate(size_names(settings)):
        sizes[numbers, field] = batch[name].to_numpy()
    cap = settings.max_postings or UNLIMITED
    pairs = pairs_by_keys(settings, batch["key"].to_numpy(), numbers, sizes, -1, cap)
    starts = np.flatnonzero(np.diff(batch["key"].to_numpy(), prepend=batch["key"][0].as_py() - 1))
    lengths = np.diff(starts, append=batch.num_rows)
    heads = known[numbers[starts[lengths > cap]]]
    a, b = (known[side] for side in pairs)
    asked = against.some_new(a)
    return shared_rows(a[asked], b[asked], heads[against.some_new(heads)])


def pairs_by_keys(
    settings: ThreadSettings, keys: Array, numbers: Array, sizes: Array, boundary: int, cap: int
) -> tuple[Array, Array]:
    """Return the pairs of numbers that share a key; keys are sorted, and `sizes` go by number."""
    from neardup.kernels.postings import lists_of_members, sort_lists
    from neardup.kernels.threads import bounded_pairs

    lists = list_numbers(keys)
    bounds = bounds_of(lists, int(lists[-1]) + 1)
    sort_lists(numbers, bounds)
    own = lists_of_members(numbers, bounds, len(sizes))
    how = (*measured_by(settings), settings.threshold)
    return bounded_pairs(  # type: ignore[no-any-return]
        numbers, bounds, *own, sizes, *how, cap, HUBS, boundary
    )


def measured_by(settings: ThreadSettings) -> tuple[Array, Array, bool]:
    """Return what kernels need to compare threads: weights, fields by containment, and the scaling."""
    return np.array(settings.weights), np.array(settings.contained), settings.scaled


def score(settings: ThreadSettings, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Score candidates field by field, and keep those that reach the threshold, or nearly."""
    found = []
    for part in slices(batch, batch["size"].to_numpy(), SLICE_VALUES):
        a, b = part["a"].to_numpy(), part["b"].to_numpy()
        docs = np.unique(np.concatenate([a, b]))
        sets = bounds_in(sides["lookup"].take(pa.array(docs)), len(settings.fields))
        found.append(scored(settings, docs, *sets, np.searchsorted(docs, a), np.searchsorted(docs, b)))
    return pa.concat_batches(found)


def scored(
    settings: ThreadSettings, docs: Array, values: Array, bounds: Array, left: Array, right: Array
) -> pa.RecordBatch:
    """Return the pairs and those that nearly are, with their scores: null for what both lack."""
    from neardup.kernels.threads import thread_scores

    least = max(settings.threshold - REACH, 0)
    scores, means = thread_scores(values, bounds, left, right, *measured_by(settings), least)
    a, b = docs[left], docs[right]
    kept, holds = worth_keeping(a, b, means, settings.threshold)
    fields = [pa.array(column, mask=column < 0) for column in scores[kept].T]
    columns = map(pa.array, (a[kept], b[kept], means[kept]))
    schema = compared_schema(settings)
    return pa.RecordBatch.from_arrays([*columns, *fields, pa.array(holds)], schema=schema)


def score_blocks(
    settings: ThreadSettings, against: Against, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Compare a block of threads with another, or with itself, and score what shares a key."""
    order = np.lexsort([batch[name].to_numpy() for name in ("doc", "key", "pair")])
    batch = batch.take(pa.array(order))
    starts = np.flatnonzero(np.diff(batch["pair"].to_numpy(), prepend=-1))
    ends = [*starts[1:], batch.num_rows]
    parts = [
        compared(settings, against, batch.slice(start, end - start), sides["lookup"])
        for start, end in zip(starts, ends, strict=True)
    ]
    nothing = pa.RecordBatch.from_pylist([], schema=compared_schema(settings))
    return pa.concat_batches([nothing, *parts])


def compared(
    settings: ThreadSettings, against: Against, batch: pa.RecordBatch, lookup: Lookup
) -> pa.RecordBatch:
    """Compare the two sides of one pair of blocks; the documents of the first come before."""
    fields = len(settings.fields)
    docs, numbers = np.unique(batch["doc"].to_numpy(), return_inverse=True)
    values, bounds = bounds_in(lookup.take(pa.array(docs)), fields)
    sizes = np.diff(bounds).reshape(-1, fields).astype(np.int32)
    second = numbers[batch["side"].to_numpy() == 1]
    boundary = int(second.min()) if len(second) else -1
    keys = batch["key"].to_numpy()
    left, right = pairs_by_keys(settings, keys, numbers, sizes, boundary, UNLIMITED)
    asked = against.some_new(docs[left])
    return scored(settings, docs, values, bounds, left[asked], right[asked])
