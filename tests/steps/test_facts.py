"""The table of counts, made of what any plan declares."""

from pathlib import Path

import pyarrow as pa

from neardup.engines.local.engine import LocalEngine
from neardup.plan import Plan
from neardup.settings.run import RunSettings
from neardup.steps import declared, facts
from neardup.tables import Count, summed

NAMED = pa.table(
    {
        "problem": [None, None, "no text", "no text", None, "broken"],
        "given": ["a", "a", None, None, None, "b"],
        "repeated": pa.array([False, True, False, False, False, False]),
    }
)
COPIES = pa.table(
    {
        name: pa.array(values, pa.int64())
        for name, values in {"doc": [0, 1, 2, 3], "first": [0, 0, 0, 3], "rank": [1, 2, 3, 1]}.items()
    }
)
CLUSTERS = pa.table(
    {
        "cluster": pa.array([0, 0, 0, 1, 1], pa.int64()),
        "similarity": [1.0, 0.8, None, 1.0, 0.9],
        "size": pa.array([3, 3, 3, 2, 2], pa.int64()),
    }
)
READ = {"records": 6, "skipped.no text": 2, "skipped.broken": 1, "ids_given_twice": 1}


def counts(folder: Path, *given: Count, **tables: pa.Table) -> dict[str, int]:
    """Run the step alone; return its names and values in their order."""
    step = facts.step(*given)
    assert set(step.inputs) == {"named", *tables}
    plan = Plan("facts", ("named", *tables), (step,), ("facts",))
    table = LocalEngine(folder, RunSettings(1, 1 << 28)).run(plan, {}, {"named": NAMED, **tables})[
        "facts"
    ]
    rows = pa.Table.from_batches(table.batches(), table.schema)
    assert rows.column_names == ["name", "value"]
    assert rows.schema.types == [pa.string(), pa.int64()]
    return dict(zip(rows["name"].to_pylist(), rows["value"].to_pylist(), strict=True))


def test_what_was_read_is_always_counted(tmp_path: Path) -> None:
    found = counts(tmp_path)
    assert found == READ
    assert list(found) == sorted(READ)


def test_copies_are_counted_up_to_the_most_that_are_paired(tmp_path: Path) -> None:
    found = counts(tmp_path, *facts.of_copies(2), copies=COPIES)
    assert found == READ | {
        "documents": 4,
        "identical_copies": 2,
        "copies_with_first_only": 1,
    }


def test_clusters_are_counted_and_what_they_hold_too_many(tmp_path: Path) -> None:
    found = counts(tmp_path, *declared.OF_CLUSTERS, declared.CLUSTER_SIZES, clusters=CLUSTERS)
    assert found == READ | {
        "clusters": 2,
        "cluster_sizes.2": 1,
        "cluster_sizes.3": 1,
        "duplicates": 3,
        "not_similar_to_keeper": 1,
    }


def test_a_plan_counts_rows_and_kinds_and_sums(tmp_path: Path) -> None:
    pairs = pa.table({"kind": ["same", "like", "like"], "words": pa.array([3, 4, 5], pa.int64())})
    given = (
        Count("pairs", "pairs", "pairs"),
        Count("long_pairs", "pairs of many words", "pairs", "words > 3"),
        Count("pairs", "pairs", "pairs", by="kind"),
        Count("words", "words of pairs", "pairs", value=summed("words")),
        Count("words_of_none", "words of none", "none", value=summed("words")),
        Count("both", "pairs of pairs", "{pairs} a join {pairs} b on a.words < b.words"),
    )
    expected = {"pairs": 3, "long_pairs": 2, "pairs.like": 2, "pairs.same": 1, "words": 12, "both": 3}
    found = counts(tmp_path, *given, pairs=pairs, none=pairs.slice(0, 0))
    assert found == READ | expected | {"words_of_none": 0}
