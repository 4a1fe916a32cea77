"""Every method gives the same tables on both engines."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.corpora import corpora, forum, stories
from tests.engines.spark.comparing import same_on_both

import neardup
from neardup.steps.declared import CANDIDATES_LEFT_OUT


@settings(
    max_examples=1, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    texts=corpora(),
    threshold=st.sampled_from([0.1, 0.5, 0.75]),
    chosen=st.sampled_from(
        [
            {"measure": "containment"},
            {"candidates": "sampled", "clusters": "components"},
            {"candidates": "minhash"},
            {"max_postings": 2, "max_copies": 1, "max_pairs": 3},
        ]
    ),
)
def test_documents_of_random_corpora_are_the_same(
    spark: Any, texts: list[str], threshold: float, chosen: dict[str, Any]
) -> None:
    if any(text.split() for text in texts):
        own = {"threshold": threshold, "shingle": "word:2", **chosen}
        same_on_both(neardup.documents, texts, spark, without_disk=True, **own)


@pytest.mark.slow
def test_crowds_are_the_same(spark: Any) -> None:
    texts = [f"all of these begin alike and end with their own number {n // 2} {n}" for n in range(30)]
    limits: dict[str, Any] = {"max_postings": 24, "max_pairs": 12}
    found = same_on_both(neardup.documents, texts, spark, threshold=0.5, shingle="word:1", **limits)
    assert found.counts[CANDIDATES_LEFT_OUT] > 0
    assert found.counts["keys_too_common"] > 0


@pytest.mark.slow
def test_documents_in_files_with_all_that_goes_wrong_are_the_same(spark: Any, tmp_path: Path) -> None:
    rows = [{"id": f"d{n % 25}", "text": text, "score": f"{n}"} for n, text in enumerate(stories(30, 1))]
    lines = [json.dumps(row) for row in rows] + ["{broken", json.dumps({"id": "empty", "text": "…"})]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    (tmp_path / "b.jsonl").write_text("\n".join(lines[:12]))
    found = same_on_both(
        neardup.documents,
        str(tmp_path),
        spark,
        threshold=0.3,
        columns=["score"],
        keep="source:b*>a,score:asc",
        clusters="components",
    )
    assert found.counts["pairs"] == 12
    assert found.counts["skipped.no words"] == 1
    assert found.counts["ids_given_twice"] > 12


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        pytest.param(
            {"signature": "imatch", "within": True, "max_documents": 2}, marks=pytest.mark.slow
        ),
    ],
    ids=str,
)
def test_passages_are_the_same(spark: Any, chosen: dict[str, Any]) -> None:
    found = same_on_both(neardup.passages, stories(12, 2), spark, min_length=40, **chosen)
    assert found.counts["passages"] > 3


@pytest.mark.slow
def test_what_is_excluded_is_the_same(spark: Any) -> None:
    own = stories(12, 2)
    task, texts = own[-1], [f'{own[-1]}\n\n"{own[-2]}"\n\n{text}' for text in own[:-2]]
    chosen: dict[str, Any] = {"exclude": [task], "exclude_quoted": True}
    rows = [
        {"text": text, "author": f"{n % 4}", "date": f"2001-02-{n + 10}"} for n, text in enumerate(texts)
    ]
    apart: dict[str, Any] = {"exclude_same": "author", "within_days": 6, "min_length": 40}
    found = same_on_both(neardup.passages, rows, spark, **chosen, **apart)
    assert found.counts["excluded"] >= 20 and found.counts["pairs_kept_apart"] > 1
    assert found.counts["passages"] > 1
    found = same_on_both(neardup.documents, texts, spark, threshold=0.2, **chosen)
    assert found.counts["excluded"] >= 20


@pytest.mark.slow
def test_passages_of_listed_pairs_against_sources_are_the_same(spark: Any, tmp_path: Path) -> None:
    texts = stories(10, 3)
    for folder, own in (("new", texts[5:]), ("old", texts[:5])):
        (tmp_path / folder).mkdir()
        for number, text in enumerate(own):
            (tmp_path / folder / f"{folder}{number}.txt").write_text(text)
    found = same_on_both(
        neardup.passages,
        str(tmp_path / "new"),
        spark,
        against=str(tmp_path / "old"),
        pairs=[(f"new{n}.txt", f"old{m}.txt") for n in range(5) for m in range(5)],
        min_length=40,
    )
    assert found.counts["passages"] > 1


@pytest.mark.slow
@pytest.mark.parametrize("preset", [None, "paper"])
def test_sentences_are_the_same(spark: Any, preset: str | None) -> None:
    texts = stories(12, 9)
    texts += [text.replace("word12 ", "word13 ") for text in texts[:6]]
    found = same_on_both(neardup.sentences, texts, spark, preset=preset)
    assert found.counts["pairs.identical"] > 50


@pytest.mark.parametrize(
    "chosen",
    [
        {"index": "doc", "signature": ["shingles:2", "body=imatch:0,1"], "keep": "score,longest"},
        pytest.param(
            {"index": "term", "clusters": "components", "max_shared": 9}, marks=pytest.mark.slow
        ),
    ],
    ids=["doc", "term"],
)
def test_threads_are_the_same(spark: Any, chosen: dict[str, Any]) -> None:
    threads = [{**thread, "score": n % 7} for n, thread in enumerate(forum(40, seed=11))]
    found = same_on_both(neardup.threads, [*threads, threads[3]], spark, threshold=0.4, **chosen)
    assert found.counts["pairs"] > 10


@pytest.mark.parametrize(
    "chosen", [{}, pytest.param({"measure": "simhash", "distance": 8}, marks=pytest.mark.slow)], ids=str
)
def test_pages_are_the_same(spark: Any, chosen: dict[str, Any]) -> None:
    frame = "Home News Sport Contact. All rights reserved by the owners of this site, wherever you are."
    rows = [
        {"url": f"https://site{n % 2}.example/{n}", "text": f"{frame}\n{text}"}
        for n, text in enumerate(
            [*stories(8, 7), *stories(3, 7), stories(4, 7)[3].replace("word12 ", "")]
        )
    ]
    found = same_on_both(neardup.pages, rows, spark, **chosen)
    assert found.counts["pairs"] > 3
    assert chosen or found.counts["boilerplate"] > 0


@pytest.mark.parametrize(
    ("method", "chosen"),
    [
        pytest.param(neardup.documents, {"threshold": 0.3}, marks=pytest.mark.slow),
        pytest.param(
            neardup.documents, {"threshold": 0.3, "measure": "containment"}, marks=pytest.mark.slow
        ),
        pytest.param(neardup.pages, {}, marks=pytest.mark.slow),
        pytest.param(neardup.sentences, {}, marks=pytest.mark.slow),
        pytest.param(neardup.sentences, {"preset": "paper"}, marks=pytest.mark.slow),
        pytest.param(neardup.threads, {"fields": "text=1", "index": "doc"}, marks=pytest.mark.slow),
        pytest.param(neardup.threads, {"fields": "text=1"}, marks=pytest.mark.slow),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_new_against_old_is_the_same(spark: Any, method: Any, chosen: dict[str, Any]) -> None:
    texts = [{"text": text} for text in [*stories(10, 1), *stories(4, 1)]]
    new, old = [*texts[:5], *texts[-2:]], texts[5:-2]
    found = same_on_both(method, new, spark, against=old, within=False, **chosen)
    assert found.counts["pairs"] > 1
    assert found.counts["old_documents"] == len(old)


def test_test_items_in_training_data_are_the_same(spark: Any, tmp_path: Path) -> None:
    asked = stories(6, 4)
    quiz = [{"question": text, "choices": ["one", "two"], "answer": 1} for text in asked]
    (tmp_path / "quiz.jsonl").write_text("\n".join(map(json.dumps, quiz)))
    texts = [
        f"{text}\nB) two A) one" if n % 2 else text.replace(" ", "\n") for n, text in enumerate(asked)
    ]
    found = same_on_both(
        neardup.decontaminate, [*texts, "…"], spark, benchmarks=tmp_path / "quiz.jsonl", max_items=2
    )
    assert found.counts["items_found"] == 6
    assert {"split", "reordered"} <= set(found.pairs["kind"].to_pylist())
