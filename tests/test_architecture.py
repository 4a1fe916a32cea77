"""The architecture: imports go down, and each room keeps to its own work."""

import ast
import inspect
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import neardup
from neardup.kernels.passages import text_of

SOURCE = Path(__file__).parent.parent / "src" / "neardup"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")
}

# A room may import from rooms below its own, and from itself, but never from above or beside. So nothing
# that computes knows of what shows it, and no two rooms know of each other.
LAYERS = [
    ["__main__"],
    ["cli"],
    ["server"],
    ["api"],
    ["reports"],
    ["cleaning", "exports", "index", "evaluation"],
    ["retrieval"],
    ["result", "extending"],
    ["methods"],
    ["showing"],
    ["results"],
    ["steps"],
    ["engines"],
    ["readers", "signatures"],
    ["text", "web", "store"],
    ["kernels", "settings", "plan", "tables", "durable", "storage", "chance", "plugins"],
    ["errors", "arrays"],
]
LEVEL = {part: number for number, layer in enumerate(LAYERS) for part in layer}
PRINTS = ("cli", "showing", "__main__")
ENGINES = ("engines",)
KEEPING = ("kernels.ahead", "kernels.cache_folder", "kernels.inside_numba")  # kernels, but none of them
INSIDES = {  # what a library promises nothing for, and the one module that rests on it
    "numba.core": "kernels.inside_numba",
    "typer._": "cli.inside_typer",
    "pyspark.daemon": "engines.spark.inside_pyspark",
    "duckdb._": "engines.local.database",
}
OF_KERNELS = {"numba", "llvmlite", "numpy", "neardup", "typing", "collections", "math", "functools"}
OF_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
OF_INDEXES = ("index.upgrading",)
HEAVY = ("duckdb", "pyspark")


def part_of(module: str) -> str:
    return module.partition(".")[0]


def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def imports(module: str) -> Iterator[tuple[str, bool]]:
    """Yield the full names that a module imports, and whether it does so only in a function."""
    tree = tree_of(module)
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) not in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            for alias in node.names:
                yield f"{node.module}.{alias.name}", id(node) not in top


def own_imports(module: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of neardup that a module imports."""
    for name, deferred in imports(module):
        if name.startswith("neardup."):
            yield part_of(name.removeprefix("neardup.")), deferred


def test_every_module_has_its_layer() -> None:
    parts = {part_of(module) for module in MODULES} - {"__init__"}
    assert parts == set(LEVEL)


@pytest.mark.parametrize("module", sorted(MODULES.keys() - {"__init__"}))
def test_imports_go_down(module: str) -> None:
    own = part_of(module)
    for other, _ in own_imports(module):
        if other not in (own, "__version__", "__all__"):
            assert LEVEL[other] > LEVEL[own], f"{module} imports {other}"


@pytest.mark.parametrize("folder", ["methods", "engines"])
def test_no_room_knows_the_one_next_door(folder: str) -> None:
    rooms = {path.name for path in (SOURCE / folder).iterdir() if path.is_dir()} - {"__pycache__"}
    assert len(rooms) >= 2
    for module in MODULES:
        if module.startswith(f"{folder}.") and module.split(".")[1] in rooms:
            own = module.split(".")[1]
            for name, _ in imports(module):
                parts = name.split(".")
                if parts[:2] == ["neardup", folder] and (folder, own, parts[2]) not in SHARED_ROOMS:
                    assert parts[2] not in rooms - {own}, f"{module} imports {name}"


# what Spark leaves to the driver is done there as on any one machine
SHARED_ROOMS = {("engines", "spark", "local")}


def test_no_two_modules_import_each_other_in_a_circle() -> None:
    known = {dotted(module): module for module in MODULES}
    edges = {module: targets(module, known) for module in MODULES}
    waiting = set(edges)
    while free := [module for module in waiting if not edges[module] & waiting]:
        waiting -= set(free)
    circle = sorted(module for module in waiting if any(module in edges[other] for other in waiting))
    assert not circle


def dotted(module: str) -> str:
    """Return the full name of a module; that of a folder's __init__ is the folder's."""
    return f"neardup.{module}".removesuffix(".__init__")


def targets(module: str, known: dict[str, str]) -> set[str]:
    """Return the modules that one imports, inside its functions too; names for types aside."""
    tree = tree_of(module)
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    names = [
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and id(node) not in typing_only
        for alias in node.names
    ]
    modules = {known.get(name) or known.get(name.rpartition(".")[0]) for name in names}
    return {found for found in modules if found and found not in (module, "__init__")}


def test_the_public_names_load_nothing_by_themselves() -> None:
    at_once = [name for name, deferred in imports("__init__") if not deferred]
    assert set(at_once) <= {"importlib", "logging", "typing.TYPE_CHECKING", "typing.Any"}


def test_no_other_type_has_the_name_of_a_public_one() -> None:
    types = Counter(
        name
        for module in MODULES
        for node in tree_of(module).body
        for name in (
            [node.name]
            if isinstance(node, ast.ClassDef)
            else map(ast.unparse, getattr(node, "targets", []))
        )
    )
    public = [name for name in neardup.__all__ if name[0].isupper()]
    assert [name for name in public if types[name] != 1] == []


@pytest.mark.parametrize("module", sorted(MODULES))
def test_only_engines_know_databases(module: str) -> None:
    if part_of(module) not in ENGINES and module not in OF_INDEXES:
        assert not [name for name, _ in imports(module) if name.partition(".")[0] in HEAVY]


def test_engines_know_no_method_and_no_table_of_one() -> None:
    tables = set()
    for module in (
        "methods.documents.plan",
        "methods.documents.candidates",
        "steps.clusters",
        "steps.copies",
    ):
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Map", "Sql", "Fold"):
                first = node.args[0]
                tables |= {first.value} if isinstance(first, ast.Constant) else set()
    assert {"units", "pairs"} <= tables
    for module in MODULES:
        if part_of(module) in ENGINES:
            strings = {n.value for n in ast.walk(tree_of(module)) if isinstance(n, ast.Constant)}
            assert not strings & (tables - {"pairs"}), module  # pairs are also a unit of progress


@pytest.mark.parametrize("module", sorted(MODULES))
def test_only_the_command_line_prints_or_exits(module: str) -> None:
    for node in ast.walk(tree_of(module)):
        assert not isinstance(node, ast.Assert), f"{module}: assert in line {node.lineno}"
        if isinstance(node, ast.Call) and part_of(module) not in PRINTS:
            assert ast.unparse(node.func) not in (
                "print", "sys.exit", "exit", "quit", "sys.stdout.write", "sys.stderr.write",
            ), f"{module}: line {node.lineno}"  # fmt: skip


@pytest.mark.parametrize("module", sorted(MODULES))
def test_modules_are_short_have_plain_names_and_say_what_they_are(module: str) -> None:
    lines = MODULES[module].read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 500
    assert not {"utils", "util", "misc", "helpers", "common"} & set(module.split("."))
    assert len(module.split(".")) <= 3, "a room has no rooms but those of methods and engines"
    assert ast.get_docstring(tree_of(module))


@pytest.mark.parametrize("module", sorted(MODULES))
def test_functions_fit_on_a_screen(module: str) -> None:
    """Signature and docstring apart: a command has as many parameters as options."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[bool(ast.get_docstring(node)) :] or node.body
            lines = (node.end_lineno or 0) - body[0].lineno + 1
            assert lines <= 60, f"{module}.{node.name}"


def decorators(function: ast.FunctionDef) -> set[str]:
    found = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
    return {ast.unparse(decorator).rpartition(".")[2] for decorator in found}


def test_every_kernel_says_what_it_computes() -> None:
    kernels = [
        (module, node)
        for module in MODULES
        if part_of(module) == "kernels"
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.FunctionDef) and "kernel" in decorators(node)
    ]
    assert len(kernels) > 20
    silent = [f"{module}.{node.name}" for module, node in kernels if not ast.get_docstring(node)]
    assert not silent


