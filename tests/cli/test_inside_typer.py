"""What rests on Typer's insides is done with the versions that were tried; commands run without it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.command_line import Command
from typer.main import get_command

from neardup.cli import inside_typer, whole_app

WORDS = ["a.jsonl", "-o", "out", "--candidates", "minhash", "--threshold", "0.75", "--workers", "2"]


def taken() -> dict[str, object]:
    """Return what a command is called with."""
    command: Any = get_command(whole_app())
    return dict(command.commands["documents"].make_context("documents", list(WORDS)).params)


def test_only_versions_of_typer_up_to_the_one_that_was_tried_are_installed() -> None:
    root = Path(__file__).parents[2]
    said = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"]
    major, minor = map(int, inside_typer.TRIED.split("."))
    [wanted] = [line for line in said if line.startswith("typer")]
    assert wanted.endswith(f",<{major}.{minor + 1}")


def test_another_typer_reads_values_and_completes_by_itself(
    monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    known = taken()
    monkeypatch.setattr(typer, "__version__", "0.99.0")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("this is of the insides")

    monkeypatch.setattr(inside_typer.AsGiven, "coerce", refuse)
    assert taken() == known
    refused = command("documents", "a", "--threshold", "70%")
    assert (refused.code, "number" in refused.said) == (2, True)
    assert command("documents", "--help").code == 0
    from typer import _completion_shared as shared

    before = dict(shared._completion_scripts)
    inside_typer.complete_at_once()
    assert shared._completion_scripts == before
    monkeypatch.undo()
    inside_typer.complete_at_once()
    assert shared._completion_scripts != before
    shared._completion_scripts.update(before)
