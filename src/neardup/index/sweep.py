"""What of an index many new texts may be like, found by sweeps over its keys: no query for each."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.index.analysis import Analysis
from neardup.index.contents import View
from neardup.methods.documents.settings import Measure
from neardup.settings.run import available_cores
from neardup.steps.rounding import least_count, lowered
from neardup.store.ahead import ahead
from neardup.store.postings import Hashes, Numbers, Tally


@dataclass(frozen=True)
class Sweep:
    """Finds the documents that any of some texts may be like; none that is like one is missing."""

    view: View
    analysis: Analysis
    threshold: float
    measure: Measure

    def documents(self, portions: Iterable[Sequence[bytes]]) -> Numbers:
        """Return the documents, sorted, for all portions of texts."""
        found = np.zeros(self.view.reach, np.bool_)
        with ThreadPoolExecutor(available_cores()) as pool:
            for near in ahead(pool, self.of_portion, portions, available_cores() + 1):
                found[near] = True
        return np.flatnonzero(found)

    def of_portion(self, texts: Sequence[bytes]) -> Numbers:
        """Return those for some texts; keys are looked up in the order in which they are stored."""
        _, sets = self.analysis.taken_apart(texts)
        sizes = np.diff(sets.bounds)
        keys, places = np.unique(sets.values, return_inverse=True)
        for part in self.view.parts[:-1]:
            part.shingles.expect(len(keys))
        counts = [part.shingles.find(keys).counts[places] for part in self.view.parts]
        common: Numbers = np.zeros(len(places), np.int64)
        for own in counts:
            common += own
        chosen = self._chosen(sizes, common)
        owners = np.repeat(np.arange(len(sizes)), sizes)[chosen]
        bounds = np.searchsorted(owners, np.arange(len(sizes) + 1))
        values, found = sets.values[chosen], [np.empty(0, np.int64)]
        for part, own in zip(self.view.parts, counts, strict=True):
            room = Tally.of(part.count)
            for text in np.unique(owners[own[chosen] > 0]).tolist():
                some = values[bounds[text] : bounds[text + 1]]
                found.append(part.first + self._near(part, some, int(sizes[text]), room))
        return np.unique(np.concatenate(found))

    @property
    def _by_rarest(self) -> bool:
        """Return whether a few keys find all: a compact index may not have just these."""
        return self.measure == "resemblance" and not self.analysis.compact

    def _chosen(self, sizes: Numbers, common: Numbers) -> Numbers:
        """Return the places of those keys that documents are found by, text by text.

        What resembles a text has so much of it that it has one of its rarest keys: if it lacked all of
        them, too few would be left. What is contained may be small, and is found by any.
        """
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        owners = np.repeat(np.arange(len(sizes)), sizes)
        order = np.lexsort((common, owners))
        asked = sizes
        if self._by_rarest:
            asked = sizes - least_count(self.threshold * sizes.astype(np.float64)) + 1
        rank = np.arange(len(order)) - first
        return order[(rank < asked[owners]) & (common[order] > 0)]

    def _near(self, part: Any, keys: Hashes, size: int, room: Tally) -> Numbers:
        """Return the documents of a part that a text of this size may be like, by some of its keys."""
        sizes = part.texts.sizes
        asked = (size, 0.0) if self._by_rarest else self.analysis.asked(size, self.threshold)
        near: Numbers = part.shingles.near(keys, room, (sizes, self.view.gone_of(part)), *asked)
        if not self._by_rarest:
            return near
        own: npt.NDArray[Any] = sizes[near]
        alike = np.minimum(own, size) >= lowered(self.threshold) * np.maximum(own, size)
        chosen: Numbers = near[alike]
        return chosen
