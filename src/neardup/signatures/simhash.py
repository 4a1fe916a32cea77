"""Simhash: pages whose bags of words are alike differ in few of 64 or 128 bits.

The look-up is that of Manku, Jain and Das Sarma (2007): the bits are cut into blocks, and for each
choice of blocks there is a table of the values by their bits in these. Two values that differ in at
most d bits differ in at most d blocks, so they are equal in all blocks of some table.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from neardup.arrays import Hashes, Integers

ROW_COST = 200  # a row of a table costs as much as this many comparisons

Bits = Hashes


@dataclass(frozen=True)
class Simhash:
    """Values of `bits` bits, near each other if at most `distance` of them differ.

    `expected` is about how many values there are: it decides how many tables are best, never what is
    found.

    >>> len(Simhash(64, 5, expected=10_000_000).masks), len(Simhash(64, 5, expected=100).masks)
    (21, 6)
    """

    bits: int = 64
    distance: int = 5
    expected: int = 100_000

    def of(self, words: Hashes, bounds: Integers) -> tuple[Bits, Bits]:
        """Return the value of each bag of words in two parts; the second is 0 if there are 64 bits."""
        from neardup.kernels.simhash import simhashes

        found = simhashes(words, bounds, self.bits // 64)
        second = found[:, 1] if self.bits == 128 else np.zeros(len(found), np.uint64)
        return found[:, 0].copy(), second.copy()

    @cached_property
    def masks(self) -> Bits:
        """Return the bits by which each table is sorted, in two parts."""
        equal = min(range(1, self.bits - self.distance + 1), key=self._cost)
        edges = np.linspace(0, self.bits, self.distance + equal + 1).astype(int).tolist()
        blocks = [((1 << end) - 1) ^ ((1 << begin) - 1) for begin, end in pairwise(edges)]
        whole = [sum(chosen) for chosen in combinations(blocks, equal)]
        low = (1 << 64) - 1
        return np.array([(mask & low, mask >> 64) for mask in whole], np.uint64)

    def _cost(self, equal: int) -> float:
        """Return the cost of tables for all choices of the given number of blocks that are equal."""
        blocks = self.distance + equal
        tables = math.comb(blocks, equal)
        if blocks > self.bits or tables > 1000:
            return math.inf
        together = self.expected / 2 ** (self.bits * equal / blocks)
        return tables * (ROW_COST + together / 2)
