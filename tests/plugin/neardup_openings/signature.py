"""A signature: the first and the last words of a sentence."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from neardup.extending import Argument, Notation, Sets


@dataclass(frozen=True)
class Ends:
    """The words at both ends of a list, as one value."""

    number: int = 2
    least: int = 1
    counts: ClassVar = None
    single: ClassVar = True

    def of(self, words, bounds, counts):
        import numpy as np

        starts, values = [0], []
        for begin, end in pairwise(bounds):
            if end - begin >= self.least:
                ends = (*words[begin:end][: self.number], *words[begin:end][-self.number :])
                values.append(sum(int(w) * 31**n for n, w in enumerate(ends)) % 2**63 + 1)
            starts.append(len(values))
        return Sets(np.array(values, np.uint64), np.array(starts))


NOTATION = Notation("ends", Ends, (Argument("number", "N", 1, 5),), bare=True)
