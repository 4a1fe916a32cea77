"""Tables 1 and 2 and figures 6 to 8 of Huang, Wang and Li (2008), on any labelled pages.

Each measure runs over the corpus as users run it, and is scored on the labelled pairs, over all of them
and, as in the paper, averaged over the documents that are in any. Besides, each labelled pair is
measured directly, to see what the best limit of each measure would reach.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf

import numpy as np
import pyarrow as pa

from neardup.engines.base import Progress, Silent
from neardup.errors import InputError
from neardup.evaluation.evaluate import Names
from neardup.evaluation.gold import ClusterGold, PairGold, PassageGold
from neardup.evaluation.measures import AsDict, PairScores, pair_scores
from neardup.evaluation.study_report import Table
from neardup.methods.pages.matches import REACHED, VERIFIED, cosine
from neardup.methods.pages.pairs import trimmed_pages
from neardup.methods.pages.plan import job
from neardup.methods.pages.settings import PageMeasure, PageSettings, PageUnit
from neardup.methods.pages.tlcs import ANYWHERE, Comparison, Page, compare
from neardup.plan import Map, Sides
from neardup.readers.source import Source
from neardup.results.folder import ResultFolder
from neardup.results.running import Job, run_job
from neardup.results.texts import texts_of
from neardup.settings.run import RunSettings
from neardup.signatures.shingles import Shingles
from neardup.signatures.simhash import Simhash
from neardup.steps.declared import CANDIDATES, CANDIDATES_VERIFIED, DOCUMENTS
from neardup.text import tokenise
from neardup.web.numbers import Figure, points
from neardup.web.svg import Series, lines

Pair = tuple[str, str]
Timed = Callable[..., tuple[ResultFolder, float]]
MEASURES: tuple[PageMeasure, ...] = ("tlcs", "simhash", "cosine")
PARTS = ("all", "same site", "two sites")
TURNS = tuple(range(1, 17))
SLOPES = (0.02, 0.05, 0.08, 0.10, 0.12, 0.15, 0.18, 0.20)
RECALL = 0.90  # at which figure 8 compares slopes
WINDOWS = (2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100)
SHINGLES = Shingles("word", 5)


@dataclass(frozen=True)
class Best:
    """The best F1 that any limit of a measure reaches on the labelled pairs, and that limit."""

    measure: str
    f1: float
    limit: float


@dataclass(frozen=True)
class ByDocument:
    """Precision and recall relative to simhash's, averaged over documents, as the paper has them."""

    precision: float
    relative_recall: float | None
    documents: int


@dataclass(frozen=True)
class StepRow:
    """A row of table 2: what the method does without one of its steps; some seconds are estimated."""

    without: str
    seconds: float
    estimated: bool
    precision: float
    recall: float


@dataclass(frozen=True)
class PageStudy(AsDict):
    """How well and how fast near-duplicate pages are found.

    `scores` are of each measure and part of the pairs, `seconds` of each measure; `coverage` has
    (signatures, coverage rate, trustable rate), `sketch` (window, strain-away rate, reserve rate),
    `slopes` (slope, precision at recall 0.90, the resemblance that this takes).
    """

    counts: dict[str, int]
    scores: Mapping[PageMeasure, dict[str, PairScores]]
    by_document: Mapping[PageMeasure, ByDocument]
    seconds: Mapping[PageMeasure, float]
    best: list[Best]
    coverage: list[tuple[int, float, float]]
    sketch: list[tuple[int, float, float]]
    slopes: list[tuple[float, float, float]]
    steps: list[StepRow]

    def tables(self) -> list[Table]:
        """Return the tables for people; relative recall is that of simhash's, as in the paper.

        A part of the pairs in which there is nothing to find has no scores.
        """
        head = ("measure", "pairs", "precision", "recall", "relative recall", "F1", "seconds")
        rows: list[tuple[object, ...]] = []
        for measure, parts in self.scores.items():
            for part, own in parts.items():
                base = self.scores["simhash"][part].right
                relative = own.right / base if base else None
                spent = self.seconds[measure] if part == "all" else None
                told = own.precision, own.recall, relative, own.f1
                found = told if own.right + own.missed else (None,) * len(told)
                rows.append((measure, part, *found, spent))
            mean = self.by_document[measure]
            documents = f"by document, {mean.documents:,}"
            rows.append((measure, documents, mean.precision, None, mean.relative_recall, None, None))
        steps = [
            (r.without, r.seconds, "yes" if r.estimated else "", r.precision, r.recall)
            for r in self.steps
        ]
        step_head = ("without", "seconds", "estimated", "precision", "recall")
        best = [(b.measure, b.f1, b.limit) for b in self.best]
        slope_head = ("slope", f"precision at recall {RECALL:.2f}", "resemblance")
        return [
            ("Table 1: the measures with their limits", head, rows),
            ("Table 2: the steps of tlcs", step_head, steps),
            ("The best limit of each measure", ("measure", "F1", "limit"), best),
            ("Figure 6: signatures", ("signatures", "coverage", "trustable"), self.coverage),
            ("Figure 7: windows of the sketch", ("window", "strain-away", "reserve"), self.sketch),
            ("Figure 8: slopes", slope_head, self.slopes),
        ]

    def figures(self) -> Iterator[Figure]:
        """Draw figures 6, 7 and 8."""
        sets, sketches = ("coverage", "trustable"), ("strain-away", "reserve")
        x = "signatures of a page"
        yield rate_figure("figure-6-signatures", self.coverage, sets, "Perhaps-similar sets", x)
        x = "characters of a window"
        yield rate_figure("figure-7-windows", self.sketch, sketches, "Filtered sketches", x)
        title = f"Precision at recall {RECALL:.2f}"
        yield rate_figure("figure-8-slopes", self.slopes, ("precision",), title, "slope")


