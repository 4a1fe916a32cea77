"""Tables of simhashes: all that may be near is in one."""

import numpy as np
import pytest
from tests.kernels.page_words import FULL

from neardup.methods.pages.settings import MOST_DISTANCE
from neardup.signatures.simhash import Simhash


@pytest.mark.parametrize("distance", range(MOST_DISTANCE + 1))
@pytest.mark.parametrize("bits", [64, 128])
def test_all_choices_of_differing_blocks_have_a_table(bits: int, distance: int) -> None:
    masks = Simhash(bits, distance, 1_000_000).masks
    assert len(masks) <= 1000
    rng = np.random.default_rng(distance)
    for _ in range(200):
        places = rng.choice(bits, distance, replace=False)
        value = sum(1 << int(place) for place in places)
        parts = np.array([value & FULL, value >> 64], np.uint64)
        assert ((masks & parts) == 0).all(axis=1).any()
