"""The paper's study of shingles (similar sentences, sections 4.1 and 4.2), on any corpus.

Figure 2: for N signatures of K hashes of shingles of L characters, how many pairs that share a bucket
are good (within the edit distance) and bad, and bad ones a sentence; for hashes of several sizes, as
the authors suspected theirs. Figure 1: the Jaccard similarity of the shingles of two sentences
against their edit distance, with the bounds that the paper derives.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Floats, Integers
from neardup.engines.base import Progress, Silent
from neardup.errors import InputError, SettingsError
from neardup.evaluation.measures import AsDict
from neardup.evaluation.study_report import Table
from neardup.methods.sentences.candidates import Signatures, Texts, lists_of
from neardup.methods.sentences.grouping import MOST_GROUPED
from neardup.methods.sentences.plan import resolved
from neardup.methods.sentences.settings import SentenceSettings
from neardup.methods.sentences.units import SplitText
from neardup.readers.records import HEADINGS
from neardup.readers.source import Source
from neardup.steps.postings import HUBS
from neardup.web.numbers import Figure, points
from neardup.web.svg import Series, lines

RELATIVE = (0.05, 0.2)  # sizes of a shingle, of the sentence: those of the paper's figure 1
BIN = 0.05
LEAST_IN_BIN = 5
MOST_PAIRS = 20_000  # that figure 1 looks at
DEFAULT = SentenceSettings(split="sentences")

Pairs = Integers


@dataclass(frozen=True)
class ShingleStudySettings:
    """How much is read, and which combinations are tried."""

    sentences: int = 50_000
    rows: tuple[int, ...] = (8, 9, 10)
    shingles: tuple[int, ...] = tuple(range(5, 16))
    bits: tuple[int, ...] = (32,)
    method: SentenceSettings = DEFAULT

    def __post_init__(self) -> None:
        if self.method.revisions:
            raise SettingsError("a study of shingles compares all sentences, not revisions of a page")


@dataclass(frozen=True)
class Point:
    """What one combination of bits, K and L finds, and what was too large to compare all of it."""

    bits: int
    rows: int
    shingle: int
    good: int
    bad: int
    false_positives: float
    buckets_too_large: int
    groups_too_large: int


@dataclass(frozen=True)
class Jaccard:
    """The mean Jaccard similarity of pairs at about a distance, and what the paper's bounds say."""

    relative: float
    distance: float
    pairs: int
    mean: float
    lower: float
    upper: float


