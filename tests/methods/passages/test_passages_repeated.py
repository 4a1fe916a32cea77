"""passages: the same bytes, however they are computed."""

from pathlib import Path

import pytest
from tests.command_line import Command
from tests.methods.passages.finding import contents, run

import neardup
from neardup.engines.local import engine as local
from neardup.readers import jsonl


def test_the_bytes_of_a_result_do_not_depend_on_workers_or_the_order_of_files(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", 8_000)
    monkeypatch.setattr(local, "TASK_BYTES", 10_000)
    run(files, output=tmp_path / "one", workers=1, max_documents=7)
    expected = contents(tmp_path / "one")
    assert neardup.Result(tmp_path / "one").counts["passages"] > 100
    for number, workers in enumerate([2, 3]):
        shuffled = [files[at] for at in ([2, 0, 1], [1, 2, 0])[number]]
        run(shuffled, output=tmp_path / str(workers), workers=workers, max_documents=7)
        assert contents(tmp_path / str(workers)) == expected


def test_counts_are_sorted(files: list[Path]) -> None:
    result = run(files[:1])
    assert list(result.counts) == sorted(result.counts)


def test_result_tables_are_sorted(files: list[Path]) -> None:
    result = run(files, workers=2)
    for name, keys in {
        "documents": ["doc"],
        "passages": ["doc_a", "doc_b", "start_a", "start_b"],
        "pairs": ["doc_a", "doc_b"],
        "boilerplate": ["doc", "start"],
    }.items():
        found = [tuple(row[key] for key in keys) for row in result.table(name).to_pylist()]
        assert found == sorted(found), name
        assert len(found) == len(set(found)) or name == "passages"


@pytest.mark.parametrize("step", ["texts", "kept", "proposed", "hits", "found"])
def test_a_stopped_run_goes_on_where_it_was(
    step: str, files: list[Path], tmp_path: Path, command: Command
) -> None:
    arguments = ["passages", *files, "-o", tmp_path / "out", "--workers", "1", "--memory", "64MB"]
    done = command(*arguments, "--stop-after", step)
    assert done.code == 0
    assert f"stopped after step '{step}'" in done.said
    done = command(*arguments)
    assert done.code == 0
    assert "going on with an interrupted run" in done.said
    run(files, output=tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
