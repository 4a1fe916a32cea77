"""The runs of words of texts, counted."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.grams import counted_grams
from neardup.text import unicode_table

WIDTH = 3
TEXTS = st.lists(st.lists(st.sampled_from(["a", "b", "cé"]), max_size=12), min_size=1, max_size=5)


def counted(texts: list[list[str]]) -> list[tuple[int, int, int]]:
    """Return text, run and times."""
    data = [" ".join(words).encode() for words in texts]
    joined = np.frombuffer(b"".join(data) or b" ", np.uint8).copy()
    bounds = np.cumsum([0, *map(len, data)])
    grams, owners, times = counted_grams(joined, bounds, WIDTH, unicode_table())
    return list(zip(owners.tolist(), grams.tolist(), times.tolist(), strict=True))


@given(TEXTS)
def test_runs_are_counted_in_their_texts(texts: list[list[str]]) -> None:
    wanted = []
    for t, words in enumerate(texts):
        runs = [words[i : i + WIDTH] for i in range(max(len(words) - WIDTH + 1, min(len(words), 1)))]
        alone = Counter(counted([run])[0][1] for run in runs)  # a run is what a text of it has
        wanted += [(t, gram, alone[gram]) for gram in sorted(alone)]
    assert counted(texts) == wanted
