"""The list of methods, and what each says of itself."""

import inspect
from importlib import import_module
from typing import Any

import pyarrow as pa
import pytest

import neardup
from neardup.errors import SettingsError
from neardup.methods import METHODS, all_methods, method_named
from neardup.methods.method import Method
from neardup.readers.numbers import with_numbers
from neardup.readers.records import records_schema
from neardup.result import PARTS, VERBS
from neardup.settings.run import RunSettings

OF_ALL = {"documents", "skipped", "pairs", "facts"}


class Empty:
    """A source without records."""

    schema = with_numbers(records_schema({"title": pa.string(), "body": pa.string()}))
    names = ("memory",)

    def splits(self) -> list[None]:
        return []


WITH_PRESETS = [method for method in all_methods() if method.settings.presets]


@pytest.mark.parametrize("method", WITH_PRESETS, ids=lambda method: method.name)
def test_presets_are_sets_of_settings_which_given_ones_override(method: Method) -> None:
    assert "paper" in method.settings.presets
    for name, own in method.settings.presets.items():
        filled = method.settings.filled({"preset": name})
        assert filled.pop("raw", True), "of a page, papers take all text"
        own = {key: value for key, value in own.items() if key != "raw"}
        made = method.settings(**filled)
        assert {key: getattr(made, key) for key in own} == own
        assert made.as_dict()["preset"] == name
        usual = method.settings()
        assert own != {key: getattr(usual, key) for key in own}
        first = next(iter(own))
        given = {"preset": name, first: getattr(usual, first)}
        if given[first] is not None:
            assert method.settings.filled(given)[first] == given[first]
    assert "preset" not in method.settings().as_dict()
    with pytest.raises(SettingsError, match="preset must be one of paper"):
        method.settings(preset="best")  # type: ignore[call-arg]


@pytest.mark.parametrize("method", [neardup.documents, neardup.pages, neardup.threads])
def test_as_printed_all_identical_texts_are_pairs_of_each_other(method: Any) -> None:
    count = 1_001  # more than the defaults pair all with all
    said = "The quick brown fox jumps over the lazy dog, and runs from the hounds that follow it."
    rows = [
        {"id": str(n), "title": said, "body": said, "answer": said, "text": said} for n in range(count)
    ]
    assert method(rows, preset="paper").counts["pairs"] == count * (count - 1) // 2


@pytest.mark.parametrize("method", list(all_methods()), ids=list(METHODS))
def test_a_method_delivers_the_tables_that_it_says(method: Method) -> None:
    chosen = {"fields": ("title", "body"), "weights": (0.5, 0.5), "signatures": ("shingles:3",) * 2}
    settings = method.settings(**(chosen if method.name == "threads" else {}))
    job = method.job(Empty(), settings, RunSettings.make(1, "64MB"))  # type: ignore[arg-type]
    assert job.plan.name == method.name
    assert set(job.plan.outputs) == {*(table for table in method.tables if not table.asked), "facts"}
    assert set(job.plan.outputs) >= OF_ALL
    assert set(method.derived) <= set(job.settings) - set(vars(settings))


@pytest.mark.parametrize("method", list(all_methods()), ids=list(METHODS))
def test_what_a_method_names_by_a_path_is_there(method: Method) -> None:
    paths = [
        said.removeprefix("Call ").removesuffix(".")
        for own in vars(type(method)).values()
        if inspect.isfunction(own) and (said := own.__doc__ or "").startswith("Call ")
    ]
    assert "plan:job" in paths
    for path in paths:
        module, _, name = path.partition(":")
        assert callable(getattr(import_module(f"{type(method).__module__}.{module}"), name))


@pytest.mark.parametrize("name", [*METHODS, "query", "trec"])
def test_what_is_refused_can_be_asked_for(name: str) -> None:
    method = method_named(name)
    assert method.name == name
    tables = {table for other in all_methods() for table in other.tables}
    assert set(method.refuses) <= {*VERBS, *PARTS, *tables, "threshold"}
    assert not set(method.refuses) & set(method.tables)
    assert method.first in (*method.tables, "effects")


def test_a_method_that_nobody_knows_has_all_defaults() -> None:
    assert type(method_named("rhymes")) is Method
