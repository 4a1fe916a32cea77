"""documents: every pair that brute force finds, with its exact similarity, for every setting."""

import functools
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import corpora, whole_runs
from tests.twins import documents as twins

import neardup


def found_pairs(result: neardup.Result) -> dict[tuple[int, int], float]:
    rows = result.pairs.select(["doc_a", "doc_b", "similarity"]).to_pylist()
    numbers = result.documents["position"].to_pylist()
    return {(numbers[r["doc_a"]] - 1, numbers[r["doc_b"]] - 1): r["similarity"] for r in rows}


def expected_pairs(
    texts: Sequence[str], threshold: float, measure: str = "resemblance", width: int = 5
) -> dict[tuple[int, int], float]:
    sets = [set(twins.word_shingles(text, width)) for text in texts]
    return twins.brute_force(sets, threshold, measure)


def run(texts: Sequence[str], **chosen: Any) -> neardup.Result:
    return neardup.documents(texts, workers=1, memory="64MB", **chosen)


@pytest.mark.parametrize("measure", ["resemblance", "containment"])
@whole_runs(12)
@given(texts=corpora(), threshold=st.sampled_from([0.1, 0.5, 0.7, 0.75, 0.9, 1.0]))
def test_exact_finds_what_brute_force_finds(measure: str, texts: list[str], threshold: float) -> None:
    expected = expected_pairs(texts, threshold, measure, width=2)
    if not any(text.split() for text in texts):
        return
    found = run(texts, threshold=threshold, measure=measure, shingle="word:2")
    assert found_pairs(found) == expected


@whole_runs(6)
@given(texts=corpora())
def test_cheap_candidates_report_only_true_pairs(texts: list[str]) -> None:
    if not any(text.split() for text in texts):
        return
    expected = expected_pairs(texts, 0.6)
    for candidates in ("sampled", "minhash"):
        found = found_pairs(run(texts, threshold=0.6, candidates=candidates))
        assert found.items() <= expected.items()


