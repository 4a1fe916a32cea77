"""The command line and its Python twin: the same options, defaults and hints."""

import inspect
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
from tests.cli.records import TEXT, documents
from tests.command_line import Command
from typer.main import get_command

import neardup
from neardup.cli import whole_app
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.pages.settings import PageSettings
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.sentences.settings import SentenceSettings
from neardup.methods.threads.settings import ThreadSettings

SETTINGS: dict[str, Any] = {
    "documents": DocumentSettings,
    "pages": PageSettings,
    "passages": PassageSettings,
    "sentences": SentenceSettings,
    "threads": ThreadSettings,
}


@pytest.mark.parametrize("method", SETTINGS)
def test_the_python_twin_has_the_options_of_the_command(method: str) -> None:
    own = get_command(whole_app()).commands[method].params  # type: ignore[attr-defined]
    shown = {"explain_plan", "estimate", "stop_after", "settings_file", "set_by_name", "help_all"}
    shown |= {"fail_on_duplicates", "quiet", "as_json", "help", "inputs"}
    twin = inspect.signature(getattr(neardup, method)).parameters
    assert {p.name for p in own} - shown == set(twin) - {"source", "progress"}
    with pytest.raises(TypeError, match=rf"{method}.* 'id_colum': did you mean 'id_column'\?"):
        getattr(neardup, method)([TEXT], id_colum="id")


@pytest.mark.parametrize("method", SETTINGS)
def test_the_python_twin_has_the_defaults_of_the_command(method: str) -> None:
    usual = {f.name: f.default for f in fields(SETTINGS[method]) if f.default is not MISSING}
    twin = {
        name: p.default for name, p in inspect.signature(getattr(neardup, method)).parameters.items()
    }
    for option in get_command(whole_app()).commands[method].params:  # type: ignore[attr-defined]
        given, name = option.default or None, option.name
        if name in twin:
            assert given in (twin[name] or None, usual.get(name)), name
        if name in usual:  # None stands for the usual
            assert twin[name] in (None, usual[name]), name


@pytest.mark.parametrize(
    ("chosen", "option", "argument"),
    [
        ({}, "or take --overwrite.", "or take overwrite=True."),
        ({"text_column": "txt"}, "Name one with --text-column.", "Name one with text_column=."),
        ({"columns": "none"}, "with --columns or --keep.", "with columns= or keep=."),
        ({"keep": "score"}, "with --columns score.", 'with columns=["score"].'),
    ],
)
def test_hints_name_options_on_the_command_line_and_arguments_in_python(
    chosen: dict[str, Any], option: str, argument: str, corpus: Path, command: Command
) -> None:
    out = corpus.parent / "out"
    if not chosen:
        documents(corpus, command, out=out)
    words = [word for name, value in chosen.items() for word in (f"--{name.replace('_', '-')}", value)]
    assert option in documents(corpus, command, *words, out=out).err
    given = chosen | ({"columns": [chosen["columns"]]} if "columns" in chosen else {})
    with pytest.raises(neardup.NeardupError) as error:
        neardup.documents(corpus, output=out, **given)
    assert argument in str(error.value)
