"""Runs: the same tables byte for byte, whole or not at all, resumed after any interruption."""

import fcntl
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numba
import pyarrow as pa
import pytest

import neardup
from neardup.cli import main
from neardup.engines.base import Silent
from neardup.engines.disk import DiskFolder
from neardup.engines.local import engine as local
from neardup.engines.local.store import StoredTable
from neardup.methods.documents.plan import plan
from neardup.methods.documents.settings import DocumentSettings
from neardup.readers import jsonl
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource
from neardup.results.places import Place
from neardup.results.running import is_compiled

CANDIDATES = ["exact", "sampled", "minhash"]
NEARDUP = [sys.executable, "-m", "neardup"]
RESUMED = "going on with an interrupted run"
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""  # in a small process of its own: a child starts out with the peak of the one that made it
Command = Callable[..., tuple[int, str]]


def write_corpus(path: Path, megabytes: float, seed: int) -> Path:
    """Write unique texts of some 300 words, every fifth of them an edited copy of an earlier one."""
    rng = random.Random(seed)
    recent: list[str] = []
    size = number = 0
    with path.open("w") as file:
        while size < megabytes * (1 << 20):
            text = rng.randbytes(840).hex(" ", 3)
            if number % 5 == 4:
                old, at = rng.choice(recent), 7 * rng.randrange(200)
                text = old[:at] + text[: 7 * rng.randrange(60)] + old[at:]
            recent = [*recent[-100:], text]
            size += file.write(json.dumps({"id": f"{path.stem}-{number}", "text": text}) + "\n")
            number += 1
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a result that may not differ between runs."""
    paths = [path for path in folder.iterdir() if path.suffix == ".parquet" or path.name == "run.json"]
    return {path.name: path.read_bytes() for path in sorted(paths)}


def call(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [*NEARDUP, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def start(*arguments: object, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*NEARDUP, *map(str, arguments)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(process: subprocess.Popen[str], steps: Path, name: str) -> None:
    """Wait until a step is done, or the process is."""
    while process.poll() is None:
        if any(path.suffix != ".unfinished" for path in steps.glob(f"*-{name}*")):
            return
        time.sleep(0.001)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process; gives the exit code and all that it printed."""

    def run(*arguments: object) -> tuple[int, str]:
        code: Any = 0
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["neardup", *map(str, arguments)])
            patch.setattr(sys, "meta_path", list(sys.meta_path))
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


@pytest.fixture
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut files into many small parts, so that a small corpus keeps several workers busy."""
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", 100_000)
    monkeypatch.setattr(local, "TASK_BYTES", 150_000)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("files")
    return [write_corpus(folder / f"{name}.jsonl", 0.7, seed) for seed, name in enumerate("abc")]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("small") / "small.jsonl", 0.1, seed=11)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that takes some seconds."""
    return write_corpus(tmp_path_factory.mktemp("large") / "large.jsonl", 30, seed=7)


@pytest.fixture(scope="module")
def undisturbed(large: Path) -> dict[str, bytes]:
    done = call("documents", large.name, "-o", "undisturbed", cwd=large.parent)
    assert done.returncode == 0, done.stderr
    assert json.loads(contents(large.parent / "undisturbed")["run.json"])["counts"]["pairs"] > 1000
    return contents(large.parent / "undisturbed")


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
    assert (one.returncode, two.returncode) == (0, 0)
    assert contents(tmp_path / "r1") == contents(tmp_path / "r2")


def test_only_the_timings_differ(files: list[Path], tmp_path: Path) -> None:
    result = neardup.documents(files[0], output=tmp_path / "out")
    timings = json.loads((result.folder / "timings.json").read_text())
    assert timings["seconds"] > 0
    assert "units" in timings["steps"]
    others = {path.name for path in result.folder.iterdir()} - set(contents(result.folder))
    assert others == {"timings.json"}


# --- killed


