"""Clusters on Spark: connected components first; where stars are asked for, each component in one task.

Components are found by alternating large-star and small-star operations (Kiveris et al., 2014): each
round is a few joins, and there are few rounds. A graph that one task can hold needs none.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa

from neardup.engines.spark.session import functions_of
from neardup.engines.spark.tasks import Batches, as_one

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ONE_TASK = 4_000_000  # edges: some 100 MB
MEMBERS = "node long, keeper long, similarity double"
Store = Callable[["DataFrame", str], "DataFrame"]


def clustered(
    nodes: "DataFrame",
    edges: "DataFrame",
    kind: Literal["star", "components"],
    store: Store,
    one_task: int = ONE_TASK,
) -> "DataFrame":
    """Return each node's keeper and similarity; `store` writes what is read again and again."""
    sql = functions_of(edges)
    known = edges.select("worse", "better", "similarity")
    if known.count() <= one_task:
        members = known.coalesce(1).mapInArrow(grouping(kind), MEMBERS)
    else:
        labels = components(known, store)
        labelled = known.join(labels.withColumnRenamed("node", "worse"), "worse")
        if kind == "components":
            members = whole_components(labels, labelled)
        else:
            parts = labelled.repartition("component").select(*known.columns)
            members = parts.mapInArrow(grouping(kind), MEMBERS)
    own = nodes.select(nodes[nodes.columns[0]].alias("node")).join(members, "node", "left")
    return own.select(
        "node",
        sql.coalesce("keeper", "node").alias("keeper"),
        sql.coalesce("similarity", sql.lit(1.0)).alias("similarity"),
    ).orderBy("node")


def whole_components(labels: "DataFrame", edges: "DataFrame") -> "DataFrame":
    """Return the members of components of any size, each with the lowest similarity of its component."""
    sql = functions_of(labels)
    lowest = edges.groupBy("component").agg(sql.min("similarity").alias("similarity"))
    keepers = lowest.select(sql.col("component").alias("node"), "component", "similarity")
    others = labels.join(lowest, "component").select("node", "component", "similarity")
    return others.union(keepers).withColumnRenamed("component", "keeper")


def grouping(kind: Literal["star", "components"]) -> Callable[[Batches], Batches]:
    """Return the task that groups the nodes of whole components by their edges."""

    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        from neardup.kernels import graphs

        for batch in as_one(batches):
            worse, better, similarity = (column.to_numpy() for column in batch.columns)
            order = np.lexsort((better, worse))
            names, numbers = np.unique(np.concatenate([worse, better]), return_inverse=True)
            groups = graphs.grouping(kind, len(names))
            groups.add(numbers[: len(worse)][order], numbers[len(worse) :][order], similarity[order])
            keepers, similarities = groups.finish()
            columns = [names, names[keepers], similarities]
            yield pa.RecordBatch.from_arrays(
                [pa.array(c) for c in columns], names=["node", "keeper", "similarity"]
            )

    return run


def components(edges: "DataFrame", store: Store) -> "DataFrame":
    """Return for each node the lowest one that it is connected to; not for those lowest ones."""
    sql = functions_of(edges)
    links = edges.select(sql.col("worse").alias("u"), sql.col("better").alias("v")).distinct()
    links, last, number = store(links, "links-0"), None, 0
    while (sums := checksum(links)) != last:
        last, number = sums, number + 1
        links = store(small_star(large_star(links)), f"links-{number}")
    return links.toDF("node", "component")


def large_star(links: "DataFrame") -> "DataFrame":
    """Link each node's larger neighbours to the least of its neighbours and itself."""
    sql = functions_of(links)
    both = links.union(links.select("v", "u")).toDF("u", "v")
    least = both.groupBy("u").agg(sql.min("v").alias("least"))
    near = both.join(least, "u").where("v > u")
    return near.select(sql.col("v").alias("u"), sql.least("u", "least").alias("v")).distinct()


def small_star(links: "DataFrame") -> "DataFrame":
    """Link each node and its smaller neighbours to the least of them."""
    sql = functions_of(links)
    down = links.select(sql.greatest("u", "v").alias("u"), sql.least("u", "v").alias("v"))
    least = down.groupBy("u").agg(sql.min("v").alias("least"))
    others = down.join(least, "u").where("v <> least").select(sql.col("v").alias("u"), "least")
    return others.union(least).toDF("u", "v").distinct()


def checksum(links: "DataFrame") -> tuple[int, int]:
    """Return two numbers that stay the same when the links do."""
    sql = functions_of(links)
    mixed = sql.xxhash64("u", "v").cast("decimal(38,0)")
    row = links.agg(sql.count("*"), sql.sum(mixed)).collect()[0]
    return int(row[0]), int(row[1] or 0)
