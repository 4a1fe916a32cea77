"""One text beside some others, in a single pass without the interpreter: words, kept runs, and hits.

What the method `passages` does in several steps over many pairs is done here at once for a few: else
most of the time of a look-up would be spent between the steps.
"""

from typing import Any, NamedTuple

import numpy as np

from neardup.kernels.compiled import kernel
from neardup.kernels.hits import hits_of_pairs, marks_of
from neardup.kernels.lists import Lists, lists_in
from neardup.kernels.passages import Texts, located, verbatim_pairs
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.kernels.winnowing import winnow_texts


class Beside(NamedTuple):
    """Texts split into words, where the lists of each lie in memory, and their hits with the last one.

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
    """Split texts data[offsets[t]:offsets[t + 1]], and find the hits of each with the last one.

    Runs of words with keys among the sorted common ones are left out. A text of which no `least` hits
    lie within `reach` words has none.
    """
    split = split_texts(data, offsets, unicode, PARAGRAPHS)
    words, starts, ends, bounds, sentences, sentence_bounds, _ = split
    keys, places, key_bounds = winnow_texts(words, bounds, width, window, np.empty(0, np.uint8))
    marks, mark_bounds = marks_of(keys, places, key_bounds, common)
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
    return Beside(words, starts, ends, sentences, marks, addresses, sizes, hits, hit_bounds)


@kernel
def verbatim_beside(data, offsets, unicode, width, window, common, least, reach, options):  # type: ignore[no-untyped-def]
    """Return the verbatim passages of texts and the last one: rows in words, and where they are.

    What `beside_last`, `verbatim_pairs` and `located` do one after the other: for the few texts of a
    look-up, calling them takes as long as their work. The number of all words comes third.
    """
    found = beside_last(data, offsets, unicode, width, window, common, least, reach)
    others = len(offsets) - 2
    at, size = found.addresses, found.sizes
    a = Texts(
        Lists(at[0, :others], size[0, :others]),
        Lists(at[1, :others], size[1, :others]),
        Lists(at[2, :others], size[2, :others]),
        Lists(at[3, :others], size[3, :others]),
    )
    b = Texts(
        Lists(np.full(others, at[0, others]), np.full(others, size[0, others])),
        Lists(np.full(others, at[1, others]), np.full(others, size[1, others])),
        Lists(np.full(others, at[2, others]), np.full(others, size[2, others])),
        Lists(np.full(others, at[3, others]), np.full(others, size[3, others])),
    )
    rows = verbatim_pairs(a, b, np.zeros(others, np.bool_), found.hits, found.bounds, options)
    places = located(a, b, rows)
    return rows, places, alive(found)


@kernel
def alive(found):  # type: ignore[no-untyped-def]
    """Return the number of words; until here, all arrays that addresses point to are kept."""
    kept = len(found.starts) + len(found.ends) + len(found.sentences) + len(found.marks)
    return len(found.words) if kept >= 0 else 0
