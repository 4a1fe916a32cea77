"""Pairs of posting lists, against slow twins."""

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import flat
from tests.twins import documents as twins

from neardup.kernels.postings import (
    counted_pairs,
    lists_of_members,
    posting_pairs,
    sort_lists,
)


def writable(sets: list[set[int]]) -> Any:
    values, bounds = flat(sets)
    return values.copy(), bounds


@given(st.lists(st.sets(st.integers(0, 15), min_size=2, max_size=8), max_size=10))
def test_pairs_of_posting_lists(lists: list[set[int]]) -> None:
    members, bounds = writable(lists)
    members[:] = np.concatenate([np.flip(members[a:b]) for a, b in pairwise(bounds)] or [members])
    sort_lists(members, bounds)
    by_member, member_bounds = lists_of_members(members, bounds, 16)
    left, right = posting_pairs(members, bounds, by_member, member_bounds, 1000, 10, True)
    found = list(zip(left.tolist(), right.tolist(), strict=True))
    assert found == sorted(twins.shared_pairs(lists))


@given(
    st.lists(
        st.tuples(st.sets(st.integers(0, 15), max_size=4), st.sets(st.integers(0, 15), max_size=8)),
        max_size=10,
    )
)
def test_pairs_of_askers_and_members(lists: list[tuple[set[int], set[int]]]) -> None:
    members, bounds = writable([m for _, m in lists])
    askers, asker_bounds = writable([a for a, _ in lists])
    by_asker, by_asker_bounds = lists_of_members(askers, asker_bounds, 16)
    left, right = posting_pairs(members, bounds, by_asker, by_asker_bounds, 1000, 10, False)
    expected = {(a, b) for asking, own in lists for a in asking for b in own if a != b}
    found = list(zip(left.tolist(), right.tolist(), strict=True))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_a_capped_posting_list_pairs_all_with_the_first_few() -> None:
    members, bounds = writable([set(range(10))])
    by_member, member_bounds = lists_of_members(members, bounds, 10)
    left, right = posting_pairs(members, bounds, by_member, member_bounds, 9, 2, True)
    expected = {(a, b) for a in (0, 1) for b in range(10) if a < b}
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == expected


NUMBERS = st.lists(st.integers(0, 12), min_size=16, max_size=16)


@given(
    st.lists(st.sets(st.integers(0, 15), min_size=2, max_size=8), max_size=12),
    NUMBERS,
    NUMBERS,
    st.sampled_from([0.1, 0.3, 0.45, 0.8]),
    st.sampled_from([3, 1000]),
)
def test_pairs_that_have_too_little_in_common_are_left_out(
    lists: list[set[int]], sizes: list[int], missing: list[int], threshold: float, cap: int
) -> None:
    members, bounds = writable(lists)
    by_member, member_bounds = lists_of_members(members, bounds, 16)
    given_lists = members, bounds, by_member, member_bounds, cap, 2
    left, right, common = counted_pairs(
        *given_lists, np.array(sizes), np.array(missing), threshold, 0.9 * threshold
    )
    found = list(zip(zip(left.tolist(), right.tolist(), strict=True), common.tolist(), strict=True))
    wanted = twins.counted_pairs(lists, sizes, missing, threshold, 0.9 * threshold, cap, 2)
    assert found == sorted(wanted.items())
