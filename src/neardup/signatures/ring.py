"""The sentence ring of Huang, Wang and Li (2008): signatures of pages that share sentences."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SentenceRing:
    """`subsets` times `turns` signatures of a page, from its sentences (m and n in the paper).

    The fingerprint of a sentence is a ring of 16 bytes, which gives another fingerprint from each byte
    on. Those of one turn are split by their value modulo `subsets`; the smallest of each subset, one
    from each of `chosen` parts of the page, are projected to a signature, with weights that grow with
    the length of the sentence. Sentences of up to `shortest` characters are left out.

    >>> SentenceRing().count
    112
    """

    subsets: int = 7
    turns: int = 16
    chosen: int = 2
    shortest: int = 16

    @property
    def count(self) -> int:
        """Return how many signatures a long page has."""
        return self.subsets * self.turns

    def of(self, keys: Any, sizes: Any, bounds: Any) -> tuple[Any, Any]:
        """Return the signatures of pages end to end, and where each page's begin."""
        from neardup.kernels.pages import ring_signatures

        options = self.subsets, self.turns, self.chosen, self.shortest
        signatures, ends = ring_signatures(keys, sizes, bounds, *options)
        return signatures, ends
