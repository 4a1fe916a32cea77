"""Boilerplate: the sentences that pages of a site share although they say different things.

Copies of one page share nearly all of their text; pages of one template share the template only. So a
sentence is boilerplate if several pages of a site have it, and most of these have much else in which
they differ. What a page shares with about as many pages as have the sentence is taken for shared by
the same pages.

So many sites say the same to their readers (cookies, rights, how to subscribe) that sentences are also
counted on the pages of all sites. More pages must have them there, as where sites are not known.
"""

from functools import partial

import numpy as np
import pyarrow as pa

from neardup.arrays import Array, Bools, Integers
from neardup.methods.pages.settings import PageSettings
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.steps.columns import from_lists, schema_of
from neardup.steps.counters import KeySet

ROWS = schema_of("key doc chars total level int64")
REPEATED = schema_of("doc key chars total level pages int64")
SHARES = schema_of("key doc share level pages int64")
PLACES = schema_of("key doc start_at end_at int64")
UNKNOWN, SITE, WEB = range(3)  # a sentence counted on pages of unknown sites, of a site, of all sites
UNIT = 1_000
SHARED_ON_SITE = 800  # thousandths of their text that pages of a template share at most
SHARED_BY_TWO = 500  # and of just two pages, which may be copies rather
SHARED_ANYWHERE = 500  # and where the sites of pages are not known
SHARED_ON_WEB = 333  # and pages of several sites, which may have the same story
MORE_PAGES = 3  # times as many pages of several or unknown sites must have a sentence
WEB_SALT = np.int64(0x632BE59BD9B4E019)


def steps(settings: PageSettings) -> list[Step]:
    """Return the steps from `units` and `firsts` to `template`, the boilerplate, and its keys."""
    least = max(settings.site_pages, 2)
    rows = partial(site_rows, settings.measure != "simhash" and settings.site_pages > 0)
    return [
        Map("site_rows", "units", rows, ROWS, only="firsts"),
        Map("repeated", "site_rows", partial(find_repeated, MORE_PAGES * least), REPEATED, grouped=True),
        Map("shares", "repeated", page_shares, SHARES, grouped=True),
        Sql("template", chosen(settings.max_site_pages, least)),
        Fold("template_keys", "template", KeySet),
        Sql("template_pages", "select distinct doc from {template} order by doc"),
        Map(
            "places",
            "units",
            locate_boilerplate,
            PLACES,
            sides=("template_keys",),
            only="template_pages",
        ),
    ]


def chosen(most: int, least: int) -> str:
    """Return the statement for the boilerplate: what a number of pages have that differ in the rest."""
    more = MORE_PAGES * least
    return f"""
select key, min(pages) as pages, min(doc) as doc, min(level) as level
from {{shares}} group by key
having (min(level) <> {WEB} and min(pages) > {most})
  or (min(level) = {SITE} and min(pages) >= {least} and sum(share) <= {SHARED_ON_SITE} * count(*))
  or (min(level) = {SITE} and min(pages) = 2 and sum(share) <= {SHARED_BY_TWO} * count(*))
  or (min(level) = {UNKNOWN} and min(pages) >= {more} and sum(share) <= {SHARED_ANYWHERE} * count(*))
  or (min(level) = {WEB} and min(pages) >= {more} and sum(share) <= {SHARED_ON_WEB} * count(*))
order by key
"""


def page_sentences(batch: pa.RecordBatch) -> tuple[Integers, Integers]:
    """Return the fingerprint of each sentence of some pages, and the page's number."""
    keys, bounds = from_lists(batch["keys"])
    pages = np.repeat(np.arange(batch.num_rows), np.diff(bounds))
    return keys[bounds[0] : bounds[-1]], pages


