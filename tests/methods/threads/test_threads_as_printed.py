"""threads --preset paper, held against a plain reading of the paper."""

import json
import random
from typing import Any

import pytest
from tests.corpora import forum
from tests.quality import DATA
from tests.twins import papers

import neardup

REPORTS = DATA / "bug-reports" / "reports.jsonl"


def check_as_printed(threads: list[dict[str, Any]]) -> int:
    expected = {(a, b): similarity for a, b, similarity in papers.similar_threads(threads)}
    rows = neardup.threads(threads, preset="paper").pairs.to_pylist()
    found = {(row["doc_a"], row["doc_b"]): row["similarity"] for row in rows}
    assert found == pytest.approx(expected)
    return len(found)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_those_of_equation_4(seed: int) -> None:
    dice = random.Random(seed)
    threads = forum(120, seed)
    for thread in threads:
        for name in ("body", "answer"):
            if dice.random() < 0.15:
                thread[name] = None
    assert check_as_printed(threads) > 20


@pytest.mark.skipif(not REPORTS.is_file(), reason="needs reports of bugs in NEARDUP_DATA")
def test_pairs_of_real_reports_are_those_of_equation_4() -> None:
    """Of neighbours in the order of titles, each cut into three fields."""
    rows = [json.loads(line) for line in REPORTS.open(encoding="utf-8")]
    threads = []
    for row in sorted(rows, key=lambda own: own["title"])[:400]:
        text = papers.words(f"{row['title']} {row['body']}")
        threads.append(
            {"title": " ".join(text[:8]), "body": " ".join(text[8:30]), "answer": " ".join(text[30:])}
        )
    assert check_as_printed(threads) > 3
