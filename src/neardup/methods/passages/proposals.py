"""Proposals: document pairs that share several rare runs of words, and the runs that all share.

Every run of `width` words is a candidate key, of `window` neighbouring ones one is kept (winnowing).
Keys that only one document has match nothing and are dropped by a table of counters; keys that more
than `max_documents` have are boilerplate and propose nothing.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from neardup.arrays import Array, Hashes, Integers
from neardup.methods.passages.settings import PassageSettings
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.signatures.winnowing import Winnowing
from neardup.steps.columns import from_lists, list_column, schema_of, to_lists
from neardup.steps.counters import Counters
from neardup.steps.postings import KEYS, bounds_of, list_numbers, numbered, rows_of_keys, shared_keys

KEPT = schema_of("doc int64, keys [int64], places [int32]")
MARKS = schema_of("doc int64, marks [int64], common [int32], common_words int64")
SHARED_WORTHS = schema_of("a b worth int64")


def steps(
    settings: PassageSettings, winnowing: Winnowing, counters: int, boundary: int | None
) -> list[Step]:
    """Return the steps from `texts` to `proposed` (a, b) and `common`, the keys of boilerplate."""
    most = settings.max_documents
    return [
        Fold("counts", "texts", partial(WinnowedCounters, counters, winnowing, settings.within)),
        Map("kept", "texts", KeptRuns(winnowing), KEPT, sides=("counts",)),
        Map("keys", "kept", SharedKeys(), KEYS),
        Map("shared", "keys", WeighShared(most, boundary), SHARED_WORTHS, grouped=True),
        Sql("proposed", proposed(winnowing.least_worth)),
        Map("frequent", "keys", FrequentKeys(most), KEYS, sides=("counts",)),
        Sql("common", common(most), keep=True),
        Fold("boilerplate_keys", "common", CommonKeys),
        Map("marks", "kept", MarkRuns(winnowing), MARKS, sides=("boilerplate_keys",)),
    ]


def proposed(least: int) -> str:
    """Return the statement for the pairs that share runs of so much worth."""
    return f"select a, b from {{shared}} group by a, b having sum(worth) >= {least}"


def common(most: int) -> str:
    """Return the statement for the runs that more documents have."""
    return f"""
select key, count(*) as documents, min(doc) as doc from {{frequent}}
group by key having count(*) > {most} order by key
"""


class WinnowedCounters(Counters):
    """How many documents have a kept run, roughly: the state of a Fold."""

    def __init__(self, size: int, winnowing: Winnowing, within: bool) -> None:
        super().__init__(size)
        self.winnowing = winnowing
        self.within = within

    def add(self, batch: pa.RecordBatch) -> None:
        """Count each key of each text, once or as often as it is `within` the text."""
        from neardup.kernels.counters import count_values

        words, bounds = from_lists(batch["words"])
        if self.within:
            count_values(self.table, self.winnowing.runs(words, bounds)[0])
        else:
            count_values(self.table, self.winnowing.of(words.view(np.uint64), bounds, None).values)


@dataclass(frozen=True)
class KeptRuns:
    """Takes the kept runs of each text and their places; with `counts`, those that others may have."""

    winnowing: Winnowing

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row (doc, keys, places) a text."""
        counters = sides["counts"].table if "counts" in sides else None
        keys, places, bounds = self.winnowing.runs(*from_lists(batch["words"]), counters)
        columns = [batch["doc"], to_lists(keys, bounds), list_column(places, bounds)]
        return pa.RecordBatch.from_arrays(columns, schema=KEPT)


class CommonKeys:
    """The keys that very many documents share, sorted: the state of a Fold."""

    def __init__(self) -> None:
        self.parts: list[tuple[Array, ...]] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in rows of keys, numbers of documents, and first documents."""
        self.parts.append(tuple(column.to_numpy() for column in batch.columns))

    def merge(self, other: "CommonKeys") -> None:
        """Take in all that another one took in."""
        self.parts += other.parts

    def arrays(self) -> tuple[Hashes, Integers, Integers]:
        """Return the sorted keys, and for each the number of its documents and the first of them."""
        if not self.parts:
            none = np.empty(0, np.int64)
            return none.view(np.uint64), none, none
        keys, counts, docs = (np.concatenate(column) for column in zip(*self.parts, strict=True))
        keys = keys.view(np.uint64)
        order = np.argsort(keys)
        return keys[order], counts[order], docs[order]


@dataclass(frozen=True)
class MarkRuns:
    """Makes sorted marks of the kept runs, and sets apart the words that very many documents share."""

    winnowing: Winnowing

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row (doc, marks, runs of common words, how many words these are) a text."""
        from neardup.kernels.hits import PHRASE, common_runs, marks_of

        (keys, bounds), (places, _) = from_lists(batch["keys"]), from_lists(batch["places"])
        common = sides.get("boilerplate_keys", CommonKeys()).arrays()[0]
        marks = to_lists(*marks_of(keys, places, bounds, common))
        runs, starts, words = common_runs(keys, places, bounds, common, *self.winnowing.shape, PHRASE)
        columns = [batch["doc"], marks, list_column(runs, starts), pa.array(words)]
        return pa.RecordBatch.from_arrays(columns, schema=MARKS)


@dataclass(frozen=True)
class SharedKeys:
    """Lists the distinct kept runs of each text."""

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return the rows (key, doc)."""
        from neardup.kernels.winnowing import distinct_keys

        keys, bounds = from_lists(batch["keys"])
        return rows_of_keys(batch["doc"].to_numpy(), *distinct_keys(keys.view(np.uint64), bounds))


@dataclass(frozen=True)
class FrequentKeys:
    """Leaves out the keys that surely no more than `most` documents have."""

    most: int

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the rows (key, doc) that are left."""
        from neardup.kernels.counters import HIGHEST, counted

        least = min(self.most + 1, HIGHEST)
        return batch.filter(pa.array(counted(sides["counts"].table, batch["key"].to_numpy(), least)))


@dataclass(frozen=True)
class WeighShared:
    """Weighs the keys that each two documents share, without those that too many have."""

    cap: int
    boundary: int | None

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return the rows (a, b, worth) with a before b."""
        from neardup.kernels.postings import lists_of_members, sort_lists
        from neardup.kernels.winnowing import weighed_pairs

        batch = shared_keys(batch)
        if not batch.num_rows:
            return pa.RecordBatch.from_pylist([], schema=SHARED_WORTHS)
        known, numbers = numbered(batch["doc"])
        lists = list_numbers(batch["key"].to_numpy())
        bounds = bounds_of(lists, lists[-1] + 1)
        sort_lists(numbers, bounds)
        first = -1 if self.boundary is None else int(np.searchsorted(known, self.boundary))
        own = lists_of_members(numbers, bounds, len(known))
        left, right, worth = weighed_pairs(numbers, bounds, *own, self.cap, first)
        return pa.RecordBatch.from_arrays([known[left], known[right], worth], schema=SHARED_WORTHS)
