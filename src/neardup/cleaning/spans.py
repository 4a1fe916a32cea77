"""The stage `spans`: text that stands anywhere else in the corpus, however often, word for word.

A word goes if it is in a run of words that stood before: in a document that is rather kept, or
earlier in the same one; or in several such places, if several copies may stay. Work is linear and memory
bounded: of each window of words, one run stands for it (`kernels/spans.py`); windows whose run occurs
once are left out by a table of counters, the others brought together by their run and compared by
hashes of all their words. What is found is checked again where its characters are looked up.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers
from neardup.cleaning.recipe import SpanSettings
from neardup.cleaning.texts import SPREAD, with_texts
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.signatures.shingles import utf8
from neardup.steps.columns import schema_of, to_lists
from neardup.steps.counters import Counters
from neardup.text import unicode_table

RUNS = schema_of("doc int64, runs [int64]")
WINDOWS = schema_of("run rank doc first int64, windows [int64]")
MARKS = schema_of("doc first windows keeper stood int64")
WORDS = schema_of("doc first last keeper stood int64")
PLACED = schema_of("doc first last keeper keeper_start keeper_end check_1 check_2 int64")
# `before` and `behind`: how much of a cut, at its ends, is the white space that goes with it
CUTS = schema_of(
    "doc start_at end_at keeper keeper_start keeper_end before behind int64, similarity float64"
)
NOTHING = np.empty(0, np.uint8)
ROWS = 1 << 12  # that make a task


def steps(
    label: str, settings: SpanSettings, base: str, units: str, left: str, counters: int, at_most: int
) -> list[Step]:
    """Return the steps to LABEL_cuts, from the texts of a corpus and the `ranks` of its documents."""
    shape = settings.words, settings.width
    placed = "".join(f", w.{name} as {name}" for name in PLACED.names[4:])
    cuts = partial(place_cuts, settings.cut == "sentences")
    return [
        Map(f"{label}_runs", base, partial(take_runs, *shape), RUNS, only=left),
        Fold(f"{label}_counts", f"{label}_runs", partial(Counters, counters, "runs")),
        Map(
            f"{label}_windows",
            base,
            partial(take_windows, *shape, f"{label}_counts"),
            WINDOWS,
            sides=(f"{label}_counts",),
            only=left,
            lookup="ranks",
            lookup_columns=("rank", "per"),
            lookup_keys=("doc",),
        ),
        Map(
            f"{label}_marks",
            f"{label}_windows",
            partial(find_repeats, settings.words, at_most),
            MARKS,
            grouped=True,
        ),
        Map(
            f"{label}_words",
            f"{label}_marks",
            partial(join_windows, settings.words),
            WORDS,
            grouped=True,
        ),
        Sql(f"{label}_by_keeper", by("keeper", units, f"{label}_words", ", w.stood as stood")),
        Map(
            *(f"{label}_placed", f"{label}_by_keeper", place_in_keepers, PLACED),
            lookup=base,
            lookup_columns=("text",),
            lookup_keys=("keeper",),
            task_rows=ROWS,
        ),
        Sql(f"{label}_by_doc", by("doc", units, f"{label}_placed", placed)),
        Map(
            *(f"{label}_cuts", f"{label}_by_doc", cuts, CUTS),
            lookup=base,
            lookup_columns=("text",),
            lookup_keys=("doc",),
            grouped=True,
        ),
    ]


def by(side: str, units: str, table: str, more: str) -> str:
    """Return the statement for runs of words, the document of one side first, with its length."""
    other = "doc" if side == "keeper" else "keeper"
    return f"""
select w.{side} as {side}, w.{other} as {other}, w.first as first, w.last as last {more},
  u.length as length
from {{{table}}} w join {{{units}}} u on u.doc = w.{side} order by 1, 2, 3
"""


def take_runs(words: int, width: int, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Take the runs that stand for the windows of each text."""
    from neardup.kernels.spans import window_runs

    shape = words, width
    runs, owners, *_ = window_runs(*utf8(batch["text"]), *shape, unicode_table(), NOTHING)
    bounds = np.searchsorted(owners, np.arange(batch.num_rows + 1))
    return pa.RecordBatch.from_arrays([batch["doc"], to_lists(runs, bounds)], schema=RUNS)


