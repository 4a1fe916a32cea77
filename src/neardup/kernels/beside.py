"""One text beside some others, in a single pass without the interpreter: words, kept runs, and hits.

What the method `passages` does in several steps over many pairs is done here at once for a few: else
most of the time of a look-up would be spent between the steps.
"""

from typing import Any, NamedTuple

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hits import PHRASE, common_runs, hits_of_pairs, marks_of, mask_words
from neardup.kernels.lists import Lists, lists_in
from neardup.kernels.passages import Texts
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.kernels.winnowing import winnow_texts


class Beside(NamedTuple):
    """Texts split into words, where the lists of each lie in memory, and their hits with the last one.

    `counted` says how many words of each are not boilerplate: those that are, are masked.
    The rows of `addresses` and `sizes` are words, starts, ends and sentences, as in `Texts`. The arrays
    that they point to are here so that they live as long; so are the marks, which hits are found by.
    """

    words: Any
    starts: Any
    ends: Any
    sentences: Any
    marks: Any
    addresses: Any
    sizes: Any
    hits: Any
    bounds: Any
    counted: Any

    def sides(self) -> tuple[Texts, Texts]:
        """Return the texts but for the last one, and the last one as often."""
        own = self.addresses.shape[1] - 1
        places = list(zip(self.addresses, self.sizes, strict=True))
        others = Texts(*(Lists(at[:own], size[:own]) for at, size in places))
        last = (np.full(own, at[own]) for at in self.addresses)
        sizes = (np.full(own, size[own]) for size in self.sizes)
        return others, Texts(*map(Lists, last, sizes))


@kernel
def beside_last(data, offsets, unicode, width, window, common, least, reach):  # type: ignore[no-untyped-def]
    """Split texts data[offsets[t]:offsets[t + 1]], find the hits of each with the last one: a `Beside`.

    Runs of words with keys among the sorted common ones are left out. A text of which no `least` hits
    lie within `reach` words has none.
    """
    split = split_texts(data, offsets, unicode, PARAGRAPHS)
    words, starts, ends, bounds, sentences, sentence_bounds, _ = split
    keys, places, key_bounds = winnow_texts(words, bounds, width, window, np.empty(0, np.uint8))
    marks, mark_bounds = marks_of(keys, places, key_bounds, common)
    runs, run_bounds, covered = common_runs(keys, places, key_bounds, common, width, window, PHRASE)
    counted = np.empty(len(covered), np.int64)
    for t in range(len(covered)):
        own = runs[run_bounds[t] : run_bounds[t + 1]]
        mask_words(words[bounds[t] : bounds[t + 1]], own, t << 32)
        counted[t] = max(bounds[t + 1] - bounds[t] - covered[t], 0)
    others = len(offsets) - 2
    last = np.full(others, others)
    at, count = lists_in(marks, mark_bounds)
    sides = Lists(at[:others], count[:others]), Lists(at[last], count[last])
    hits, hit_bounds = hits_of_pairs(*sides, np.zeros(others, np.bool_), least, reach)
    addresses = np.empty((4, others + 1), np.int64)
    sizes = np.empty((4, others + 1), np.int32)
    addresses[0], sizes[0] = lists_in(words, bounds)
    addresses[1], sizes[1] = lists_in(starts, bounds)
    addresses[2], sizes[2] = lists_in(ends, bounds)
    addresses[3], sizes[3] = lists_in(sentences, sentence_bounds)
    return words, starts, ends, sentences, marks, addresses, sizes, hits, hit_bounds, counted