def generated(count: int, length: int, seed: int) -> list[str]:
    """Return texts of which every second is an edited copy of the one before."""
    rng = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(5000)]
    texts: list[str] = []
    for i in range(count):
        if i % 2:
            words = texts[-1].split()
            for _ in range(rng.randrange(0, length // 25)):
                words[rng.randrange(len(words))] = rng.choice(vocabulary)
        else:
            words = rng.choices(vocabulary, k=rng.randrange(length // 2, length))
        texts.append(" ".join(words))
    return texts


@functools.cache
def long_texts() -> tuple[list[str], dict[tuple[int, int], float]]:
    """Return texts that are long enough to be sampled, and their pairs."""
    texts = generated(200, 4000, seed=3)
    return texts, expected_pairs(texts, 0.7)


@pytest.mark.parametrize(("candidates", "least"), [("sampled", 0.95), ("minhash", 0.75)])
def test_cheap_candidates_find_most_pairs(candidates: str, least: float) -> None:
    texts, expected = long_texts()
    assert len(expected) > 60
    found = found_pairs(run(texts, candidates=candidates))
    assert found.items() <= expected.items()
    assert len(found) >= least * len(expected)


def test_exact_on_generated_texts_with_char_shingles() -> None:
    texts = generated(60, 200, seed=5)
    sets = [set(twins.character_shingles(text, 64)) for text in texts]
    assert found_pairs(run(texts, shingle="char:64")) == twins.brute_force(sets, 0.7)


def test_identical_texts_are_pairs_of_all_with_all() -> None:
    texts = ["the same text again and again", "The same text, again and again!"] * 3
    result = run([*texts, "something else entirely, my dear friend"])
    assert found_pairs(result) == {(i, j): 1.0 for i in range(6) for j in range(i + 1, 6)}
    assert set(result.pairs["kind"].to_pylist()) == {"identical"}
    assert result.counts["identical_copies"] == 5


LONG = "x" * 64  # a token as long as a shingle
START = (
    "some words that come before what differs, as many as it takes to fill one shingle of characters "
)


@pytest.mark.parametrize(
    ("shingle", "texts"),
    [
        ("char:64", (START + "and the very end", START + "and the very last")),
        ("char:64", (f"{START} {LONG}aaaa", f"{START} {LONG}bbbb")),
        ("char:8", ("abcdefgh1 abcdefgh2", "abcdefgh3 abcdefgh4")),
        ("word:1", ("the dog bites the man", "the man bites the dog")),
        ("word:2", ("a b a c a b", "a b a b a c a b")),
        ("word:5", ("one two three four five " * 4, "one two three four five " * 40)),
    ],
)
def test_texts_that_differ_are_never_identical(shingle: str, texts: tuple[str, str]) -> None:
    for chosen in ({}, {"measure": "containment"}, {"max_shared": 5}):
        result = run([*texts, texts[0].upper()], shingle=shingle, threshold=0.3, **chosen)
        kinds = {(r["doc_a"], r["doc_b"]): r["kind"] for r in result.pairs.to_pylist()}
        assert kinds.pop((0, 2)) == "identical"
        assert "identical" not in kinds.values()
        assert result.counts["identical_copies"] == 1
        assert result.documents["same_as"].to_pylist() == [0, 1, 0]
        again = result.rethreshold(0.5)
        assert again.pairs["kind"].to_pylist().count("identical") == 1


def test_a_token_longer_than_a_shingle_counts_whole() -> None:
    rng = random.Random(4)
    one, other = ("".join(rng.choices("acgt", k=5_000)) for _ in range(2))
    result = run([LONG + one, LONG + other, LONG + one + "a" * 64], shingle="char:64", threshold=0.001)
    assert {pair: round(value, 2) for pair, value in found_pairs(result).items()} == {
        (0, 1): 0.01, (0, 2): 0.99, (1, 2): 0.01,
    }  # fmt: skip


def test_many_identical_texts_are_listed_with_the_first_only() -> None:
    texts = ["one two three four five six"] * 10 + ["one two three four five six seven"]
    result = run(texts, max_copies=3, threshold=0.6)
    expected = {(0, 1), (0, 2), (1, 2)} | {(0, i) for i in range(3, 10)} | {(i, 10) for i in range(3)}
    assert set(found_pairs(result)) == expected
    assert result.counts["copies_with_first_only"] == 7
    assert result.clusters["size"].to_pylist() == [11] * 11


def test_a_very_common_shingle_is_capped_and_counted() -> None:
    # all share most of their text, and no word occurs in one text only
    texts = [f"alpha beta gamma delta epsilon zeta eta theta n{i // 2} n{i // 2}" for i in range(40)]
    whole = run(texts, threshold=0.5, shingle="word:1")
    capped = run(texts, threshold=0.5, shingle="word:1", max_postings=5)
    assert whole.counts["keys_too_common"] == 0
    assert capped.counts["keys_too_common"] > 0
    assert found_pairs(capped).items() < found_pairs(whole).items()


def test_containment_finds_an_excerpt_in_a_long_document() -> None:
    rng = random.Random(1)
    words = [f"w{rng.randrange(3000)}" for _ in range(20_000)]
    texts = [" ".join(words), " ".join(words[7000:7050]), "nothing of all this is in there, is it"]
    assert found_pairs(run(texts)) == {}
    result = run(texts, measure="containment")
    assert set(found_pairs(result)) == {(0, 1)}
    row = result.pairs.to_pylist()[0]
    assert row["containment_b"] == 1.0
    assert row["containment_a"] < 0.01
    assert row["kind"] == "contained"


def test_short_texts_of_the_same_words_are_pairs_and_others_are_not() -> None:
    texts = ["yes", "no", "Yes!", "oh yes", ""]
    result = run(texts)
    assert set(found_pairs(result)) == {(0, 2)}
    assert result.skipped.to_pylist()[0]["problem"] == "no words"


def test_star_clusters_do_not_chain_strangers_and_components_do() -> None:
    words = [f"w{i}" for i in range(300)]
    texts = [" ".join(words[i : i + 200]) for i in (0, 30, 60)]
    star = run(texts, threshold=0.7, keep="first")
    assert set(found_pairs(star)) == {(0, 1), (1, 2)}
    members = star.clusters.select(["id", "keeper_id"]).to_pylist()
    assert members == [{"id": f"memory#{i}", "keeper_id": "memory#1"} for i in (1, 2)]
    chained = run(texts, threshold=0.7, clusters="components", keep="first")
    assert chained.clusters["size"].to_pylist() == [3, 3, 3]
    assert chained.clusters["similarity"].to_pylist()[2] is None
    assert chained.counts["not_similar_to_keeper"] == 1
    assert set(chained.clusters["lowest"].to_pylist()) == {min(found_pairs(chained).values())}


@whole_runs(8)
@given(texts=corpora(), keep=st.sampled_from(["longest", "first"]))
def test_star_clusters_are_those_of_the_twin(texts: list[str], keep: str) -> None:
    kept = [i for i, text in enumerate(texts) if text.split()]
    if not kept:
        return
    result = run(texts, threshold=0.5, shingle="word:2", keep=keep)
    order = sorted(kept, key=lambda i: (-len(texts[i]), f"memory#{i + 1}") if keep == "longest" else i)
    rank = {doc: number for number, doc in enumerate(order)}
    edges = {}
    for (a, b), similarity in expected_pairs(texts, 0.5, width=2).items():
        worse, better = max(rank[a], rank[b]), min(rank[a], rank[b])
        edges[worse, better] = similarity
    expected = {}
    for node, (keeper, similarity) in enumerate(twins.star_clusters(len(order), edges)):
        expected[f"memory#{order[node] + 1}"] = (f"memory#{order[keeper] + 1}", similarity)
    sizes = [keeper for keeper, _ in expected.values()]
    expected = {i: kept for i, kept in expected.items() if sizes.count(kept[0]) > 1}
    found = {r["id"]: (r["keeper_id"], r["similarity"]) for r in result.clusters.to_pylist()}
    assert found == expected


def test_keepers_by_date_and_by_column() -> None:
    text = "a report that was published again and again"
    records = [
        {"id": "old", "text": text, "date": "2020-01-01", "score": 9},
        {"id": "new", "text": text, "date": "2024-01-01", "score": 1},
        {"id": "undated", "text": text + "!", "score": 5},
    ]
    newest = neardup.documents(records, keep="newest")
    assert set(newest.clusters["keeper_id"].to_pylist()) == {"new"}
    best = neardup.documents(records, keep="score", columns=["score"])
    assert set(best.clusters["keeper_id"].to_pylist()) == {"old"}
    assert best.documents["score"].to_pylist() == [9, 1, 5]


@pytest.mark.parametrize("engine", ["local", pytest.param("spark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", ["documents", "pages"])
def test_the_oldest_is_that_of_the_earliest_moment(method: str, engine: Any) -> None:
    text = "a report that was published again and again, and once more, for all who had missed it"
    dates = ["12 April 2024", "2024-03-05T01:00Z", "5 March 2024 08:00 +0900", "some day", None]
    records = [{"id": f"d{n}", "text": text, "date": date} for n, date in enumerate(dates)]
    for keep, best in (("oldest", "d2"), ("date:asc", "d2"), ("newest", "d0"), ("date", "d0")):
        found = getattr(neardup, method)(records, keep=keep, engine=engine)
        assert set(found.clusters["keeper_id"].to_pylist()) == {best}


def test_one_column_may_be_named_without_a_list() -> None:
    records = [{"text": "some words of a text", "score": 3}, {"text": "other words", "score": 4}]
    assert neardup.documents(records, columns="score").documents["score"].to_pylist() == [3, 4]


@pytest.mark.parametrize("later", [False, True], ids=["by the run", "by dedup"])
def test_scores_that_are_text_are_compared_as_numbers(later: bool, tmp_path: Path) -> None:
    text = "a report that was published again and again"
    scores = {"nine": "9", "ten": " 10", "none": "", "what": "n/a", "small": "1e-5"}
    lines = ["id,score,text", *(f"{name},{score},{text}" for name, score in scores.items())]
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    keep = "first" if later else "score"
    result = neardup.documents(tmp_path / "scores.csv", keep=keep, columns=["score"])
    neardup.dedup(result, tmp_path / "clean", keep="score")
    removed = pq.read_table(tmp_path / "clean" / "neardup-removed.parquet")
    assert set(removed["keeper_id"].to_pylist()) == {"ten"}
    assert result.documents["score"].to_pylist() == ["9", " 10", None, "n/a", "1e-5"]


def test_rethreshold_is_the_same_as_a_new_run(tmp_path: Path) -> None:
    texts = generated(80, 300, seed=9)
    loose, strict = run(texts, threshold=0.5), run(texts, threshold=0.8)
    again = loose.rethreshold(0.8)
    assert again.pairs.equals(strict.pairs)
    assert again.clusters.equals(strict.clusters)
    assert again.counts["pairs"] == strict.counts["pairs"]
    sizes = Counter(Counter(strict.clusters["cluster"].to_pylist()).values())
    expected = {str(size): sizes[size] for size in sorted(sizes)}
    assert again.run["cluster_sizes"] == strict.run["cluster_sizes"] == expected
    assert expected
    with pytest.raises(neardup.SettingsError, match="run again for a lower one"):
        loose.rethreshold(0.4)


def test_ids_that_are_numbers_can_be_explained_as_such() -> None:
    text = "one two three four five six seven eight nine ten"
    result = neardup.documents([{"id": n, "text": text} for n in (1, 2)])
    assert result.pairs["id_a"].to_pylist() == ["1"]
    found = result.explain(1, 2)
    assert (found.id_a, found.id_b, found.resemblance) == ("1", "2", 1.0)
