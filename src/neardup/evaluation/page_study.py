"""Table 1 and figures 6 and 7 of Huang, Wang and Li (2008), on any labelled pages.

Each measure runs over the corpus as users run it, and is scored on the labelled pairs. Besides, each
labelled pair is measured directly, to see what the best limit of each measure would reach.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.engines.base import Progress, Silent
from neardup.errors import InputError
from neardup.evaluation.evaluate import Names
from neardup.evaluation.gold import ClusterGold, PairGold, PassageGold
from neardup.evaluation.measures import PairScores, pair_scores
from neardup.methods.pages.matches import cosine
from neardup.methods.pages.pairs import trimmed_pages
from neardup.methods.pages.plan import job
from neardup.methods.pages.settings import PageMeasure, PageSettings
from neardup.methods.pages.tlcs import Page, compare
from neardup.results.folder import ResultFolder
from neardup.results.running import run_job
from neardup.results.texts import texts_of
from neardup.settings.run import RunSettings
from neardup.signatures.shingles import Shingles
from neardup.signatures.simhash import Simhash
from neardup.text import tokenise
from neardup.web.svg import Series, lines

Pair = tuple[str, str]
MEASURES: tuple[PageMeasure, ...] = ("tlcs", "simhash", "cosine")
PARTS = ("all", "same site", "two sites")
TURNS = (1, 2, 4, 8, 16)
WINDOWS = (2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100)
SHINGLES = Shingles("word", 5)


class TextTable(NamedTuple):
    """A table for people."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Best:
    """The best F1 that any limit of a measure reaches on the labelled pairs, and that limit."""

    measure: str
    f1: float
    limit: float


@dataclass(frozen=True)
class PageStudy:
    """How well and how fast near-duplicate pages are found.

    `scores` are of each measure and part of the pairs, `seconds` of each measure; `coverage` has
    (signatures, coverage rate, trustable rate), `sketch` (window, strain-away rate, reserve rate).
    """

    counts: dict[str, int]
    scores: Mapping[PageMeasure, dict[str, PairScores]]
    seconds: Mapping[PageMeasure, float]
    best: list[Best]
    coverage: list[tuple[int, float, float]]
    sketch: list[tuple[int, float, float]]

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for a program."""
        return asdict(self)

    def tables(self) -> list[TextTable]:
        """Return the tables for people; relative recall is that of simhash's, as in the paper."""
        head = ("measure", "pairs", "precision", "recall", "relative recall", "F1", "seconds")
        rows = []
        for measure, parts in self.scores.items():
            for part, own in parts.items():
                base = self.scores["simhash"][part].right
                relative = f"{own.right / base:.2f}" if base else "–"
                figures = (f"{own.precision:.3f}", f"{own.recall:.3f}", relative, f"{own.f1:.3f}")
                spent = f"{self.seconds[measure]:.1f}" if part == "all" else ""
                rows.append((measure, part, *figures, spent))
        rates = [(str(n), f"{a:.3f}", f"{b:.3f}") for n, a, b in self.coverage]
        widths = [(str(n), f"{a:.3f}", f"{b:.3f}") for n, a, b in self.sketch]
        best = [(b.measure, f"{b.f1:.3f}", f"{b.limit:.3g}") for b in self.best]
        return [
            TextTable("Table 1: the measures with their limits", head, rows),
            TextTable("The best limit of each measure", ("measure", "F1", "limit"), best),
            TextTable("Figure 6: signatures", ("signatures", "coverage", "trustable"), rates),
            TextTable("Figure 7: windows of the sketch", ("window", "strain-away", "reserve"), widths),
        ]

    def plots(self) -> dict[str, str]:
        """Return figures 6 and 7 as SVG, by the names of files."""
        sets, sketches = ("coverage", "trustable"), ("strain-away", "reserve")
        return {
            "coverage.svg": rate_plot(
                self.coverage, sets, "Perhaps-similar sets", "signatures of a page"
            ),
            "sketch.svg": rate_plot(
                self.sketch, sketches, "Filtered sketches", "characters of a window"
            ),
        }


def rate_plot(rows: Sequence[tuple[int, float, float]], names: Sequence[str], title: str, x: str) -> str:
    """Draw two rates over a number."""
    series = [Series(name, [(row[0], row[at]) for row in rows]) for at, name in enumerate(names, 1)]
    return lines(series, title=title, x=x, y="rate", y_range=(0, 1))


