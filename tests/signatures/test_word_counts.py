"""Word counts: what words share their counters costs, as docs/papers.md says."""

import numpy as np
import pytest

from neardup.signatures.word_counts import WordCounts


def test_counts_are_too_high_only_for_words_that_share_a_counter() -> None:
    words = np.random.default_rng(1).integers(0, 2**64, 100_000, np.uint64)
    counts = WordCounts(once=True)
    counts.take(words, np.array([0, len(words)]))
    cells = (words >> np.uint64(32)) * np.uint64(len(counts.table)) >> np.uint64(32)
    own, shared = np.unique(cells, return_counts=True)
    assert np.array_equal(counts.table[own], shared)
    rate = shared[shared > 1].sum() / len(words)
    assert rate == pytest.approx(0.024, abs=0.002)
    assert rate == pytest.approx(1 - np.exp(-len(words) / len(counts.table)), abs=0.002)
