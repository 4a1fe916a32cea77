"""Candidate pairs: three ways to propose them, from exact to cheap.

All three write rows of (key, doc), and documents that share a key are candidates. `exact` and
`sampled` take a prefix of each set in a fixed order, rarest first: two sets with resemblance t or more
share one of the first |A| - ceil(t |A|) + 1 elements of each. `minhash` takes the bands of a sketch.
"""

import math
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Bools, Integers
from neardup.methods.documents.settings import DocumentSettings
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.columns import from_lists, schema_of, to_lists
from neardup.steps.counters import Counters
from neardup.steps.postings import (
    COUNTED,
    HUBS,
    KEYS,
    SHARED,
    SIZE,
    SIZED_KEYS,
    bounds_of,
    counted_rows,
    list_numbers,
    numbered,
    rows_of_keys,
    shared_keys,
    shared_rows,
)
from neardup.steps.rejected import REACH
from neardup.steps.rounding import OF_A_COUNT, least_count

SETS = schema_of("doc int64, shingles [int64], slack float64")

WORTH = 0.9  # of the threshold: what is further below it is no near miss
SLACK = 2.0  # standard deviations by which a sampled resemblance may fall below the true one
WHOLE = 1024  # sets up to this size are not sampled: the sample would say too little


def steps(settings: DocumentSettings, counters: int, against: Against = EVERYTHING) -> list[Step]:
    """Return the steps from `units` and `firsts` to `shared`, the pairs that share a key."""
    bounded = settings.counts_keys
    pair = partial(pair_documents, settings.longest_list, HUBS, against)
    if settings.candidates == "minhash":
        bands = Map(
            "keys", "units", partial(take_bands, settings.bands, settings.rows), KEYS, only="firsts"
        )
        return [bands, Map("shared", "keys", pair, SHARED, grouped=True)]
    before: list[Step] = []
    sets: str = "units"
    only: str | None = "firsts"
    if settings.candidates == "sampled":
        before = [Map("samples", "units", partial(take_samples, settings), SETS, only="firsts")]
        sets, only = "samples", None
    before += [
        Fold("counts", sets, partial(Counters, counters), only=only),
        Map(
            "keys",
            sets,
            partial(take_prefixes, settings.threshold, bounded),
            SIZED_KEYS if bounded else KEYS,
            sides=("counts",),
            only=only,
        ),
    ]
    if bounded:
        limit = worth_keeping_from(settings.threshold)
        count = partial(count_pairs, settings.longest_list, HUBS, settings.threshold, limit, against)
        return [*before, Map("shared", "keys", count, COUNTED, grouped=True, together=True)]
    if settings.measure == "resemblance":
        return [*before, Map("shared", "keys", pair, SHARED, grouped=True)]
    return [
        *before,
        Fold("asked", "keys", partial(Marks, counters)),
        Map("members", sets, asked_for, KEYS, sides=("asked",), only=only),
        Sql("askers", ASKERS),
        Map("shared", "askers", pair, SHARED, grouped=True),
    ]


ASKERS = """
select key, doc, 1 as asks from {keys} union all select key, doc, 0 as asks from {members}
"""


def enough_sql(threshold: float) -> str:
    """Return the condition that x and y may share enough: `common` keys are counted in a pair s.

    What was left out of a prefix is less than the threshold's share of the set. Of keys that too many
    documents have, as many as in `crowds` l and m, they share at most what one of them has.
    """
    limit = worth_keeping_from(threshold)
    most = (
        f"least(coalesce(l.lists, 0), coalesce(m.lists, 0)) + {threshold!r}e0 * greatest(x.size, y.size)"
    )
    return f"s.common + {most} >= {limit / (1 + limit)!r}e0 * (x.size + y.size) - {OF_A_COUNT!r}"


def worth_keeping_from(threshold: float) -> float:
    """Return the similarity from which on a candidate is a pair or a near miss."""
    return max(threshold - REACH, WORTH * threshold)


