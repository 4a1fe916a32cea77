"""Sorting in parts gives what sorting at once does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from neardup.engines.local import engine
from neardup.engines.local.engine import LocalEngine
from neardup.engines.local.sorting import in_parts, keys_in, ordered
from neardup.engines.local.store import StoredTable
from neardup.plan import Plan, Sql
from neardup.settings.run import RunSettings

ROWS = 1_500_000


def run(work: Path, memory: int) -> StoredTable:
    """Sort many rows in some memory."""
    numbers = np.random.default_rng(1).permutation(ROWS)
    texts = [f"a text that takes memory {n}" for n in numbers.tolist()]
    sort = Sql("sorted", "select text, key / 2 as half, key from {rows} order by key, 1")
    plan = Plan("sorting", ("rows",), (sort,), ("sorted",))
    (work / "steps").mkdir(parents=True)
    local = LocalEngine(work, RunSettings(2, memory, keep_steps=True))
    return local.run(plan, {}, {"rows": pa.table({"key": numbers, "text": texts})})["sorted"]


def test_rows_are_in_parts_where_memory_is_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = []

    def noted(*given: Any) -> Iterator[pa.RecordBatch]:
        parts.append(given[2])
        return in_parts(*given)

    monkeypatch.setattr(engine, "in_parts", noted)
    monkeypatch.setattr(engine, "DUCKDB_LEAST", 20 << 20)
    small = run(tmp_path / "small", 40 << 20)
    large = run(tmp_path / "large", 4 << 30)
    assert parts == [["key", "1"]]
    assert pa.Table.from_batches(small.batches()).equals(pa.Table.from_batches(large.batches()))
    assert not list((tmp_path / "small").rglob("*.apart"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select a, b from t\norder by block_a, 1, 2\n", ("select a, b from t", ["block_a", "1", "2"])),
        ("select a from (select b from t order by b limit 3) u", None),
        ("select a from t order by a desc, b", None),
    ],
)
def test_statements_are_taken_apart(text: str, expected: tuple[str, list[str]] | None) -> None:
    assert ordered(text) == (expected or (text, []))


def test_keys_are_columns_of_the_result() -> None:
    schema = pa.schema([("a", pa.int64()), ("b", pa.int64())])
    assert keys_in(schema, ["block_a", "2", "a"]) == ["b", "a"]
