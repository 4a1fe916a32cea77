"""What results are made of is declared: keys are names, and nothing is looked up by a sentence."""

import ast
import re
from pathlib import Path

import pytest

import neardup
from neardup.methods import METHODS, OTHERS, method_named
from neardup.tables import Count, said

SOURCE = Path(neardup.__file__).parent
ALL = [*METHODS, *OTHERS]
KEY = re.compile(r"[a-z][a-z0-9_]*")


@pytest.mark.parametrize("name", ALL)
def test_counts_have_keys_that_are_names_and_sentences_that_are_not(name: str) -> None:
    counts = method_named(name).counts
    assert counts
    keys = [f"{count}.{count.by}" for count in counts]
    assert all(count.by.isidentifier() for count in counts if count.by)  # the pages show it
    assert len(set(keys)) == len(keys)
    assert len({count.sentence for count in counts}) == len(keys)
    for count in counts:
        assert KEY.fullmatch(count), count
        assert count.sentence, count
        assert not count.sentence.endswith("."), count


def test_a_key_says_the_same_in_every_method() -> None:
    of_several = {"boilerplate", "sentences"}  # each method has another kind of these
    known: dict[str, str] = {}
    for count in (count for name in ALL for count in method_named(name).counts):
        if count not in of_several:
            assert known.setdefault(f"{count}.{count.by}", count.sentence) == count.sentence


def reads_counts(node: ast.expr) -> bool:
    """Return whether an expression is named as the counts of a result are."""
    return ast.unparse(node).rpartition(".")[2] == "counts"


def literal(node: ast.expr) -> str | None:
    """Return the text that an expression writes out, if it does."""
    if isinstance(node, ast.JoinedStr):
        parts = (str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return "".join(parts).strip(".") or None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_no_count_is_looked_up_by_a_text_that_is_written_out() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            keys: list[ast.expr] = []
            if isinstance(node, ast.Subscript) and reads_counts(node.value):
                keys = [node.slice]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in ("get", "pop") and reads_counts(node.func.value):
                    keys = node.args[:1]
            elif isinstance(node, ast.Compare) and reads_counts(node.comparators[-1]):
                keys = [node.left]
            found += [f"{path.name}: {text}" for key in keys if (text := literal(key)) is not None]
    assert found == FIGURES


# labels that people gave, counted by collections.Counter, and a study's own table of figures
FIGURES = [
    "sampling.py: pairs of documents, one for each shingle that they share",
    "sampling.py: near-duplicate pairs",
]


def test_counts_that_nobody_declared_are_said_by_their_keys() -> None:
    assert said({"of_another": 3}, [Count("pairs", "verified pairs")]) == {"of_another": 3}


@pytest.mark.parametrize("name", METHODS)
def test_tables_say_what_they_are(name: str) -> None:
    tables = method_named(name).tables
    assert {"documents", "pairs", "skipped"} <= set(tables)
    assert len(set(tables)) == len(tables)
    for table in tables:
        names = [own.name for own in table.columns]
        assert len(set(names)) == len(names), table
        assert {*table.key, *table.order} <= set(names), table
        assert table.row and table.words
        assert all(own.meaning for own in table.columns), table
        assert any(own.shown != "hidden" for own in table.columns), table


def test_a_result_has_each_table_as_an_attribute_with_its_columns() -> None:
    for name in METHODS:
        for table in method_named(name).tables:
            said = getattr(neardup.Result, table).__doc__
            assert table.words in " ".join(said.split())
            assert all(own.name in said for own in table.columns)


def listed(node: ast.AST) -> set[str]:
    """Return the texts that stand in a list, tuple, set or dictionary."""
    parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    return {text for part in parts if part is not None and (text := literal(part)) is not None}


def test_no_list_of_tables_is_outside_of_rooms() -> None:
    """Names of methods, and what reclustering writes anew, are no such list."""
    everywhere = set.intersection(*({*map(str, method_named(name).tables)} for name in METHODS))
    tables = {str(table) for name in METHODS for table in method_named(name).tables} - everywhere
    shared = {*METHODS, "clusters", "rejected"}
    found = [
        (path.relative_to(SOURCE).as_posix(), names)
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).parts[0] != "methods"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict)
        and (names := listed(node) & tables) - shared
        and len(names) > 1
    ]
    assert found == [("reports/tables.py", {"clusters", "items", "shares"})]  # what scripts take
