"""Passages by signatures of sentences: the three jobs of PDC-MR (Zhang et al., SIGIR 2010) as steps.

An inverted index from signatures to sentences, the pairs of sentences whose sets of signatures are
similar enough, and per pair of documents the diagonals in the matrix of those pairs. As in
`candidates`, the index holds just the rarest signatures of each set, which loses no pair. A run that is
found is checked and measured on its words.

Three things keep the work near-linear, and each is counted. A signature in too many documents is
boilerplate and pairs nothing (`too_common`). Of a signature that one document has again and again, the
first few sentences are indexed (`repeat` in `sentence_keys`). A sentence of one or two words has no
signature (`unsigned` in `signatures`), and up to two of those in a row are passed over: they neither
break a run nor count in it.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa

from neardup.arrays import Array
from neardup.methods.passages.apart import Apart, without
from neardup.methods.passages.sentence_runs import (
    RUNS,
    FindRuns,
    Locate,
    LocateRepeated,
    Matching,
    sentence_bounds,
    sets_of,
)
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.passages.tables import BOILERPLATE, FOUND
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.signatures.signature import Signature
from neardup.signatures.word_counts import WordCounts
from neardup.steps.columns import from_lists, schema_of, to_lists
from neardup.steps.counters import Counters
from neardup.steps.exclusions import counted_only
from neardup.steps.rounding import least_count, lowered_sql

MIN_SENTENCES = 3
MAX_GAP = 1
PASSED = 2  # tiny sentences in a row that are passed over
COUNTERS = 1 << 24  # bytes; a byte counts two signatures
PAIRING = 2**31 - 1  # brings the cells of two documents together: (a mod this, b mod this)

SIGNATURES = schema_of(
    "doc int64, signatures [int64], sizes places [int32], words sentences unsigned int64"
)
KEYS = schema_of("key doc int64, sentence place repeat size int32, digest words int64")


def resolved(settings: PassageSettings) -> PassageSettings:
    """Return the settings with the defaults of this method for what was left open."""
    return replace(
        settings,
        min_sentences=settings.min_sentences or MIN_SENTENCES,
        max_gap=MAX_GAP if settings.max_gap is None else settings.max_gap,
    )


def steps(settings: PassageSettings, boundary: int | None, wanted: bool) -> list[Step]:
    """Return the steps from `texts`, and `wanted` if there is such a table, to `found` and `repeated`.

    With a boundary, documents before it are compared with those from it on. Reuse inside one document,
    if asked for, is looked for in all of them.
    """
    settings = resolved(settings)
    least, gap = settings.min_sentences or 1, settings.max_gap or 0
    matching = Matching(settings.threshold, least)
    apart = Apart.asked(settings)
    return [
        *pair_steps(settings, boundary, wanted),
        Map(
            "runs",
            "sentence_pairs",
            FindRuns(matching, gap, least),
            RUNS,
            grouped=True,
            lookup="signatures",
            lookup_columns=("signatures", "sizes"),
            lookup_keys=("a", "b"),
        ),
        *([Sql("kept_apart", apart.kept("runs"), keep=True)] if apart else []),
        Sql("ordered_runs", without("runs", RUN_COLUMNS) + ORDER if apart else ORDERED),
        Map(
            "measured",
            "ordered_runs",
            Locate(),
            FOUND,
            lookup="texts",
            lookup_columns=("words", "starts", "ends", "sentences"),
            lookup_keys=("a", "b"),
            task_rows=512,
        ),
        Sql("found", SORTED),
        Sql("common_runs", COMMON_RUNS),
        Map(
            "repeated",
            "common_runs",
            LocateRepeated(),
            BOILERPLATE,
            lookup="texts",
            lookup_columns=("starts", "ends", "sentences"),
            lookup_keys=("doc",),
            task_rows=512,
        ),
    ]


def pair_steps(
    settings: PassageSettings, boundary: int | None, wanted: bool, kind: Signature | None = None
) -> list[Step]:
    """Return the steps from `texts` to `sentence_pairs`, which may be similar enough.

    A study may bring a signature of its own, of the kind that the settings name.
    """
    kind = kind or settings.kind
    before: list[Step] = []
    if kind.counts:
        before = [Fold("word_counts", "texts", partial(CountWords, kind.counts == "documents"))]
    keys = RareKeys(settings.threshold)
    return [
        *before,
        Map("signatures", "texts", Sign(kind), SIGNATURES, sides=tuple(step.name for step in before)),
        Fold("signature_counts", "signatures", partial(Counters, COUNTERS, "signatures")),
        Map("sentence_keys", "signatures", keys, KEYS, sides=("signature_counts",)),
        Sql("too_common", too_common(settings.max_documents)),
        Sql(
            "sentence_pairs",
            usable(settings.repeats) + pairs_sql(settings, kind, boundary, wanted),
        ),
    ]


def pairs_sql(settings: PassageSettings, kind: Signature, boundary: int | None, wanted: bool) -> str:
    """Return the SQL for the pairs of sentences that share a signature."""
    # by their only signature, two sentences meet just once
    pairs = f"select {'' if kind.single else 'distinct'} {SHARING}"
    least = f"cast({lowered_sql(settings.threshold)} as double)"
    lengths = f"least(x.size, y.size) >= {least} * greatest(x.size, y.size)"
    sides = "" if boundary is None else f" and x.doc < {boundary} and y.doc >= {boundary}"
    asked = " join {wanted} w on w.a = x.doc and w.b = y.doc" if wanted else ""
    text = f"{pairs}{asked} where x.doc < y.doc{sides} and {lengths}"
    if settings.within:
        text += f" union all {pairs} where x.doc = y.doc and x.sentence < y.sentence and {lengths}"
    return text


def too_common(most: int) -> str:
    """Return the statement for the signatures that more documents have, each where it comes first."""
    return f"""
