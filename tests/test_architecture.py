"""The architecture: imports go one way, and each layer keeps to its own work."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import neardup

SOURCE = Path(__file__).parent.parent / "src" / "neardup"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")
}

# A module may import from layers above its own, and from its own folder, but never from below or
# beside. So nothing that computes knows of what prints, and no two parts know of each other.
LAYERS = [
    ["errors", "containers"],
    ["settings_base", "kernels", "arguments"],
    ["settings"],
    ["text", "page_settings", "sentence_settings", "thread_settings"],
    ["readers", "signatures", "plan", "abilities"],
    ["engines", "clusters", "result"],
    ["spark"],
    ["methods"],
    ["places"],
    ["runs", "sentence_tables", "settings_file"],
    ["recluster", "jobs", "explain", "estimate", "passage_cleaning"],
    ["api"],
    ["thread_index", "index"],
    ["web", "page_pairs"],
    ["cleaning", "demo", "evaluation", "retrieval"],
    ["reports"],
    ["server"],
    ["console"],
    ["views"],
    ["cli"],
    ["__main__"],
]
LEVEL = {part: number for number, layer in enumerate(LAYERS) for part in layer}
# `result` may open by name, inside its methods, what works on results.
DEFERRED = {("result", "recluster"), ("result", "explain"), ("result", "runs")}
PRINTS = ("cli", "console", "views", "__main__")
ENGINES = ("engines", "spark")
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
def test_imports_go_one_way(module: str) -> None:
    own = part_of(module)
    for other, deferred in own_imports(module):
        if other in (own, "__version__") or (deferred and (own, other) in DEFERRED):
            continue
        assert LEVEL[other] < LEVEL[own], f"{module} imports {other}"


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
    if part_of(module) not in ENGINES and module != "index.store":
        assert not [name for name, _ in imports(module) if name.partition(".")[0] in HEAVY]


def test_engines_know_no_method_and_no_table_of_one() -> None:
    tables = set()
    for module in ("methods.documents", "methods.candidates", "clusters"):
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
    assert len(module.split(".")) <= 2, "folders are one level deep"
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
        if isinstance(node, ast.FunctionDef) and "njit" in decorators(node)
    ]
    assert len(kernels) > 20
    silent = [f"{module}.{node.name}" for module, node in kernels if not ast.get_docstring(node)]
    assert not silent


def test_kernels_use_neither_arrow_nor_pandas() -> None:
    for module in MODULES:
        if part_of(module) == "kernels":
            found = {name.partition(".")[0] for name, _ in imports(module)}
            assert found <= {"numba", "numpy", "neardup", "typing", "collections", "math", "functools"}


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
