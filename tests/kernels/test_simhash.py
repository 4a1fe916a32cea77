"""Simhashes against a slow and obvious twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import read_only
from tests.kernels.page_words import FULL, WORDS, words

from neardup.kernels.hashing import SEED, mix
from neardup.kernels.simhash import simhashes


@given(st.lists(WORDS, max_size=5), st.sampled_from([1, 2]))
def test_simhashes_are_majorities_of_bits(pages: list[list[int]], parts: int) -> None:
    flat = read_only(words([n for page in pages for n in page]))
    found = simhashes(flat, np.cumsum([0, *map(len, pages)]), parts)
    for page, own in zip(pages, found.tolist(), strict=True):
        for part in range(parts):
            values = [int(mix(w ^ np.uint64(int(SEED) * (part + 1) & FULL))) for w in words(page)]
            bits = [2 * sum(v >> bit & 1 for v in values) > len(values) for bit in range(64)]
            assert own[part] == sum(1 << bit for bit in range(64) if bits[bit])
