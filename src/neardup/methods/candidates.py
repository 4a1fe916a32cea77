"""Candidate pairs: three ways to propose them, from exact to cheap.

All three write rows of (key, doc), and documents that share a key are candidates. `exact` and
`sampled` take a prefix of each set in a fixed order, rarest first: two sets with resemblance t or more
share one of the first |A| - ceil(t |A|) + 1 elements of each. `minhash` takes the bands of a sketch.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.units import from_lists, to_lists
from neardup.plan import Fold, Map, Sql, Step
from neardup.settings import DocumentSettings

KEYS = pa.schema([("key", pa.int64()), ("doc", pa.int64())])
SETS = pa.schema([("doc", pa.int64()), ("shingles", pa.list_(pa.int64())), ("slack", pa.float64())])
SHARED = pa.schema([("a", pa.int64()), ("b", pa.int64())])

HUBS = 10  # in too long a posting list, all are compared with so many of its documents only
SLACK = 2.0  # standard deviations by which a sampled resemblance may fall below the true one
WHOLE = 1024  # sets up to this size are not sampled: the sample would say too little
MOST_COUNTERS = 1 << 28
LEAST_COUNTERS = 1 << 20
BYTES_A_SHINGLE = 8


def steps(settings: DocumentSettings, counters: int) -> list[Step]:
    """Return the steps from `units` and `firsts` to `shared`, the pairs that share a key."""
    if settings.candidates == "minhash":
        bands = Map("keys", "units", Bands(settings.bands, settings.rows), KEYS, only="firsts")
        return [bands, _postings("keys"), _shared(settings, ordered=True)]
    before: list[Step] = []
    sets: str = "units"
    only: str | None = "firsts"
    if settings.candidates == "sampled":
        before = [Map("samples", "units", Sample(settings), SETS, only="firsts")]
        sets, only = "samples", None
    before += [
        Fold("counts", sets, partial(Counters, counters), only=only),
        Map("keys", sets, Prefixes(settings.threshold), KEYS, sides=("counts",), only=only),
    ]
    if settings.measure == "resemblance":
        return [*before, _postings("keys"), _shared(settings, ordered=True)]
    return [
        *before,
        Fold("asked", "keys", partial(Marks, counters)),
        Map("members", sets, Asked(), KEYS, sides=("asked",), only=only),
        Sql(
            "postings",
            ("keys", "members"),
            """
            select k.key, k.docs as askers, m.docs as docs, m.n as n
            from (select key, array_agg(doc) as docs from {keys} group by key) k
            join (select key, array_agg(doc) as docs, count(*) as n from {members} group by key) m
              on k.key = m.key
            where m.n > 1
            """,
        ),
        _shared(settings, ordered=False),
    ]


def _postings(keys: str) -> Sql:
    return Sql(
        "postings",
        (keys,),
        f"""
        select key, array_agg(doc) as docs, count(*) as n
        from {{{keys}}} group by key having count(*) > 1
        """,
    )


def _shared(settings: DocumentSettings, ordered: bool) -> Map:
    return Map("shared", "postings", Share(settings.max_postings, HUBS, ordered), SHARED)


def counters_size(memory: int, text_bytes: int) -> int:
    """Return the size of a table of counters: about one a shingle, in a sixteenth of the memory."""
    useful = 1 << (text_bytes // BYTES_A_SHINGLE).bit_length()
    fitting = 1 << max(memory // 16, 1).bit_length() - 1
    return max(min(useful, fitting, MOST_COUNTERS), LEAST_COUNTERS)


def expected_recall(settings: DocumentSettings) -> float:
    """Return the chance that a pair exactly at the threshold becomes a candidate."""
    match settings.candidates:
        case "exact":
            return 1.0
        case "sampled":
            return 0.5 * (1 + math.erf(SLACK / math.sqrt(2)))
        case "minhash":
            return float(1 - (1 - settings.threshold**settings.rows) ** settings.bands)


class Counters:
    """How many documents have a shingle, roughly: the state of a Fold."""

    def __init__(self, size: int) -> None:
        self.table = np.zeros(size, np.uint8)

    def add(self, batch: pa.RecordBatch) -> None:
        """Count each shingle of each set."""
        from neardup.kernels.counters import count_values

        values, bounds = from_lists(batch["shingles"])
        count_values(self.table, values[bounds[0] : bounds[-1]])

    def merge(self, other: "Counters") -> None:
        """Add the counts of another part of the documents."""
        from neardup.kernels.counters import add_counters

        add_counters(self.table, other.table)


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


def rows_of_keys(
    docs: npt.NDArray[np.int64], values: npt.NDArray[np.uint64], bounds: npt.NDArray[np.int64]
) -> pa.RecordBatch:
    """Return a row (key, doc) for each value of each document's list."""
    owners = np.repeat(docs, np.diff(bounds))
    return pa.RecordBatch.from_arrays([values.view(np.int64), owners], schema=KEYS)