def test_what_libraries_promise_nothing_for_stands_in_one_module_each() -> None:
    trees = {module: tree_of(module) for module in MODULES}
    ours = {"_exit", *OF_TUPLES}
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                ours.add(node.name)
            elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                ours.add(node.attr) if ast.unparse(node.value) in ("self", "cls") else None
            elif isinstance(node, ast.AnnAssign):
                ours.add(ast.unparse(node.target))
    for module, tree in trees.items():
        for name, _ in imports(module):
            owner = next((own for begin, own in INSIDES.items() if name.startswith(begin)), module)
            assert owner == module, f"{module} imports {name}"
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        private = {name for name in used if name.startswith("_") and not name.startswith("__")} - ours
        assert not private or module in INSIDES.values(), f"{module} uses {private}"


def test_kernels_use_neither_arrow_nor_pandas() -> None:
    for module in MODULES:
        if part_of(module) == "kernels" and module not in KEEPING:
            found = {name.partition(".")[0] for name, _ in imports(module)}
            assert found <= OF_KERNELS


def test_kernels_sort_indirectly_by_merging_only() -> None:
    """Numba gives its quick sort and quick argsort the same names.

    Loaded from the cache, where a number that makes names unique may recur, one was called for the
    other: indices were values, and the process died.
    """
    for module in MODULES:
        if part_of(module) == "kernels":
            for node in ast.walk(tree_of(module)):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("argsort"):
                    assert "mergesort" in ast.unparse(node), f"{module}: line {node.lineno}"


def returns_names(function: Any) -> bool:
    """Return whether a kernel returns a named tuple that it or another kernel makes, or is one."""
    made = getattr(function, "py_func", None)
    if made is None:
        return hasattr(function, "_fields")
    tree = ast.parse(inspect.getsource(made))
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    names = {ast.unparse(value) for value in found if value}
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    found += [node.value for node in assigned if names.intersection(map(ast.unparse, node.targets))]
    parts = [part for value in found if value for part in ast.walk(value)]
    calls = {ast.unparse(part.func) for part in parts if isinstance(part, ast.Call)} - {made.__name__}
    return any(returns_names(made.__globals__.get(call)) for call in calls)


def test_no_kernel_that_python_calls_returns_a_named_tuple() -> None:
    """Numba has Python make it: a signal that came meanwhile is answered there, and the process dies."""
    assert returns_names(text_of)
    for module in MODULES:
        for name, _ in imports(module):
            owner, _, function = name.rpartition(".")
            if owner.startswith("neardup.kernels.") and part_of(module) != "kernels":
                found = getattr(import_module(owner), function)
                assert isinstance(found, type) or not returns_names(found), f"{module} calls {name}"
