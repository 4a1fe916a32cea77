"""Clusters: which of several documents is kept."""

import random

import duckdb
import pyarrow as pa

from neardup.steps.clusters import in_sql, keeper_order


def test_the_order_of_values_from_the_best_to_the_worst() -> None:
    best_first = ["inf", "1e3", "999.5", " 10", "9", ".5", "-1", "-1.5", "zebra", "nan", "apple", None]
    shuffled = pa.table({"id": [str(i) for i in range(12)], "extra_0": best_first})
    shuffled = shuffled.take(random.Random(1).sample(range(12), 12))
    order = in_sql(keeper_order("score", {"score": "extra_0"}))
    found = duckdb.execute(f"select extra_0 from shuffled d order by {order}").fetchall()
    assert [row[0] for row in found] == best_first