def take_windows(
    words: int, width: int, counts: str, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Take the windows whose run occurs more than once, in lists by their runs."""
    from neardup.kernels.spans import window_runs

    if not batch.num_rows:
        return pa.RecordBatch.from_pylist([], schema=WINDOWS)
    counters = sides[counts].table
    shape = words, width
    found = window_runs(*utf8(batch["text"]), *shape, unicode_table(), counters)
    runs, owners, firsts, bounds, values = found
    known = sides["lookup"].take(batch["doc"])
    ranks, per = (known[name].to_numpy()[owners] for name in ("rank", "per"))
    runs ^= (per - 1).astype(np.uint64) * np.uint64(SPREAD)  # those of others are not compared
    docs = batch["doc"].to_numpy()[owners]
    plain = [pa.array(own) for own in (runs.view(np.int64), ranks, docs, firsts)]
    return pa.RecordBatch.from_arrays([*plain, to_lists(values, bounds)], schema=WINDOWS)


def find_repeats(words: int, at_most: int, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Find the windows that stood before, in a document that is rather kept or earlier in their own.

    That is `at_most` times, if that number of copies may stay.
    """
    from neardup.kernels.spans import repeated_windows

    runs, ranks, docs, firsts = (batch[name].to_numpy() for name in WINDOWS.names[:4])
    windows = batch["windows"]
    bounds = windows.offsets.to_numpy().astype(np.int64)
    order = np.lexsort((firsts, ranks, runs))
    values = windows.values.to_numpy().view(np.uint64)
    given = runs, docs, firsts, bounds, values, order
    found = repeated_windows(*given, words, at_most)
    return rows_of(found, MARKS)


def join_windows(words: int, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Join the repeated windows of a document to runs of words of which no two overlap."""
    from neardup.kernels.spans import joined_windows

    columns = [column.to_numpy() for column in batch.columns]
    order = np.lexsort((columns[1], columns[0]))
    return rows_of(joined_windows(*columns, order, words), WORDS)


def rows_of(found: Integers, schema: pa.Schema) -> pa.RecordBatch:
    """Make a batch of rows of numbers."""
    return pa.RecordBatch.from_arrays([pa.array(own.copy()) for own in found.T], schema=schema)


def place_in_keepers(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Find the characters of the words that stay, and sums to check the others by: a row a run."""
    found = []
    for rows, which, texts in with_texts(batch, "keeper", "stood", sides["lookup"]):
        *own, stood = (rows[name].to_numpy() for name in WORDS.names)
        places = placed(texts, which, stood, stood + own[2] - own[1])
        found.append(rows_of(np.column_stack([*own, places]), PLACED))
    return joined(found, PLACED)


def place_cuts(sentences: bool, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Find the characters to cut: those of repeated words, or of whole sentences among them."""
    from neardup.methods.sentences.removal import reaches

    found = []
    for rows, which, texts in with_texts(batch, "doc", "first", sides["lookup"]):
        first, last = (rows[name].to_numpy() for name in ("first", "last"))
        places = placed(texts, which, first, last)
        known = np.column_stack([rows[name] for name in PLACED.names[6:]])
        same = np.all(places[:, 2:] == known, axis=1)
        if sentences:
            first, last = whole_sentences(texts, which, first, last)
            places = placed(texts, which, first, last)
        real = np.flatnonzero(same & (first < last))
        starts, ends = places[real, 0], places[real, 1]
        cut = rows.take(pa.array(real))
        spans = np.empty((len(real), 2), np.int64)
        for begin, end in runs_of(which[real]):
            text = texts[int(which[real[begin]])].as_py()
            own = list(zip(starts[begin:end].tolist(), ends[begin:end].tolist(), strict=True))
            spans[begin:end] = reaches(text, own)
        found.append(cuts_of(cut, spans, starts, ends))
    return joined(found, CUTS)


def cuts_of(rows: pa.RecordBatch, spans: Integers, starts: Integers, ends: Integers) -> pa.RecordBatch:
    """Return cuts: what is repeated, from `starts` to `ends`, with the white space to it."""
    keepers = [rows[name] for name in CUTS.names[3:6]]
    places = (*spans.T.copy(), *keepers, starts - spans[:, 0], spans[:, 1] - ends)
    columns = [rows["doc"], *map(pa.array, places), pa.array(np.ones(rows.num_rows))]
    return pa.RecordBatch.from_arrays(columns, schema=CUTS)


def placed(texts: pa.Array, which: Integers, firsts: Integers, lasts: Integers) -> Integers:
    """Return where runs of words begin and end in their texts, with two digests of their words."""
    from neardup.kernels.spans import places_of_runs

    found: Integers = places_of_runs(*utf8(texts), which, firsts, lasts, unicode_table())
    return found


def whole_sentences(
    texts: pa.Array, which: Integers, first: Integers, last: Integers
) -> tuple[Integers, Integers]:
    """Return runs of words without what is no whole sentence at their ends."""
    from neardup.kernels.texts import PARAGRAPHS, split_texts

    *_, bounds, sentences, numbers, _ = split_texts(*utf8(texts), unicode_table(), PARAGRAPHS)
    owners = np.repeat(np.arange(len(bounds) - 1), np.diff(numbers))
    begins = np.sort(np.append(sentences + bounds[owners], bounds))
    own = bounds[which]
    after = begins[np.searchsorted(begins, first + own)] - own
    before = begins[np.searchsorted(begins, last + own, side="right") - 1] - own
    return after, np.maximum(before, after)


def runs_of(values: Integers) -> Iterator[tuple[int, int]]:
    """Yield where runs of the same value begin and end."""
    edges = np.flatnonzero(np.diff(values, prepend=-1, append=-1))
    return pairwise(edges.tolist())


def joined(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.RecordBatch:
    """Join batches to one."""
    return pa.concat_batches([pa.RecordBatch.from_pylist([], schema=schema), *batches])
