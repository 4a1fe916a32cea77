"""The thesis's experiments with sampling (section 3.3), on any corpus.

The resemblance of all pairs of documents is counted as its two jobs do it: for each shingle all pairs
that have it, then for each pair how many those were. Once with all shingles, then with those whose
hash is divisible by a number, then without those that too many documents have. A sampled document is
as large as its sample. A document that lost its common shingles counts with its whole size, as the
thesis has it, and for comparison with what is left of it.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np

from neardup.arrays import Bools, Floats, Hashes, Integers, Places
from neardup.durable import temporary
from neardup.engines.base import Progress, Silent
from neardup.engines.local.engine import LocalEngine
from neardup.errors import InputError, SettingsError
from neardup.evaluation.measures import AsDict
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.documents.units import MakeUnits, units_schema
from neardup.plan import Map, Plan
from neardup.readers.source import Source
from neardup.settings.run import RunSettings
from neardup.signatures.shingles import Shingles
from neardup.steps.columns import from_lists
from neardup.steps.rounding import lowered
from neardup.text.masks import parsed

RATES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)  # one shingle in this many
COMMONALITIES = (None, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10)  # the most documents of a shingle
GRID = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)


@dataclass(frozen=True)
class SamplingSettings:
    """How much is compared, and from which resemblance on documents are near-duplicates."""

    documents: int = 10_000
    shingle: str = "char:64"
    threshold: float = 0.5
    mask: str | None = None

    @classmethod
    def of(cls, documents: int, settings: DocumentSettings) -> Self:
        """Take what the study shares with a method; refuse what it cannot do."""
        changed = {
            "measure": settings.measure != "resemblance",
            "candidates": settings.candidates != "exact",
            "max_shared": settings.max_shared > 0,
            "exclude": settings.excludes,
        }
        if wrong := [name for name, is_so in changed.items() if is_so]:
            what = " and ".join(wrong)
            whole = "compares all shingles of whole documents"
            raise SettingsError(f"a study of sampling {whole}, so it has no {what}")
        return cls(documents, settings.shingle, settings.threshold, settings.mask)

    def __post_init__(self) -> None:
        if self.documents < 2:
            raise SettingsError("a study needs 2 documents at least")
        if not 0 < self.threshold <= 1:
            raise SettingsError("the threshold must be above 0 and at most 1")
        Shingles.parse(self.shingle)


@dataclass(frozen=True)
class SamplingRow:
    """What one setting found, held against what all shingles find.

    `shares` are the shares of documents that resemble another one by 0.9, 0.8, … or more. The error and
    the correlation are over the pairs that either calls near-duplicates. `pairs` are what the first of
    the two jobs hands to the second. Where nothing is to be found, there is no recall or precision.
    """

    setting: str
    value: float | None
    shingles: float
    without: int
    shares: dict[str, float]
    error: float
    correlation: float | None
    recall: float | None
    precision: float | None
    document_recall: float | None
    document_precision: float | None
    pairs: int
    saved: float
    seconds: float


@dataclass(frozen=True)
class SamplingStudy(AsDict):
    """What was compared, and the tables of settings; the first row of each has all shingles.

    In `cut`, documents are as large as what an SCT leaves of them; in `commonalities` as before.
    """

    settings: SamplingSettings
    counts: dict[str, int]
    rates: list[SamplingRow]
    commonalities: list[SamplingRow]
    cut: list[SamplingRow] = field(default_factory=list)


class Corpus(NamedTuple):
    """The shingles that two documents or more have: posting lists, and the sizes of all documents."""

    keys: Hashes
    members: Places
    bounds: Integers
    sizes: Integers
    values: Hashes
    value_bounds: Integers

    @property
    def frequencies(self) -> Integers:
        """Return how many documents have each of the shingles."""
        return np.diff(self.bounds)


class Sets(NamedTuple):
    """What is left of each document: the numbers of its shingles, from 1."""

    numbers: Integers
    bounds: Integers


class Outcome(NamedTuple):
    """The near-duplicates of one setting; pairs are numbered by both of their documents."""

    pairs: Integers
    best: Floats
    sets: Sets
    sizes: Integers
    output: int
    seconds: float


def study_sampling(
    source: Source, settings: SamplingSettings, run: RunSettings, progress: Progress | None = None
) -> SamplingStudy:
    """Find near-duplicates with all shingles, and with fewer and fewer of them."""
    progress = progress or Silent()
    corpus = read_corpus(source, settings, run, progress)
    count = len(corpus.sizes)
    counts = {
        "documents": count,
        "shingles": len(corpus.values),
        "shingles of several documents": len(corpus.keys),
    }
    least = settings.threshold
    tiny = corpus_of([np.array([1, 2], np.uint64)] * 2)
    find(tiny, np.ones(2, bool), tiny.sizes, least, 1)  # compiles, so that no setting's time has that
    everything = np.ones(len(corpus.keys), bool)
    total = len(RATES) + 2 * (len(COMMONALITIES) - 1)
    with progress.step("study", total, "settings") as advance:
        whole = find(corpus, everything, corpus.sizes, least, run.workers)
        counts["pairs of documents, one for each shingle that they share"] = whole.output
        counts["near-duplicate pairs"] = len(whole.pairs)
        advance(1)
        rates: list[SamplingRow] = []
        commonalities: list[SamplingRow] = []
        cut: list[SamplingRow] = []
        for rate in RATES:
            chosen, sizes = divisible(corpus.keys, rate), sampled_sizes(corpus, rate)
            found = find(corpus, chosen, sizes, least, run.workers) if rate > 1 else whole
            rates.append(row(f"{100 / rate:.3g} %", 1 / rate, whole, found, least))
            advance(int(rate > 1))
        for most in COMMONALITIES:
            chosen = corpus.frequencies <= (most or count)
            for rows, sizes in ((commonalities, corpus.sizes), (cut, cut_sizes(corpus, chosen))):
                found = find(corpus, chosen, sizes, least, run.workers) if most else whole
                rows.append(row(str(most or "∞"), most, whole, found, least))
                advance(int(most is not None))
    return SamplingStudy(settings, counts, rates, commonalities, cut)


def read_corpus(
    source: Source, settings: SamplingSettings, run: RunSettings, progress: Progress
) -> Corpus:
    """Shingle the first documents of a source."""
    schema = units_schema(source.schema)
    make = MakeUnits(Shingles.parse(settings.shingle), schema, None, parsed(settings.mask or ""))
    step = Map("units", "records", make, schema)
    plan = Plan("study", ("records",), (step,), ("units",))
    parts: list[tuple[int, Hashes]] = []
    with temporary() as folder:
        engine = LocalEngine(folder, run, progress)
        for batch in engine.run(plan, {"records": source}, {})["units"].batches():
            values, bounds = from_lists(batch["shingles"])
            for number, doc in enumerate(batch["doc"].to_pylist()):
                if bounds[number] < bounds[number + 1]:
                    own = values[bounds[number] : bounds[number + 1]]
                    parts.append((doc, own.astype(np.uint64)))
    parts.sort(key=lambda part: part[0])
    sets = [values for _, values in parts[: settings.documents]]
    if len(sets) < 2:
        raise InputError(f"only {len(sets)} documents have words", hint="A study needs 2 at least.")
    return corpus_of(sets)


def corpus_of(sets: list[Hashes]) -> Corpus:
    """Turn sets of shingles around."""
    sizes = np.array([len(values) for values in sets], np.int64)
    values = np.concatenate(sets)
    owners = np.repeat(np.arange(len(sets), dtype=np.int32), sizes)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.append(True, ordered[1:] != ordered[:-1])
    starts = np.flatnonzero(first)
    frequencies = np.diff(np.append(starts, len(ordered)))
    several = np.repeat(frequencies > 1, frequencies)
    bounds = np.concatenate([[0], np.cumsum(frequencies[frequencies > 1])])
    return Corpus(
        ordered[starts[frequencies > 1]],
        owners[order[several]],
        bounds,
        sizes,
        values,
        np.concatenate([[0], np.cumsum(sizes)]),
    )


def divisible(keys: Hashes, rate: int) -> Bools:
    """Say which shingles a sample of one in `rate` keeps."""
    from neardup.kernels.sampling import sample

    kept, _ = sample(keys, np.array([0, len(keys)]), np.ones(1, np.bool_), rate)
    return np.isin(keys, kept, assume_unique=True)


def sampled_sizes(corpus: Corpus, rate: int) -> Integers:
    """Return how many of its shingles each document keeps in a sample."""
    from neardup.kernels.sampling import sample

    chosen = np.ones(len(corpus.sizes), np.bool_)
    _, starts = sample(corpus.values, corpus.value_bounds, chosen, rate)
    sizes: Integers = np.diff(starts)
    return sizes


def cut_sizes(corpus: Corpus, chosen: Bools) -> Integers:
    """Return how many shingles each document has left without those that are not chosen."""
    gone = corpus.members[np.repeat(~chosen, corpus.frequencies)]
    sizes: Integers = corpus.sizes - np.bincount(gone, minlength=len(corpus.sizes))
    return sizes


def find(corpus: Corpus, chosen: Bools, sizes: Integers, least: float, workers: int) -> Outcome:
    """Compare all documents that share one of the chosen shingles."""
    from neardup.kernels.cooccurrence import places_of_sets, resembling

    begun = time.perf_counter()
    count = len(corpus.sizes)
    frequencies = corpus.frequencies[chosen]
    members = corpus.members[np.repeat(chosen, corpus.frequencies)]
    bounds = np.concatenate([[0], np.cumsum(frequencies)])
    ends = np.repeat(bounds[1:], frequencies)
    places, starts = places_of_sets(members, count)

    def part(first: int) -> Any:
        return resembling(members, ends, places, starts, sizes, least, first, workers)

    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(part, range(workers)))
    pairs = np.sort(np.concatenate([left * count + right for left, right, _ in parts]))
    best = np.maximum.reduce([best for _, _, best in parts])
    seconds = time.perf_counter() - begun
    numbers = np.repeat(np.arange(1, len(frequencies) + 1), frequencies)[places]
    output = int((frequencies * (frequencies - 1) // 2).sum())
    return Outcome(pairs, best, Sets(numbers, starts), sizes, output, seconds)


def resemblance(found: Outcome, pairs: Integers) -> Floats:
    """Return the resemblance of some pairs by what is left of their documents."""
    from neardup.kernels.overlap import overlaps

    left, right = np.divmod(pairs, len(found.sizes))
    needed = np.zeros(len(pairs), np.int64)
    common = overlaps(found.sets.numbers, found.sets.bounds, left, right, needed)
    union = found.sizes[left] + found.sizes[right] - common
    rates: Floats = np.divide(common, union, out=np.zeros(len(pairs)), where=union > 0)
    return rates


def row(name: str, value: float | None, whole: Outcome, found: Outcome, least: float) -> SamplingRow:
    """Hold one setting against all shingles."""
    either = np.union1d(whole.pairs, found.pairs)
    right, now = resemblance(whole, either), resemblance(found, either)
    both = len(np.intersect1d(whole.pairs, found.pairs, assume_unique=True))
    alike = [least_reached(f.best, least) for f in (whole, found)]
    common = int((alike[0] & alike[1]).sum())
    kept = len(found.sets.numbers) / max(len(whole.sets.numbers), 1)

    def share(part: int, total: int) -> float | None:
        return ratio(part, total) if len(whole.pairs) else None

    return SamplingRow(
        name,
        value,
        kept,
        int((found.sizes == 0).sum()),
        {f"{t:g}": float(least_reached(found.best, t).mean()) for t in GRID},
        float(np.abs(right - now).mean()) if len(either) else 0.0,
        correlation(right, now),
        share(both, len(whole.pairs)),
        share(both, len(found.pairs)),
        share(common, int(alike[0].sum())),
        share(common, int(alike[1].sum())),
        found.output,
        1 - ratio(found.output, whole.output),
        round(found.seconds, 3),
    )


def least_reached(best: Floats, threshold: float) -> Bools:
    """Say which documents resemble another one by a threshold, rounding aside."""
    return best >= lowered(threshold)


def ratio(part: int, whole: int) -> float:
    """Return a share; of nothing, all."""
    return part / whole if whole else 1.0


def correlation(one: Floats, other: Floats) -> float | None:
    """Return Pearson's correlation, None if one of the two does not vary."""
    if len(one) < 2 or np.ptp(one) < 1e-12 or np.ptp(other) < 1e-12:
        return None
    return float(np.corrcoef(one, other)[0, 1])