@dataclass(frozen=True)
class ShingleStudy(AsDict):
    """Both figures."""

    settings: ShingleStudySettings
    sentences: int
    points: tuple[Point, ...]
    jaccard: tuple[Jaccard, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Return what was read."""
        return {"sentences": self.sentences}

    def tables(self) -> list[Table]:
        """Return both figures as tables."""
        large = f"buckets over {self.settings.method.max_bucket:,}", f"groups over {MOST_GROUPED:,}"
        heads = ("bits", "K", "L", "good", "bad", "bad a sentence", *large)
        tried = [tuple(asdict(point).values()) for point in self.points]
        names = ("l", "distance", "pairs", "mean", "lower bound", "upper bound")
        rows = [(r.relative, r.distance, r.pairs, r.mean, r.lower, r.upper) for r in self.jaccard]
        shared = f"Figure 2: pairs that share one of N = {self.settings.method.signatures} signatures"
        against = "Figure 1: Jaccard similarity against edit distance, for shingles of l of a sentence"
        return [(shared, heads, tried), (against, names, rows)]

    def figures(self) -> Iterator[Figure]:
        """Draw both figures."""
        yield self._figure_1()
        several = len(self.settings.bits) > 1
        for name, label in FIGURE_2.items():
            lists: dict[str, list[tuple[float, float]]] = defaultdict(list)
            for point in self.points:
                line = f"K = {point.rows}" + (f", {point.bits} bits" if several else "")
                lists[line].append((point.shingle, getattr(point, name)))
            series = series_of(lists)
            title = f"Figure 2: {label} (N = {self.settings.method.signatures})"
            plot = lines(series, title=title, x="shingle length L", y=label)
            yield Figure(f"figure-2-{name.replace('_', '-')}", plot, *points(series, "L"))

    def _figure_1(self) -> Figure:
        lists: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for row in self.jaccard:
            for name in ("mean", "lower", "upper"):
                lists[f"{name}, l = {row.relative}"].append((row.distance, getattr(row, name)))
        series = series_of(lists)
        title = "Figure 1: Jaccard against edit distance"
        plot = lines(series, title=title, x="normalised edit distance", y="Jaccard")
        return Figure("figure-1", plot, *points(series, "distance"))


def series_of(points: Mapping[str, list[tuple[float, float]]]) -> list[Series]:
    """Return lines by their names."""
    return [Series(name, own) for name, own in points.items()]


FIGURE_2 = {"false_positives": "bad pairs a sentence", "good": "good pairs", "bad": "bad pairs"}


def study_shingles(
    source: Source, settings: ShingleStudySettings, progress: Progress | None = None
) -> ShingleStudy:
    """Count good and bad pairs for each K and L, and compare Jaccard with edit distance."""
    sentences = read_sentences(source, settings)
    if len(sentences) < 2:
        raise InputError("it has fewer than two sentences", hint="Is it the right file?")
    texts = Texts.of(pa.array(sentences, pa.string()), np.zeros(len(sentences), np.uint64))
    measure = Distances(sentences)
    counted, method = list[Point](), settings.method
    combinations = list(product(settings.bits, settings.rows, settings.shingles))
    with (progress or Silent()).step("study", len(combinations), "settings") as advance:
        for bits, rows, length in combinations:
            kind = Signatures(length, method.signatures, rows, bits, method.seed)
            pairs, buckets = pairs_in_buckets(kind, texts, method.max_bucket)
            groups = 0
            if method.grouping == "candidates":
                pairs, groups = pairs_in_groups(pairs, len(sentences))
            good = int((measure(pairs) <= method.max_distance).sum())
            bad = len(pairs) - good
            found = good, bad, bad / len(sentences), buckets, groups
            counted.append(Point(bits, rows, length, *found))
            advance(1)
    return ShingleStudy(settings, len(sentences), tuple(counted), tuple(jaccards(sentences, measure)))


def read_sentences(source: Source, settings: ShingleStudySettings) -> list[str]:
    """Return the first distinct sentences of the source."""
    splitter = SplitText(resolved(settings.method, source), source.schema)
    found: dict[str, None] = {}
    for split in source.splits():
        for batch in source.read(split):
            known = HEADINGS in batch.schema.names
            headings = batch[HEADINGS].to_pylist() if known else [None] * len(batch)
            texts = pc.fill_null(batch["text"], "")
            for row, over in enumerate(headings):
                found.update(
                    dict.fromkeys(splitter.cut(texts[row : row + 1], [over]).sentences.to_pylist())
                )
            if len(found) >= settings.sentences:
                return list(found)[: settings.sentences]
    return list(found)


def pairs_in_buckets(kind: Signatures, texts: Texts, cap: int) -> tuple[Pairs, int]:
    """Return the distinct pairs of sentences that share a signature, one a row, and too large buckets.

    Of a bucket of more than `cap` sentences, the first ones are paired with all others.
    """
    from neardup.kernels.sentence_keys import near_pairs

    keys = kind.keys(texts, {})
    count = len(texts.scopes)
    owners = np.repeat(np.arange(count), kind.signatures)
    lengths = np.zeros(len(owners), np.int64)  # any may be compared
    letters = np.repeat(keys.letters, kind.signatures, axis=0)
    numbers, bounds = lists_of(keys.values.view(np.int64))
    left, right = near_pairs(numbers, bounds, owners, keys.places, lengths, letters, cap, HUBS, 1.0)
    distinct = np.unique(left * count + right)
    pairs = np.stack([distinct // count, distinct % count], axis=1)
    return pairs, int(np.count_nonzero(np.diff(bounds) > cap))


def pairs_in_groups(pairs: Pairs, count: int) -> tuple[Pairs, int]:
    """Return the pairs of all sentences that pairs connect, and how many groups are too large.

    In those, they are only the pairs that are given.
    """
    from neardup.kernels.graphs import grouping

    found = grouping("components", count)
    found.add(pairs[:, 1].copy(), pairs[:, 0].copy(), np.ones(len(pairs)))
    groups = found.finish()[0]
    members = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[members], prepend=-1))
    every = np.split(members, starts[1:])
    parts = [own for own in every if 1 < len(own) <= MOST_GROUPED]
    within = [np.stack(np.triu_indices(len(own), 1), axis=1) for own in parts]
    listed = [pairs, *(own[at] for own, at in zip(parts, within, strict=True))]
    return np.unique(np.concatenate(listed), axis=0), sum(len(own) > MOST_GROUPED for own in every)


class Distances:
    """Normalised edit distances of pairs of sentences; a pair is measured once."""

    def __init__(self, sentences: list[str]) -> None:
        self._sentences = sentences
        self.known: dict[tuple[int, int], float] = {}

    def __call__(self, pairs: Pairs) -> Floats:
        """Return the distance of each pair."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist

        rows = [(a, b) for a, b in pairs.tolist()]
        new = [row for row in rows if row not in self.known]
        if new:
            left, right = ([self._sentences[row[side]] for row in new] for side in (0, 1))
            scorer: Callable[..., float] = Levenshtein.normalized_distance
            found = cpdist(left, right, scorer=scorer, dtype=np.float64, workers=1)
            self.known.update(zip(new, found.tolist(), strict=True))
        return np.array([self.known[row] for row in rows], np.float64)


def jaccards(sentences: list[str], measure: Distances) -> Iterator[Jaccard]:
    """Yield the mean Jaccard similarity of the pairs that were found, by distance."""
    known = sorted(measure.known.items())
    step = max(len(known) // MOST_PAIRS, 1)
    for relative in RELATIVE:
        bins: defaultdict[int, list[float]] = defaultdict(list)
        for (a, b), distance in known[::step]:
            bins[int(distance / BIN)].append(jaccard(sentences[a], sentences[b], relative))
        for number, values in sorted(bins.items()):
            middle = (number + 0.5) * BIN
            if len(values) >= LEAST_IN_BIN:
                lower, upper = jaccard_bounds(relative, middle)
                mean = sum(values) / len(values)
                yield Jaccard(relative, round(middle, 4), len(values), mean, lower, upper)


def jaccard(a: str, b: str, relative: float) -> float:
    """Return the Jaccard similarity of the shingles of two sentences, as long as a part of them.

    >>> jaccard("abcdefghij", "abcdefghij", 0.2)
    1.0
    """
    length = max(round(relative * (len(a) + len(b)) / 2), 1)
    one, other = ({t[i : i + length] for i in range(max(len(t) - length + 1, 1))} for t in (a, b))
    return len(one & other) / len(one | other)


def jaccard_bounds(relative: float, distance: float) -> tuple[float, float]:
    """Return the lower and upper bound of section 4.1, for edits that lie apart."""
    lower = (1 - 2 * relative - distance) / (1 + distance)
    upper = (1 - relative - distance) / (1 - relative + distance)
    return max(lower, 0.0), max(upper, 0.0)