def done_steps(steps: Path) -> dict[str, tuple[int, int]]:
    """Return the whole tables of steps, with what would change if they were written again."""
    folders = [path for path in steps.iterdir() if path.is_dir() and path.suffix != ".unfinished"]
    whole = [path for path in folders if (path / "schema").exists()]
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in whole}


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
        assert done.returncode == 0, done.stderr
        assert RESUMED in done.stderr
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
    assert done.returncode == 0, done.stderr
    assert contents(output) == undisturbed
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_interrupt_from_the_keyboard_ends_with_130_and_a_hint(
    large: Path, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    process = start("documents", large.name, "-o", output, cwd=large.parent)
    wait_for(process, tmp_path / "out.partial" / "steps", "units")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert "the same command goes on" in errors
    assert "Traceback" not in errors
    assert not output.exists()
    done = call("documents", large.name, "-o", output, cwd=large.parent)
    assert RESUMED in done.stderr
    assert contents(output) == undisturbed


# --- stopped on purpose


def steps_of(settings: Mapping[str, Any], path: Path) -> list[str]:
    source = FileSource.open([str(path)], ReaderSettings())
    return [step.name for step in plan(DocumentSettings(**settings), source.schema).steps]


@pytest.mark.parametrize(
    "settings",
    [{}, {"candidates": "sampled"}, {"candidates": "minhash"}, {"measure": "containment"}],
    ids=["exact", "sampled", "minhash", "containment"],
)
def test_a_run_that_stopped_after_any_step_goes_on_to_the_same_bytes(
    settings: dict[str, Any], small: Path, tmp_path: Path, command: Command
) -> None:
    path = small
    options = [f"--{name}={value}" for name, value in settings.items()]
    assert command("documents", path, "-o", tmp_path / "whole", *options)[0] == 0
    steps = steps_of(settings, path)
    # after the candidates, all plans are the same
    for step in steps[: steps.index("verified")] if settings else steps:
        output = tmp_path / step
        code, printed = command("documents", path, "-o", output, "--stop-after", step, *options)
        assert code == 0
        assert f"stopped after step '{step}'" in printed
        assert not output.exists()
        code, printed = command("documents", path, "-o", output, *options)
        assert code == 0
        assert RESUMED in printed
        assert contents(output) == contents(tmp_path / "whole"), step
        assert not (tmp_path / f"{step}.partial").exists()


def test_stopping_after_one_step_and_then_the_next_is_possible(
    small: Path, tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    for step in steps_of({}, small):
        assert command("documents", small, "-o", output, "--stop-after", step)[0] == 0
    command("documents", small, "-o", output)
    command("documents", small, "-o", tmp_path / "whole")
    assert contents(output) == contents(tmp_path / "whole")


def test_stopping_after_a_step_that_there_is_not_is_wrong_usage(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    code, printed = command("documents", files[0], "-o", tmp_path / "out", "--stop-after", "nonsense")
    assert code == 2
    assert "nonsense" in printed
    assert "verified" in printed, "the steps there are should be listed"
    assert not list(tmp_path.iterdir())


# --- not to be resumed


def test_what_a_run_with_other_settings_left_is_not_used(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output, "--stop-after", "verified")
    code, printed = command("documents", files[0], "-o", output, "--threshold", 0.95)
    assert code == 0
    assert RESUMED not in printed
    command("documents", files[0], "-o", tmp_path / "whole", "--threshold", 0.95)
    assert contents(output) == contents(tmp_path / "whole")


def test_what_a_run_that_read_otherwise_left_is_not_used(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    command("documents", files[0], "-o", tmp_path / "out", "--stop-after", "units")
    code, printed = command("documents", files[0], "-o", tmp_path / "out", "--text-column", "id")
    assert code == 0
    assert RESUMED not in printed


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
    code, printed = command("documents", path.parent, "-o", tmp_path / "out")
    assert code == 0
    assert RESUMED not in printed
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


# --- the output folder


def test_another_run_into_the_same_folder_is_refused(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    partial = tmp_path / "out.partial"
    partial.mkdir()
    with (partial / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, printed = command("documents", files[0], "-o", tmp_path / "out")
        assert code == 1
        assert "another run is writing" in printed
        assert [path.name for path in partial.iterdir()] == ["lock"]
    assert command("documents", files[0], "-o", tmp_path / "out")[0] == 0


def test_a_run_that_works_keeps_others_out_and_finishes(
    large: Path, undisturbed: dict[str, bytes], tmp_path: Path, command: Command
) -> None:
    process = start("documents", large, "-o", tmp_path / "out", cwd=large.parent)
    while not (tmp_path / "out.partial" / "steps").exists() and process.poll() is None:
        time.sleep(0.001)
    code, printed = command("documents", large, "-o", tmp_path / "out")
    process.communicate()
    assert (code, process.returncode) == (1, 0)
    assert "another run is writing" in printed
    assert {name: data for name, data in contents(tmp_path / "out").items() if name != "run.json"} == {
        name: data for name, data in undisturbed.items() if name != "run.json"
    }


def test_a_result_is_replaced_only_when_asked_to(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    old = contents(output)
    code, printed = command("documents", files[1], "-o", output)
    assert code == 1
    assert "already holds a result" in printed
    assert "--overwrite" in printed
    assert contents(output) == old
    assert command("documents", files[1], "-o", output, "--overwrite")[0] == 0
    command("documents", files[1], "-o", tmp_path / "fresh")
    assert contents(output) == contents(tmp_path / "fresh") != old
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "out"]


def test_a_failed_run_leaves_the_result_that_it_was_to_replace(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    old = contents(output)
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nonsense\n")
    assert command("documents", bad, "-o", output, "--overwrite")[0] == 1
    assert contents(output) == old


@pytest.mark.parametrize("options", [[], ["--overwrite"]], ids=["plain", "overwrite"])
def test_a_folder_with_other_things_in_it_is_never_touched(
    options: list[str], files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    output.mkdir()
    (output / "thesis.txt").write_text("all my work")
    code, printed = command("documents", files[0], "-o", output, *options)
    assert code == 1
    assert "not an empty folder" in printed
    assert [path.read_text() for path in output.iterdir()] == ["all my work"]
    code, _ = command("documents", files[0], "-o", output / "thesis.txt", *options)
    assert code == 1
    assert (output / "thesis.txt").read_text() == "all my work"


def tree(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_result_that_holds_other_things_too_is_never_replaced(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    (output / "corpus.jsonl").write_bytes(files[0].read_bytes())
    (output / "notes").mkdir()
    (output / "notes" / "mine.txt").write_text("all my work")
    old = tree(output)
    code, printed = command("documents", output / "corpus.jsonl", "-o", output, "--overwrite")
    assert code == 1
    assert "what neardup did not write: corpus.jsonl, notes" in printed
    assert tree(output) == old
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_is_put_into_a_result_while_it_is_replaced_stays(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    place = Place(DiskFolder(output), Silent())
    place.check_free(overwrite=True)
    with place.claimed("a"):
        (output / "notes.txt").write_text("all my work")
        with pytest.raises(neardup.OutputError, match=r"notes\.txt"):
            place.finish()
    assert (output / "notes.txt").read_text() == "all my work"
    (output / "notes.txt").unlink()
    assert command("documents", files[0], "-o", output, "--overwrite")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_result_that_is_read_is_not_replaced(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("sentences", files[0], "-o", output)
    old = tree(output)
    table = output / "documents.parquet"
    code, printed = command("documents", table, "--text-column", "id", "-o", output, "--overwrite")
    assert code == 1
    assert "the input is in this folder" in printed
    assert tree(output) == old


def test_results_of_all_methods_with_all_that_is_made_of_them_are_replaced(
    small: Path, tmp_path: Path, command: Command
) -> None:
    for method in ("documents", "passages", "sentences", "pages", "threads"):
        output = tmp_path / method
        options = ["--fields", "text=1"] if method == "threads" else []
        given = [method, small, "-o", output, *options]
        assert command(*given, "--keep-steps")[0] == 0, method
        assert command("report", output)[0] == 0, method
        if method == "threads":
            assert command("asked", output, "--field", "text=a question")[0] == 0
        code, printed = command(*given, "--overwrite")
        assert code == 0, printed


@pytest.mark.parametrize("name", ["out.old", "out.partial"])
def test_folders_beside_a_result_are_never_touched(
    name: str, files: list[Path], tmp_path: Path, command: Command
) -> None:
    output, beside = tmp_path / "out", tmp_path / name
    command("documents", files[0], "-o", output)
    beside.mkdir()
    (beside / "thesis.txt").write_text("all my work")
    code, printed = command("documents", files[1], "-o", output, "--overwrite")
    assert code == int(name == "out.partial"), printed
    assert tree(beside) == {"thesis.txt": b"all my work"}


@pytest.mark.parametrize("moment", ["before", "between", "after"])
def test_a_run_killed_while_it_replaces_a_result_leaves_a_whole_one(
    moment: str,
    files: list[Path],
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    old = contents(output)
    number = ["before", "between", "after"].index(moment)
    rename, calls = Path.rename, []

    def killed(self: Path, target: Path) -> Path:
        if str(tmp_path) == str(self.parent):
            calls.append(self)
            if len(calls) > number:
                raise KeyboardInterrupt
        return rename(self, target)

    def never(path: Path) -> None:
        if path.name != "steps":
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        patch.setattr("neardup.engines.disk.delete", never)
        command("documents", files[1], "-o", output, "--overwrite")
    code, printed = command("documents", files[1], "-o", output)
    assert code == 1
    assert "already holds a result" in printed
    assert (contents(output) == old) == (moment != "after")
    assert command("documents", files[1], "-o", output, "--overwrite")[0] == 0
    command("documents", files[1], "-o", tmp_path / "fresh")
    assert tree(output).keys() == tree(tmp_path / "fresh").keys()
    assert contents(output) == contents(tmp_path / "fresh")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "out"]


@pytest.mark.parametrize("output", [".", "", "..", "/", "here/.."])
@pytest.mark.parametrize("options", [[], ["--engine", "spark"]], ids=["local", "spark"])
def test_an_output_without_a_name_is_refused(
    output: str, options: list[str], small: Path, command: Command
) -> None:
    code, printed = command("documents", small, "-o", output, *options)
    assert code == 1
    assert "names no folder for the result" in printed
    assert "-o result" in printed


def test_an_empty_folder_is_taken_and_missing_ones_are_made(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    (tmp_path / "empty").mkdir()
    assert command("documents", files[0], "-o", tmp_path / "empty")[0] == 0
    assert command("documents", files[0], "-o", tmp_path / "new" / "deep" / "out")[0] == 0
    assert contents(tmp_path / "empty") == contents(tmp_path / "new" / "deep" / "out")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_a_folder_that_may_not_be_written_is_an_error(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    tmp_path.chmod(0o500)
    code, printed = command("documents", files[0], "-o", tmp_path / "out")
    tmp_path.chmod(0o700)
    assert code == 1
    assert "cannot be written" in printed


def test_a_result_without_a_name_goes_with_its_object(files: list[Path]) -> None:
    result = neardup.documents(files[0])
    folder = result.folder
    assert folder.exists()
    del result
    assert not folder.parent.exists()


# --- a full disk


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
    assert failed.returncode == 1, "the disk was large enough"
    assert "the disk is full" in failed.stderr
    assert "Free some space" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert not output.exists()
    resize(small_disk, "400m")
    done = call("documents", large.name, "-o", output, cwd=large.parent)
    assert done.returncode == 0, done.stderr
    assert RESUMED in done.stderr
    assert contents(output) == undisturbed


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


def test_a_compiled_kernel_is_found_wherever_numba_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "own_kernels.py").write_text(
        "from numba import njit\n\n@njit(cache=True)\ndef twice(x):\n    return 2 * x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    kernel = importlib.import_module("own_kernels").twice
    assert not is_compiled(kernel)
    assert kernel(2) == 4
    assert is_compiled(kernel)
    assert is_compiled(kernel.py_func)  # as it is when Numba is switched off


def test_steps_are_gone_when_nobody_asked_for_them(files: list[Path], tmp_path: Path) -> None:
    result = neardup.documents(files[0], output=tmp_path / "out")
    assert not any(path.is_dir() for path in result.folder.iterdir())


# --- memory


def peak_megabytes(arguments: Sequence[object], cwd: Path) -> float:
    """Return the most memory that a command used."""
    command = [sys.executable, "-c", MEASURED, *NEARDUP, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.splitlines()[-1]) / 1024


@pytest.mark.parametrize("method", ["documents", pytest.param("passages", marks=pytest.mark.slow)])
def test_ten_times_more_text_than_memory(method: str, tmp_path: Path) -> None:
    small = write_corpus(tmp_path / "small.jsonl", 4, seed=3)
    large = write_corpus(tmp_path / "large.jsonl", 320, seed=3)
    limit = ["--memory", "32MB", "--quiet"]
    # the first run may compile kernels, which takes memory of its own
    peak_megabytes([method, small.name, "-o", "first", *limit], tmp_path)
    assert peak_megabytes([method, large.name, "-o", "out", *limit], tmp_path) <= 32 + 300
