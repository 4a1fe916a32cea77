"""The kind of a pair is the same in SQL, of a table, and of one pair."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from neardup.engines.local.engine import LocalEngine
from neardup.plan import Plan, Sql
from neardup.settings.run import RunSettings
from neardup.steps.pair_kinds import (
    CONTAINED,
    IDENTICAL,
    NEAR_DUPLICATE,
    kind_by_shares,
    kind_by_shares_sql,
    kind_sql,
    with_kinds,
)


def in_sql(folder: Path, kind: str, pairs: pa.Table) -> list[str]:
    """Return what an SQL expression makes of pairs."""
    text = f"select number, {kind} as kind from {{pairs}} order by number"
    plan = Plan("kinds", ("pairs",), (Sql("kinds", text),), ("kinds",))
    numbered = pairs.append_column("number", pa.array(range(len(pairs)), pa.int64()))
    table = LocalEngine(folder, RunSettings(1, 1 << 28)).run(plan, {}, {"pairs": numbered})["kinds"]
    return [kind for batch in table.batches() for kind in batch["kind"].to_pylist()]


def random_pairs(limit: float) -> pa.Table:
    """Make shares that common shingles are of two sets; some are one, some exactly at the limit."""
    chance = np.random.default_rng(5)
    sizes = chance.integers(1, 40, (2, 2_000))
    common = np.minimum(chance.integers(1, 40, 2_000), sizes.min(axis=0))
    shares = common / sizes
    shares[0, :300] = chance.choice([1.0, limit, np.nextafter(limit, 0), np.nextafter(limit, 1)], 300)
    same = (shares == 1).all(axis=0) & (chance.random(2_000) < 0.5)
    kinds = np.where(same, IDENTICAL, NEAR_DUPLICATE).tolist()
    return pa.table({"containment_a": shares[0], "containment_b": shares[1], "kind": kinds})


@pytest.mark.parametrize("limit", [0.1, 0.5, 0.7, 0.8, 0.95, 1.0, 1 / 3, 0.1 + 0.2])
def test_three_forms_agree(limit: float, tmp_path: Path) -> None:
    pairs = random_pairs(limit)
    shares = (pairs["containment_a"].to_pylist(), pairs["containment_b"].to_pylist())
    same = [kind == IDENTICAL for kind in pairs["kind"].to_pylist()]
    one_by_one = [kind_by_shares(*pair, limit) for pair in zip(same, *shares, strict=True)]
    assert set(one_by_one) == {IDENTICAL, CONTAINED, NEAR_DUPLICATE}
    assert with_kinds(pairs, limit)["kind"].to_pylist() == one_by_one
    sql = kind_by_shares_sql(f"kind = '{IDENTICAL}'", "containment_a", "containment_b", limit)
    assert in_sql(tmp_path, sql, pairs) == one_by_one


def test_a_share_at_the_limit_is_not_below_it() -> None:
    assert kind_by_shares(False, 1, 0.1 + 0.2, 0.3) == NEAR_DUPLICATE
    assert kind_by_shares(False, 1, 0.3, 0.1 + 0.2) == NEAR_DUPLICATE
    assert kind_by_shares(False, 1, 0.29, 0.3) == CONTAINED


def test_conditions_are_tried_in_order(tmp_path: Path) -> None:
    pairs = pa.table({"same": [1, 1, 0, 0], "inside": [0, 1, 0, 1]})
    kinds = in_sql(tmp_path, kind_sql("same = 1", "inside = 1"), pairs)
    assert kinds == [IDENTICAL, IDENTICAL, NEAR_DUPLICATE, CONTAINED]
    kinds = in_sql(tmp_path / "other", kind_sql("same = 1"), pairs)
    assert kinds == [IDENTICAL, IDENTICAL, NEAR_DUPLICATE, NEAR_DUPLICATE]
