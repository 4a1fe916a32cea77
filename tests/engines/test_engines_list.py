"""The list of engines: one that is added there works everywhere, and says what is its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from tests.engines.third import Lanes, Tickets

import neardup
from neardup.api import Keywords, TextKeywords
from neardup.engines import ENGINES, all_engines, engine_settings
from neardup.engines.base import Silent
from neardup.errors import InputError, SettingsError
from neardup.results.options import Options, TextOptions, options_of
from neardup.settings.run import RunSettings

ROOT = Path(__file__).parents[2]
PATH = "tests.engines.third:Third"
TWICE = "A text that is here twice, with some more words."
TEXTS = [TWICE, "Another text, which is here only once.", TWICE]
AS_LISTED = f"""
from neardup.engines import ENGINES
ENGINES["third"] = {PATH!r}
from neardup.cli import main
main()
"""


class Notes(Silent):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def note(self, message: str) -> None:
        self.said.append(message)


@pytest.fixture
def third(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a third engine to the list."""
    monkeypatch.setitem(ENGINES, "third", PATH)


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command line where the third engine is in the list."""
    words = [sys.executable, "-c", AS_LISTED, *map(str, arguments)]
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "120"}
    return subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("third")
@pytest.mark.parametrize(("engine", "lanes"), [("third", 2), (Lanes(5), 5)])
def test_another_engine_is_used_from_python(engine: Any, lanes: int, tmp_path: Path) -> None:
    notes = Notes()
    found = neardup.documents(TEXTS, engine=engine, output=tmp_path / "out", progress=notes)
    assert f"the third engine works in {lanes} lanes" in notes.said
    assert found.pairs == neardup.documents(TEXTS).pairs
    assert found.pairs.num_rows == 1


def test_another_engine_is_used_from_the_command_line_with_its_own_option(tmp_path: Path) -> None:
    files, out = [tmp_path / "one.txt", tmp_path / "other.txt"], tmp_path / "out"
    for file in files:
        file.write_text(TWICE)
    given = ["documents", *files, "-o", out, "--engine", "third"]
    found = command(*given, "--lanes", 3)
    assert found.returncode == 0, found.stderr
    assert "the third engine works in 3 lanes" in found.stderr
    assert neardup.Result(out).pairs.num_rows == 1
    refused = command(*given, "--overwrite", "--lanes", 10)
    assert refused.returncode == 2
    assert "lanes must be at least 1 and at most 9: got 10" in refused.stderr
    shown = command("documents", "--help-all").stdout
    assert "local|spark|third" in shown
    assert "third: lanes to work in. [default: 2]" in shown


@pytest.mark.usefixtures("third")
def test_data_of_one_engine_is_for_that_engine_only() -> None:
    found = neardup.documents(Tickets(TEXTS), engine="third")
    assert found.pairs == neardup.documents(TEXTS).pairs
    with pytest.raises(InputError, match=r"tickets are for the third engine\n.*engine='third'"):
        neardup.documents(Tickets(TEXTS))


@pytest.mark.usefixtures("third")
def test_what_is_no_engine_is_told_with_all_that_there_are() -> None:
    known = r'Take "local", "spark", "third", a SparkSession or Lanes\.'
    for wrong in ("hadoop", 7, None):
        with pytest.raises(SettingsError, match=rf"there is no engine {wrong!r}\n.*{known}"):
            neardup.documents(TEXTS, engine=wrong)


@pytest.mark.usefixtures("third")
def test_summaries_are_sized_by_what_the_engine_can_send_around() -> None:
    run = RunSettings.make(1, "1GB", engine=engine_settings("third"))
    assert run.summary_memory == 64 << 20
    assert RunSettings.make(1, "1GB").summary_memory == 1 << 30
    assert RunSettings.make(1, "32MB", engine=engine_settings("third")).summary_memory == 32 << 20


def test_engines_are_called_what_the_list_says() -> None:
    assert [engine.name for engine in all_engines()] == list(ENGINES)


def test_an_engine_ignores_the_options_of_others() -> None:
    given = {"master": "yarn", "conf": {"spark.executor.memory": "4g"}}
    assert vars(engine_settings("local", given).options) == {}
    assert vars(engine_settings("spark", given).options) == given | {"session": None}


@pytest.mark.parametrize(("declared", "typed"), [(Options, Keywords), (TextOptions, TextKeywords)])
def test_the_types_of_keywords_are_those_of_the_options(declared: type[Options], typed: Any) -> None:
    options = {
        name: option.type | None if option.optional else option.type
        for name, option in options_of(declared).items()
    }
    given = get_type_hints(typed)
    del given["progress"]
    assert given == options
