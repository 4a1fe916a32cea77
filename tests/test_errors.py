"""Errors speak the language of whoever reads them: arguments in Python, options on the command line."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import neardup
from neardup.errors import NeardupError, OutputError
from neardup.evaluation.gold import read_gold
from neardup.showing.console import with_options

SOURCE = Path(neardup.__file__).parent
OPTION = re.compile(r"(?:(?<=[\s(`'\"])|^)(?:--[a-z]|-[a-z]\b)")
# What only the command line shows, what only those read who started a server by it, and styles.
TERMINAL = ("cli/", "showing/", "server/tools.py", "web/numbers.py")
# that have no twin in Python
COMMANDS = re.compile(r"ulimit -[a-z]|neardup (?:study|serve|clean --show-recipe)\b.*")
TEXT = "The ferry to the islands stays in harbour because of the storm."


def texts(module: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that are neither docstrings, nor options by declaration."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    others = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "flags":
            others.add(id(node.value))
        if isinstance(node, ast.List):  # the words of a process to start
            others.update(map(id, node.elts))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in others:
            yield node.lineno, node.value


def test_no_text_of_the_library_names_an_option() -> None:
    found = [
        f"{module.relative_to(SOURCE)}:{line}: {text}"
        for module in sorted(SOURCE.rglob("*.py"))
        if not module.relative_to(SOURCE).as_posix().startswith(TERMINAL) and module.name != "view.py"
        for line, text in texts(module)
        if OPTION.search(COMMANDS.sub("", text))
    ]
    assert not found


def a_file(folder: Path) -> Path:
    (folder / "file").write_text("text")
    return folder / "file"


RAISED: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a result that is there": (
        lambda folder: [neardup.documents([TEXT] * 2, output=folder / "out") for _ in "12"],
        "--overwrite",
    ),
    "a file where the result shall be": (
        lambda folder: neardup.documents([TEXT], output=a_file(folder)),
        "-o",
    ),
    "no place for the result": (
        lambda folder: neardup.documents([TEXT], output=a_file(folder) / "out"),
        "-o",
    ),
    "no result": (lambda folder: neardup.Result(folder), "neardup documents … -o OUT"),
    "no column": (lambda _: neardup.documents([{"a": "b"}], text_column="c"), "--text-column"),
    "no gold": (lambda _: read_gold([]), "--gold"),
    "no items": (
        lambda _: neardup.decontaminate([TEXT], pa.table({"x": [1], "y": [2]})),
        "--fields question=COLUMN,answer=COLUMN",
    ),
}


@pytest.mark.parametrize("case", RAISED)
def test_errors_of_calls_name_arguments_and_those_of_commands_options(case: str, tmp_path: Path) -> None:
    call, option = RAISED[case]
    with pytest.raises(NeardupError) as caught:
        call(tmp_path)
    said = str(caught.value).replace(str(tmp_path), "")
    assert not OPTION.search(said), said
    assert option in with_options(said)


def test_a_call_in_a_hint_is_a_command_for_the_command_line() -> None:
    hint = 'To remove it: neardup.documents("NEW", against="INDEX", output="OUT").'
    assert with_options(hint) == "To remove it: neardup documents NEW --against INDEX -o OUT."
    assert str(OutputError("no", hint=hint)) == f"no\n{hint}"
