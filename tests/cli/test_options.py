"""Options: few in the help, all of them by name, each in the language of whoever reads it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import write
from typer.main import get_command

import neardup
from neardup.cli import whole_app
from neardup.cli.app import FOLDED
from neardup.methods import METHODS, method_named
from neardup.settings.base import Expert, settings_of

MOST = 25  # options that the help of a command explains
DEMO = Path(neardup.__file__).parent / "data" / "demo.jsonl"
COMMANDS: dict[str, Any] = get_command(whole_app()).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", METHODS)
def test_the_help_of_a_method_explains_few_options_and_names_the_others(
    name: str, command: Command
) -> None:
    options = [p for p in COMMANDS[name].params if p.param_type_name == "option"]
    own = [p for p in options if p.rich_help_panel not in FOLDED and not p.hidden]
    assert len(own) <= MOST
    said, everything = command(name, "--help").out, command(name, "--help-all").out
    explained, _, named = said.replace("│ * ", "│").partition("--help-all explains these")
    for option in options:
        [long] = [o for o in option.opts if o.startswith("--")]
        is_own = option in own or option.name == "output"
        assert bool(re.search(rf"│ *{long} ", explained)) == is_own, long
        assert re.search(rf"│[ *]*{long} ", everything), long
        assert is_own or long in named.replace(",", " ").split(), long


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_has_more_options_than_one_can_read(name: str) -> None:
    options = [p for p in getattr(COMMANDS[name], "params", ()) if p.param_type_name == "option"]
    assert len([p for p in options if not p.hidden and p.rich_help_panel not in FOLDED]) <= MOST


@pytest.mark.parametrize("name", METHODS)
def test_what_is_for_experts_is_still_an_option(name: str) -> None:
    expert = {s.name for s in settings_of(method_named(name).settings) if isinstance(s.about, Expert)}
    hidden = {p.name for p in COMMANDS[name].params if getattr(p, "hidden", False)}
    assert hidden == expert


def test_any_setting_can_be_given_by_its_name(tmp_path: Path, command: Command) -> None:
    given = ("--set", "max_pairs=7", "--set", "keep-texts=true", "--set", "threshold=0.8", "--rows", "9")
    out = json.loads(command("documents", DEMO, "-o", tmp_path / "out", "--json", *given).out)
    named = {name: out["settings"][name] for name in ("max_pairs", "threshold", "rows")}
    assert named == {"max_pairs": 7, "threshold": 0.8, "rows": 9}
    assert (tmp_path / "out" / "texts.parquet").exists()


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_typed_goes_before_a_file(order: int, tmp_path: Path, command: Command) -> None:
    (tmp_path / "s.toml").write_text("threshold = 0.3\nrows = 5\nbands = 9\n")
    words = [("--settings", tmp_path / "s.toml"), ("--set", "threshold=0.9")][::order]
    flat = [word for pair in words for word in pair]
    found = command("documents", DEMO, "-o", tmp_path / "out", "--json", *flat, "--rows", "4").out
    settings = json.loads(found)["settings"]
    assert (settings["threshold"], settings["rows"], settings["bands"]) == (0.9, 4, 9)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "treshold=0.5"), "no setting treshold (did you mean threshold?)"),
        (("--set", "beauty=1"), "neardup documents has no setting beauty"),
        (("--set", "rows"), "'rows' has no value"),
        (("--set", "rows=many"), "rows cannot be 'many': 'many' is not a whole number."),
        (("--set", "rows=0"), "rows must be at least 1 and at most 100: got 0"),
        (("--set", "rows=3", "--set", "rows=4"), "rows is given twice"),
        (("--set", "max_pairs=3", "--max-pairs", "4"), "max_pairs is given twice"),
        (("--set", "set=rows"), "neardup documents has no setting set"),
    ],
)
def test_what_is_set_by_name_is_checked(
    words: tuple[str, ...], said: str, tmp_path: Path, command: Command
) -> None:
    done = command("documents", DEMO, "-o", tmp_path / "out", *words)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "out").exists()


def test_an_option_that_may_be_given_several_times_may_be_set_so(
    tmp_path: Path, command: Command
) -> None:
    write(tmp_path / "t.jsonl", [{"title": "one two", "body": "three", "answer": "four"}])
    given = ("--set", "signature=shingles:2", "--set", "signature=body=imatch", "--json")
    found = command("threads", tmp_path / "t.jsonl", "-o", tmp_path / "out", *given).json
    signed = {"title": "shingles:2", "body": "imatch", "answer": "shingles:2"}
    assert found["settings"]["signature"] == signed
