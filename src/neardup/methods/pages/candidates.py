"""Candidate pairs of pages: perhaps-similar sets by signatures, or simhashes that differ in few bits."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pyarrow as pa

from neardup.arrays import Array, Bools, Integers
from neardup.methods.pages.boilerplate import boilerplate_marks
from neardup.methods.pages.settings import PageSettings
from neardup.plan import Cluster, Fold, Map, Sides, Sql, Step
from neardup.signatures.ring import SentenceRing
from neardup.signatures.simhash import Simhash
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.clusters import number_by, rows_before
from neardup.steps.columns import from_lists, list_column, schema_of, to_lists
from neardup.steps.facts import probed
from neardup.steps.postings import HUBS, bounds_of, list_numbers, shared_keys

BARE = 8  # times as long as its known boilerplate is a page of which hardly any is known
SHARE, TEMPLATE, LONG = range(3)  # what a row of `shared` says

PAGES = schema_of(
    "doc content int64, words [int64], starts ends sentences fact_places [int32], "
    "fact_words signatures [int64], weight site_key int64, bare plain bool"
)
SET_GROUPS = schema_of("node keeper int64")
SIGNATURES = schema_of("key doc weight site_key int64")
CODED_PAIRS = schema_of("a b says int64")
TABLES = schema_of("key doc high low number int64")
NEAR = schema_of("a b says apart int64")
PROBES = schema_of("doc found int64")
MOST_PROBES = 1000
OTHER = np.uint64(0x9E3779B97F4A7C15)  # makes other sentences of sentences that are exchanged


def ring_of(settings: PageSettings) -> SentenceRing:
    """Return the signatures that these settings ask for."""
    return SentenceRing(settings.subsets, settings.turns, settings.chosen, settings.shortest)


def steps(settings: PageSettings, expected: int, against: Against = EVERYTHING) -> list[Step]:
    """Return the steps from `units` and `firsts` to `pages` and `candidates`.

    Old pages belong to sets as all do: which page represents one must not depend on what is asked for.
    """
    trim = Map(
        "pages",
        "units",
        Trim(
            settings.limit,
            None if settings.measure == "simhash" else ring_of(settings),
            whole=settings.measure == "cosine",
            weighed=settings.weight_column is not None,
            cut=settings.in_bytes,
        ),
        PAGES,
        sides=("template_keys",),
        only="firsts",
    )
    if settings.measure == "simhash":
        simhash = Simhash(settings.bits, settings.distance, expected)
        near = partial(near_in_tables, simhash, settings.max_pages)
        return [
            trim,
            Map("tables", "pages", partial(take_tables, simhash), TABLES),
            Map("shared", "tables", near, NEAR, grouped=True),
            Sql("candidates", against.candidates(NEAR_PAIRS), keep=True),
        ]
    printed = settings.rule == "paper"
    lists = PairLists(settings.max_pages, settings.max_site_pages, settings.max_list, printed)
    merged: list[Step] = [Cluster("set_groups", "set_nodes", "set_edges", "components")]
    if printed:
        merged = [
            Fold("set_lists", "set_edges", MergedLists),
            Map("set_groups", "set_edges", in_sets, SET_GROUPS, sides=("set_lists",)),
        ]
    pairs = ALL_IN_SETS.format(most=settings.max_list) if printed else PAIRS
    return [
        trim,
        Map("signatures", "pages", list_signatures, SIGNATURES),
        Map("shared", "signatures", lists, CODED_PAIRS, grouped=True),
        Sql("set_pages", SET_PAGES),
        Sql("set_nodes", SET_NODES, keep=True),
        Sql("set_edges", SET_EDGES),
        *merged,
        Sql("sets", SETS, keep=True),
        Sql("candidates", against.candidates(pairs), keep=True),
        *([] if settings.measure == "cosine" else probes(settings)),
    ]


def probes(settings: PageSettings) -> list[Step]:
    """Return the steps from `units` and `copies` to `probes`: which pages would be found."""
    probe = partial(
        probe_pages, settings.limit, ring_of(settings), settings.resemblance, settings.in_bytes
    )
    return [
        Sql("probed", probed("{copies}", MOST_PROBES, "doc = first")),
        Map("probes", "units", probe, PROBES, sides=("template_keys",), only="probed"),
    ]


# The page with the most signatures represents a set, or the heaviest one, as in the paper.
SET_PAGES = f"""
select p.doc as doc, p.weight as weight
from {{pages}} p
join (
  select a as doc from {{shared}} where says = {SHARE}
  union select b from {{shared}} where says = {SHARE}
) s on s.doc = p.doc
"""

SET_NODES = f"""
select {number_by("s.doc")} as node, s.doc as doc
from {{set_pages}} s join ({rows_before("{set_pages}", "weight", "desc")}) p
  on p.part = s.weight
