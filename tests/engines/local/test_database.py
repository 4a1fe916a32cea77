"""Connections to DuckDB: kept from run to run, with the settings of each."""

import os
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from neardup.engines.local import database
from neardup.engines.local.database import MOST_IDLE, Database

FEW = pa.table({"number": [1, 2, 3]})


@pytest.fixture(autouse=True)
def none_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "IDLE", {})


def opened(folder: Path, threads: int = 1) -> Database:
    limits: dict[str, Any] = {"threads": threads, "memory_limit": "24576KiB"}
    return Database({**limits, "temp_directory": str(folder)})


def asked(database: Database, text: str) -> list[dict[str, Any]]:
    return list(database.stream(text, 1024).read_all().to_pylist())


def test_a_duckdb_with_other_insides_gives_the_same(tmp_path: Path) -> None:
    class Cursor:
        """What DuckDB promises, and nothing else."""

        def __init__(self, cursor: Any) -> None:
            self.sql = cursor.sql

    own = opened(tmp_path)
    own.register("few", FEW)
    text = "select number from few where number > 1"
    usual = asked(own, text)
    assert hasattr(own._cursor, "_submit"), "with the DuckDB that is installed, the short way is taken"
    own._cursor = Cursor(own._cursor)
    assert asked(own, text) == usual == [{"number": 2}, {"number": 3}]


def test_the_next_run_gets_the_instance_with_its_own_settings_and_tables(tmp_path: Path) -> None:
    first = opened(tmp_path / "a")
    first.register("few", FEW)
    assert "few" in first
    assert asked(first, "select sum(number) as total from few") == [{"total": 6}]
    first.leave()
    [instance] = database.IDLE[os.getpid()]
    second = opened(tmp_path / "b", 2)
    assert second._instance is instance
    now = "select current_setting('threads') as threads, current_setting('temp_directory') as folder"
    assert asked(second, now) == [{"threads": 2, "folder": str(tmp_path / "b")}]
    assert "few" not in second
    with pytest.raises(duckdb.CatalogException):
        asked(second, "select * from few")
    assert opened(tmp_path / "c")._instance is not instance, "it is in use"


def test_threads_are_as_many_as_a_statement_has_use_for(tmp_path: Path) -> None:
    one = opened(tmp_path)
    now = "select current_setting('threads') as threads"
    for threads in (3, 3, 1):
        one.use(threads)
        assert asked(one, now) == [{"threads": threads}]


def test_one_that_wrote_to_its_temporary_folder_is_not_taken_again(tmp_path: Path) -> None:
    first = opened(tmp_path / "a")
    first.register("many", pa.table({"number": np.arange(1_000_000)}))
    spilling = "select count(*) as n from (select distinct number, hash(number) from many)"
    assert asked(first, spilling) == [{"n": 1_000_000}]
    assert (tmp_path / "a").exists(), "it was written to"
    first.leave()
    now = "select current_setting('temp_directory') as folder"
    assert asked(opened(tmp_path / "b"), now) == [{"folder": str(tmp_path / "b")}]


def test_only_a_few_are_kept_and_none_for_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = [opened(tmp_path) for _ in range(MOST_IDLE + 1)]
    for each in used:
        each.leave()
    assert [len(idle) for idle in database.IDLE.values()] == [MOST_IDLE]
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert opened(tmp_path)._instance not in [each._instance for each in used]


def test_statements_run_where_duckdb_has_only_what_it_promises(tmp_path: Path) -> None:
    fast = opened(tmp_path)
    plain = opened(tmp_path)

    class Promised:
        sql = plain._cursor.sql

    plain._cursor = Promised()
    text = "select range as n, concat('x', range) as name from range(3) order by 1"
    assert plain.stream(text, 2).read_all() == fast.stream(text, 2).read_all()