def rate_figure(
    name: str, rows: Sequence[tuple[float, float, float]], names: Sequence[str], title: str, x: str
) -> Figure:
    """Draw rates over a number."""
    series = [Series(own, [(row[0], row[at]) for row in rows]) for at, own in enumerate(names, 1)]
    return Figure(name, lines(series, title=title, x=x, y="rate", y_range=(0, 1)), *points(series, x))


def study_pages(
    source: Source,
    gold: PairGold | ClusterGold | PassageGold,
    settings: PageSettings,
    run: RunSettings,
    progress: Progress | None = None,
) -> PageStudy:
    """Compare the measures on labelled pairs of pages."""
    if not isinstance(gold, PairGold) or gold.wrong is None or not gold.right:
        hint = "Give pairs with the columns id_a, id_b and label (1 or 0)."
        raise InputError(
            "the study needs pairs that are labelled right and wrong", where=gold.where, hint=hint
        )
    settings = replace(settings, measure="tlcs")

    def timed(
        chosen: PageSettings, changed: Callable[[Job], Job] | None = None
    ) -> tuple[ResultFolder, float]:
        begun = time.perf_counter()
        planned = job(source, chosen, run)
        result = run_job(changed(planned) if changed else planned, run)
        advance(1)
        return result, round(time.perf_counter() - begun, 3)

    with (progress or Silent()).step("study", len(MEASURES) + len(TURNS) + 3, "runs") as advance:
        runs = {
            measure: timed(replace(settings, measure=measure, unit=unit_of(measure, settings)))
            for measure in MEASURES
        }
        results = {measure: result for measure, (result, _) in runs.items()}
        bench = Bench(results["tlcs"], gold, settings)
        scores = {measure: bench.scores(result) for measure, result in results.items()}
        coverage = []
        for turns in TURNS:
            found, _ = timed(replace(settings, turns=turns))
            coverage.append((settings.subsets * turns, *bench.rates(found)))
        steps = bench.steps(runs["tlcs"], timed)
    counts = {
        "pages": results["tlcs"].counts[DOCUMENTS],
        "pairs that are near-duplicates": len(bench.right),
        "pairs that are not": len(bench.wrong),
        "labelled pairs of unknown pages": bench.unknown,
    }
    base = found_pairs(results["simhash"])
    return PageStudy(
        counts,
        scores,
        {measure: bench.by_document(found_pairs(result), base) for measure, result in results.items()},
        {measure: seconds for measure, (_, seconds) in runs.items()},
        bench.best(),
        coverage,
        bench.sketch(),
        bench.slopes(),
        steps,
    )


