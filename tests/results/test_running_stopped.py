"""A run that was stopped goes on, unless settings or input are others."""

import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.results.started import RESUMED, contents, steps_of

import neardup


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"candidates": "sampled"},
        {"candidates": "minhash"},
        pytest.param({"measure": "containment"}, marks=pytest.mark.slow),
    ],
    ids=["exact", "sampled", "minhash", "containment"],
)
def test_a_run_that_stopped_after_any_step_goes_on_to_the_same_bytes(
    settings: dict[str, Any], small: Path, tmp_path: Path, command: Command
) -> None:
    path = small
    options = [f"--{name}={value}" for name, value in settings.items()]
    assert command("documents", path, "-o", tmp_path / "whole", *options).code == 0
    steps = steps_of(settings, path)
    # after the candidates, all plans are the same
    for step in steps[: steps.index("verified")] if settings else steps:
        done = command("documents", path, "-o", tmp_path / "out", "--stop-after", step, *options)
        assert done.code == 0
        assert f"stopped after step '{step}'" in done.said
        assert not (tmp_path / "out").exists()
        output = tmp_path / step
        shutil.copytree(tmp_path / "out.partial", tmp_path / f"{step}.partial")
        done = command("documents", path, "-o", output, *options)
        assert done.code == 0
        assert RESUMED in done.said
        assert contents(output) == contents(tmp_path / "whole"), step
        assert not (tmp_path / f"{step}.partial").exists()


def test_stopping_after_a_step_that_there_is_not_is_wrong_usage(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    done = command("documents", files[0], "-o", tmp_path / "out", "--stop-after", "nonsense")
    assert done.code == 2
    assert "nonsense" in done.said
    assert "verified" in done.said, "the steps there are should be listed"
    assert not list(tmp_path.iterdir())


def test_what_a_run_with_other_settings_left_is_not_used(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output, "--stop-after", "verified")
    done = command("documents", files[0], "-o", output, "--threshold", 0.95)
    assert done.code == 0
    assert RESUMED not in done.said
    command("documents", files[0], "-o", tmp_path / "whole", "--threshold", 0.95)
    assert contents(output) == contents(tmp_path / "whole")


def test_what_a_run_that_read_otherwise_left_is_not_used(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    command("documents", files[0], "-o", tmp_path / "out", "--stop-after", "units")
    done = command("documents", files[0], "-o", tmp_path / "out", "--text-column", "id")
    assert done.code == 0
    assert RESUMED not in done.said


@pytest.mark.parametrize("change", ["longer", "same size", "another file"])
def test_what_a_run_over_other_input_left_is_not_used(
    change: str, files: list[Path], tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "in" / "input.jsonl"
    path.parent.mkdir()
    lines = files[0].read_text().splitlines(keepends=True)[:200]
    path.write_text("".join(lines))
    command("documents", path.parent, "-o", tmp_path / "out", "--stop-after", "verified")
    time.sleep(0.02)
    if change == "longer":
        path.write_text("".join([*lines, lines[0]]))
    elif change == "same size":
        path.write_text("".join(reversed(lines)))
    else:
        (path.parent / "more.jsonl").write_text("".join(lines[:50]))
    done = command("documents", path.parent, "-o", tmp_path / "out")
    assert done.code == 0
    assert RESUMED not in done.said
    command("documents", path.parent, "-o", tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_input_that_changes_between_two_runs_is_noticed_by_those_who_read_it_again(
    files: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(files[0].read_bytes())
    result = neardup.documents(path, output=tmp_path / "out")
    path.write_text(path.read_text().upper())
    os.utime(path, ns=(1, 1))
    first = result.pairs.to_pylist()[0]
    with pytest.raises(neardup.InputError, match="changed"):
        neardup.Result(tmp_path / "out").explain(first["id_a"], first["id_b"])
