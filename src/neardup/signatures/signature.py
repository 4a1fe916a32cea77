"""What a signature is: anything that makes a set of values of the words of a sentence or a field.

Modules of signatures are imported with the settings, for help and checks; so NumPy is not imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

if TYPE_CHECKING:
    from neardup.signatures.word_counts import Bounds, WordCounts, Words

LEAST_WORDS = 3  # a shorter sentence ("Yes.", "3.2") has no signature: it would link strangers


class Sets(NamedTuple):
    """The distinct values of some lists of words end to end, and where each list's begin."""

    values: Words
    bounds: Bounds


class Signature(Protocol):
    """A signature of lists of words; whoever makes it says how many words are enough, `least`."""

    @property
    def least(self) -> int:
        """Return how many words a list must have; a shorter one has an empty set."""

    counts: ClassVar[str | None] = None  # what must be known of words: "documents" or "occurrences"
    single: ClassVar[bool] = False  # whether no list has more than one value

    def of(self, words: Words, bounds: Bounds, counts: WordCounts | None) -> Sets:
        """Return the set of each list words[bounds[s]:bounds[s + 1]], in arrays that are new."""
