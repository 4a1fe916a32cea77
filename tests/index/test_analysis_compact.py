"""A compact index: fewer keys of each text, found and measured on the texts all the same."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import prose, replaced, write
from tests.index.building import built, named

import neardup
from neardup.index.analysis import FEW, ONE_IN, Sets, sampled
from neardup.index.online import Index
from neardup.index.settings import IndexSettings, QuerySettings

ALL = QuerySettings(limit=None)
RUNS = "winnowing:5,24"
LOWER = (1 << 40) - 1


@given(st.lists(st.sets(st.integers(1, (1 << 64) - 1), max_size=200), max_size=6))
def test_the_keys_of_a_text_are_those_that_are_least_by_their_lower_bits(texts: list[set[int]]) -> None:
    values = [key for own in texts for key in own]
    bounds = np.cumsum([0, *map(len, texts)])
    found = sampled(Sets(np.array(values, np.uint64), bounds))
    kept = [found.values[a:b].tolist() for a, b in pairwise(found.bounds.tolist())]
    expected = [sorted(own, key=LOWER.__and__)[: max(len(own) // ONE_IN, FEW)] for own in texts]
    assert [sorted(own) for own in kept] == [sorted(own) for own in expected]


def corpus(chance: random.Random, count: int) -> list[str]:
    return [prose(chance.choice((20, 60, 200, 700)), seed) for seed in range(count)]


def matches(index: Index, text: str) -> dict[str, Any]:
    return {match["id"]: match for match in index.query(text, ALL).as_dict()["matches"]}


def test_it_finds_copies_and_says_of_them_what_another_index_says(tmp_path: Path) -> None:
    chance = random.Random(1)
    texts = corpus(chance, 120)
    asked = [replaced(text, 25) for text in texts] + [" ".join(texts[n : n + 2]) for n in range(30)]
    with (
        built(tmp_path / "full.neardup", texts, signature=RUNS) as full,
        built(tmp_path / "compact.neardup", texts, compact=True) as compact,
    ):
        assert compact.settings.signature == RUNS
        assert 3 * compact_bytes(tmp_path / "compact.neardup") < compact_bytes(tmp_path / "full.neardup")
        for number, text in enumerate(asked):
            found, all_of_them = matches(compact, text), matches(full, text)
            assert f"d{number % 120}" in found
            assert all(all_of_them[given] == match for given, match in found.items())


def compact_bytes(path: Path) -> int:
    return sum(own.stat().st_size for own in path.glob("*.shingles"))


def test_it_is_written_again_checked_and_copied_like_any(tmp_path: Path) -> None:
    chance = random.Random(2)
    texts, settings = corpus(chance, 60), IndexSettings(compact=True)
    with Index.build(tmp_path / "i.neardup", named(texts[:50]), settings) as index:
        index.compact()
        index.add([{"id": f"later {n}", "text": text} for n, text in enumerate(texts[50:])])
        index.remove(["d3"])
        before = [matches(index, text) for text in texts]
        assert "d3" not in before[3] and "later 0" in before[50]
        assert not index.damages()
        index.compact()
        assert [matches(index, text) for text in texts] == before
        assert not index.damages()
        assert index.seen(replaced(texts[7], 40)) == neardup.index.filtering.Seen(
            "d7", likeness(texts[7])
        )


def likeness(text: str) -> float:
    result = neardup.documents([text, replaced(text, 40)], threshold=0.1)
    return float(result.pairs["similarity"][0].as_py())


def test_a_day_is_compared_with_it_and_added(tmp_path: Path) -> None:
    chance = random.Random(3)
    texts = corpus(chance, 80)
    today = [{"id": f"t{n}", "text": replaced(text, 30)} for n, text in enumerate(texts[:40])]
    write(tmp_path / "today.jsonl", today)
    for measure in ("resemblance", "containment"):
        path = tmp_path / f"{measure}.neardup"
        built(path, texts, compact=True).close()
        chosen: dict[str, Any] = {"measure": measure, "threshold": 0.6}
        result = neardup.documents(tmp_path / "today.jsonl", against=path, add=True, **chosen)
        whole = neardup.documents(today, against=named(texts), **chosen)
        columns = ["id_a", "id_b", "similarity"]
        found, expected = (own.pairs.select(columns).to_pylist() for own in (result, whole))
        assert len(expected) > 20
        assert sorted(map(str, found)) == sorted(map(str, expected))
        with Index(path) as index:
            assert len(index) == 120
