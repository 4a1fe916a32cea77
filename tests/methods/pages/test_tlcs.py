"""How two pages are compared."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup.methods.pages.settings import PageSettings
from neardup.methods.pages.tlcs import SHORT, Page, compare, first_round


def page(words: Sequence[int], prose: Sequence[bool] | None = None) -> Page:
    starts = np.arange(len(words), dtype=np.int32) * 6
    return Page(
        np.array([w * 0x9E3779B97F4A7C15 % 2**64 for w in words], np.uint64),
        starts,
        starts + np.int32(5),
        np.full(len(words), 5, np.int64),
        np.where(np.resize(np.array(prose or [True]), len(words)), 1.0, SHORT),
        bare=True,
    )


WORDS = st.lists(st.integers(1, 30), min_size=1, max_size=80)


@settings(max_examples=30)
@given(WORDS, WORDS, st.integers(1, 40), st.lists(st.booleans(), min_size=1, max_size=9))
def test_a_sketch_that_is_too_short_never_hides_a_pair(
    a: list[int], b: list[int], window: int, prose: list[bool]
) -> None:
    chosen = PageSettings(window=window)
    one, other = page(a, prose), page(b, prose[::-1])
    found, whole = (compare(one, other, chosen, whole=w) for w in (False, True))
    if found.stopped:
        assert not whole.is_pair
    assert whole.common <= min(whole.sketch_a, whole.sketch_b, whole.chars_a, whole.chars_b)
    turned = compare(other, one, chosen, whole=True)
    assert turned.limits == whole.limits
    if len(a) != len(b):  # of pages of the same length, the first one's edits are looked at
        assert turned.common == whole.common
    own_a, own_b, bounds = whole.regions
    assert [a[i] for i in own_a] == [b[j] for j in own_b]
    for i, j in pairwise(bounds):
        assert (np.diff(own_b[i:j]) > 0).all()
    assert len(set(own_a.tolist())) == len(set(own_b.tolist())) == len(own_a)


def test_a_page_is_all_in_itself_and_other_words_share_nothing() -> None:
    words = list(range(1, 200))
    same = compare(page(words), page(words), PageSettings())
    assert (same.resemblance, same.containment) == (1.0, 1.0)
    assert compare(page(words), page([w + 500 for w in words]), PageSettings()).stopped
    assert first_round(page([1]), page([2]), PageSettings()) is None
