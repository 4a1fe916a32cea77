"""SpotSigs: which words are antecedents, and which chains skip."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.kernels.sentence_words import flat
from tests.twins import sentences as twins

from neardup.signatures.spotsigs import SpotSigs
from neardup.signatures.word_counts import WordCounts

STEP = 0x9E3779B97F4A7C15  # spreads numbers over all 64 bits


def counted(words: list[int]) -> WordCounts:
    counts = WordCounts(once=False)
    counts.take(*flat([words]))
    return counts


def test_antecedents_make_up_a_share_of_the_text_by_default() -> None:
    frequent = [word << 50 for word in (1, 2, 3) for _ in range(20)]
    rare = [word << 50 for word in range(10, 50)]
    assert SpotSigs().number(counted([*frequent, *rare])) == 3
    assert SpotSigs().number(counted([])) == 0
    assert SpotSigs(antecedents=500).number(counted(rare)) == 500


@pytest.mark.parametrize("antecedents", [5, 100, 1_000, 10_000])
def test_more_antecedents_start_more_chains_and_leave_none_without(antecedents: int) -> None:
    """Words as frequent as in a language: the paper took 10,000 antecedents, by its figure 8."""
    dice = np.random.default_rng(4)
    sentences = (dice.zipf(1.3, (2_000, 20)) % 20_000 + 1).astype(np.uint64) * np.uint64(STEP)
    bounds = np.arange(0, sentences.size + 1, 20)
    counts = WordCounts(once=False)
    counts.take(sentences.ravel(), bounds)

    def signed(number: int) -> Any:
        values, starts = SpotSigs(number).of(sentences.ravel(), bounds, counts)
        return [set(values[a:b].tolist()) for a, b in pairwise(starts.tolist())]

    found = signed(antecedents)
    words = Counter(sentences.ravel().tolist())
    ordered = sorted(words, key=lambda word: (-words[word], (word >> 32) << 22 >> 32))
    frequent, stops = ordered[:antecedents], set(ordered[: counts.stop_words])
    assert 0 < len(stops) <= 40
    expected = [twins.spots(own, dict.fromkeys(frequent, 1), stops, 2, 3) for own in sentences.tolist()]
    # words that share a counter may be taken for one another
    assert sum(a == b for a, b in zip(found, expected, strict=True)) > 0.97 * len(found)
    fewer = signed(max(antecedents // 10, 1))
    assert all(own <= more for own, more in zip(fewer, found, strict=True))
    if antecedents >= 1_000:
        assert sum(map(bool, found)) > 0.99 * len(found), "with many, all sentences have chains"