class Bench:
    """The labelled pairs of a corpus, and what they are measured with."""

    def __init__(self, result: ResultFolder, gold: PairGold, settings: PageSettings) -> None:
        known = Names(result.documents["id"].to_pylist()).match(gold.names(), gold.where)
        sites = dict(zip(*(result.documents[n].to_pylist() for n in ("id", "site")), strict=True))
        self.right, self.wrong = (named(pairs, known) for pairs in (gold.right, gold.wrong or ()))
        self.unknown = len(gold.right) + len(gold.wrong or ()) - len(self.right) - len(self.wrong)
        self.same_site = {
            p for p in self.right | self.wrong if sites[p[0]] and sites[p[0]] == sites[p[1]]
        }
        self.settings = settings
        ids = sorted({name for pair in self.right | self.wrong for name in pair})
        self.texts = dict(zip(ids, texts_of(result, ids), strict=True))
        self.pages: dict[str, Page] = dict(zip(ids, trimmed_pages(result, ids), strict=True))

    def scores(self, result: ResultFolder) -> dict[str, PairScores]:
        """Return the scores of a result on the labelled pairs of each part."""
        found = found_pairs(result)
        every = self.right | self.wrong
        parts = dict(zip(PARTS, (every, self.same_site, every - self.same_site), strict=True))
        return {
            name: pair_scores(
                len(found & self.right & part),
                len(found & self.wrong & part),
                len((self.right & part) - found),
            )
            for name, part in parts.items()
        }

    def by_document(self, found: set[Pair], base: set[Pair]) -> ByDocument:
        """Average over documents: of what is announced for each, how much is right.

        Relative recall is over the documents for which the base, simhash, finds anything right.
        """
        announced, right, least = (
            Counter(name for pair in pairs for name in pair)
            for pairs in (found & (self.right | self.wrong), found & self.right, base & self.right)
        )
        precisions = [right[name] / count for name, count in announced.items()]
        recalls = [right[name] / count for name, count in least.items()]
        return ByDocument(
            sum(precisions) / len(precisions) if precisions else 1.0,
            sum(recalls) / len(recalls) if recalls else None,
            len(precisions),
        )

    def steps(self, whole: tuple[ResultFolder, float], timed: Timed) -> list[StepRow]:
        """Return table 2: all steps, and without each of them.

        Without the first, all pages are compared with all: the time of that is told from the labelled
        pairs. Without the second, windows are one character long; without the third, all that two pages
        have in common counts. The last row accepts every pair that the first step proposes.
        """
        own = self.settings
        every = self.right | self.wrong
        begun = time.perf_counter()
        accepted = {pair for pair in every if self._accepts(pair)}
        a_pair = (time.perf_counter() - begun) / max(len(every), 1)
        pages = whole[0].counts[DOCUMENTS]
        rows = [self._step("nothing", found_pairs(whole[0]), whole[1])]
        spent = a_pair * pages * (pages - 1) / 2
        rows.append(self._step("perhaps-similar sets", accepted, spent, estimated=True))
        for name, found, seconds in (
            ("filtered sketches", *timed(replace(own, window=1))),
            ("trustable regions", *timed(replace(own, slope=ANYWHERE))),
            ("any comparison", *timed(own, without_comparison)),
        ):
            rows.append(self._step(name, found_pairs(found), seconds))
        return rows

    def _step(self, name: str, found: set[Pair], seconds: float, estimated: bool = False) -> StepRow:
        right = len(found & self.right)
        scores = pair_scores(right, len(found & self.wrong), len(self.right) - right)
        return StepRow(name, round(seconds, 3), estimated, scores.precision, scores.recall)

    def slopes(self) -> list[tuple[float, float, float]]:
        """Return the precision at a recall of 0.90 for each slope, and the resemblance for that.

        As in the paper, containment does not count here.
        """
        rows = []
        pairs = sorted(self.right | self.wrong)
        for slope in SLOPES:
            settings = replace(self.settings, slope=slope)
            values = {pair: self._common(pair, settings).resemblance for pair in pairs}
            best = sorted((values[pair] for pair in self.right), reverse=True)
            limit = best[max(0, ceil(RECALL * len(best)) - 1)] if best else 0.0
            found = [pair for pair in pairs if values[pair] >= limit]
            right = sum(pair in self.right for pair in found)
            rows.append((slope, right / max(len(found), 1), limit))
        return rows

    def rates(self, result: ResultFolder) -> tuple[float, float]:
        """Return the coverage rate and the trustable rate of a run.

        Of the pairs that are right, and that the measure would accept, how many are found; of the
        candidates, how many are accepted.
        """
        accepted = {pair for pair in self.right if self._accepts(pair)}
        counts = result.counts
        coverage = len(found_pairs(result) & accepted) / max(len(accepted), 1)
        return coverage, counts[CANDIDATES_VERIFIED] / max(counts[CANDIDATES], 1)

    def _accepts(self, pair: Pair) -> bool:
        return self._common(pair, self.settings).is_pair

    def best(self) -> list[Best]:
        """Return the best limits of four measures; tlcs by the larger part of its two limits reached."""
        bits, words = self._simhashes(), {name: tokenise(t).hashes for name, t in self.texts.items()}
        shingles = self._shingles()

        measures: Mapping[str, Callable[[str, str], float]] = {
            "tlcs": lambda a, b: self._common((a, b), self.settings).reached,
            "simhash": lambda a, b: -float((bits[a] ^ bits[b]).bit_count()),
            "cosine": lambda a, b: cosine(words[a], words[b]),
            "5-word shingles": lambda a, b: (
                len(shingles[a] & shingles[b]) / max(len(shingles[a] | shingles[b]), 1)
            ),
        }
        pairs = sorted(self.right | self.wrong)
        labels = [pair in self.right for pair in pairs]
        return [Best(name, *best_f1([of(*p) for p in pairs], labels)) for name, of in measures.items()]

    def _simhashes(self) -> dict[str, int]:
        words = [tokenise(text).hashes for text in self.texts.values()]
        bounds = np.cumsum([0, *map(len, words)])
        high, low = Simhash(self.settings.bits).of(np.concatenate(words), bounds)
        both = zip(high.tolist(), low.tolist(), strict=True)
        return {name: a | b << 64 for name, (a, b) in zip(self.texts, both, strict=True)}

    def _shingles(self) -> dict[str, set[int]]:
        sets = SHINGLES.of(pa.array(self.texts.values(), pa.large_string()))
        spans = zip(sets.bounds, sets.bounds[1:], strict=False)
        found = [set(sets.values[begin:end].tolist()) for begin, end in spans]
        return dict(zip(self.texts, found, strict=True))

    def sketch(self) -> list[tuple[int, float, float]]:
        """Return how much of wrong pairs windows strain away, and of right ones' subsequence keep."""
        by_window = {window: replace(self.settings, window=window) for window in (1, *WINDOWS)}
        whole = {pair: self._common(pair, by_window[1]).common for pair in self.right}
        total = sum(int(self.pages[name].sizes.sum()) for pair in self.wrong for name in pair)
        rows = []
        for window in WINDOWS:
            away = [self._common(pair, by_window[window]) for pair in self.wrong]
            kept = sum(found.sketch_a + found.sketch_b for found in away)
            reserved = sum(self._common(pair, by_window[window]).common for pair in self.right)
            rows.append((window, 1 - kept / max(total, 1), reserved / max(sum(whole.values()), 1)))
        return rows

    def _common(self, pair: Pair, settings: PageSettings) -> Comparison:
        return compare(self.pages[pair[0]], self.pages[pair[1]], settings, whole=True)