select c.signature as signature, c.documents as documents, c.doc as doc, k.sentence as sentence
from (
  select key as signature, count(*) as documents, min(doc) as doc
  from {{sentence_keys}} where repeat = 0 group by key having count(*) > {most}
) c join {{sentence_keys}} k on k.key = c.signature and k.doc = c.doc and k.repeat = 0
order by documents desc, signature
"""


# Such sentences that follow each other in the same document are one passage.
COMMON_RUNS = """
select doc, min(sentence) as first_sentence, max(sentence) as last_sentence,
  min(documents) as documents
from (
  select doc, sentence, documents,
    sentence - row_number() over (partition by doc order by sentence) as island
  from (
    select doc, sentence, max(documents) as documents from {too_common} group by doc, sentence
  ) c
) i group by doc, island order by doc, first_sentence
"""


def usable(repeats: int) -> str:
    """Return the beginning of a statement: the signatures that are not too common, nor repeated."""
    return f"""
with usable as (
  select k.key as key, k.doc as doc, k.sentence as sentence, k.place as place, k.size as size,
    k.digest as digest, k.words as words
  from {{sentence_keys}} k left join {{too_common}} t on t.signature = k.key
  where t.signature is null and k.repeat < {repeats}
)
"""


SHARING = f"""cast(x.doc % {PAIRING} * {PAIRING} + y.doc % {PAIRING} as bigint) as pair,
  x.doc as a, y.doc as b, x.sentence as sentence_a, y.sentence as sentence_b,
  x.place as place_a, y.place as place_b, x.words + y.words as words,
  case when x.digest = y.digest and x.size = y.size then 1 else 0 end as same
from usable x join usable y on x.key = y.key
"""

ORDER = "order by a, b, first_a, first_b, last_a, last_b"
ORDERED = f"select * from {{runs}} {ORDER}"
RUN_COLUMNS = ", ".join(f"r.{name} as {name}" for name in RUNS.names)
SORTED = "select * from {measured} order by a, b, start_a, start_b, end_a, end_b"


class CountWords(WordCounts):
    """The state of a Fold: word counts of texts."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Count the words of each text."""
        words, bounds = from_lists(batch["words"])
        if "excluded" in batch.schema.names:
            words, bounds = counted_only(words, bounds)
        self.take(words.view(np.uint64), bounds)


@dataclass(frozen=True)
class Sign:
    """Gives each sentence its signatures, and its place among the sentences that are not tiny."""

    kind: Signature

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row a text; `sizes` says how many signatures each sentence has."""
        from neardup.kernels.sentence_signatures import places

        words, bounds = from_lists(batch["words"])
        firsts, numbers = from_lists(batch["sentences"])
        sentences = sentence_bounds(bounds, firsts, numbers)
        if "excluded" in batch.schema.names:
            words, sentences = counted_only(words, sentences)
        documents = numbers - numbers[0]
        sets = self.kind.of(words.view(np.uint64), sentences, sides.get("word_counts"))
        sizes = np.diff(sets.bounds)
        unsigned = np.diff(np.concatenate([[0], np.cumsum(sizes == 0)])[documents])
        columns = [
            batch["doc"],
            to_lists(sets.values, sets.bounds[documents]),
            small_lists(sizes, documents),
            small_lists(places(sentences, documents, self.kind.least, PASSED), documents),
            np.diff(bounds),
            np.diff(documents),
            unsigned,
        ]
        return pa.RecordBatch.from_arrays(columns, schema=SIGNATURES)


def small_lists(values: Array, bounds: Array) -> pa.ListArray:
    """Make a column of lists of small numbers."""
    return pa.ListArray.from_arrays(bounds.astype(np.int32), pa.array(values.astype(np.int32)))


@dataclass(frozen=True)
class RareKeys:
    """Takes from each sentence the signatures that another must share to be similar enough.

    Those are the rarest of its set; what only one sentence has can match nothing.
    """

    threshold: float

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return a row a signature; `repeat` counts the sentences of the document that had it before."""
        from neardup.kernels.counters import digests, rarest

        values, sizes, documents, bounds = sets_of(batch)
        needed = least_count(self.threshold * sizes)
        wanted = np.minimum(sizes, sizes - needed + 1)
        keys, starts = rarest(values, bounds, wanted, sides["signature_counts"].table)
        sentence = np.repeat(np.arange(len(sizes)), np.diff(starts))
        text = np.searchsorted(documents, sentence, side="right") - 1
        places = from_lists(batch["places"])
        columns = [
            keys.view(np.int64),
            batch["doc"].to_numpy()[text],
            (sentence - documents[text]).astype(np.int32),
            places[0][places[1][0] + sentence],
            earlier(keys, text).astype(np.int32),
            sizes[sentence].astype(np.int32),
            digests(values, bounds).view(np.int64)[sentence],
            batch["words"].to_numpy()[text],
        ]
        return pa.RecordBatch.from_arrays(columns, schema=KEYS)


def earlier(keys: Array, texts: Array) -> Array:
    """Return for each key how often it came before in the same text; texts are sorted."""
    order = np.lexsort((keys, texts))
    changed = np.append(True, (np.diff(keys[order]) != 0) | (np.diff(texts[order]) != 0))[: len(keys)]
    number = np.arange(len(keys))
    times = np.empty(len(keys), np.int64)
    times[order] = number - np.maximum.accumulate(np.where(changed, number, 0))
    return times
