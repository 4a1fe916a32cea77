"""Recipes: what is wrong with one is said at once, and options change it."""

from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command

from neardup.cleaning.recipe import DEFAULT, Recipe
from neardup.errors import InputError, SettingsError


def test_the_default_is_what_is_printed(command: Command, tmp_path: Path) -> None:
    printed = command("clean", "--show-recipe")
    path = tmp_path / "recipe.toml"
    path.write_text(printed.out)
    assert printed.code == 0 and printed.out == DEFAULT
    assert Recipe.read(path) == Recipe.read(None) == Recipe.of(Recipe.read(None).as_dict())


def test_all_that_is_wrong_is_told_at_once() -> None:
    stages = [{"name": "spans", "words": 1}, {"name": "wash"}, {"name": "exact", "threshold": 0.5}]
    with pytest.raises(SettingsError) as told:
        Recipe.of({"stage": stages, "colour": "blue", "keep_at_most": 0, "keep": 3})
    assert str(told.value).splitlines()[0] == (
        "there is no 'colour'; stage 1: words must be at least 4 and at most 10000: got 1; "
        "stage 2: there is no stage 'wash': choose from keys, exact, documents, spans, paragraphs, "
        "lines, decontaminate; "
        "stage 3: exact has no setting threshold; keep must be a string: got 3; "
        "keep_at_most must be at least 1: got 0"
    )


@pytest.mark.parametrize(
    "given, told",
    [
        ({"name": "spans", "words": 50.5}, "words must be a whole number: got 50.5"),
        ({"name": "spans", "words": True}, "words must be a whole number: got True"),
        ({"name": "keys", "column": 3}, "column must be a string: got 3"),
        ({"name": "documents", "threshold": "high"}, "threshold must be a number: got 'high'"),
        ({"name": ["exact"]}, r"there is no stage \['exact'\]"),
        ({"nme": "exact"}, "it has no name: choose from keys, exact"),
    ],
)
def test_what_is_of_another_type_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingsError, match=f"stage 1: {told}"):
        Recipe.of({"stage": [given]})
    with pytest.raises(SettingsError, match="keep_at_most must be a whole number: got True"):
        Recipe.of({"stage": [{"name": "exact"}], "keep_at_most": True})
    assert (
        Recipe.of({"stage": [{"name": "documents", "threshold": 1}]}).stages[0].settings.threshold == 1
    )


@pytest.mark.parametrize("content", ["stage = 7", "keep = 'first'", "stage = []"])
def test_a_recipe_has_stages(content: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(content)
    with pytest.raises(SettingsError, match="a recipe has stages"):
        Recipe.read(path)


def test_a_file_that_is_no_recipe_is_named(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    with pytest.raises(InputError, match="no such file"):
        Recipe.read(path)
    path.write_text("[[stage]\n")
    with pytest.raises(InputError, match=r"recipe.toml: this is not a recipe"):
        Recipe.read(path)


def test_what_a_file_says_is_called_as_it_is_there(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text('keep_at_most = 0\n[[stage]]\nname = "spans"\n')
    told = command("clean", tmp_path, "--dry-run", "--recipe", path).err
    assert "recipe.toml: keep_at_most must be at least 1" in told
    told = command("clean", tmp_path, "--dry-run", "--span-words", "1").err
    assert "error: --span-words must be at least 4" in told


@pytest.mark.parametrize(
    "options, stage, named",
    [
        (["--keep-per", "lang"], "", "--keep-per"),
        (["--group", "lang"], "", "--group"),
        (["--keep", "lang"], "", "--keep"),
        ([], "column = 'lang'", "the stage keys"),
    ],
)
def test_a_column_that_is_not_there_is_said_to_be_asked_for_by_what_asks_for_it(
    options: list[str], stage: str, named: str, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "One text.", "url": "u"}\n')
    (tmp_path / "recipe.toml").write_text(f"[[stage]]\nname = 'keys'\n{stage}\n")
    given = ["--recipe", tmp_path / "recipe.toml", "--dry-run", *options]
    told = command("clean", tmp_path / "in.jsonl", *given)
    assert told.code == 1
    assert "no column 'lang'\n" in told.err and f"Name one with {named}." in told.err


def test_a_stage_that_comes_again_has_a_number() -> None:
    made = Recipe.of({"stage": [{"name": "exact"}, {"name": "spans"}, {"name": "exact"}]})
    assert [stage.label for stage in made.stages] == ["exact", "spans", "exact_2"]


def test_options_change_spans_only_where_there_are_some() -> None:
    assert Recipe.read(None).changed(span_words=30, cut="sentences").stages[3].settings.words == 30
    with pytest.raises(SettingsError, match="no stage spans"):
        Recipe.of({"stage": [{"name": "exact"}]}).changed(span_words=30)