def without_comparison(given: Job) -> Job:
    """Return the job with all that is proposed for pairs."""
    taken = Map("verified", "candidates", taken_for_pairs, VERIFIED)
    steps = tuple(taken if step.name == taken.name else step for step in given.plan.steps)
    return replace(given, plan=replace(given.plan, steps=steps))


def taken_for_pairs(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Return candidates as pairs of which nothing else is known."""
    ones, none = np.ones(batch.num_rows), np.empty((batch.num_rows, 0), np.int64)
    columns = [batch["a"], batch["b"], REACHED * ones, ones, ones, ones, list(none)]
    return pa.RecordBatch.from_arrays(columns, schema=VERIFIED)


def unit_of(measure: PageMeasure, settings: PageSettings) -> PageUnit:
    """Return what a measure compares: simhash and cosine know words only."""
    return settings.unit if measure == "tlcs" else "word"


def named(pairs: Iterable[Pair], known: Mapping[str, str | None]) -> set[Pair]:
    """Return the pairs by the ids of a result, in order; those of unknown pages are left out."""
    found = ((known[a], known[b]) for a, b in pairs)
    return {(min(a, b), max(a, b)) for a, b in found if a is not None and b is not None}


def found_pairs(result: ResultFolder) -> set[Pair]:
    """Return the pairs of a result by their ids, in order."""
    ids = (result.pairs[name].to_pylist() for name in ("id_a", "id_b"))
    return {(min(a, b), max(a, b)) for a, b in zip(*ids, strict=True)}


def best_f1(values: Sequence[float], labels: Sequence[bool], least: float = -inf) -> tuple[float, float]:
    """Return the best F1 that a limit reaches, and the limit: what is at least that is taken for right.

    A limit is `least` or more; if no value is, F1 is 0.

    >>> best_f1([0.1, 0.6, 0.4], [False, True, True])
    (1.0, 0.4)
    """
    best = (0.0, 0.0)
    for limit in sorted(value for value in set(values) if value >= least):
        found = [value >= limit for value in values]
        right = sum(f and label for f, label in zip(found, labels, strict=True))
        scores = pair_scores(right, sum(found) - right, sum(labels) - right)
        best = max(best, (scores.f1, limit))
    return best
