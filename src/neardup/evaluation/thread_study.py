"""Table 1 and figures 8 and 9 of the paper on questions and answers, on any threads.

Table 1: the best F1 that each signature reaches in each field by itself, on pairs of which this field
is labelled, as the paper has them, and on pairs of threads that are labelled as a whole. Figures 8
and 9: for parts of the corpus of several sizes, the time that both indexes take, and how many threads
they find with a near-duplicate; the index by terms with its limit on the threads of a key, as in the
paper, and without.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.engines.base import Progress, Silent
from neardup.errors import InputError
from neardup.evaluation.labelled import labelled_fields, read_labels
from neardup.evaluation.measures import AsDict
from neardup.evaluation.page_study import best_f1
from neardup.evaluation.scored import ScoredPairs, score_pairs
from neardup.evaluation.study_report import Table
from neardup.methods.threads.plan import job, thread_reader
from neardup.methods.threads.settings import IndexOfThreads, ThreadSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, TableSource
from neardup.results.running import run_job
from neardup.results.sources import opened_source
from neardup.settings.run import RunSettings
from neardup.web.numbers import Figure, points
from neardup.web.svg import Series, lines

SIGNATURES = (  # of table 1
    *("shingles:2", "shingles:3", "shingles:4", "winnowing:3,3", "winnowing:5,3"),
    *("imatch:0.1,0.9", "imatch:0.2,0.8", "spotsigs:50", "spotsigs:100"),
)
PARTS = (0.125, 0.25, 0.5, 1.0)  # of the corpus
INDEXES: tuple[tuple[str, IndexOfThreads, bool], ...] = (
    ("term", "term", False),
    ("term, no limit", "term", True),
    ("doc", "doc", False),
)
LEAST_THREADS = 8


@dataclass(frozen=True)
class FieldScore:
    """The best F1 of one signature in one field, and the threshold for it; None if it finds nothing.

    To accept all pairs is no threshold: what two threads do not share does not make them similar. Where
    only right pairs are labelled, none is below that from which on wrong ones were looked for.
    """

    labels: Literal["fields", "threads"]
    signature: str
    field: str
    f1: float | None
    threshold: float | None


@dataclass(frozen=True)
class Scaled:
    """What one index did with a part of the corpus."""

    index: str
    threads: int
    seconds: float
    found: int
    pairs: int


@dataclass(frozen=True)
class ThreadStudy(AsDict):
    """Table 1, if there were labels, and figures 8 and 9."""

    counts: dict[str, int]
    fields: list[FieldScore]
    scaled: list[Scaled]

    def tables(self) -> list[Table]:
        """Return the tables for people."""
        by_labels = (self._by_field(own) for own in dict.fromkeys(s.labels for s in self.fields))
        head = ("index", "threads", "seconds", "with a near-duplicate", "pairs")
        sizes = [(s.index, s.threads, s.seconds, s.found, s.pairs) for s in self.scaled]
        return [*by_labels, ("Figures 8 and 9: both indexes over sizes", head, sizes)]

    def _by_field(self, labels: str) -> Table:
        """Return table 1 by labels of fields, or of threads."""
        scores = [score for score in self.fields if score.labels == labels]
        names = list(dict.fromkeys(score.field for score in scores))
        cells = {(s.signature, s.field): "finds nothing" if s.f1 is None else s.f1 for s in scores}
        rows = [(own, *(cells[own, name] for name in names)) for own in SIGNATURES]
        title = f"Table 1: F1 of signatures in each field, by labels of {labels}"
        return title, ("signature", *names), rows

    def figures(self) -> Iterator[Figure]:
        """Draw figures 8 and 9."""
        for name, title, column in (
            ("figure-8-seconds", "Figure 8: time of both indexes", "seconds"),
            ("figure-9-found", "Figure 9: threads with a near-duplicate", "found"),
        ):
            series = [
                Series(own, [(s.threads, getattr(s, column)) for s in self.scaled if s.index == own])
                for own in dict.fromkeys(s.index for s in self.scaled)
            ]
            plot = lines(series, title=title, x="threads", y=column)
            yield Figure(name, plot, *points(series, "threads"))


def study_threads(
    source: Any,
    settings: ThreadSettings,
    run: RunSettings,
    *,
    labels: Sequence[str | Path] = (),
    reader: ReaderSettings | None = None,
    progress: Progress | None = None,
) -> ThreadStudy:
    """Compare signatures in each field on labels, and both indexes over sizes."""
    given = reader or ReaderSettings()
    told = progress or Silent()
    own_reader = thread_reader(settings, given)
    whole = table_of(opened_source(source, own_reader, run))
    if len(whole) < LEAST_THREADS:
        hint = f"A study needs {LEAST_THREADS} at least."
        raise InputError(f"there are only {len(whole)} threads", hint=hint)
    counts, fields = {"threads": len(whole)}, list[FieldScore]()
    for name in labelled_fields(labels, settings.fields):
        read = partial(read_labels, labels, field=name)
        scored = score_pairs(source, settings, SIGNATURES, (0,), read, given, run, None)
        said = f" in {name}" if name else ""
        counts |= {
            f"labelled pairs{said}": len(scored.right),
            f"right pairs{said}": int(scored.right.sum()),
        }
        fields += field_scores(scored, settings.fields, name)
    sizes = sorted({round(part * len(whole)) for part in PARTS})
    scaled = []
    with told.step("study", len(sizes) * len(INDEXES), "runs") as advance:
        for size in sizes:
            part = TableSource(tuple(whole.slice(0, size).to_batches()), whole.schema, own_reader)
            for name, index, unlimited in INDEXES:
                chosen = replace(settings, index=index)
                chosen = replace(chosen, max_postings=0) if unlimited else chosen
                scaled.append(measured(part, chosen, run, name, size))
                advance(1)
    return ThreadStudy(counts, fields, scaled)


def table_of(source: Source) -> pa.Table:
    """Read all threads into memory, without records that are none."""
    batches = [batch for split in source.splits() for batch in source.read(split)]
    table = pa.Table.from_batches(batches, source.schema)
    return table.filter(pc.is_null(table["problem"])).drop_columns(["doc", "file"])


def measured(part: Source, settings: ThreadSettings, run: RunSettings, name: str, size: int) -> Scaled:
    """Run one index over a part of the corpus."""
    begun = time.perf_counter()
    result = run_job(job(part, settings, run), run)
    seconds = round(time.perf_counter() - begun, 3)
    docs = [result.pairs[column].to_numpy() for column in ("doc_a", "doc_b")]
    return Scaled(name, size, seconds, len(np.unique(np.concatenate(docs))), len(result.pairs))


def field_scores(scored: ScoredPairs, fields: Sequence[str], labelled: str) -> Iterator[FieldScore]:
    """Yield the best F1 of each signature in the field that is labelled, or in each if threads are.

    A pair that lacks the field in both threads is not found.
    """
    for signature, scores in zip(SIGNATURES, scored.scores[0], strict=True):
        for number, name in enumerate(fields):
            if labelled in ("", name):
                own, least = scores[:, number].tolist(), scored.floor / 100
                f1, threshold = best_f1(own, scored.right.tolist(), least)
                kind: Literal["fields", "threads"] = "fields" if labelled else "threads"
                yield FieldScore(kind, signature, name, f1 or None, threshold if f1 else None)
