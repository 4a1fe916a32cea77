"""Which duplicates are left out, and which stay."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.collection import run_with

from neardup.retrieval.duplicates import Groups, Pairs
from neardup.retrieval.files import (
    Judgement,
    Qrels,
    Ranking,
)
from neardup.retrieval.policies import collapsed, judged_once, keepers, masked, preference, without


def obvious_keepers(ids: Sequence[str], alike: Callable[[str, str], bool]) -> list[int]:
    staying: list[int] = []
    found = []
    for place, own in enumerate(ids):
        keeper = next((k for k in staying if alike(own, ids[k])), -1)
        if keeper < 0:
            staying.append(place)
        found.append(keeper)
    return found


IDS = [f"d{i}" for i in range(12)]
ORDERS = st.lists(st.sampled_from(IDS), unique=True)


@given(st.lists(st.integers(0, 4), min_size=12, max_size=12), ORDERS)
def test_keepers_of_groups(numbers: list[int], ids: list[str]) -> None:
    of = dict(zip(IDS, numbers, strict=True))
    groups = Groups([own for own in IDS if of[own] == number] for number in range(5))
    assert groups.keepers(ids) == obvious_keepers(ids, lambda a, b: of[a] == of[b])
    assert groups.alike(ids) == sum(any(of[a] == of[b] and a != b for b in ids) for a in ids)


PAIRS = st.dictionaries(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)).filter(lambda p: p[0] < p[1]),
    st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
)


@given(PAIRS, ORDERS, st.sampled_from([0.5, 0.7, 1.0]))
def test_keepers_of_pairs(known: dict[tuple[str, str], float], ids: list[str], least: float) -> None:
    pairs = Pairs(((a, b, s) for (a, b), s in known.items()), 0.5).at(least)

    def alike(a: str, b: str) -> bool:
        return known.get((min(a, b), max(a, b)), 0) >= least

    assert pairs.keepers(ids) == obvious_keepers(ids, alike)
    assert pairs.alike(ids) == sum(any(alike(a, b) for b in ids if a != b) for a in ids)


@pytest.mark.parametrize(
    ("keep", "stays"), [("first", "a"), ("relevant", "c"), ("judged", "b"), ("id", "A")]
)
def test_who_stays(keep: Any, stays: str) -> None:
    ids, grades = ["a", "x", "b", "c", "A"], {"b": 0, "c": 2, "x": 1}
    found = keepers(ids, Groups([["a", "b", "c", "A"]]), preference(ids, keep, grades))
    assert [own for own, keeper in zip(ids, found, strict=True) if keeper < 0] == [
        own for own in ids if own in ("x", stays)
    ]
    assert {ids[keeper] for keeper in found if keeper >= 0} == {stays}


def test_policies() -> None:
    near = Groups([["a1", "a2", "a3"], ["b1", "b2"]])
    run = run_with("a2", "b2", "x", "a1", "b1", "a3")
    qrels = Qrels(
        [Judgement("1", "0", own, grade) for own, grade in {"a1": 2, "a2": 0, "b1": 1}.items()]
    )
    short, removed = without(run, near, "first", qrels.grades)
    assert short.topics["1"] == Ranking(["a2", "b2", "x"], [6.0, 5.0, 4.0])
    assert [(r.id, r.rank, r.keeper, r.keeper_rank) for r in removed] == [
        ("a1", 4, "a2", 1),
        ("b1", 5, "b2", 2),
        ("a3", 6, "a2", 1),
    ]
    assert masked(run, near).topics["1"].ids == [
        "a2",
        "b2",
        "x",
        "a1!duplicate",
        "b1!duplicate",
        "a3!duplicate",
    ]
    once, gone = judged_once(qrels, near, "first")
    assert [row.id for row in once.rows] == ["a1", "b1"]
    assert [(r.file, r.id, r.keeper) for r in gone] == [("qrels.txt", "a2", "a1")]
    assert collapsed(run, near, once.grades).topics["1"].ids == ["a1", "b1", "x"]


def test_judgements_of_subtopics_go_with_their_document() -> None:
    rows = [Judgement("1", s, own, 1) for own in ("a", "b") for s in ("1", "2")]
    other = Judgement("2", "1", "b", 1)
    once, _ = judged_once(Qrels([*rows, other]), Groups([["a", "b"]]), "first")
    assert once.rows == [*rows[:2], other], "b is judged once for topic 2, and stays there"
    other_way, _ = judged_once(Qrels(rows), Groups([["a", "b"]]), "first", rather={"1": {"b": 0}})
    assert other_way.rows == rows[2:], "b stays where other judgements have kept it"