def study_pages(
    source: Any,
    gold: PairGold | ClusterGold | PassageGold,
    settings: PageSettings,
    run: RunSettings,
    progress: Progress | None = None,
) -> PageStudy:
    """Compare the measures on labelled pairs of pages."""
    if not isinstance(gold, PairGold) or gold.wrong is None:
        hint = "Give pairs with the columns id_a, id_b and label (1 or 0)."
        raise InputError(
            "the study needs pairs that are labelled right and wrong", where=gold.where, hint=hint
        )
    with (progress or Silent()).step("study", len(MEASURES) + len(TURNS), "runs") as advance:
        results, seconds = {}, {}
        for measure in MEASURES:
            begun = time.perf_counter()
            results[measure] = run_job(job(source, replace(settings, measure=measure), run), run)
            seconds[measure] = round(time.perf_counter() - begun, 3)
            advance(1)
        bench = Bench(results["tlcs"], gold, replace(settings, measure="tlcs"))
        scores = {measure: bench.scores(result) for measure, result in results.items()}
        coverage = []
        for turns in TURNS:
            chosen = replace(settings, measure="tlcs", turns=turns)
            found = run_job(job(source, chosen, run), run)
            coverage.append((settings.subsets * turns, *bench.rates(found)))
            advance(1)
    counts = {
        "pages": results["tlcs"].counts["documents"],
        "pairs that are near-duplicates": len(bench.right),
        "pairs that are not": len(bench.wrong),
        "labelled pairs of unknown pages": bench.unknown,
    }
    return PageStudy(counts, scores, seconds, bench.best(), coverage, bench.sketch())


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

    def rates(self, result: ResultFolder) -> tuple[float, float]:
        """Return the coverage rate and the trustable rate of a run.

        Of the pairs that are right, and that the measure would accept, how many are found; of the
        candidates, how many are accepted.
        """
        accepted = {pair for pair in self.right if self._accepts(pair)}
        counts = result.counts
        coverage = len(found_pairs(result) & accepted) / max(len(accepted), 1)
        return coverage, counts["candidates verified"] / max(counts["candidates"], 1)

    def _accepts(self, pair: Pair) -> bool:
        return compare(self.pages[pair[0]], self.pages[pair[1]], self.settings, whole=True).is_pair

    def best(self) -> list[Best]:
        """Return the best limits of four measures; tlcs by the larger part of its two limits reached."""
        bits, words = self._simhashes(), {name: tokenise(t).hashes for name, t in self.texts.items()}
        shingles = self._shingles()

        def trustable(a: str, b: str) -> float:
            found = compare(self.pages[a], self.pages[b], self.settings, whole=True)
            return max(found.resemblance / found.limits[0], found.containment / found.limits[1])

        measures: Mapping[str, Callable[[str, str], float]] = {
            "tlcs": trustable,
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
        whole = {pair: self._common(pair, 1).common for pair in self.right}
        total = sum(int(self.pages[name].sizes.sum()) for pair in self.wrong for name in pair)
        rows = []
        for window in WINDOWS:
            away = [self._common(pair, window) for pair in self.wrong]
            kept = sum(found.sketch_a + found.sketch_b for found in away)
            reserved = sum(self._common(pair, window).common for pair in self.right)
            rows.append((window, 1 - kept / max(total, 1), reserved / max(sum(whole.values()), 1)))
        return rows

    def _common(self, pair: Pair, window: int) -> Any:
        settings = replace(self.settings, window=window)
        return compare(self.pages[pair[0]], self.pages[pair[1]], settings, whole=True)


def named(pairs: Iterable[Pair], known: Mapping[str, str | None]) -> set[Pair]:
    """Return the pairs by the ids of a result, in order; those of unknown pages are left out."""
    found = ((known[a], known[b]) for a, b in pairs)
    return {(min(a, b), max(a, b)) for a, b in found if a is not None and b is not None}


def found_pairs(result: ResultFolder) -> set[Pair]:
    """Return the pairs of a result by their ids, in order."""
    ids = (result.pairs[name].to_pylist() for name in ("id_a", "id_b"))
    return {(min(a, b), max(a, b)) for a, b in zip(*ids, strict=True)}


def best_f1(values: Sequence[float], labels: Sequence[bool]) -> tuple[float, float]:
    """Return the best F1 that a limit reaches, and the limit: what is at least that is taken for right.

    >>> best_f1([0.1, 0.6, 0.4], [False, True, True])
    (1.0, 0.4)
    """
    best = (0.0, 0.0)
    for limit in sorted(set(values)):
        found = [value >= limit for value in values]
        right = sum(f and label for f, label in zip(found, labels, strict=True))
        scores = pair_scores(right, sum(found) - right, sum(labels) - right)
        best = max(best, (scores.f1, limit))
    return best