def expected_recall(settings: DocumentSettings) -> float:
    """Return the chance that a pair exactly at the threshold becomes a candidate."""
    match settings.candidates:
        case "exact":
            return 1.0
        case "sampled":
            return 0.5 * (1 + math.erf(SLACK / math.sqrt(2)))
        case "minhash":
            return float(1 - (1 - settings.threshold**settings.rows) ** settings.bands)


class Marks:
    """Which keys some prefix asks for, roughly: the state of a Fold."""

    def __init__(self, size: int) -> None:
        self.table = np.zeros(size, np.uint8)

    def add(self, batch: pa.RecordBatch) -> None:
        """Mark each key."""
        from neardup.kernels.counters import mark

        mark(batch["key"].to_numpy(), self.table)

    def merge(self, other: "Marks") -> None:
        """Take over the marks of another part."""
        np.maximum(self.table, other.table, out=self.table)


def take_prefixes(least: float, sized: bool, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Take the prefix of each set, rarest shingles first, without those that occur only once.

    Returns rows (key, doc), `sized` with the sizes of prefix and set.
    """
    from neardup.kernels.counters import rarest

    values, bounds = from_lists(batch["shingles"])
    sizes = np.diff(bounds)
    slack = batch["slack"].to_numpy() if "slack" in batch.schema.names else 0.0
    needed = least_count(np.maximum(least - slack, 0) * sizes)
    wanted = np.minimum(sizes, sizes - needed + 1)
    keys, starts = rarest(values, bounds, wanted, sides["counts"].table)
    rows = rows_of_keys(batch["doc"].to_numpy(), keys, starts)
    if not sized:
        return rows
    own = np.diff(starts)
    return rows.append_column("sizes", pa.array(np.repeat(sizes * SIZE + own, own)))


def asked_for(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Return the shingles of each set that some prefix asks for, as rows (key, doc)."""
    from neardup.kernels.counters import marked

    values, bounds = from_lists(batch["shingles"])
    return rows_of_keys(batch["doc"].to_numpy(), *marked(values, bounds, sides["asked"].table))


def take_bands(bands: int, rows: int, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Take the keys of the bands of each set's MinHash sketch."""
    from neardup.kernels.sketch import band_keys

    values, bounds = from_lists(batch["shingles"])
    keys = band_keys(values, bounds, bands, rows)
    ends = np.arange(len(keys) + 1) * bands
    return rows_of_keys(batch["doc"].to_numpy(), keys.ravel(), ends)


def take_samples(settings: DocumentSettings, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Keep the shingles whose hash is divisible by the rate: the same ones in every document.

    Short sets stay whole. As a short set may resemble one that is just long enough to be sampled, the
    sets in between are given twice, whole and sampled; the two kinds never meet. A sampled one needs
    slack.
    """
    from neardup.kernels.sampling import sample, whole

    values, bounds = from_lists(batch["shingles"])
    docs, sizes = batch["doc"].to_numpy(), np.diff(bounds)
    t = settings.threshold
    kept, kept_bounds = sample(values, bounds, sizes > WHOLE, settings.sample)
    slack = SLACK * np.sqrt(t * (1 - t) / np.maximum(np.diff(kept_bounds), 1))
    full, full_bounds = whole(values, bounds, sizes <= WHOLE / t)
    sampled = [docs, to_lists(kept, kept_bounds), slack]
    plain = [docs, to_lists(full, full_bounds), np.zeros(len(docs))]
    parts = (pa.RecordBatch.from_arrays(columns, schema=SETS) for columns in (sampled, plain))
    both = pa.concat_batches(list(parts))
    return both.filter(pc.greater(pc.list_value_length(both["shingles"]), 0))


def pair_documents(
    cap: int, hubs: int, against: Against, batch: pa.RecordBatch, _: Sides
) -> pa.RecordBatch:
    """Pair the documents that share a key, each pair once a batch.

    Rows are (key, doc), or (key, doc, asks) where only those that ask for a key are paired with the
    others. Two that are old, with all their copies, are no pair.
    """
    from neardup.kernels.postings import lists_of_members, posting_pairs, sort_lists

    ordered = "asks" not in batch.schema.names
    batch = shared_keys(batch)
    if not batch.num_rows:
        return pa.RecordBatch.from_pylist([], schema=SHARED)
    known, numbers = numbered(batch["doc"])
    lists = list_numbers(batch["key"].to_numpy())
    if ordered:
        asking = numbers, bounds_of(lists, lists[-1] + 1)
    else:
        asks = batch["asks"].to_numpy() == 1
        asking = numbers[asks], bounds_of(lists[asks], lists[-1] + 1)
        numbers, lists = numbers[~asks], lists[~asks]
    bounds = bounds_of(lists, len(asking[1]) - 1)
    sort_lists(numbers, bounds)
    owned, starts = lists_of_members(*asking, len(known))
    asked = slice(against.first_old(known) + 1 if ordered else None)  # old ones come last
    left, right = posting_pairs(numbers, bounds, owned, starts[asked], cap, hubs, ordered)
    heads = known[numbers[bounds[:-1][np.diff(bounds) > cap]]]
    a, b = known[np.minimum(left, right)], known[np.maximum(left, right)]
    new = against.some_new(a)
    return shared_rows(a[new], b[new], heads[against.some_new(heads)])


def count_pairs(
    cap: int,
    hubs: int,
    threshold: float,
    limit: float,
    against: Against,
    batch: pa.RecordBatch,
    _: Sides,
) -> pa.RecordBatch:
    """Pair the documents that share a key, and count how many they share.

    Rows have the `sizes` of prefix and set. Pairs are left out that cannot reach the limit, whatever
    they share in other batches; with the sums over all batches, that is asked once more (`enough_sql`).
    So which pairs are candidates does not depend on how rows were brought together.
    """
    from neardup.kernels.postings import counted_pairs, lists_of_members, sort_lists

    rows, batch = batch, shared_keys(batch)
    if not batch.num_rows:
        return pa.RecordBatch.from_pylist([], schema=COUNTED)
    known, numbers = numbered(batch["doc"])
    lists = list_numbers(batch["key"].to_numpy())
    bounds = bounds_of(lists, lists[-1] + 1)
    sort_lists(numbers, bounds)
    owned, starts = lists_of_members(numbers, bounds, len(known))
    too_long = np.diff(bounds) > cap
    asked = slice(against.first_old(known) + 1)  # old ones come last
    a, b, common = counted_pairs(
        *(numbers, bounds, owned, starts[asked], cap, hubs),
        *elsewhere(rows, known, too_long, owned, starts),
        *(threshold, limit),
    )
    inside = too_long[lists]
    long_lists = known[numbers[bounds[:-1][lists[inside]]]], known[numbers[inside]]
    new, behind_new = against.some_new(known[a]), against.some_new(long_lists[0])
    return counted_rows(
        (known[a][new], known[b][new], common[new]),
        (long_lists[0][behind_new], long_lists[1][behind_new]),
    )


def elsewhere(
    rows: pa.RecordBatch, known: Integers, too_long: Bools, lists: Integers, starts: Integers
) -> tuple[Integers, Integers]:
    """Return the sizes of the known sets, and how many keys of each are not counted in these rows.

    Those are in other batches, or in lists that are too long. Set s is in the lists from starts[s] on.
    """
    docs, numbers = numbered(rows["doc"])
    both = np.empty(len(docs), np.int64)
    both[numbers] = rows["sizes"].to_numpy()
    at = np.searchsorted(docs, known)
    missing = (both % SIZE - np.bincount(numbers, minlength=len(docs)))[at]
    before = np.append(0, np.cumsum(too_long[lists]))
    return both[at] // SIZE, missing + before[starts[1:]] - before[starts[:-1]]
