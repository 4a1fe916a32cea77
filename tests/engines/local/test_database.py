"""Connections to DuckDB: kept from run to run, with the settings of each."""

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from neardup.engines.local import database
from neardup.engines.local.database import MOST_IDLE, connect, leave

FEW = pa.table({"number": [1, 2, 3]})


@pytest.fixture(autouse=True)
def none_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "IDLE", {})


def settings(folder: Path, threads: int = 1) -> dict[str, Any]:
    return {"threads": threads, "memory_limit": "65536KiB", "temp_directory": str(folder)}


def test_the_next_run_gets_the_connection_without_its_tables(tmp_path: Path) -> None:
    first = connect(settings(tmp_path / "a"))
    first.register("few", FEW)
    assert first.sql("select sum(number) from few").fetchall() == [(6,)]
    leave(first, ["few"])
    second = connect(settings(tmp_path / "b", 2))
    assert second is first
    asked = "select current_setting('threads'), current_setting('temp_directory')"
    assert second.sql(asked).fetchall() == [(2, str(tmp_path / "b"))]
    with pytest.raises(duckdb.CatalogException):
        second.sql("select * from few")
    assert connect(settings(tmp_path / "c")) is not first, "it is in use"


def test_one_that_wrote_to_its_temporary_folder_is_not_taken_again(tmp_path: Path) -> None:
    first = connect(settings(tmp_path / "a"))
    spilling = "select count(*) from (select distinct range, hash(range) from range(6000000))"
    assert first.sql(spilling).fetchall() == [(6_000_000,)]
    leave(first, [])
    second = connect(settings(tmp_path / "b"))
    asked = "select current_setting('temp_directory')"
    assert second.sql(asked).fetchall() == [(str(tmp_path / "b"),)]


def test_only_a_few_are_kept_and_none_for_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections = [connect(settings(tmp_path)) for _ in range(MOST_IDLE + 1)]
    for connection in connections:
        leave(connection, [])
    assert [len(idle) for idle in database.IDLE.values()] == [MOST_IDLE]
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert connect(settings(tmp_path)) not in connections