def levels_of(
    batch: pa.RecordBatch, chosen: Array | slice = slice(None)
) -> list[tuple[Array, Array, Array]]:
    """Return the keys of sentences of some pages on their site, if it is known, and on all sites.

    Each comes with the place among all `chosen` sentences of these pages, and with its level.
    """
    keys, pages = (values[chosen] for values in page_sentences(batch))
    sites = batch["site_key"].to_numpy()[pages]
    known = sites != 0
    # multiplied, so that no two sentences of two sites have the same key
    own = keys ^ (sites * np.int64(0x2545F4914F6CDD1D))
    web = np.flatnonzero(known)
    return [
        (own, np.arange(len(keys)), np.where(known, SITE, UNKNOWN)),
        (keys[web] ^ WEB_SALT, web, np.full(len(web), WEB)),
    ]


def boilerplate_marks(batch: pa.RecordBatch, template: KeySet) -> Bools:
    """Say which sentences of some pages are boilerplate."""
    marks = np.zeros(len(page_sentences(batch)[0]), np.bool_)
    for keys, places, _ in levels_of(batch):
        marks[places] |= template.has(keys)
    return marks


def site_rows(wanted: bool, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """List the different sentences of each page with their characters; none if they are not wanted."""
    from neardup.kernels.pages import distinct_sentences

    batch = batch if wanted else batch.slice(0, 0)
    keys, pages = page_sentences(batch)
    sizes, bounds = from_lists(batch["sizes"])
    sizes, bounds = sizes[bounds[0] : bounds[-1]], bounds - bounds[0]
    totals = np.bincount(pages, sizes, batch.num_rows).astype(np.int64)
    firsts, chars = distinct_sentences(keys, sizes, bounds)
    docs = batch["doc"].to_numpy()
    parts = []
    for own, places, level in levels_of(batch, firsts):
        rows = pages[firsts[places]]
        parts.append([own, docs[rows], chars[places], totals[rows], level])
    joined = (np.concatenate(column) for column in zip(*parts, strict=True))
    return pa.RecordBatch.from_arrays([*joined], schema=ROWS)


def find_repeated(more: int, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Keep the sentences that several pages have, and say how many these are.

    Of those counted on all sites, only what at least half of `more` pages have can make a difference.
    """
    keys = batch["key"].to_numpy()
    places, counts = np.unique(keys, return_inverse=True, return_counts=True)[1:]
    pages = counts[places]
    rows = batch.append_column("pages", pa.array(pages)).select(REPEATED.names)
    least = np.where(batch["level"].to_numpy() == WEB, (more + 1) // 2, 2)
    return rows.filter(pa.array(pages >= least))


def page_shares(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Say how much of its page is shared by about as many pages as have a sentence, or by more.

    Returns the rows (key, doc, share, level, pages); the share is in thousandths.
    """
    from neardup.kernels.pages import shared_parts

    pages, levels, docs = (batch[n].to_numpy() for n in ("pages", "level", "doc"))
    rows = batch.take(pa.array(np.lexsort((-pages, levels, docs))))
    names = ("doc", "level", "pages", "chars", "total")
    share = shared_parts(*(rows[name].to_numpy() for name in names), UNIT)
    columns = [rows["key"], rows["doc"], pa.array(share), rows["level"], rows["pages"]]
    return pa.RecordBatch.from_arrays(columns, schema=SHARES)


def locate_boilerplate(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Locate boilerplate in pages that have it, the first place of each: key, doc, start_at, end_at."""
    from neardup.kernels.pages import distinct_sentences

    all_keys, pages = page_sentences(batch)
    firsts, bounds = from_lists(batch["firsts"])
    different, _ = distinct_sentences(all_keys, np.zeros_like(all_keys), bounds - bounds[0])
    starts, word_bounds = from_lists(batch["starts"])
    ends, _ = from_lists(batch["ends"])
    begin = word_bounds[pages] + firsts[bounds[0] : bounds[-1]]
    last = np.append(begin[1:], word_bounds[-1]) - 1
    docs = batch["doc"].to_numpy()
    parts = []
    for keys, places, _ in levels_of(batch, different):
        own = np.flatnonzero(sides["template_keys"].has(keys))
        at = different[places[own]]
        parts.append([keys[own], docs[pages[at]], starts[begin[at]], ends[last[at]]])
    joined = (np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True))
    return pa.RecordBatch.from_arrays([*joined], schema=PLACES)
