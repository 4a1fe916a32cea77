"""What tells reference lists from other text, as the hashes of words."""

from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Hashes
from neardup.steps.exclusions import split_words
from neardup.text.bibliography import headings

YEARS = range(1500, 2100)
LINKS = ("http", "https", "www", "doi", "isbn", "issn", "arxiv")
NO_INITIALS = "ai"  # words of their own in English and other languages


class Vocabulary(NamedTuple):
    """Sorted hashes: of what lists are called, of years and marks of links, and of initials."""

    names: Hashes
    dates: Hashes
    initials: Hashes


@cache
def vocabulary() -> Vocabulary:
    """Return what tells reference lists from other text."""
    from neardup.kernels.shingles import in_order

    words, bounds = hashes_of(sorted(headings()))
    names = {int(in_order(words[i:j], j - i)) for i, j in pairwise(bounds)}
    dates = hashes_of([*map(str, YEARS), *LINKS])[0]
    initials = hashes_of([c for c in "abcdefghijklmnopqrstuvwxyz" if c not in NO_INITIALS])[0]
    return Vocabulary(np.array(sorted(names), np.uint64), np.sort(dates), np.sort(initials))


def hashes_of(texts: list[str]) -> tuple[Hashes, list[int]]:
    """Return the hashes of the words of texts end to end, and where each text's begin."""
    split, _, _ = split_words(pa.array(texts, pa.large_string()))
    return split.words, split.bounds.tolist()