@dataclass(frozen=True)
class Prefixes:
    """Takes the prefix of each set, rarest shingles first, without those that occur only once."""

    threshold: float

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows (key, doc) of all prefixes."""
        from neardup.kernels.counters import rarest

        values, bounds = from_lists(batch["shingles"])
        sizes = np.diff(bounds)
        lowered = self.threshold
        if "slack" in batch.schema.names:
            lowered = np.maximum(self.threshold - batch["slack"].to_numpy(), 0)
        # a little lower, so that rounding can only lengthen a prefix
        needed = np.ceil(lowered * sizes * (1 - 1e-12) - 1e-9).astype(np.int64)
        wanted = np.minimum(sizes, sizes - needed + 1)
        return rows_of_keys(
            batch["doc"].to_numpy(), *rarest(values, bounds, wanted, sides["counts"].table)
        )


@dataclass(frozen=True)
class Asked:
    """Takes the shingles of each set that some prefix asks for."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows (key, doc)."""
        from neardup.kernels.counters import marked

        values, bounds = from_lists(batch["shingles"])
        return rows_of_keys(batch["doc"].to_numpy(), *marked(values, bounds, sides["asked"].table))


@dataclass(frozen=True)
class Bands:
    """Takes the keys of the bands of each set's MinHash sketch."""

    bands: int
    rows: int

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one row (key, doc) a band."""
        from neardup.kernels.sketch import band_keys

        del sides
        values, bounds = from_lists(batch["shingles"])
        keys = band_keys(values, bounds, self.bands, self.rows)
        ends = np.arange(len(keys) + 1) * self.bands
        return rows_of_keys(batch["doc"].to_numpy(), keys.ravel(), ends)


@dataclass(frozen=True)
class Sample:
    """Keeps the shingles whose hash is divisible by the rate: the same ones in every document.

    Short sets stay whole. As a short set may resemble one that is just long enough to be sampled, the
    sets in between are given twice, whole and sampled; the two kinds never meet.
    """

    settings: DocumentSettings

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one or two sets a document, with the slack that a sampled one needs."""
        from neardup.kernels.sampling import sample, whole

        del sides
        values, bounds = from_lists(batch["shingles"])
        docs, sizes = batch["doc"].to_numpy(), np.diff(bounds)
        t = self.settings.threshold
        short = sizes <= WHOLE / t
        kept, kept_bounds = sample(values, bounds, sizes > WHOLE, self.settings.sample)
        counts = np.maximum(np.diff(kept_bounds), 1)
        sampled = self._sets(docs, kept, kept_bounds, SLACK * np.sqrt(t * (1 - t) / counts))
        full, full_bounds = whole(values, bounds, short)
        plain = self._sets(docs, full, full_bounds, np.zeros(len(docs)))
        both = pa.concat_batches([sampled, plain])
        return both.filter(pc.greater(pc.list_value_length(both["shingles"]), 0))

    def _sets(
        self,
        docs: npt.NDArray[np.int64],
        values: npt.NDArray[np.uint64],
        bounds: npt.NDArray[np.int64],
        slack: npt.NDArray[np.float64],
    ) -> pa.RecordBatch:
        columns = [docs, to_lists(values, bounds), slack]
        return pa.RecordBatch.from_arrays([pa.array(c) for c in columns], schema=SETS)


@dataclass(frozen=True)
class Share:
    """Pairs the documents of each posting list, each pair once a batch."""

    cap: int
    hubs: int
    ordered: bool

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows (a, b) with a before b."""
        from neardup.kernels.postings import lists_of_members, posting_pairs, sort_lists

        del sides
        docs, bounds = from_lists(batch["docs"])
        asking, asking_bounds = (docs, bounds) if self.ordered else from_lists(batch["askers"])
        known, numbers = np.unique(np.concatenate([docs, asking]), return_inverse=True)
        members, askers = numbers[: len(docs)].copy(), numbers[len(docs) :]
        sort_lists(members, bounds)
        lists, list_bounds = lists_of_members(askers, asking_bounds, len(known))
        left, right = posting_pairs(
            members, bounds, lists, list_bounds, self.cap, self.hubs, self.ordered
        )
        a, b = known[left], known[right]
        return pa.RecordBatch.from_arrays([np.minimum(a, b), np.maximum(a, b)], schema=SHARED)
