"""The command line: its help, its exit codes, and how it starts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.records import TEXT, lines
from tests.command_line import Command, call
from typer.main import get_command

import neardup
from neardup.cli import HEADINGS, whole_app

COMMANDS = sorted(get_command(whole_app()).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, command: Command) -> None:
    found = command(name, "--help")
    assert found.code == 0
    assert "Usage" in found.out
    assert "--help" in found.out
    assert command(name, "-h").out == found.out


def test_without_a_command_all_commands_are_listed(command: Command) -> None:
    for found in (command("--help"), command()):
        assert all(name in found.out for name in COMMANDS)


def test_the_help_has_every_command_under_a_heading_in_the_order_of_use(command: Command) -> None:
    found = command("--help").out
    shown = [*HEADINGS, *(f" {name} " for names in HEADINGS.values() for name in names.split())]
    assert sorted(" ".join(HEADINGS.values()).split()) == COMMANDS
    assert all(text in found for text in shown)
    assert [found.index(heading) for heading in HEADINGS] == sorted(map(found.index, HEADINGS))
    assert "─ Commands ─" not in found


def test_the_version_is_printed(command: Command) -> None:
    found = command("--version")
    assert (found.code, found.out) == (0, f"{neardup.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["documents"],
        ["documents", "x.jsonl", "--nonsense"],
        ["dedup", "x"],
        ["explain", "x", "y"],
        ["show"],
        ["show", "x", "--page", "0"],
        ["dedup", "x", "-o", "y", "--mode", "burn"],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2(arguments: list[str], command: Command) -> None:
    assert command(*arguments).code == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--threshold", "0"], "threshold must be above 0 and at most 1"),
        (["--threshold", "1.5"], "threshold must be above 0 and at most 1"),
        (["--threshold", "nan"], "threshold must be above 0 and at most 1"),
        (["--threshold", "abc"], "--threshold"),
        (["--shingle", "letters:3"], "Choose word:N or char:N"),
        (["--shingle", "word:0"], "Write word:N with N 1–1000"),
        (["--candidates", "some"], "exact"),
        (["--candidates", "minhash", "--measure", "containment"], "take exact"),
        (["--memory", "lots"], "Write it like 512MB"),
        (["--memory", "1MB"], "memory must be at least"),
        (["--max-record", "-1"], "size"),
        (["--workers", "-1"], "workers must be at least 1"),
        (["--workers", "0"], "workers must be at least 1"),
        (["--bands", "0"], "bands must be at least 1"),
        (["--max-copies", "0"], "--max-copies must be at least 1"),
        (["--keep", "prettiest"], "Choose one of: longest, first, newest"),
        (["--columns", "doc"], "cannot be carried along"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_settings_end_with_2_and_say_what_is_right(
    options: list[str], said: str, corpus: Path, command: Command
) -> None:
    found = command("documents", corpus, "-o", corpus.parent / "out", *options)
    assert found.code == 2
    assert said in found.said
    assert found.out == ""
    assert [path.name for path in corpus.parent.iterdir()] == ["corpus.jsonl"]


def test_a_run_without_a_place_for_its_result_is_wrong_usage(corpus: Path, command: Command) -> None:
    found = command("documents", corpus)
    assert found.code == 2
    assert "-o" in found.said


HEAVY = ["numba", "duckdb", "pyarrow", "numpy", "pandas"]


def loaded(*arguments: object) -> list[str]:
    """Return which heavy packages a command imports, in a process of its own."""
    look = (
        f"import sys; from neardup.cli import main; sys.argv = {['neardup', *map(str, arguments)]!r}\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"import json; print(json.dumps([n for n in {HEAVY!r} if n in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_help_takes_no_heavy_imports() -> None:
    assert loaded("--help") == []


def test_a_page_of_a_result_takes_no_compiler(corpus: Path, tmp_path: Path, command: Command) -> None:
    assert command("documents", corpus, "-o", tmp_path / "out").code == 0
    assert loaded("show", tmp_path / "out") == ["pyarrow", "numpy"]
    assert loaded("show", tmp_path / "out", "documents") == ["pyarrow", "numpy"]


def test_commands_do_without_pandas_and_still_leave_it_to_whoever_imports_it(corpus: Path) -> None:
    pytest.importorskip("pandas")
    look = (
        "import sys; from neardup.cli import main\n"
        f"sys.argv = ['neardup', 'documents', {str(corpus)!r}, '-o', {str(corpus.parent / 'out')!r}]\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "loaded = 'pandas' in sys.modules\n"
        "import pandas, pyarrow as pa\n"
        "print(loaded, pa.table({'a': [1, 2]}).to_pandas().a.sum(), pa.array(pandas.Series([3]))[0])"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False 3 3"


def test_the_package_is_a_command_too(corpus: Path) -> None:
    found = call("documents", corpus, "-o", corpus.parent / "out")
    assert found.code == 0
    assert "2 documents of 2 records" in found.out
    script = Path(sys.executable).with_name("neardup")
    if script.exists():
        done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == neardup.__version__


def test_what_one_can_do_next_can_be_pasted_into_a_shell(demo: Path, tmp_path: Path) -> None:
    done = call("documents", f"{demo}.jsonl", "-o", tmp_path / "with space", "--threshold", "0.5")
    commands = [line.strip() for line in done.out.splitlines() if line.startswith("  neardup ")]
    assert len(commands) >= 2
    for line in commands:
        if "dedup" not in line:
            shell = line.replace("neardup", f"{sys.executable} -m neardup", 1)
            assert subprocess.run(shell, shell=True, capture_output=True, check=False).returncode == 0, (
                line
            )


@pytest.mark.parametrize("name", ["[/bold]", "[red]x", "a b", "it's", "$HOME", "ü", "-o"])
def test_ids_and_folders_of_any_look_are_printed_as_they_are(
    name: str, tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(lines({"id": name, "text": TEXT}, {"id": "b", "text": f"{TEXT} So."}))
    output = tmp_path / f"out{name.replace('/', '')}"
    found = command("documents", path, "-o", output, "--threshold", "0.5")
    assert found.code == 0
    assert str(output) in found.out
    assert name in found.out or name.replace("'", "'\"'\"'") in found.out
    assert name in command("show", output).out
    assert command("show", output, "--cluster", "0").code == 0
    explained = command("explain", output, "--", name, "b")
    assert explained.code == 0
    assert name in explained.out
    assert command("dedup", output, "-o", tmp_path / "clean").code == 0


@pytest.mark.parametrize(
    ("method", "chosen"),
    [
        ("documents", ["--threshold", "0.6", "--measure", "containment"]),
        ("pages", ["--slope", "0.2", "--clusters", "components"]),
        ("passages", ["--min-length", "90", "--verbatim"]),
        ("sentences", ["--preset", "paper", "--max-distance", "0.2"]),
        ("threads", ["--fields", "title=0.5,text=0.5", "--signature", "text=winnowing:3,4"]),
    ],
)
def test_a_result_is_a_file_of_settings_for_its_own_command(
    command: Command, tmp_path: Path, method: str, chosen: list[str]
) -> None:
    demo = Path(neardup.__file__).parent / "data" / "demo.jsonl"
    one, other = tmp_path / "one", tmp_path / "other"
    assert command(method, demo, "-o", one, "-q", *chosen).code == 0
    assert command(method, demo, "-o", other, "-q", "--settings", one / "run.json").code == 0
    first, second = (json.loads((at / "run.json").read_text()) for at in (one, other))
    assert first == second
