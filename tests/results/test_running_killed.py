"""A run that is killed, interrupted or out of disk goes on to the same bytes."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.command_line import Command, call
from tests.results.started import RESUMED, contents, done_steps, start, wait_for


@pytest.mark.slow
def test_a_run_killed_after_step_upon_step_goes_on_each_time(
    large: Path, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    output, steps = tmp_path / "out", tmp_path / "out.partial" / "steps"
    arguments = ["documents", large.name, "-o", output, "--keep-steps"]
    before: dict[str, tuple[int, int]] = {}
    kills = 0
    for name in ("units", "keys", "shared", "verified", "pairs", "clusters"):
        process = start(*arguments, cwd=large.parent)
        wait_for(process, steps, name)
        process.kill()
        _, errors = process.communicate()
        if process.returncode == 0:  # it was faster than we were
            break
        kills += 1
        assert process.returncode == -signal.SIGKILL
        assert not output.exists()
        assert (RESUMED in errors) == bool(before)
        now = done_steps(steps)
        assert any(name in step for step in now)
        assert {step: now.get(step) for step in before} == before, "a step was done again"
        before = now
    assert kills >= 3
    if not output.exists():
        done = call(*arguments, cwd=large.parent)
        assert done.code == 0, done.err
        assert RESUMED in done.err
    after = done_steps(output / "steps")
    assert {step: after.get(step) for step in before} == before
    assert contents(output) == undisturbed


@pytest.mark.parametrize("delay", [1.2, 1.8, 2.6])
def test_a_run_killed_at_any_moment_gives_the_same_bytes(
    delay: float, large: Path, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    process = start("documents", large.name, "-o", output, cwd=large.parent)
    time.sleep(delay)
    process.kill()
    process.communicate()
    if output.exists():  # it had finished, if only just
        assert contents(output) == undisturbed
    done = call("documents", large.name, "-o", output, "--overwrite", cwd=large.parent)
    assert done.code == 0, done.err
    assert contents(output) == undisturbed
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_with_the_usual_code_and_a_hint(
    number: signal.Signals, large: Path, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("whoever started this wants the signal to be ignored, as nohup does")
    process = start("documents", large.name, "-o", output, cwd=large.parent)
    wait_for(process, tmp_path / "out.partial" / "steps", "units")
    process.send_signal(number)
    _, errors = process.communicate()
    assert process.returncode == 128 + number
    assert "the same command goes on" in errors
    assert "Traceback" not in errors
    assert not output.exists()
    done = call("documents", large.name, "-o", output, cwd=large.parent)
    assert RESUMED in done.err
    assert contents(output) == undisturbed


def test_a_run_that_works_keeps_others_out_and_finishes(
    large: Path, undisturbed: dict[str, bytes], tmp_path: Path, command: Command
) -> None:
    process = start("documents", large, "-o", tmp_path / "out", cwd=large.parent)
    while not (tmp_path / "out.partial" / "steps").exists() and process.poll() is None:
        time.sleep(0.001)
    done = command("documents", large, "-o", tmp_path / "out")
    process.communicate()
    assert (done.code, process.returncode) == (1, 0)
    assert "another run is writing" in done.said
    assert {name: data for name, data in contents(tmp_path / "out").items() if name != "run.json"} == {
        name: data for name, data in undisturbed.items() if name != "run.json"
    }


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with very little room."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only the superuser may mount a small disk, and only outside of some containers")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def resize(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


@pytest.mark.parametrize("size", ["8m", "42m"])
def test_a_full_disk_is_said_and_the_run_goes_on_when_there_is_room(
    size: str, large: Path, undisturbed: dict[str, bytes], small_disk: Path
) -> None:
    resize(small_disk, size)
    output = small_disk / "out"
    failed = call("documents", large.name, "-o", output, cwd=large.parent)
    assert failed.code == 1, "the disk was large enough"
    assert "the disk is full" in failed.err
    assert "Free some space" in failed.err
    assert "Traceback" not in failed.err
    assert not output.exists()
    resize(small_disk, "400m")
    done = call("documents", large.name, "-o", output, cwd=large.parent)
    assert done.code == 0, done.err
    assert RESUMED in done.err
    assert contents(output) == undisturbed