order by 1
"""

SET_EDGES = f"""
select distinct greatest(x.node, y.node) as worse, least(x.node, y.node) as better,
  cast(1 as double) as similarity
from {{shared}} s join {{set_nodes}} x on x.doc = s.a join {{set_nodes}} y on y.doc = s.b
where s.says = {SHARE} order by 1, 2
"""

SETS = """
select distinct n.doc as doc, k.doc as representative
from {set_groups} g join {set_nodes} n on n.node = g.node join {set_nodes} k on k.node = g.keeper
"""

# Pages that share a signature, and each page with the one that represents its set.
PAIRS = f"""
select a, b, cast(0 as bigint) as apart from {{shared}} where says = {SHARE}
union
select least(doc, representative), greatest(doc, representative), cast(0 as bigint) from {{sets}}
where doc <> representative
"""

# All pages of a set, as printed; of more than can be compared, each with the one that represents them.
ALL_IN_SETS = """
select distinct x.doc as a, y.doc as b, cast(0 as bigint) as apart
from (select doc, representative, count(*) over (partition by representative) as size from {{sets}}) x
join {{sets}} y on y.representative = x.representative
where x.doc < y.doc and (x.size <= {most} or x.representative in (x.doc, y.doc))
"""

NEAR_PAIRS = f"select a, b, apart from {{shared}} where says = {SHARE}"


@dataclass(frozen=True)
class Trim:
    """Takes boilerplate, and what is beyond the limit, out of each page, and signs what remains.

    With `whole`, boilerplate is left out of the signatures only; with `cut`, a page ends at the limit
    and not with a sentence. A page weighs what its user says, if pages are `weighed`, else as much as it
    has signatures.
    """

    limit: int
    ring: SentenceRing | None
    whole: bool = False
    weighed: bool = False
    cut: bool = False

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row a page."""
        from neardup.kernels.pages import trimmed

        keys, bounds = from_lists(batch["keys"])
        own = slice(bounds[0], bounds[-1])
        bounds = bounds - bounds[0]
        keys = keys[own]
        sizes, firsts = (from_lists(batch[name])[0][own] for name in ("sizes", "firsts"))
        words, word_bounds = from_lists(batch["words"])
        own = slice(word_bounds[0], word_bounds[-1])
        word_bounds = word_bounds - word_bounds[0]
        starts, ends = (from_lists(batch[name])[0][own] for name in ("starts", "ends"))
        dropped = boilerplate_marks(batch, sides["template_keys"])
        marks, kept, counts, sentence_counts, chars = trimmed(
            word_bounds, firsts, bounds, sizes, dropped, self.limit, self.cut
        )
        pages = np.repeat(np.arange(len(counts)), np.diff(bounds))
        without = np.bincount(pages[dropped], sizes[dropped], len(counts))
        if self.whole:
            nothing = np.zeros_like(dropped)
            own_words = word_bounds, firsts, bounds, sizes
            marks, _, counts, *_ = trimmed(*own_words, nothing, self.limit, self.cut)
        new_bounds = np.concatenate([[0], np.cumsum(counts)])
        kept_bounds = np.concatenate([[0], np.cumsum(sentence_counts)])
        signed, signed_bounds = np.empty(0, np.uint64), np.zeros(len(counts) + 1, np.int64)
        if self.ring:
            signed, signed_bounds = self.ring.of(keys[kept].view(np.uint64), sizes[kept], kept_bounds)
        columns = [
            batch["doc"],
            pa.array(chars),
            to_lists(words[own][marks], new_bounds),
            list_column(starts[marks], new_bounds),
            list_column(ends[marks], new_bounds),
            batch["sentences"],
            batch["fact_places"],
            batch["fact_words"],
            to_lists(signed, signed_bounds),
            batch["weight"] if self.weighed else pa.array(np.diff(signed_bounds)),
            batch["site_key"],
            pa.array(without * BARE < chars),
            batch["page_type"].is_null(),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=PAGES)


