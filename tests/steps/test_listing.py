"""Which pairs are listed."""

import random
from pathlib import Path
from typing import Any

import pytest

import neardup
from neardup.errors import SettingsError
from neardup.steps import listing

WORDS = [f"w{n}" for n in range(40)]


def rows(seed: int) -> list[str]:
    """Return short texts, many of them alike, some identical."""
    pick = random.Random(seed)
    frames = [[pick.choice(WORDS) for _ in range(12)] for _ in range(4)]
    texts = [[*pick.choice(frames), str(pick.randint(1, 9))] for _ in range(60)]
    return [" ".join(text) for text in texts]


def with_keepers(result: neardup.Result) -> list[dict[str, object]]:
    """Return those pairs of a result of which one is the other's keeper."""
    keeper = {row["id"]: row["keeper_id"] for row in result.clusters.to_pylist()}
    rows = result.pairs.to_pylist()
    return [r for r in rows if r["id_b"] == keeper.get(r["id_a"]) or r["id_a"] == keeper.get(r["id_b"])]


@pytest.mark.parametrize("clusters", ["star", "components"])
@pytest.mark.parametrize("measure", ["resemblance", "containment"])
def test_pairs_with_keepers_are_those_of_all_pairs(clusters: str, measure: str) -> None:
    chosen: dict[str, Any] = {"clusters": clusters, "measure": measure, "threshold": 0.6}
    every = neardup.documents(rows(1), pairs="all", **chosen)
    some = neardup.documents(rows(1), pairs="keeper", **chosen)
    none = neardup.documents(rows(1), pairs="none", **chosen)
    assert some.clusters.equals(every.clusters)
    assert none.clusters.equals(every.clusters)
    assert some.pairs.to_pylist() == with_keepers(every)
    assert none.pairs.num_rows == 0
    assert none.pairs.schema == every.pairs.schema
    for result in (some, none):
        assert result.counts["pairs"] == every.pairs.num_rows
        assert result.counts["pairs_not_listed"] == every.pairs.num_rows - result.pairs.num_rows
    assert "pairs_not_listed" not in every.counts


def test_pairs_with_old_keepers_are_those_of_all_pairs() -> None:
    chosen: dict[str, Any] = {"against": rows(2), "threshold": 0.6}
    every = neardup.documents(rows(1) + rows(2)[:20], pairs="all", **chosen)
    some = neardup.documents(rows(1) + rows(2)[:20], pairs="keeper", **chosen)
    assert some.clusters.equals(every.clusters)
    assert some.pairs.to_pylist() == with_keepers(every)
    assert some.counts["pairs"] == every.pairs.num_rows


def test_all_pairs_are_listed_unless_there_are_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    every = neardup.documents(rows(3), pairs="all")
    usual = neardup.documents(rows(3))
    assert usual.pairs.equals(every.pairs)
    monkeypatch.setattr(listing, "MANY", every.pairs.num_rows - 1)
    few = neardup.documents(rows(3))
    assert few.pairs.equals(neardup.documents(rows(3), pairs="keeper").pairs)
    assert few.counts["pairs_not_listed"] > 0


def test_other_clusters_are_refused_where_pairs_are_missing(tmp_path: Path) -> None:
    found = neardup.documents(rows(4), pairs="keeper", output=tmp_path / "found")
    with pytest.raises(SettingsError, match="does not list"):
        found.rethreshold(0.9)
    with pytest.raises(SettingsError, match="does not list"):
        found.deduplicated(rows(4), clusters="components")
    assert neardup.report(found, tmp_path / "report.html").path.exists()
