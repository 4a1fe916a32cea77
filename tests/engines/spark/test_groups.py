"""Graphs that are larger than a task."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neardup.engines.spark import groups
from neardup.kernels.graphs import grouping


@pytest.mark.slow
@settings(
    max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    edges=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14), st.sampled_from([0.5, 0.7, 0.9]))),
    kind=st.sampled_from(["star", "components"]),
)
def test_a_graph_larger_than_a_task_is_grouped_as_a_small_one(
    spark: Any, edges: list[tuple[int, int, float]], kind: Any, tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    known = sorted({(max(a, b), min(a, b)): s for a, b, s in edges if a != b}.items())
    expected = grouping(kind, 15)
    for (worse, better), similarity in known:
        expected.add([worse], [better], [similarity])

    def store(frame: Any, name: str) -> Any:
        frame.write.parquet(str(folder / name))
        return spark.read.parquet(str(folder / name))

    listed = [(*ends, similarity) for ends, similarity in known]
    given_edges = spark.createDataFrame(listed, "worse long, better long, similarity double")
    nodes = spark.range(15).withColumnRenamed("id", "node")
    found = groups.clustered(nodes, given_edges, kind, store, one_task=0).collect()
    keepers, similarities = expected.finish()
    assert [(r["keeper"], r["similarity"]) for r in found] == list(
        zip(keepers, similarities, strict=True)
    )
