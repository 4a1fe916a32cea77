"""`neardup passages`: what the function finds, and what is told of wrong usage."""

from pathlib import Path

import pytest
from tests.command_line import Command
from tests.corpora import prose, write_prose
from tests.methods.passages.finding import contents, run

from neardup.errors import SettingsError


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_prose(tmp_path_factory.mktemp("files"))


def test_the_command_finds_what_the_function_finds(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    done = command("passages", files[0], "--against", files[1], "-o", tmp_path / "out")
    assert done.code == 0
    assert "neardup show" in done.said
    run(files[:1], against=files[1:2], output=tmp_path / "twin")
    assert contents(tmp_path / "out") == contents(tmp_path / "twin")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--pairs", "none.tsv", "-o", "out"], "none.tsv: no such file"),
        (["--pairs", "bad.tsv", "-o", "out"], "bad.tsv, line 2: 3 names where two should be"),
        (["--pairs", "empty.tsv", "-o", "out"], "the list of pairs is empty"),
        (
            ["--against", "b.txt", "--against", "a.txt", "-o", "out"],
            "this file is an input and a source",
        ),
        (["--against", "none.txt", "-o", "out"], "none.txt"),
        (["--signature", "winnowing", "-o", "out"], "signature"),
        (["--signature", "winnowing:0,4", "-o", "out"], "signature"),
        (["--signature", "words", "-o", "out"], "signature"),
        (["--signature", "winnowing:3,0", "-o", "out"], "W 1–99"),
        (["--language", "klingon", "-o", "out"], "there is no language 'klingon'"),
        (["--min-sentences", "0", "-o", "out"], "--min-sentences must be at least 1"),
        (["--antecedents", "0", "-o", "out"], "antecedents must be at least 1"),
        (["--min-length", "0", "-o", "out"], "--min-length must be at least 1"),
        (["--max-documents", "1", "-o", "out"], "--max-documents must be at least 2"),
        (["--stop-after", "lunch", "-o", "out"], "there is no step 'lunch'"),
        ([], "-o"),
    ],
)
def test_errors_say_what_is_wrong(
    options: list[str],
    expected: str,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, seed in {"a.txt": 1, "b.txt": 2}.items():
        Path(name).write_text(prose(50, seed))
    Path("bad.tsv").write_text("a b\na b c\n")
    Path("empty.tsv").write_text("\n")
    done = command("passages", "a.txt", *options)
    assert done.code
    assert expected in done.said
    assert not Path("out").exists()
    assert not Path("out.partial").exists()


def test_the_plan_is_explained_without_an_output(files: list[Path], command: Command) -> None:
    done = command("passages", files[0], "--explain")
    assert done.code == 0
    assert "found" in done.said


def test_settings_are_checked_by_the_function_too() -> None:
    with pytest.raises(SettingsError, match="signature"):
        run(["a"], signature="winnowing:5")
    with pytest.raises(SettingsError, match="min_length"):
        run(["a"], min_length=0)
