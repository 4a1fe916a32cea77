"""Rows in blocks, and what each block looks up."""

from collections import Counter
from typing import Any

from neardup.engines.spark.blocks import in_blocks, wanted_by
from neardup.engines.spark.tasks import BLOCK, WANTED

PAIRS = [(a, b) for a in range(7) for b in range(a + 1, 7)]  # 21 rows


def blocks_of(spark: Any, together: bool) -> Any:
    return in_blocks(spark.createDataFrame(PAIRS, "a long, b long"), 5, together)


def test_blocks_have_as_many_rows_as_was_said_in_order(spark: Any) -> None:
    rows = sorted((r[BLOCK], r["a"], r["b"]) for r in blocks_of(spark, together=False).collect())
    assert sorted(Counter(block for block, _, _ in rows).values()) == [1, 5, 5, 5, 5]
    assert [(a, b) for _, a, b in rows] == PAIRS


def test_rows_that_belong_together_are_in_one_block(spark: Any) -> None:
    blocks: dict[int, set[int]] = {}
    for row in blocks_of(spark, together=True).collect():
        blocks.setdefault(row["a"], set()).add(row[BLOCK])
    assert all(len(own) == 1 for own in blocks.values())


def test_each_block_gets_what_it_wants_once(spark: Any) -> None:
    blocks = blocks_of(spark, together=False)
    table = spark.createDataFrame([(n, f"text {n}") for n in range(6)], "doc long, text string")
    wanted = {(r[BLOCK], key) for r in blocks.collect() for key in (r["a"], r["b"]) if key < 6}
    found = wanted_by(blocks, table, ("a", "b")).collect()
    assert sorted((r[WANTED], r["doc"]) for r in found) == sorted(wanted)
    assert all(r["text"] == f"text {r['doc']}" for r in found)
