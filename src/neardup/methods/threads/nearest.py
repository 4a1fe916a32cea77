"""The threads nearest to a new one in what it says: suggestions, where no run of words need be the same.

A thread has two parts, its whole text and its title, and lists of what they are made of, weighed by how
rare that is (`kernels.nearest`). How near two threads are is a sum of two cosines. That proves nothing,
and nothing that is found so is called a duplicate.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Array
from neardup.signatures.shingles import utf8
from neardup.text import unicode_table

SHARES = np.array([1.0, 0.2])  # of the whole text, and of the title, in a similarity of 1.2 at most
PARTS = len(SHARES)
MOST_READ = 1 << 21  # entries of lists that a question may cost: some 10 ms
MOST_SHARED = 8
TITLE = "title"
LISTS = {"near_starts": "int64", "near_postings": "uint32", "near_weights": "uint8"}
WHOLE = "whole_weights"  # of all cells of all threads, while lists are made
BYTES_A_POSTING = 5
USUAL, FEWEST = 8, 1000  # what one thread in eight has tells little, unless there are few threads


class Lists(NamedTuple):
    """Which threads have a cell, from starts[cell] on, and how much it weighs in each."""

    starts: Array
    postings: Array
    weights: Array


class Rarity(NamedTuple):
    """How rare each cell is, and which are so usual that no list tells who has them."""

    weights: Array
    usual: Array

    @classmethod
    def of(cls, seen: Array, threads: int) -> "Rarity":
        """Return it by how many of some threads have each cell."""
        return cls(np.log((1 + threads) / (1 + seen)) + 1, seen > max(threads // USUAL, FEWEST))


class Near(NamedTuple):
    """A thread near to the one asked for: its number in a part, how near, and which part."""

    nearness: float
    number: int
    part: int


def cells_of(fields: Mapping[str, pa.Array]) -> tuple[Array, Array, Array]:
    """Return the cells of threads, their counts, and where each part of each thread begins."""
    from neardup.kernels.nearest import count_cells_of

    texts = [text.cast(pa.large_string()) for text in fields.values()]
    bare = pc.is_null(pc.coalesce(*texts))  # records without any: Arrow would leave their rows out
    whole = pc.binary_join_element_wise(
        pc.if_else(bare, "", texts[0]),
        *texts[1:],
        pa.scalar("\n\n", pa.large_string()),
        null_handling="skip",
    )
    several = len(fields) > 1  # else the title is the whole
    title = fields.get(TITLE, texts[0]) if several else pa.nulls(len(whole))
    parts = pa.concat_arrays([whole, title.cast(pa.large_string())])
    in_turn = pa.array(np.arange(PARTS * len(whole)).reshape(PARTS, -1).T.ravel())
    turns = pc.fill_null(parts.take(in_turn), "")
    return count_cells_of(*utf8(turns), PARTS, True, unicode_table())  # type: ignore[no-any-return]


def lists_of(
    cells: Array,
    counts: Array,
    bounds: Array,
    seen: Array,
    rarity: Rarity,
    room: Callable[[str, str, int], Array],
    memory: int,
) -> Lists:
    """Make the lists of threads of which the cells and counts are given, some cells at a time.

    `seen` is how many of them have each cell; `room` gives an array of zeros for a name, a type and a
    size.
    """
    from neardup.kernels.nearest import fill_weights, weigh

    weights = room(WHOLE, "uint16", len(cells))
    weigh(cells, counts, bounds, SHARES, rarity.weights, weights)
    ends = np.cumsum(np.where(rarity.usual, 0, seen))
    listed = int(ends[-1])
    sizes = (len(ends) + 1, listed, listed)
    found = Lists(*(room(*kind, size) for kind, size in zip(LISTS.items(), sizes, strict=True)))
    starts, postings, there = found
    starts[1:] = ends
    step = max(len(ends) * memory // max(listed * BYTES_A_POSTING, 1), 1)
    for low in range(0, len(ends), step):
        fill_weights(cells, weights, bounds[::PARTS], starts, ends, low, low + step, postings, there)
    return found


class Question:
    """A new thread as it is compared with others: its cells, how much each weighs, and its words."""

    def __init__(self, thread: Mapping[str, str | None], fields: Sequence[str], rarity: Rarity) -> None:
        from neardup.kernels.nearest import weigh

        given = {name: pa.array([thread.get(name)], pa.large_string()) for name in fields}
        self._cells, counts, bounds = cells_of(given)
        self._weights = np.empty(len(self._cells), np.uint16)
        weigh(self._cells, counts, bounds, SHARES, rarity.weights, self._weights)
        self._best = SHARES[np.diff(bounds) > 0].sum()
        self._words = self._rarest(" ".join(filter(None, thread.values())), rarity)

    def nearest(
        self, parts: Sequence[tuple[Lists, Array]], top: int, room: Callable[[int], Array]
    ) -> list[Near]:
        """Return what is nearest of some parts, best first; with each are those that are gone."""
        from neardup.kernels.nearest import nearest

        chosen = self._chosen([lists for lists, _ in parts])
        cells, weights = self._cells[chosen], self._weights[chosen]
        near = []
        for part, (lists, gone) in enumerate(parts):
            numbers, values = nearest(cells, weights, *lists, gone, top, room(len(gone)))
            found = zip(values.tolist(), numbers.tolist(), strict=True)
            near += [Near(min(value / self._best, 1.0), n, part) for value, n in found if n >= 0]
        return sorted(near, key=lambda own: (-own.nearness, own.part, own.number))[:top]

    def _chosen(self, parts: Sequence[Lists]) -> Array:
        """Return the places of the heaviest cells, whose lists in all parts are not too much to read."""
        lengths = np.zeros(len(self._cells), np.int64)
        for lists in parts:
            lengths += lists.starts[self._cells + 1] - lists.starts[self._cells]
        order = np.argsort(-self._weights.astype(np.int64), kind="stable")
        read = np.cumsum(lengths[order])
        return order[: np.searchsorted(read, MOST_READ, "right")]

    def _rarest(self, text: str, rarity: Rarity) -> tuple[list[str], Array]:
        """Return the words of a text and their cells, rarest first."""
        from neardup.kernels.nearest import count_cells_of

        words = list(dict.fromkeys(re.findall(r"\w+", text.lower())))
        texts = utf8(pa.array(words, pa.large_string()))
        cells, _, bounds = count_cells_of(*texts, 1, False, unicode_table())
        single = np.flatnonzero(np.diff(bounds) == 1)  # of other scripts, a word may be several
        own = cells[bounds[single]]
        order = np.argsort(-rarity.weights[own], kind="stable")
        return [words[n] for n in single[order]], own[order]

    def shared(self, lists: Lists, number: int) -> list[str]:
        """Return the rarest words that a thread has, too."""
        from neardup.kernels.nearest import having

        words, cells = self._words
        found = np.flatnonzero(having(cells, lists.starts, lists.postings, number))
        return [words[n] for n in found[:MOST_SHARED]]
