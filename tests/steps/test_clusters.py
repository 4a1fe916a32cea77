"""Clusters: which of several documents is kept."""

import random

import duckdb
import pyarrow as pa
import pytest

from neardup.errors import SettingsError
from neardup.steps.clusters import in_sql, keeper_order


def test_the_order_of_values_from_the_best_to_the_worst() -> None:
    best_first = ["inf", "1e3", "999.5", " 10", "9", ".5", "-1", "-1.5", "zebra", "nan", "apple", None]
    shuffled = pa.table({"id": [str(i) for i in range(12)], "extra_0": best_first})
    shuffled = shuffled.take(random.Random(1).sample(range(12), 12))
    order = in_sql(keeper_order("score", {"score": "extra_0"}))
    found = duckdb.execute(f"select extra_0 from shuffled d order by {order}").fetchall()
    assert [row[0] for row in found] == best_first


SOURCES = [
    "crawl/a.jsonl",
    "x/wikipedia/1.jsonl",
    "books-2.txt",
    "mywikipedia.txt",
    "wikipedia.jsonl.gz",
    "books",
]


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ("source:wikipedia>books*>crawl", [1, 4, 2, 5, 0, 3]),
        ("source:crawl", [0, 1, 2, 3, 4, 5]),
        ("source:*.jsonl", [0, 1, 4, 2, 3, 5]),
        ("score:asc", [5, 4, 3, 2, 1, 0]),
        ("score:desc", [1, 2, 3, 4, 5, 0]),
        ("kind:b>a,score", [2, 3, 1, 4, 5, 0]),
        ("kind:b>?,score:asc", [3, 2, 5, 4, 1, 0]),
        ("source:books*,kind:a,score:asc", [5, 2, 4, 1, 3, 0]),
    ],
)
def test_what_is_preferred_comes_first(keep: str, expected: list[int]) -> None:
    table = pa.table(
        {
            "id": [str(i) for i in range(6)],
            "source": SOURCES,
            "extra_0": [None, "50", "40", "30", "20", "10"],
            "extra_1": [None, "a", "b", "b", "a", "a"],
        }
    )
    order = in_sql(keeper_order(keep, {"score": "extra_0", "kind": "extra_1"}))
    with duckdb.connect() as database:
        database.register("documents", table)
        found = database.execute(f"select id from documents d order by {order}").fetchall()
    assert [int(row[0]) for row in found] == expected


@pytest.mark.parametrize("keep", ["source", "source:", "beauty:asc", "source:a'b", "longest:asc", ""])
def test_what_nobody_can_keep_by_is_refused(keep: str) -> None:
    with pytest.raises(SettingsError, match="cannot keep by"):
        keeper_order(keep, {"score": "extra_0"})
