"""Boilerplate: the sentences that pages of a site share although they say different things.

Copies of one page share nearly all of their text; pages of one template share the template only. So a
sentence is boilerplate if several pages of a site have it, and most of these have much else in which
they differ. What a page shares with about as many pages as have the sentence is taken for shared by
the same pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.methods.units import from_lists
from neardup.plan import Fold, Map, Sql, Step
from neardup.settings import PageSettings

ROWS = pa.schema([(name, pa.int64()) for name in ("key", "doc", "chars", "total", "known")])
REPEATED = pa.schema([(n, pa.int64()) for n in ("doc", "key", "chars", "total", "known", "pages")])
SHARES = pa.schema([(name, pa.int64()) for name in ("key", "doc", "share", "known", "pages")])
PLACES = pa.schema([(name, pa.int64()) for name in ("key", "doc", "start_at", "end_at")])
UNIT = 1_000
SHARED = 800  # thousandths of their text that pages of a template share at most
SHARED_BY_TWO = 500  # and of just two pages, which may be copies rather
SHARED_ANYWHERE = 500  # and where the sites of pages are not known
MORE_PAGES = 3  # times as many pages must have a sentence where their sites are not known


def steps(settings: PageSettings) -> list[Step]:
    """Return the steps from `units` and `firsts` to `template`, the boilerplate, and its keys."""
    least = max(settings.site_pages, 2)
    wanted = TEMPLATE if settings.measure != "simhash" and settings.site_pages else "1 = 0"
    for name, value in {
        "MOST": settings.max_site_pages,
        "LEAST": least,
        "MORE": MORE_PAGES * least,
        "ANYWHERE": SHARED_ANYWHERE,
        "TWO": SHARED_BY_TWO,
        "SHARED": SHARED,
    }.items():
        wanted = wanted.replace(name, str(value))
    return [
        Map("site_rows", "units", SiteRows(), ROWS, only="firsts"),
        Map("repeated", "site_rows", Repeated(2), REPEATED, grouped=True),
        Map("shares", "repeated", Shares(), SHARES, grouped=True),
        Sql("template", ("shares",), CHOSEN.replace("WANTED", wanted)),
        Fold("template_keys", "template", Keys),
        Sql("template_pages", ("template",), "select distinct doc from {template} order by doc"),
        Map("places", "units", Places(), PLACES, sides=("template_keys",), only="template_pages"),
    ]


CHOSEN = """
select key, min(pages) as pages, min(doc) as doc from {shares} group by key having WANTED order by key
"""

TEMPLATE = """min(pages) > MOST
  or (min(known) = 1 and min(pages) >= LEAST and sum(share) <= SHARED * count(*))
  or (min(known) = 1 and min(pages) = 2 and sum(share) <= TWO * count(*))
  or (min(known) = 0 and min(pages) >= MORE and sum(share) <= ANYWHERE * count(*))"""


class Keys:
    """The keys of boilerplate, sorted: the state of a Fold."""

    def __init__(self) -> None:
        self.values = np.empty(0, np.int64)

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in the keys of some rows."""
        self.values = np.union1d(self.values, batch["key"].to_numpy())

    def merge(self, other: "Keys") -> None:
        """Take in all that another one took in."""
        self.values = np.union1d(self.values, other.values)

    def has(self, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Say which keys are among them."""
        if not len(self.values):
            return np.zeros(len(keys), np.bool_)
        at = np.minimum(np.searchsorted(self.values, keys), len(self.values) - 1)
        return np.asarray(self.values[at] == keys)


def site_sentences(batch: pa.RecordBatch) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the key of each sentence of some pages on its site, and the page's number."""
    keys, bounds = from_lists(batch["keys"])
    pages = np.repeat(np.arange(batch.num_rows), np.diff(bounds))
    # multiplied, so that a sentence's key on a site is no other sentence's on another one
    sites = batch["site_key"].to_numpy()[pages] * np.int64(0x2545F4914F6CDD1D)
    return keys[bounds[0] : bounds[-1]] ^ sites, pages


@dataclass(frozen=True)
class SiteRows:
    """Lists the different sentences of each page with their characters."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows (key, doc, chars, total, known)."""
        del sides
        keys, pages = site_sentences(batch)
        sizes, bounds = from_lists(batch["sizes"])
        sizes = sizes[bounds[0] : bounds[-1]].astype(np.int64)
        totals = np.bincount(pages, sizes, batch.num_rows).astype(np.int64)
        order = np.lexsort((keys, pages))
        new = np.ones(len(keys), np.bool_)
        new[1:] = (np.diff(keys[order]) != 0) | (np.diff(pages[order]) != 0)
        starts = np.flatnonzero(new)
        chars = np.add.reduceat(sizes[order], starts) if len(starts) else starts
        own = order[starts]
        known = (batch["site_key"].to_numpy() != 0).astype(np.int64)
        rows = pages[own]
        columns = [keys[own], batch["doc"].to_numpy()[rows], chars, totals[rows], known[rows]]
        return pa.RecordBatch.from_arrays([pa.array(c) for c in columns], schema=ROWS)


@dataclass(frozen=True)
class Repeated:
    """Keeps the sentences that several pages have, and says how many these are."""

    least: int

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows (doc, key, chars, total, known, pages)."""
        del sides
        _, places, counts = np.unique(batch["key"].to_numpy(), return_inverse=True, return_counts=True)
        pages = counts[places]
        found = batch.append_column("pages", pa.array(pages)).select(REPEATED.names)
        return found.filter(pa.array(pages >= self.least))


@dataclass(frozen=True)
class Shares:
    """Says how much of its page is shared by about as many pages as have a sentence, or by more."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows (key, doc, share, known, pages); the share is in thousandths."""
        del sides
        order = np.lexsort(
            (batch["key"].to_numpy(), -batch["pages"].to_numpy(), batch["doc"].to_numpy())
        )
        rows = batch.take(pa.array(order))
        docs, pages, chars, total = (rows[n].to_numpy() for n in ("doc", "pages", "chars", "total"))
        firsts = np.flatnonzero(np.diff(docs, prepend=docs[:1] - 1))
        counts = np.diff(np.append(firsts, len(docs)))
        before = np.concatenate([[0], np.cumsum(chars)])
        share = np.empty(len(docs), np.int64)
        for first, count in zip(firsts.tolist(), counts.tolist(), strict=True):
            own = slice(first, first + count)
            # pages come from many to few: how many of them are at least half of a sentence's own?
            within = np.searchsorted(-pages[own], -((pages[own] + 1) // 2), side="right")
            share[own] = UNIT * (before[first + within] - before[first]) // total[own]
        columns = [rows["key"], rows["doc"], pa.array(share), rows["known"], rows["pages"]]
        return pa.RecordBatch.from_arrays(columns, schema=SHARES)


@dataclass(frozen=True)
class Places:
    """Locates boilerplate in pages that have it."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows (key, doc, start_at, end_at), the first place of each in a page."""
        keys, pages = site_sentences(batch)
        firsts, bounds = from_lists(batch["firsts"])
        starts, word_bounds = from_lists(batch["starts"])
        ends, _ = from_lists(batch["ends"])
        begin = word_bounds[pages] + firsts[bounds[0] : bounds[-1]]
        last = np.append(begin[1:], word_bounds[-1]) - 1
        own = np.flatnonzero(sides["template_keys"].has(keys))
        _, one = np.unique(np.stack([pages[own], keys[own]]), axis=1, return_index=True)
        own = own[np.sort(one)]
        docs = batch["doc"].to_numpy()[pages[own]]
        columns = [
            keys[own],
            docs,
            starts[begin[own]].astype(np.int64),
            ends[last[own]].astype(np.int64),
        ]
        return pa.RecordBatch.from_arrays([pa.array(c) for c in columns], schema=PLACES)
