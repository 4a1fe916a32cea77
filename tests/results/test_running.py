"""Runs: the same bytes however they are made, and what they leave."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.command_line import call
from tests.results.started import CANDIDATES, contents, steps_of

import neardup
from neardup.engines.local.store import StoredTable
from neardup.errors import SettingsError

# --- the same bytes


@pytest.mark.parametrize("candidates", CANDIDATES)
def test_any_number_of_workers_and_any_order_of_files_give_the_same_bytes(
    candidates: Any, files: list[Path], tmp_path: Path, many_parts: None
) -> None:
    found = []
    for workers, order in zip((1, 2, 3), [files, *list(permutations(files))[3:5]], strict=True):
        output = tmp_path / f"out{workers}"
        neardup.documents(order, output=output, candidates=candidates, workers=workers, memory="64MB")
        found.append(contents(output))
    assert sorted(found[0]) == [
        "clusters.parquet", "documents.parquet", "pairs.parquet", "rejected.parquet", "run.json",
        "skipped.parquet",
    ]  # fmt: skip
    assert json.loads(found[0]["run.json"])["counts"]["pairs"] > 50
    assert found[0] == found[1] == found[2]


def test_files_named_twice_in_a_shell_give_the_same_bytes(files: list[Path], tmp_path: Path) -> None:
    """Run the commands of docs/results.md, in processes whose hashing of strings differs."""
    folder = files[0].parent
    names = [path.name for path in files]
    one = call("documents", *names, "-o", tmp_path / "r1", "--workers", 1, cwd=folder)
    two = call(
        "documents", *reversed(names), names[0], "-o", tmp_path / "r2", "--workers", 2, cwd=folder
    )
    assert (one.code, two.code) == (0, 0)
    assert contents(tmp_path / "r1") == contents(tmp_path / "r2")


def test_only_the_timings_differ(files: list[Path], tmp_path: Path) -> None:
    result = neardup.documents(files[0], output=tmp_path / "out")
    timings = json.loads((result.folder / "timings.json").read_text())
    assert timings["seconds"] > 0
    assert "units" in timings["steps"]
    others = {path.name for path in result.folder.iterdir()} - set(contents(result.folder))
    assert others == {"timings.json"}


# --- looking inside


@pytest.mark.parametrize("workers", [1, 2])
def test_the_tables_of_all_steps_are_kept_when_asked_for(
    workers: int, files: list[Path], tmp_path: Path
) -> None:
    result = neardup.documents(files[0], output=tmp_path / "out", keep_steps=True, workers=workers)
    tables = {path.name[3:]: StoredTable(path) for path in sorted((result.folder / "steps").iterdir())}
    folds = {"counts"}
    assert {*tables} == {*steps_of({}, files[0])} - folds
    rows = 0
    for part in tables["units"].parts:
        with pa.ipc.open_file(str(part)) as file:
            rows += file.read_all().num_rows
    assert rows == result.counts["records"]
    assert tables["pairs"].rows() == result.counts["pairs"]
    assert tables["candidates"].rows() == result.counts["candidates"]


def test_steps_are_gone_when_nobody_asked_for_them(files: list[Path], tmp_path: Path) -> None:
    result = neardup.documents(files[0], output=tmp_path / "out")
    assert not any(path.is_dir() for path in result.folder.iterdir())


def test_columns_of_users_may_be_called_as_declared_ones_are() -> None:
    texts = [{"text": f"the ferry to the islands stays in harbour {n}", "old": "x"} for n in range(2)]
    assert neardup.documents(texts, columns=["old"]).documents["old"].to_pylist() == ["x", "x"]


def test_memory_that_is_too_small_for_a_record_is_said_before_the_run(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.truncate(700 << 20)  # of which nothing is read
    with pytest.raises(SettingsError, match="700MB takes up to 7GB of memory, and memory is 2048MB"):
        neardup.documents(path, output=tmp_path / "out", memory="2GB", max_record="1GB")
    with pytest.raises(SettingsError, match="512MB takes up to 6GB"):
        neardup.documents(path, output=tmp_path / "out", memory="2GB", max_record="512MiB")
    assert not (tmp_path / "out").exists()
