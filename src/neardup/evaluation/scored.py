"""The scores of labelled pairs of threads, field by field, for one signature or several."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Array, Bools
from neardup.durable import temporary
from neardup.engines.base import Progress
from neardup.errors import InputError
from neardup.evaluation.labelled import Labels
from neardup.methods.threads.plan import job, signed_threads, thread_reader
from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import bounds_in
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source
from neardup.results.running import run_job
from neardup.results.sources import opened_source
from neardup.settings.run import RunSettings
from neardup.showing.judged import Pair, ordered
from neardup.steps.too_common import without

FLOOR = 0.2  # where unlabelled pairs are wrong, the least threshold: below it there are too many


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs of threads by number, whether each is right, and the fields' scores.

    `scores` has those of each `max_shared` that was tried, and for each of them those of each signature.
    `floor` is the least threshold, in hundredths, at which all pairs that count are known; `unknown`
    is how many labelled threads are not there.
    """

    threads: int
    left: Array
    right_side: Array
    right: Bools
    scores: tuple[tuple[Array, ...], ...]
    floor: int
    unknown: int

    def groups(self) -> Array:
        """Return the number of each thread's group: those that right pairs connect."""
        from neardup.kernels.graphs import grouping

        found = grouping("components", self.threads)
        low, high = np.minimum(self.left, self.right_side), np.maximum(self.left, self.right_side)
        edges = np.unique(np.stack([high[self.right], low[self.right]], axis=1), axis=0)
        found.add(edges[:, 0].copy(), edges[:, 1].copy(), np.ones(len(edges)))
        return found.finish()[0]

    def only(self, chosen: Bools) -> "ScoredPairs":
        """Return some of the pairs."""
        return replace(
            self,
            left=self.left[chosen],
            right_side=self.right_side[chosen],
            right=self.right[chosen],
            scores=tuple(tuple(own[chosen] for own in each) for each in self.scores),
        )

    def without_implied(self) -> "ScoredPairs":
        """Return the pairs without those that right ones connect, of which nothing is known."""
        groups = self.groups()
        return self.only(self.right | (groups[self.left] != groups[self.right_side]))


def score_pairs(
    source: Any,
    settings: ThreadSettings,
    signatures: tuple[str, ...],
    max_shared: tuple[int, ...],
    labels: Callable[[set[str]], Labels],
    reader: ReaderSettings,
    run: RunSettings,
    progress: Progress | None,
) -> ScoredPairs:
    """Score the labelled pairs; if only right ones are labelled, all that may be found as well.

    Those then count as wrong, unless right pairs connect them in several steps.
    """
    opened = opened_source(source, thread_reader(settings, reader), run)
    words = replace(with_signature(settings, "shingles:1"), threshold=1.0)
    ids = run_job(job(opened, words, run), run, progress=progress).documents["id"].to_pylist()
    given = labels(set(ids))
    pairs = set(given.right) | set(given.wrong or ())
    if given.wrong is None:
        for tried in (replace(settings, max_shared=most) for most in max_shared):
            for signature in signatures:
                pairs |= set(similar(opened, tried, signature, run, progress))
    number = {name: at for at, name in enumerate(ids)}
    listed = sorted(pairs)
    docs = docs_with_words(opened, words, run)
    left, right = (np.array([number[pair[side]] for pair in listed], np.int64) for side in (0, 1))
    by_signature = [
        scores_of(opened, with_signature(settings, signature), left, right, docs, max_shared, run)
        for signature in signatures
    ]
    scores = tuple(zip(*by_signature, strict=True))
    labelled = np.array([pair in given.right for pair in listed])
    floor = round(100 * FLOOR) if given.wrong is None else 1
    scored = ScoredPairs(len(ids), left, right, labelled, scores, floor, len(given.unknown))
    return scored.without_implied() if given.wrong is None else scored


def with_signature(settings: ThreadSettings, signature: str) -> ThreadSettings:
    """Return the settings with one signature for all fields."""
    return replace(settings, signatures=(signature,) * len(settings.fields))


def similar(
    source: Source, settings: ThreadSettings, signature: str, run: RunSettings, progress: Progress | None
) -> Iterator[Pair]:
    """Yield all pairs that any weights can lift to the floor: some field reaches it."""
    for field in range(len(settings.fields)):
        weights = tuple(float(other == field) for other in range(len(settings.fields)))
        alone = replace(with_signature(settings, signature), weights=weights, threshold=FLOOR)
        try:
            found = run_job(job(source, alone, run), run, progress=progress).pairs
        except InputError:  # no thread has this field
            continue
        for one, other in zip(found["id_a"].to_pylist(), found["id_b"].to_pylist(), strict=True):
            yield ordered(one, other)


def scores_of(
    source: Source,
    settings: ThreadSettings,
    left: Array,
    right: Array,
    docs: pa.Array,
    max_shared: tuple[int, ...],
    run: RunSettings,
) -> list[Array]:
    """Return the similarity of each field of the pairs, -1 where both lack it, for each `max_shared`."""
    from neardup.kernels.threads import thread_scores

    fields = len(settings.fields)
    with temporary() as folder:
        units = signed_threads(source, settings, folder, run)["units"]
        batches = [batch.filter(pc.is_in(batch["doc"], docs)) for batch in units.batches()]
        values, bounds = bounds_in(pa.concat_batches(batches), fields)
    values, bounds = values[bounds[0] : bounds[-1]].copy(), bounds - bounds[0]
    _, number, counts = np.unique(values, return_inverse=True, return_counts=True)
    found = []
    for most in max_shared:
        gone = counts[number] > most if most else np.zeros(len(values), np.bool_)
        own = without(values, bounds, gone)
        measures = (np.ones(fields), np.array(settings.contained), True)
        found.append(thread_scores(*own, left, right, *measures, 0.0)[0])
    return found


def docs_with_words(source: Source, settings: ThreadSettings, run: RunSettings) -> pa.Array:
    """Return the threads that have any words, whether or not a signature comes of them."""
    with temporary() as folder:
        units = signed_threads(source, settings, folder, run)["units"]
        found = [b["doc"].filter(pc.greater(b["size"], 0)).to_numpy() for b in units.batches()]
    return pa.array(np.concatenate(found))
