"""The driver runs statements over small tables."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from neardup.engines.base import Silent
from neardup.engines.spark import small
from neardup.plan import Cluster as ClusterStep
from neardup.plan import Map, Sql, Step

EDGE = "select 1::bigint as worse, 0::bigint as better, 0.5::double as similarity"


def test_the_driver_runs_what_reads_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = pa.schema([("doc", pa.int64()), ("extra_0", pa.string()), ("keys", pa.list_(pa.int64()))])
    units = Map("units", "records", lambda batch, _: batch, schema)
    (tmp_path / "units").mkdir()
    columns = {"doc": [2, 1], 'a "name".x': ["b", None], "keys": [b"12345678", b""]}
    pq.write_table(pa.table(columns), tmp_path / "units" / "part-0.parquet")
    steps: dict[str, Step] = {
        "units": units,
        "some": Sql("some", "select doc, extra_0 from {units}, {files} f"),
        "sorted": Sql("sorted", "select doc, extra_0 from {some} order by doc"),
        "lists": Sql("lists", "select keys from {units}"),
        "unknown": Sql("unknown", "select 1 as one from {lists}"),
        "edges": Sql("edges", EDGE),
        "grouped": ClusterStep("grouped", "units", "edges", "star"),
    }
    with small.SmallTables(tmp_path / "spill", {"files": pa.table({"file": [0]})}) as tables:
        tables.open(units, tmp_path / "units", {'a "name".x': "extra_0"})
        assert [n for n, step in steps.items() if tables.suffice_for(step, steps)] == [
            *("some", "sorted", "edges", "grouped")
        ]
        for name in ("sorted", "grouped"):
            tables.write(steps[name], tmp_path / name, {"extra_0": "a.b"}, Silent())
        monkeypatch.setattr(small, "MOST_BYTES", 8)
        assert not tables.suffice_for(steps["some"], steps)
    found = small.WrittenTable(tmp_path / "sorted", {"a.b": "extra_0"})
    assert pq.read_table(tmp_path / "sorted").column_names == ["doc", "a.b"]
    assert [row for batch in found.batches() for row in batch.to_pylist()] == [
        {"doc": 1, "extra_0": None},
        {"doc": 2, "extra_0": "b"},
    ]
    assert found.schema.names == list(found.sizes()) == ["doc", "extra_0"]
    assert pq.read_table(tmp_path / "grouped")["keeper"].to_pylist() == [0, 0]
    assert (tmp_path / "sorted" / "_SUCCESS").exists()
