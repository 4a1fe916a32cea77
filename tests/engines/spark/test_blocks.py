"""Rows in blocks, and what each block looks up."""

from collections import Counter
from typing import Any

from neardup.engines.spark.blocks import in_blocks, wanted_by
from neardup.engines.spark.shards import ADAPTIVE, PARTITIONS
from neardup.engines.spark.tasks import BLOCK, WANTED

PAIRS = [(a, b) for a in range(7) for b in range(a + 1, 7)]  # 21 rows


def blocks_of(spark: Any, together: bool) -> Any:
    return in_blocks(spark.createDataFrame(PAIRS, "a long, b long"), 5, together)


def test_blocks_have_as_many_rows_as_was_said_in_order(spark: Any) -> None:
    rows = sorted((r[BLOCK], r["a"], r["b"]) for r in blocks_of(spark, together=False).collect())
    assert sorted(Counter(block for block, _, _ in rows).values()) == [1, 5, 5, 5, 5]
    assert [(a, b) for _, a, b in rows] == PAIRS


def test_blocks_of_dense_numbers_are_made_by_several_tasks(spark: Any) -> None:
    numbers = 1 << 19
    dense = spark.range(numbers).selectExpr("id as a", "id + 1 as b")
    before = {name: spark.conf.get(name) for name in (ADAPTIVE, PARTITIONS)}
    spark.conf.set(ADAPTIVE, "false")
    spark.conf.set(PARTITIONS, "8")
    try:
        blocks = in_blocks(dense, 4096, together=False)
        found = blocks.selectExpr(BLOCK, "spark_partition_id() as task").groupBy(BLOCK, "task").count()
        rows = found.collect()
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
    assert {row["count"] for row in rows} == {4096}
    assert len({row[BLOCK] for row in rows}) == numbers // 4096
    assert (
        len({row["task"] for row in rows}) >= 4
    )  # of 8: numbers of eight parts, put into tasks by a hash


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
