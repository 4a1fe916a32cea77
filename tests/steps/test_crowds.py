"""Crowds: documents that are compared with a few of very many, and find their keepers nevertheless."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import corpora, whole_runs

import neardup
from neardup.steps.declared import CANDIDATES_LEFT_OUT, STAYED_IN_CROWDS

WORDS = " ".join(f"w{i}" for i in range(60))


def crowd(count: int, kinds: int = 1) -> list[str]:
    """Return texts of which all of a kind resemble each other, and no two are the same."""
    rng = random.Random(1)
    texts = [[f"kind{i % kinds}.{word}" for word in WORDS.split()] for i in range(count)]
    for number, words in enumerate(texts):
        words[rng.randrange(60)] = f"own{number}"
        words += ["longer"] * rng.randrange(4)
    return [" ".join(words) for words in texts]


def found(texts: list[str], **chosen: Any) -> neardup.Result:
    return neardup.documents(texts, workers=1, memory="64MB", **chosen)


def members(result: neardup.Result) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = result.clusters.select(["id", "keeper_id"]).to_pylist()
    return rows


@pytest.mark.parametrize("keep", ["longest", "first"])
@pytest.mark.parametrize("limit", [{"max_postings": 20}, {"max_pairs": 60}])
def test_all_of_a_crowd_find_the_best_keeper(keep: str, limit: dict[str, int]) -> None:
    texts = crowd(160, kinds=2)
    whole = found(texts, threshold=0.6, keep=keep)
    few = found(texts, threshold=0.6, keep=keep, **limit)
    assert whole.counts["clusters"] == 2
    assert members(few) == members(whole)
    assert few.counts[STAYED_IN_CROWDS] == whole.counts[STAYED_IN_CROWDS] == 0
    assert few.counts["pairs"] < whole.counts["pairs"]
    assert bool(few.counts[CANDIDATES_LEFT_OUT]) == ("max_pairs" in limit)


def test_each_is_listed_with_at_most_so_many_that_would_rather_be_kept() -> None:
    texts = crowd(40)
    few = found(texts, threshold=0.6, keep="first", max_pairs=20)
    better = few.pairs.group_by("id_b").aggregate([("id_a", "count")])["id_a_count"].to_pylist()
    assert sorted(better) == [*range(1, 20), *[20] * 20]
    assert few.counts["candidates"] + few.counts[CANDIDATES_LEFT_OUT] == 40 * 39 // 2


@whole_runs(15)
@given(texts=corpora(), most=st.integers(5, 12), threshold=st.sampled_from([0.2, 0.4, 0.7]))
def test_whatever_is_left_out_the_clusters_are_right_or_it_says_so(
    texts: list[str], most: int, threshold: float
) -> None:
    if not any(text.split() for text in texts):
        return
    whole, few = (
        found(texts, threshold=threshold, shingle="word:1", max_pairs=n) for n in (1_000, most)
    )
    assert {tuple(row.values()) for row in few.pairs.to_pylist()} <= {
        tuple(row.values()) for row in whole.pairs.to_pylist()
    }
    if few.counts["keys_too_common"]:
        return
    assert few.counts["candidates"] + few.counts[CANDIDATES_LEFT_OUT] == whole.counts["candidates"]
    if not few.counts[STAYED_IN_CROWDS]:
        assert members(few) == members(whole)
