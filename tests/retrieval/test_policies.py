"""Which duplicates are left out, and which stay."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.collection import run_with

from neardup.retrieval.duplicates import Duplicates, Groups, Pairs
from neardup.retrieval.files import Judgement, Qrels
from neardup.retrieval.policies import collapsed, judged_once, keepers, masked, preference, without
from neardup.retrieval.runs import Catalogue


def obvious_keepers(ids: Sequence[str], alike: Callable[[str, str], bool]) -> list[int]:
    staying: list[int] = []
    found = []
    for place, own in enumerate(ids):
        keeper = next((k for k in staying if alike(own, ids[k])), -1)
        if keeper < 0:
            staying.append(place)
        found.append(keeper)
    return found


def obvious_partners(ids: Sequence[str], alike: Callable[[str, str], bool]) -> list[int]:
    pairs = [[k for k, b in enumerate(ids) if a != b and alike(a, b)] for a in ids]
    return [found[0] if found else len(ids) for found in pairs]


def met(duplicates: Duplicates, ids: list[str], least: float | None = None) -> list[list[int]]:
    catalogue = Catalogue()
    docs = catalogue.numbers(ids)
    return [found.tolist() for found in duplicates.near(catalogue).at(least).meet(docs)]


IDS = [f"d{i}" for i in range(12)]
ORDERS = st.lists(st.sampled_from(IDS), unique=True)


@given(st.lists(st.integers(0, 4), min_size=12, max_size=12), ORDERS)
def test_keepers_of_groups(numbers: list[int], ids: list[str]) -> None:
    of = dict(zip(IDS, numbers, strict=True))
    groups = Groups([own for own in IDS if of[own] == number] for number in range(5))

    def alike(a: str, b: str) -> bool:
        return of[a] == of[b]

    assert met(groups, ids) == [obvious_keepers(ids, alike), obvious_partners(ids, alike)]
    assert groups.keepers(ids) == obvious_keepers(ids, alike)


PAIRS = st.dictionaries(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)).filter(lambda p: p[0] < p[1]),
    st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
)


@given(PAIRS, ORDERS, st.sampled_from([0.5, 0.7, 1.0]))
def test_keepers_of_pairs(known: dict[tuple[str, str], float], ids: list[str], least: float) -> None:
    pairs = Pairs(((a, b, s) for (a, b), s in known.items()), 0.5)

    def alike(a: str, b: str) -> bool:
        return known.get((min(a, b), max(a, b)), 0) >= least

    assert met(pairs, ids, least) == [obvious_keepers(ids, alike), obvious_partners(ids, alike)]
    catalogue = Catalogue()
    catalogue.numbers(IDS)
    near = pairs.near(catalogue)
    for a in IDS:
        for b in IDS:
            similarity = near.similarity(catalogue[b], catalogue[a])
            assert similarity == known.get((min(a, b), max(a, b)))


@pytest.mark.parametrize(
    ("keep", "stays"), [("first", "a"), ("relevant", "c"), ("judged", "b"), ("id", "A")]
)
def test_who_stays(keep: Any, stays: str) -> None:
    ids, grades = ["a", "x", "b", "c", "A"], {"b": 0, "c": 2, "x": 1}
    catalogue = Catalogue()
    docs = catalogue.numbers(ids)
    near = Groups([["a", "b", "c", "A"]]).near(catalogue)
    found = keepers(docs, near, preference(ids, keep, grades)).tolist()
    assert [own for own, keeper in zip(ids, found, strict=True) if keeper < 0] == [
        own for own in ids if own in ("x", stays)
    ]
    assert {ids[keeper] for keeper in found if keeper >= 0} == {stays}


def test_policies() -> None:
    groups = Groups([["a1", "a2", "a3"], ["b1", "b2"]])
    run = run_with("a2", "b2", "x", "a1", "b1", "a3")
    catalogue = run.catalogue
    near = groups.near(catalogue)
    qrels = Qrels(
        [Judgement("1", "0", own, grade) for own, grade in {"a1": 2, "a2": 0, "b1": 1}.items()]
    )
    short, removed = without(run, near, "first", qrels.grades)
    assert short.as_lists()["1"] == (["a2", "b2", "x"], [6.0, 5.0, 4.0])
    assert [(r.id, r.rank, r.keeper, r.keeper_rank) for r in removed] == [
        ("a1", 4, "a2", 1),
        ("b1", 5, "b2", 2),
        ("a3", 6, "a2", 1),
    ]
    hidden = masked(run, near).topics["1"].docs
    assert hidden.tolist() == [0, 1, 2, ~3, ~4, ~5], "those that nobody has judged"
    once, gone = judged_once(qrels, near, catalogue, "first")
    assert [row.id for row in once.rows] == ["a1", "b1"]
    assert [(r.file, r.id, r.keeper) for r in gone] == [("qrels.txt", "a2", "a1")]
    judged = {"1": catalogue.numbers(["a1", "b1"])}
    assert collapsed(run, near, judged).as_lists()["1"][0] == ["a1", "b1", "x"]


RANKINGS = st.lists(st.sampled_from(IDS), unique=True, min_size=1)


@given(PAIRS, RANKINGS, ORDERS)
def test_a_group_has_the_name_of_its_judged_document(
    known: dict[tuple[str, str], float], ids: list[str], judged: list[str]
) -> None:
    def alike(a: str, b: str) -> bool:
        return (min(a, b), max(a, b)) in known

    stays = [own for place, own in enumerate(judged) if obvious_keepers(judged, alike)[place] < 0]
    run = run_with(*ids)
    docs = run.catalogue.numbers(stays)
    near = Pairs(((a, b, s) for (a, b), s in known.items()), 0.5).near(run.catalogue)
    named = [*stays, *(own for own in ids if own not in stays)]
    keeper = obvious_keepers(named, alike)
    name = {own: own if k < 0 else named[k] for own, k in zip(named, keeper, strict=True)}
    expected = list(dict.fromkeys(name[own] for own in ids))
    found = collapsed(run, near, {"1": np.asarray(docs)}).as_lists()["1"]
    assert found[0] == expected
    assert found[1] == sorted(found[1], reverse=True)


def test_judgements_of_subtopics_go_with_their_document() -> None:
    rows = [Judgement("1", s, own, 1) for own in ("a", "b") for s in ("1", "2")]
    other = Judgement("2", "1", "b", 1)
    catalogue = Catalogue()
    catalogue.numbers("ab")
    near = Groups([["a", "b"]]).near(catalogue)
    once, _ = judged_once(Qrels([*rows, other]), near, catalogue, "first")
    assert once.rows == [*rows[:2], other], "b is judged once for topic 2, and stays there"
    other_way, _ = judged_once(Qrels(rows), near, catalogue, "first", rather={"1": {"b": 0}})
    assert other_way.rows == rows[2:], "b stays where other judgements have kept it"
