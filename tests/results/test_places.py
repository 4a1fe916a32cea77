"""The output folder: what is refused, what is replaced, and what is never touched."""

import os
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.results.started import contents, tree

import neardup
from neardup import durable
from neardup.engines.base import Silent
from neardup.engines.disk import DiskFolder
from neardup.results.places import Place


def test_another_run_into_the_same_folder_is_refused(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    partial = tmp_path / "out.partial"
    partial.mkdir()
    held = durable.lock(partial)
    done = command("documents", files[0], "-o", tmp_path / "out")
    assert done.code == 1
    assert "another run is writing" in done.said
    assert not list(partial.iterdir())
    durable.unlock(held)
    assert command("documents", files[0], "-o", tmp_path / "out").code == 0


def test_a_result_is_replaced_only_when_asked_to(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    old = contents(output)
    done = command("documents", files[1], "-o", output)
    assert done.code == 1
    assert "already holds a result" in done.said
    assert "--overwrite" in done.said
    assert contents(output) == old
    assert command("documents", files[1], "-o", output, "--overwrite").code == 0
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
    assert command("documents", bad, "-o", output, "--overwrite").code == 1
    assert contents(output) == old


@pytest.mark.parametrize("options", [[], ["--overwrite"]], ids=["plain", "overwrite"])
def test_a_folder_with_other_things_in_it_is_never_touched(
    options: list[str], files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    output.mkdir()
    (output / "thesis.txt").write_text("all my work")
    done = command("documents", files[0], "-o", output, *options)
    assert done.code == 1
    assert "not an empty folder" in done.said
    assert [path.read_text() for path in output.iterdir()] == ["all my work"]
    done = command("documents", files[0], "-o", output / "thesis.txt", *options)
    assert done.code == 1
    assert (output / "thesis.txt").read_text() == "all my work"


def test_a_result_that_holds_other_things_too_is_never_replaced(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    (output / "corpus.jsonl").write_bytes(files[0].read_bytes())
    (output / "notes").mkdir()
    (output / "notes" / "mine.txt").write_text("all my work")
    old = tree(output)
    done = command("documents", output / "corpus.jsonl", "-o", output, "--overwrite")
    assert done.code == 1
    assert "what neardup did not write: corpus.jsonl, notes" in done.said
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
    assert command("documents", files[0], "-o", output, "--overwrite").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_result_that_is_read_is_not_replaced(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("sentences", files[0], "-o", output)
    old = tree(output)
    table = output / "documents.parquet"
    done = command("documents", table, "--text-column", "id", "-o", output, "--overwrite")
    assert done.code == 1
    assert "the input is in this folder" in done.said
    assert tree(output) == old


def test_results_of_all_methods_with_all_that_is_made_of_them_are_replaced(
    small: Path, tmp_path: Path, command: Command
) -> None:
    for method in ("documents", "passages", "sentences", "pages", "threads"):
        output = tmp_path / method
        options = ["--fields", "text=1"] if method == "threads" else []
        given = [method, small, "-o", output, *options]
        assert command(*given, "--keep-steps").code == 0, method
        assert command("report", output).code == 0, method
        if method == "threads":
            assert command("asked", output, "--field", "text=a question").code == 0
        done = command(*given, "--overwrite")
        assert done.code == 0, done.said


SAID = b"left,right,label\r\na,b,different\r\n"


def test_marks_stay_where_the_documents_do(files: list[Path], tmp_path: Path, command: Command) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    (output / "marks.csv").write_bytes(SAID)
    for given in ((files[0], "--threshold", "0.6"), tuple(files[:2])):  # and more documents
        done = command("documents", *given, "-o", output, "--overwrite")
        assert done.code == 0, done.said
        assert "marks-before" not in done.said
        assert (output / "marks.csv").read_bytes() == SAID
    (output / "mine.csv").write_bytes(SAID)
    assert command("documents", *files[:2], "-o", output, "--overwrite").code == 1
    assert (output / "mine.csv").exists()


def test_marks_of_other_documents_are_put_aside(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    output = tmp_path / "out"
    command("documents", files[0], "-o", output)
    for number, given in enumerate(((files[1],), (files[1], "--id-column", "text")), 1):
        (output / "marks.csv").write_bytes(SAID)
        done = command("documents", *given, "-o", output, "--overwrite")
        assert done.code == 0, done.said
        assert f"marks-before-{number}.csv" in done.said
        aside = sorted(path.name for path in output.glob("marks*"))
        assert aside == [f"marks-before-{n}.csv" for n in range(1, number + 1)]
    done = command("dedup", output, "--except", "marked-different", "-o", tmp_path / "kept")
    assert done.code == 1
    assert "marks-before-2.csv, beside it, is for other input" in done.said.replace("\n", " ")
    command("documents", files[1], "-o", output, "--overwrite")
    assert (output / "marks-before-2.csv").read_bytes() == SAID


@pytest.mark.parametrize("name", ["out.old", "out.partial"])
def test_folders_beside_a_result_are_never_touched(
    name: str, files: list[Path], tmp_path: Path, command: Command
) -> None:
    output, beside = tmp_path / "out", tmp_path / name
    command("documents", files[0], "-o", output)
    beside.mkdir()
    (beside / "thesis.txt").write_text("all my work")
    done = command("documents", files[1], "-o", output, "--overwrite")
    assert done.code == int(name == "out.partial"), done.said
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
    replace, calls = Path.replace, []

    def killed(self: Path, target: Path) -> Path:
        if str(tmp_path) == str(self.parent):
            calls.append(self)
            if len(calls) > number:
                raise KeyboardInterrupt
        return replace(self, target)

    def never(path: Path) -> None:
        if path.name not in ("steps", "fingerprint"):
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        patch.setattr("neardup.engines.disk.delete", never)
        command("documents", files[1], "-o", output, "--overwrite")
    done = command("documents", files[1], "-o", output)
    assert done.code == 1
    assert "already holds a result" in done.said
    assert (contents(output) == old) == (moment != "after")
    assert command("documents", files[1], "-o", output, "--overwrite").code == 0
    command("documents", files[1], "-o", tmp_path / "fresh")
    assert tree(output).keys() == tree(tmp_path / "fresh").keys()
    assert contents(output) == contents(tmp_path / "fresh")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "out"]


@pytest.mark.parametrize("output", [".", "", "..", "/", "here/.."])
@pytest.mark.parametrize("options", [[], ["--engine", "spark"]], ids=["local", "spark"])
def test_an_output_without_a_name_is_refused(
    output: str, options: list[str], small: Path, command: Command
) -> None:
    done = command("documents", small, "-o", output, *options)
    assert done.code == 1
    assert "names no folder for the result" in done.said
    assert "-o result" in done.said


def test_an_empty_folder_is_taken_and_missing_ones_are_made(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    (tmp_path / "empty").mkdir()
    assert command("documents", files[0], "-o", tmp_path / "empty").code == 0
    assert command("documents", files[0], "-o", tmp_path / "new" / "deep" / "out").code == 0
    assert contents(tmp_path / "empty") == contents(tmp_path / "new" / "deep" / "out")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_a_folder_that_may_not_be_written_is_an_error(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    tmp_path.chmod(0o500)
    done = command("documents", files[0], "-o", tmp_path / "out")
    tmp_path.chmod(0o700)
    assert done.code == 1
    assert "cannot be written" in done.said


def test_a_result_without_a_name_goes_with_its_object(files: list[Path]) -> None:
    result = neardup.documents(files[0])
    folder = result.folder
    assert folder.exists()
    del result
    assert not folder.parent.exists()
