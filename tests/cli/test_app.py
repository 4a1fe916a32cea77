"""How commands describe themselves: usage, words for what options take, completion."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.command_line import Command
from typer.main import get_command

from neardup.cli import whole_app

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (["documents"], "neardup documents INPUT… -o OUT [OPTIONS]"),
        (["dedup"], "neardup dedup OUT -o CLEAN [OPTIONS]"),
        (["explain"], "neardup explain OUT ID_A ID_B [OPTIONS]"),
        (["report"], "neardup report OUT [OPTIONS]"),
        (["trec"], "neardup trec --runs RUNS -o OUT [OPTIONS]"),
        (["index", "build"], "neardup index build INDEX [INPUT…] [OPTIONS]"),
        (["query"], "neardup query INDEX TEXT|FILE|- [OPTIONS]"),
    ],
    ids=" ".join,
)
def test_the_usage_has_all_that_must_be_given(words: list[str], usage: str, command: Command) -> None:
    assert f"Usage: {usage}" in command(*words, "--help").said


def test_no_help_shows_types_of_python(command: Command) -> None:
    for name, one in get_command(whole_app()).commands.items():  # type: ignore[attr-defined]
        for words in [[name], *([name, part] for part in getattr(one, "commands", {}))]:
            shown = command(*words, "--help").out
            assert not re.search(r"<(list|str|int|float|bool|path)\b", shown), words


@pytest.fixture
def own_home(tmp_path: Path) -> dict[str, str]:
    """Return an environment with a home of its own, and neardup as a command."""
    neardup = tmp_path / "bin" / "neardup"
    neardup.parent.mkdir()
    neardup.write_text(f'#!/bin/sh\nexec {sys.executable} -m neardup "$@"\n')
    neardup.chmod(0o755)
    path = f"{neardup.parent}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "TERM": "dumb"}


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_commands_options_and_choices(own_home: dict[str, str]) -> None:
    script = """
    eval "$(neardup --show-completion)"
    for words in "neardup docu" "neardup documents --candi" "neardup documents --candidates mi"; do
        COMP_WORDS=($words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _neardup_completion neardup; echo "${COMPREPLY[@]}"
    done
    """
    done = subprocess.run(
        ["bash", "-c", script], env=own_home, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["documents", "--candidates", "minhash"]


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish")
def test_fish_completes_commands_and_files_once_installed(own_home: dict[str, str]) -> None:
    (Path(own_home["HOME"]) / "docu.jsonl").touch()
    script = """
    neardup --install-completion >&2; cd $HOME
    for words in "neardup docu" "neardup documents docu"; complete --do-complete $words; end
    """
    done = subprocess.run(
        ["fish", "--command", script], env=own_home, capture_output=True, text=True, check=True
    )
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == ["documents", "docu.jsonl"]


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh")
def test_zsh_completes_commands_once_installed(own_home: dict[str, str]) -> None:
    """The line editor of zsh needs a terminal of its own, which its module zpty gives."""
    script = """
    neardup --install-completion >&2; print 'echo is-ready' >> $HOME/.zshrc
    zmodload zsh/zpty; zpty shell zsh -i
    zpty -r -m shell said '*is-ready*'
    zpty -w -n shell $'neardup docu\t'
    zpty -r -m shell said '*documents*'; print $said
    """
    done = subprocess.run(
        ["zsh", "-c", script], env=own_home, capture_output=True, text=True, check=True, timeout=60
    )
    assert "neardup documents" in done.stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_the_same(shell: str) -> None:
    asked = {"_NEARDUP_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": "neardup docu"}
    own = {**os.environ, **asked, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run(
        [sys.executable, "-m", "neardup"], env=own, capture_output=True, text=True, check=False
    )
    assert "documents" in done.stdout


def test_what_is_right_is_taken_as_typer_takes_it_without_pydantic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pydantic takes longer to load than many a command to run."""
    words = ["a.jsonl", "b.jsonl", "-o", "out", "--candidates", "minhash", "--shingle", "word:3"]
    words += ["--threshold", "0.75", "--workers", "2", "--max-pairs", "100"]

    def taken() -> dict[str, object]:
        command: Any = get_command(whole_app())
        return dict(command.commands["documents"].make_context("documents", list(words)).params)

    def refuse(parameter: object) -> None:
        raise AssertionError(parameter)

    with monkeypatch.context() as patched:
        patched.setattr("typer.core.build_runtime_param", refuse)
        given = taken()
    monkeypatch.setitem(sys.modules["neardup.cli.app"].__dict__, "plain", lambda own: own)
    assert taken() == given


@pytest.mark.parametrize(("given", "code"), [("0", 2), ("1", 0)])
def test_numbers_with_bounds_are_held_to_them(given: str, code: int) -> None:
    command: Any = get_command(whole_app())
    try:
        command.commands["show"].make_context("show", ["result", "--page", given])
    except typer.BadParameter as error:
        assert error.exit_code == code
    else:
        assert code == 0


def test_a_wrong_name_is_mended(command: Command) -> None:
    assert "Did you mean 'documents'?" in command("documets").said


def test_a_path_without_a_command_is_told_what_it_means(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lake").mkdir()
    said = " ".join(command("lake").said.replace("│", " ").split())
    assert "This folder is no command" in said and "neardup documents lake -o OUT" in said
    assert "No such command 'lake'" in command("index", "lake").said


def test_wrong_values_are_told_in_words(command: Command) -> None:
    said = command("trec", "--runs", "a.run", "b.run", "-o", "out").said
    assert "pattern in quotes: --runs 'a/*'" in " ".join(said.replace("│", " ").split())
    assert "'70%' is not a number." in command("documents", "a", "--threshold", "70%").said
    assert "'two' is not a whole number." in command("show", "a", "--page", "two").said
    assert "'delete' is not one of" in command("dedup", "a", "-o", "b", "--mode", "delete").said
