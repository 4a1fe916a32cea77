"""What `--json` prints of a result, and that the page on it names all keys."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command

import neardup

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
        ("passages", ["--boilerplate"], "boilerplate", None),
        ("sentences", [], "clusters", "sentences"),
        ("sentences", ["--cluster", "0"], "sentences", "text"),
        ("sentences", ["--kind", "factual drift"], "pairs", None),
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
