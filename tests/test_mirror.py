"""The tests mirror the source: whoever knows a module finds its tests by their name."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "neardup"
OWN = (
    "data",
    "fuzz",
    "fuzz/past",
    "plugin",  # a package of others, and its module
    "plugin/neardup_openings",
    "twins",
)  # folders of the tests alone, such as the kernels' slow twins
LONGEST = 500  # lines
FOLDERS = sorted(
    path.relative_to(TESTS).as_posix()
    for path in TESTS.rglob("*")
    if path.is_dir() and path.name != "__pycache__"
)
MODULES = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py"))


def imported(path: Path) -> set[str]:
    """Return the names of all modules that a file may import from the tests."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return {name for name in found if name.startswith("tests.")}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_is_one_of_the_source(folder: str) -> None:
    assert folder in OWN or (SOURCE / folder).is_dir()


@pytest.mark.parametrize("module", [module for module in MODULES if "/" in module])
def test_a_test_is_named_after_a_module_or_its_folder(module: str) -> None:
    path = Path(module)
    tested = path.stem.removeprefix("test_")
    room = SOURCE / path.parent
    names = {room.name, *(own.stem for own in room.iterdir() if own.suffix == ".py")}
    assert any(tested == name or tested.startswith(f"{name}_") for name in names)


@pytest.mark.parametrize("module", MODULES)
def test_no_module_is_long_and_none_imports_another(module: str) -> None:
    path = TESTS / module
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
    for name in imported(path):
        last = name.rpartition(".")[2]
        assert last != "conftest"
        assert not (TESTS.parent / f"{name.replace('.', '/')}.py").exists() or not last.startswith(
            "test_"
        )
