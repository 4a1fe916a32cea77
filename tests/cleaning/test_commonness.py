"""How common a record's words are in what is left of a corpus, beside what slow Python says."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from tests.cleaning.recipes import RECIPE, corpus, left_of
from tests.cleaning.records import Write, decoded

import neardup


def by_hand(texts: list[list[str]]) -> list[float]:
    """Return the mean share of each text's runs of four words in all texts; fewer words are one run."""
    runs = [[tuple(words[i : i + 4]) for i in range(max(len(words) - 3, 1))] for words in texts if words]
    counts = Counter(run for own in runs for run in own)
    return [sum(counts[run] for run in own) / len(own) / counts.total() for own in runs]


@pytest.mark.parametrize("workers", [1, 2])
def test_it_is_what_slow_python_says(workers: int) -> None:
    draw = Random(5)
    texts = [[draw.choice("abcd") for _ in range(draw.choice((1, 3, 4, 9, 300)))] for _ in range(200)]
    recipe = {"keep_at_most": 10**6, "stage": [{"name": "exact"}], "add": "commonness"}
    given = [" ".join(words) for words in texts]
    done = neardup.clean(given, recipe=recipe, dry_run=True, workers=workers)
    assert done.result.kept["commonness"].to_pylist() == pytest.approx(by_hand(texts), rel=1e-12)


def test_it_is_that_of_what_is_left(write: Write, tmp_path: Path) -> None:
    path = write("jsonl", corpus())
    added = RECIPE | {"add": "cluster_size, commonness"}
    done = neardup.clean(path, recipe=added, output=tmp_path / "clean")
    left = left_of(corpus(), done.result.ledger.to_pylist())
    wanted = by_hand([record["text"].lower().replace(".", "").split() for record in left[:-1]])
    rows = decoded(done.files[0])
    assert [row["neardup_commonness"] for row in rows[:-1]] == pytest.approx(wanted, rel=1e-12)
    assert rows[0]["neardup_cluster_size"] == 2
    plain = neardup.clean(path, recipe=RECIPE, dry_run=True)
    assert plain.result.kept["commonness"].null_count == plain.result.counts["kept"]