def probe_pages(
    limit: int, ring: SentenceRing, least: float, cut: bool, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Exchange as many sentences of pages as the least resemblance allows, and look for them.

    Real edits are found more often, as they are in a few places.
    """
    from neardup.kernels.pages import trimmed

    keys, bounds = from_lists(batch["keys"])
    own = slice(bounds[0], bounds[-1])
    sizes, firsts = (from_lists(batch[name])[0][own] for name in ("sizes", "firsts"))
    _, word_bounds = from_lists(batch["words"])
    dropped = boilerplate_marks(batch, sides["template_keys"])
    shape = word_bounds - word_bounds[0], firsts, bounds - bounds[0], sizes
    _, kept, _, counts, chars = trimmed(*shape, dropped, limit, cut)
    keys, sizes = keys[own][kept].view(np.uint64), sizes[kept]
    bounds = np.concatenate([[0], np.cumsum(counts)])
    pages = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((keys, pages))
    before = np.cumsum(sizes[order]) - sizes[order]
    before -= (np.cumsum(chars) - chars)[pages]  # characters of the same page
    common = 2 * least / (1 + least)  # of two pages of the same length
    edited = keys.copy()
    edited[order] ^= np.where(before < common * chars[pages], np.uint64(0), OTHER)
    signed, signed_bounds = ring.of(keys, sizes, bounds)
    other, other_bounds = ring.of(edited, sizes, bounds)
    asked = np.flatnonzero(np.diff(signed_bounds))
    found = [
        np.isin(_of(signed, signed_bounds, page), _of(other, other_bounds, page)).any()
        for page in asked.tolist()
    ]
    columns = [batch["doc"].take(pa.array(asked)), pa.array(found, pa.bool_()).cast(pa.int64())]
    return pa.RecordBatch.from_arrays(columns, schema=PROBES)


def _of(values: Array, bounds: Array, page: int) -> Array:
    return values[bounds[page] : bounds[page + 1]]


def list_signatures(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """List the signatures of each page: rows (key, doc, weight, site_key)."""
    keys, bounds = from_lists(batch["signatures"])
    counts = np.diff(bounds)
    each = (batch[name].to_numpy() for name in ("doc", "weight", "site_key"))
    columns = [keys[bounds[0] : bounds[-1]], *(np.repeat(values, counts) for values in each)]
    return pa.RecordBatch.from_arrays(columns, schema=SIGNATURES)


@dataclass(frozen=True)
class PairLists:
    """Pairs the pages that share a signature, the heaviest ones first.

    A signature of over `most` pages, or of over `most_of_site` of which most are of one site, is of a
    template or of spam, and pairs nothing. In a list of over `cap` pages all are paired with the first
    few only; as `printed`, in every list with the first, which represents it.
    """

    most: int
    most_of_site: int
    cap: int
    printed: bool = False

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return the rows (a, b, says) with a before b; a row (a, a) is of a list that was cut."""
        from neardup.kernels.postings import lists_of_members, posting_pairs, sort_lists

        batch = shared_keys(batch)
        if not batch.num_rows:
            return pa.RecordBatch.from_pylist([], schema=CODED_PAIRS)
        lists = list_numbers(batch["key"].to_numpy())
        bounds = bounds_of(lists, lists[-1] + 1)
        template = self._template(bounds, batch["site_key"].to_numpy())
        first = batch["doc"].to_numpy()[bounds[:-1][template]]
        stays = ~template[lists]
        docs, weights = (batch[name].to_numpy()[stays] for name in ("doc", "weight"))
        known, numbers = ranked(docs, weights)
        bounds = bounds_of(lists[stays], lists[-1] + 1)
        sort_lists(numbers, bounds)
        members = lists_of_members(numbers, bounds, len(known))
        limits = (1, 1) if self.printed else (self.cap, HUBS)
        left, right = posting_pairs(numbers, bounds, *members, *limits, True)
        long = known[numbers[bounds[:-1][np.diff(bounds) > self.cap]]]
        one, other = known[left], known[right]
        says = np.repeat([SHARE, LONG, TEMPLATE], [len(one), len(long), len(first)])
        columns = [
            np.concatenate([np.minimum(one, other), long, first]),
            np.concatenate([np.maximum(one, other), long, first]),
            says,
        ]
        return pa.RecordBatch.from_arrays(columns, schema=CODED_PAIRS)

    def _template(self, bounds: Integers, sites: Array) -> Bools:
        """Say which lists are of templates or spam."""
        counts = np.diff(bounds)
        template = counts > self.most
        for number in np.flatnonzero((counts > self.most_of_site) & ~template):
            own = sites[bounds[number] : bounds[number + 1]]
            _, of_site = np.unique(own[own != 0], return_counts=True)
            template[number] = 2 * of_site.max(initial=0) > len(own)
        return template


class MergedLists:
    """Lists of signatures by the pages that represent them, and what they merge into: a Fold's state.

    Lists of the same representative are one. From the heaviest representative on (nodes are numbered
    from there), a list whose representative is in an earlier set merges into the first such set.
    """

    def __init__(self) -> None:
        self._parts = [np.empty((0, 2), np.int64)]

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in lists: a row for each page and what represents it."""
        self._parts.append(np.stack([batch[n].to_numpy() for n in ("better", "worse")], axis=1))

    def merge(self, other: "MergedLists") -> None:
        """Take in the lists of another part."""
        self._parts += other._parts

    @cached_property
    def sets(self) -> dict[int, int]:
        """Return, for each node that represents a list, the one that represents its set."""
        found: dict[int, int] = {}
        first_set: dict[int, int] = {}  # of each page
        for list_of, page in np.unique(np.concatenate(self._parts), axis=0).tolist():
            own = found.setdefault(list_of, first_set.get(list_of, list_of))
            first_set[page] = min(first_set.get(page, own), own)
        return found


def in_sets(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Say in which sets pages are: rows (node, keeper) of a page and what represents a set with it."""
    sets = sides["set_lists"].sets
    better, worse = (batch[name].to_numpy() for name in ("better", "worse"))
    keepers = np.array([sets[node] for node in better.tolist()], np.int64)
    columns = [np.concatenate([better, worse]), np.concatenate([keepers, keepers])]
    return pa.RecordBatch.from_arrays(columns, schema=SET_GROUPS)


def ranked(docs: Array, weights: Array) -> tuple[Array, Integers]:
    """Return the different pages from the largest weight down, and the number there of each row's."""
    known, first, places = np.unique(docs, return_index=True, return_inverse=True)
    order = np.lexsort((known, -weights[first]))
    rank = np.empty(len(known), np.int64)
    rank[order] = np.arange(len(known))
    return known[order], rank[places]


def take_tables(simhash: Simhash, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Put the simhash of each page into permuted tables."""
    words, bounds = from_lists(batch["words"])
    full = np.diff(bounds) > 0
    high, low = (part[full] for part in simhash.of(words.view(np.uint64), bounds))
    return in_tables(batch["doc"].to_numpy()[full], high, low, simhash)


def in_tables(docs: Array, high: Array, low: Array, simhash: Simhash) -> pa.RecordBatch:
    """Return a row for each value in each table."""
    from neardup.kernels.simhash import table_keys

    keys = table_keys(high, low, simhash.masks)
    count = len(simhash.masks)
    each = (np.tile(values.view(np.int64), count) for values in (docs, high, low))
    columns = [keys.ravel().view(np.int64), *each, np.repeat(np.arange(count), len(docs))]
    return pa.RecordBatch.from_arrays(columns, schema=TABLES)


def near_in_tables(simhash: Simhash, cap: int, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Compare the simhashes that have the same key in a table."""
    from neardup.kernels.simhash import near_in_lists

    batch = shared_keys(batch)
    if not batch.num_rows:
        return pa.RecordBatch.from_pylist([], schema=NEAR)
    keys, docs, high, low, tables = (column.to_numpy() for column in batch.columns)
    order = np.lexsort((docs, keys))
    keys, docs, high, low, tables = (c[order] for c in (keys, docs, high, low, tables))
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    bounds = np.append(starts, len(keys))
    distance = simhash.distance
    left, right, apart = near_in_lists(
        high.view(np.uint64), low.view(np.uint64), tables, bounds, simhash.masks,
        distance, cap, HUBS,
    )  # fmt: skip
    long = docs[starts[np.diff(bounds) > cap]]
    says = np.repeat([SHARE, LONG], [len(left), len(long)])
    columns = [
        np.concatenate([docs[left], long]),
        np.concatenate([docs[right], long]),
        says,
        np.concatenate([apart, np.zeros(len(long), np.int64)]),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=NEAR)
