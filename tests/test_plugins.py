"""A package of its own adds a method, a reader and a signature, in an environment of its own."""

import ast
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

import neardup
from neardup import extending

PLUGIN = Path(__file__).parent / "plugin"
COPIED = (
    "The miller of the old village counted every sack before the first carts came up the hill. Nobody "
    "asked him why he did so, since his father had done the same for forty years. Only the baker, who "
    "owed him for three of them, used to look the other way."
)
BOX = f"#cards\n3|{COPIED}\n4|{COPIED} He did it twice.\n5\n6|Only this card is about the sea.\n"


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Environment:
    """An environment with the packages of this one, and others that a test puts into it."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=os.name != "nt")
        scripts = "Scripts" if os.name == "nt" else "bin"
        self.python = folder / scripts / Path(sys.executable).name
        [self.site] = folder.rglob("site-packages")
        self.folder = folder
        shared = [path for path in sys.path if Path(path).is_dir() and "site-packages" in path]
        source = Path(neardup.__file__).parent.parent
        (self.site / "shared.pth").write_text("".join(f"{path}\n" for path in (source, *shared)))

    def run(self, *words: object) -> Done:
        """Run Python in it."""
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [str(self.python), *map(str, words)],
            cwd=self.folder,
            env=clean | {"COLUMNS": "120"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def neardup(self, *words: object) -> str:
        """Run a command that goes well, and says nothing of packages."""
        done = self.run("-m", "neardup", *words)
        assert done.code == 0, done.err
        assert "is left out" not in done.err
        return done.out

    def add(self, group: str, point: str, package: str) -> None:
        """Put a package into it that has nothing but an entry point."""
        told = self.site / f"{package.replace('-', '_')}-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (told / "entry_points.txt").write_text(f"[{group}]\n{point}\n")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*command, str(folder)], cwd=PLUGIN, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment into which the package is installed, from its wheel."""
    made = Environment(tmp_path_factory.mktemp("env"))
    words = ("install", "--quiet", "--no-index", "--no-deps", wheel)
    done = made.run("-m", "pip", *words)
    assert done.code == 0, done.err
    (made.folder / "box.cards").write_text(BOX)
    return made


def test_its_parts_are_named_where_ours_are(installed: Environment) -> None:
    assert "Find documents that begin with the same characters." in installed.neardup("--help")
    assert "HTML, cards, text;" in " ".join(installed.neardup("documents", "--help").split())
    assert "ends or ends:N" in " ".join(installed.neardup("passages", "--help").split())
    assert "--characters" in installed.neardup("openings", "--help")


def test_they_go_through_run_show_report_and_dedup(installed: Environment) -> None:
    told = json.loads(installed.neardup("openings", "box.cards", "-o", "out", "--json"))
    assert told["counts"]["pairs"] == 1
    assert told["counts"]["skipped.no text"] == 1
    assert "box.cards#1" in installed.neardup("show", "out")
    assert "box.cards#2" in installed.neardup("explain", "out", "box.cards#1", "box.cards#2")
    assert "1 pair" in installed.neardup("report", "out", "-o", "report.html")
    assert "Similar openings" in (installed.folder / "report.html").read_text("utf-8")
    installed.neardup("dedup", "out", "--mode", "remove", "-o", "clean")
    cleaned = (installed.folder / "clean" / "box.cards").read_text()
    assert cleaned.splitlines() == [line for line in BOX.splitlines() if not line.startswith("3")]


def test_the_signature_finds_passages(installed: Environment) -> None:
    told = installed.neardup("passages", "box.cards", "-o", "p", "--signature", "ends:2", "--json")
    assert json.loads(told)["counts"]["passages"] == 1


def test_they_are_there_in_python(installed: Environment) -> None:
    script = (
        "import neardup, inspect\n"
        "assert 'openings' in dir(neardup)\n"
        "assert inspect.signature(neardup.openings).parameters['characters'].default == 20\n"
        "print(neardup.openings('box.cards', characters=9).documents['shelf'].to_pylist())\n"
        "neardup.openings('box.cards', charakters=9)\n"
    )
    done = installed.run("-c", script)
    assert done.out == "['3', '4', '6']\n"
    assert "openings() got an unexpected keyword argument 'charakters': did you mean" in done.err


