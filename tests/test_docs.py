"""The documentation: its commands exist, its examples run, its reference is current."""

import ast
import contextlib
import doctest
import importlib
import io
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.main import get_command

import neardup
from neardup.cli import main, whole_app
from neardup.methods import all_methods

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted(
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "src" / "neardup").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)
PARAMETERS = {
    name: {
        option
        for part in (command, *getattr(command, "commands", {}).values())
        for parameter in part.params
        for option in parameter.opts
    }
    for name, command in get_command(whole_app()).commands.items()  # type: ignore[attr-defined]
}
PUBLIC = [
    "neardup",
    "neardup.api",
    "neardup.result",
    "neardup.settings.run",
    "neardup.signatures.shingles",
]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def shell_lines(page: Path) -> list[list[str]]:
    """Return the commands of a page's shell examples, as words without comments."""
    found = "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    return [words for line in found if (words := shlex.split(line, comments=True))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module, extraglobs={"neardup": neardup})
    assert tried
    assert not failed


def test_the_public_modules_have_examples() -> None:
    assert set(PUBLIC) <= set(MODULES)


def test_every_public_name_says_what_it_is() -> None:
    for name in neardup.__all__:
        assert getattr(neardup, name).__doc__, name
    assert sorted(neardup.__all__) == neardup.__all__


def test_the_page_on_python_names_all_that_is_public() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    tables = {str(table) for m in all_methods() for table in m.tables}
    assert all(hasattr(neardup.Result, name) for name in tables)
    for name in neardup.__all__:
        assert f"`{name}`" in page, name
    for name in tables:
        assert f".{name}" in page, name


def test_types_are_for_users_too() -> None:
    assert (ROOT / "src" / "neardup" / "py.typed").is_file()


def test_nothing_is_installed_by_a_name_that_no_registry_has() -> None:
    for path in (*PAGES, *(ROOT / "src").rglob("*.py")):
        assert not re.search(r"pip install '?neardup", path.read_text(encoding="utf-8")), path


def test_files_that_the_documentation_names_are_there() -> None:
    there = [path.as_posix() for path in ROOT.rglob("*.py") if ".venv" not in path.parts]
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        for name in re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8")):
            assert any(path.endswith(f"/{name}") for path in there), f"{page.name}: {name}"


