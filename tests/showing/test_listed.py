"""What `--json` prints of a result, and that the page on it names all keys."""

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.command_line import Command

import neardup
from neardup.errors import SettingsError
from neardup.showing.listed import holding, ordered
from neardup.tables import Table, column

PAGE = Path(__file__).parent.parent.parent / "docs" / "json.md"
TEXT = "The ferry to the islands stays in harbour because of the storm, and nobody is in the boat. " * 3


def documented(heading: str) -> set[str]:
    """Return the keys that a section of the page lists."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.M)
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("listed")
    corpus = folder / "corpus.jsonl"
    lines = [f'{{"id": "{name}", "title": "T {name}", "text": "{TEXT}{name}"}}' for name in "abc"]
    corpus.write_text("\n".join([*lines, '{"id": "d", "title": "T a", "text": "nothing like that"}']))
    made = {name: folder / name for name in ("documents", "passages", "sentences")}
    neardup.documents(corpus, output=made["documents"])
    neardup.passages(corpus, output=made["passages"])
    neardup.sentences(corpus, output=made["sentences"])
    return made


@pytest.mark.parametrize(
    ("method", "options", "what", "inside"),
    [
        ("documents", [], "clusters", "members"),
        ("documents", ["--cluster", "0"], "members", "text"),
        ("passages", [], "pairs", "located"),
        ("passages", ["boilerplate"], "boilerplate", None),
        ("sentences", [], "clusters", "sentences"),
        ("sentences", ["--cluster", "0"], "members", "text"),
        ("sentences", ["pairs", "--where", "kind = 'factual drift'"], "pairs", None),
    ],
)
def test_show_lists_a_page(
    method: str,
    options: list[str],
    what: str,
    inside: str | None,
    results: dict[str, Path],
    command: Command,
) -> None:
    found = command("show", results[method], *options, "--json").json
    assert set(found) == documented("neardup show")
    assert (found["method"], found["what"], found["page"]) == (method, what, 1)
    assert len(found["rows"]) == found["total"]
    assert all(inside in row for row in found["rows"] if inside)
    assert found["rows"] or inside is None


def test_pages_of_rows_make_up_the_list(results: dict[str, Path], command: Command) -> None:
    whole = command("show", results["passages"], "--json").json
    parts: list[Any] = []
    for page in range(1, whole["total"] + 1):
        one = command("show", results["passages"], "--json", "--per-page", 1, "--page", page).json
        assert one["pages"] == whole["total"]
        parts += one["rows"]
    assert parts == whole["rows"]


def test_dedup_and_report_say_what_they_did(results: dict[str, Path], command: Command) -> None:
    clean = results["documents"].with_name("clean")
    found = command("dedup", results["documents"], "-o", clean, "--json").json
    assert set(found) == documented("neardup dedup")
    assert (found["removed"], found["kept"]) == (2, 2)
    made = command("report", results["documents"], "--json").json
    assert set(made) == documented("neardup report")
    assert Path(made["path"]).stat().st_size == made["size"]


def test_what_cannot_be_listed_is_said(results: dict[str, Path], command: Command) -> None:
    assert "no cluster 99" in command("show", results["documents"], "--cluster", 99, "--json").said
    assert command("show", results["sentences"], "--csv", "x", "--json").code == 2


# --- conditions and orders

ROWS = pa.table(
    {
        "id": ["a", "b", "c", "d"],
        "kind": ["identical", "contained", "identical", None],
        "similarity": [1.0, 0.5, 0.75, 0.5],
        "words": pa.array([9, 1200, 30, None], pa.int64()),
        "old": [True, False, None, False],
        "types": [["x"], [], None, ["y"]],
    }
)
TABLE = Table(
    "rows",
    "row",
    "rows",
    [
        column("id", "string", "its name", "name"),
        column("kind", "string", "its kind", "category"),
        column("similarity", "double", "how similar", "share"),
        column("words", "int64", "how many", descending=True),
        column("old", "bool", "whether it is"),
        column("types", "list", "of what"),
    ],
    key=("id",),
    order=("words", "id"),
)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("kind = identical", "ac"),
        ("kind='identical'", "ac"),
        ('kind != "identical"', "b"),
        ("kind = null", "d"),
        ("kind != null", "abc"),
        ("kind ~ TAIN", "b"),
        ("similarity<0.75", "bd"),
        ("similarity >= .75", "ac"),
        ("words > 9", "bc"),
        ("words <= 30", "ac"),
        ("words < 9.5", "a"),
        ("old = true", "a"),
        ("old = no", "bd"),
        ("id = x' or '1'='1", ""),
        ("id = b'; drop table rows", ""),
    ],
)
def test_a_condition_chooses_rows(condition: str, found: str) -> None:
    chosen = ROWS.filter(holding(ROWS, TABLE, condition))
    assert "".join(chosen["id"].to_pylist()) == found


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("colour = red", "rows has no column 'colour'"),
        ("kind", "this is no condition"),
        ("= red", "this is no condition"),
        ("words = many", "words cannot be 'many'"),
        ("words ~ 3", "words cannot be compared by ~"),
        ("old = perhaps", "old cannot be 'perhaps'"),
        ("types = x", "types cannot be compared"),
    ],
)
def test_a_condition_that_cannot_be_is_explained(condition: str, said: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(said)) as caught:
        holding(ROWS, TABLE, condition)
    assert caught.value.hint
    if "no column" in said:
        assert caught.value.hint == "Its columns are: id, kind, similarity, words, old, types."


@pytest.mark.parametrize(
    ("sort", "found"),
    [
        (None, "bcad"),
        ("similarity", "bdca"),
        ("similarity:desc", "acbd"),
        ("words", "bcad"),
        ("words:asc", "acbd"),
        ("kind", "bacd"),
    ],
)
def test_rows_are_sorted_by_a_column_and_ties_by_the_key(sort: str | None, found: str) -> None:
    assert "".join(ordered(ROWS, TABLE, sort)["id"].to_pylist()) == found


def test_an_order_that_cannot_be_is_explained() -> None:
    with pytest.raises(SettingsError, match="rows has no column 'beauty'"):
        ordered(ROWS, TABLE, "beauty")
    with pytest.raises(SettingsError, match="cannot sort by 'words:up'"):
        ordered(ROWS, TABLE, "words:up")


def test_any_table_is_shown_by_its_columns(results: dict[str, Path], command: Command) -> None:
    shown = command("show", results["documents"], "pairs", "--where", "id_a = a").out
    assert "2 pairs, page 1 of 1" in shown
    head, *rows = shown.splitlines()[1:]
    assert head.split() == [
        "similarity",
        "containment",
        "a",
        "containment",
        "b",
        "kind",
        "id",
        "a",
        "id",
        "b",
    ]
    assert [row.split()[-2:] for row in rows] == [["a", "b"], ["a", "c"]]
    assert rows[0].split()[1].replace(".", "").isdigit() and rows[0].split()[2] == "%"
    unknown = command("show", results["documents"], "rhymes")
    assert unknown.code == 1
    assert (
        "a result of documents has no rhymes Its tables are: clusters, documents, pairs" in unknown.said
    )
    assert "To have some, run: neardup pages" in command("show", results["documents"], "sites").said


def test_a_condition_that_no_row_meets_names_the_values_that_there_are(
    command: Command, results: dict[str, Path]
) -> None:
    table = ("show", results["documents"], "pairs", "--where")
    assert command(*table, "kind == near-duplicate").out == command(*table, "kind = near-duplicate").out
    shown = command(*table, "kind = near duplicate").out
    assert shown.startswith("0 pairs") and "kind is one of: " in shown and "near-duplicate" in shown
    assert "is one of" not in command(*table, "similarity > 2").out
    both = command(*table, "kind = near-duplicate", "--where", "similarity > 2").out
    assert both.startswith("0 pairs") and "is one of" not in both
    assert "is one of" not in command(*table, "id_a = nobody").out