def test_processes_that_lack_the_reader_say_so(installed: Environment) -> None:
    script = (
        "import pickle\n"
        "from neardup.readers import formats\n"
        "from neardup.readers.records import ReaderSettings\n"
        "from neardup.readers.source import FileSource\n"
        "source = FileSource.open(['box.cards'], ReaderSettings())\n"
        "sent = pickle.loads(pickle.dumps(source))\n"
        "print(sum(batch.num_rows for batch in sent.read(sent.splits()[0])))\n"
        "formats.added = lambda: ()\n"  # as on a node on which it is not installed
        "list(sent.read(sent.splits()[0]))\n"
    )
    done = installed.run("-c", script)
    assert done.out == "4\n"
    assert "the reader neardup_openings.reader:READER cannot be loaded in this process" in done.err
    assert "Install its package wherever files are read" in done.err


REFUSED = {  # what packages add by mistake, and what is said of it
    "a method that is nowhere": ("methods", "spoilt = nowhere:Spoilt", "No module named 'nowhere'"),
    "a method that is none": ("methods", "loads = json:loads", "this is not a type"),
    "a class that is no method": ("methods", "box = json:JSONEncoder", "not a subclass of Method"),
    "a reader that is none": ("readers", "spoilt = json:loads", "this is not a Reader"),
    "a signature that is nowhere": ("signatures", "spoilt = json:no", "has no attribute 'no'"),
    "a signature by another name": ("signatures", "x = others:ENDS", "its name is 'ends', not 'x'"),
    "the name of a method": ("methods", "documents = a:b", "the name 'documents' is taken"),
    "the name of a command": ("methods", "show = json:loads", "the name 'show' is taken"),
    "the name of a function": ("methods", "report = a:b", "the name 'report' is taken"),
    "the name of a reader": ("readers", "CSV = a:b", "the name 'CSV' is taken"),
    "the name of a signature": ("signatures", "imatch = a:b", "the name 'imatch' is taken"),
    "a suffix": ("readers", "lines = others:READER", "the suffix '.jsonl' is taken"),
}
OTHERS = """
from dataclasses import replace
from neardup.extending import Notation
from neardup.readers.jsonl import READER as OURS
READER = replace(OURS, suffixes=(".jsonl",))
ENDS = Notation("ends", dict)
"""


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """Return what help and a run say in an environment with all these packages."""
    made = Environment(tmp_path_factory.mktemp("refused"))
    for number, (group, point, _) in enumerate(REFUSED.values()):
        made.add(f"neardup.{group}", point, f"neardup-refused-{number}")
    (made.site / "others.py").write_text(OTHERS)
    (made.folder / "a.jsonl").write_text(json.dumps({"text": COPIED}))
    helped = made.run("-m", "neardup", "--help")
    done = made.run("-m", "neardup", "passages", "a.jsonl", "-o", "out")
    wanted = made.run("-m", "neardup", "spoilt", "a.jsonl", "-o", "out2")
    assert (helped.code, done.code, wanted.code) == (0, 0, 2)
    assert "Find passages that documents share" in helped.out
    assert all(
        run.err.count(f"refused-{number} ") <= 1 for run in (helped, done) for number in range(12)
    )
    return Done(0, done.out, helped.err + done.err)


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_broken_or_taken_is_named_and_breaks_nothing_else(case: str, refused: Done) -> None:
    group, point, why = REFUSED[case]
    package = f"neardup-refused-{list(REFUSED).index(case)}"
    line = next(line for line in refused.err.splitlines() if f"{package} " in line)
    assert f"the package {package} is left out (neardup.{group}, {point}): " in line
    assert why in line


def imported(module: Path) -> set[str]:
    """Return what a module of the package imports from neardup."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {str(node.module) for node in found if str(node.module).startswith("neardup")}


def test_it_needs_nothing_but_public_names() -> None:
    used = set.union(*map(imported, (PLUGIN / "neardup_openings").glob("*.py")))
    assert used == {"neardup.extending"}


def test_the_page_on_extending_shows_the_package_and_all_that_is_public() -> None:
    page = (PLUGIN.parent.parent / "docs" / "extending.md").read_text(encoding="utf-8")
    assert (PLUGIN / "neardup_openings" / "reader.py").read_text(encoding="utf-8") in page
    declared = (PLUGIN / "pyproject.toml").read_text(encoding="utf-8")
    assert declared[declared.index("[project]") :] in page
    assert not [name for name in extending.__all__ if f"`{name}`" not in page]


@pytest.mark.parametrize("name", extending.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(extending, name) is not None
    assert name in dir(extending)


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = extending.Nothing