@pytest.mark.parametrize(
    "tool",
    ["make_api_reference.py", "make_cli_reference.py", "make_tables.py", "make_tree.py"],
)
def test_what_is_written_from_the_code_is_current(tool: str) -> None:
    command = [sys.executable, str(ROOT / "tools" / tool), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_every_command_has_help_and_is_in_the_readme(name: str) -> None:
    command = get_command(whole_app()).commands[name]  # type: ignore[attr-defined]
    assert command.help
    for parameter in command.params:
        assert getattr(parameter, "help", None) or "--help" in parameter.opts, parameter.name
    assert f"neardup {name}" in PAGES[0].read_text(encoding="utf-8")
    assert f"neardup {name}" in (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_in_the_text_exist(page: Path) -> None:
    for words in shell_lines(page):
        if words[0] != "neardup":
            continue
        if not words[1].startswith("-"):
            assert words[1] in PARAMETERS, words
            options = {word.partition("=")[0] for word in words[2:] if word.startswith("-")}
            assert options <= PARAMETERS[words[1]], words
    for name in re.findall(r"`neardup ([a-z]+)\b", page.read_text(encoding="utf-8")):
        assert name in PARAMETERS, name


def test_the_site_searches_without_a_network() -> None:
    """The theme loads a script of this name from elsewhere, unless there is one already."""
    [own] = re.findall(r"polyfills: \[(.*)\]", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert "iframe-worker" in own
    assert (ROOT / "docs" / own).is_file()


def test_what_the_readme_makes_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        text = page.read_text(encoding="utf-8")
        asked = set(re.findall(r"(?:^|`)make ([a-z]+)", text, re.M))
        assert asked <= targets, page.name
    assert {"demo", "test"} <= set(re.findall(r"^make ([a-z]+)", PAGES[0].read_text(), re.M))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def examples(page: Path) -> list[tuple[str, str | None]]:
    """Return the Python examples of a page, each with the text that it says it prints."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```\n(?:\s*^```text\n(.*?)^```)?", text, re.M | re.S)
    return [(match[1], match[2]) for match in found]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda page: page.name)
def test_the_python_examples_print_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    if page.name == "trec.md":
        pytest.importorskip("ir_measures")
    monkeypatch.chdir(tmp_path)
    corpus = ROOT / "src" / "neardup" / "data" / "demo.jsonl"
    (tmp_path / "demo.jsonl").write_bytes(corpus.read_bytes())
    names: dict[str, object] = {"neardup": neardup}
    for code, printed in examples(page):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(ast.parse(code), page.name, "exec"), names)
        if printed is not None:
            assert out.getvalue() == printed


RUN = [ROOT / "docs/index.md", ROOT / "docs/dedup.md", ROOT / "docs/clean.md"]
TUTORIALS = [page for page in PAGES if page.parent.name == "tutorials"]


def run(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command of neardup in this process."""
    monkeypatch.setattr(sys, "argv", words)
    try:
        main()
    except SystemExit as end:
        assert not end.code, words


def run_all(page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the commands of a page one after the other, and return what they print."""
    commands = [words for words in shell_lines(page) if words[0] == "neardup"]
    assert commands
    printed = ""
    for words in commands:
        run(words, monkeypatch)
        printed += capsys.readouterr().out
    return printed


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_the_shell_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(["neardup", "demo", "--files", "."], monkeypatch)
    (tmp_path / "corpus.jsonl").write_bytes((tmp_path / "demo.jsonl").read_bytes())
    run_all(page, monkeypatch, capsys)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.name)
def test_a_tutorial_runs_in_an_empty_folder_and_prints_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = run_all(page, monkeypatch, capsys)
    for line in "\n".join(blocks(page, "text")).splitlines():
        assert line in printed


def shown_in_order(page: str, printed: str) -> bool:
    """Return whether what a page shows was printed; a line of just … stands for what it leaves out."""
    at = 0
    for part in re.split(r"^…\n", page, flags=re.M):
        found = printed.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def test_the_readme_runs_in_a_new_folder_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    steps = re.findall(r"^```sh\n(.*?)^```\n(?:\s*^```text\n(.*?)^```)?", text, re.M | re.S)
    for code, page in steps:
        printed = ""
        for line in code.splitlines():
            words = shlex.split(line, comments=True)
            if words[0] == "neardup":
                run(words, monkeypatch)
            elif words[0] not in ("make", "export"):
                subprocess.run(line, shell=True, check=True)
            printed += capsys.readouterr().out
        assert shown_in_order(page, printed), printed
    assert sum(bool(page) for _, page in steps) >= 7


def test_the_recipe_for_a_training_corpus_leads_to_clean_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    corpus = ROOT / "src" / "neardup" / "data" / "demo.jsonl"
    records = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    raw = [{"id": record["id"], "text": record["text"]} for record in records]
    for folder, rows in {"shards": raw[:30], "corpus": raw[30:]}.items():
        (tmp_path / folder).mkdir()
        for n in range(2):
            table = pa.Table.from_pylist(rows[n::2])
            pq.write_table(table, tmp_path / folder / f"part-{n}.parquet", compression="zstd")
    item = {"id": "item", "text": raw[3]["text"][-200:]}
    (tmp_path / "eval.jsonl").write_text(json.dumps(item))
    for words in shell_lines(ROOT / "docs" / "training.md"):
        run(words, monkeypatch)
    clean = [pq.read_table(path) for path in sorted(tmp_path.glob("fresh/*/part-*.parquet"))]
    names = ["id", "text", "neardup_cluster_size", "neardup_duplicates_removed"]
    assert [table.column_names for table in clean] == [names, names]
    kept = [row for table in clean for row in table.to_pylist()]
    ledger = pq.read_table("cleaned.removed/ledger.parquet")
    dropped = sum(action == "dropped" for action in ledger["action"].to_pylist())
    removed = pq.read_table("fresh.removed/neardup-removed.parquet")
    assert len(kept) == 30 - dropped - len(removed) < 30 - len(removed)
    texts = {record["id"]: record["text"] for record in raw}
    changed = set(ledger["id"].to_pylist())
    assert all(row["text"] == texts[row["id"]] for row in kept if row["id"] not in changed)
    assert (tmp_path / "tables" / "pairs.jsonl").is_file()


def test_the_example_of_an_evaluation_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = ROOT / "docs" / "evaluate.md"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.csv").write_text(blocks(page, "csv")[0])
    for words in shell_lines(page)[:2]:
        monkeypatch.setattr(sys, "argv", words)
        capsys.readouterr()
        with contextlib.suppress(SystemExit):
            main()
    assert capsys.readouterr().out == blocks(page, "text")[0]
