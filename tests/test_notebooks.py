"""The notebooks in examples/ run from top to bottom and show what they say.

`python tests/test_notebooks.py` writes what their cells show anew.
"""

import ast
import json
import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))


def shown_by(source: str, names: dict[str, Any]) -> dict[str, list[str]]:
    """Run a cell as Jupyter does, and return what its last line shows: as text, and as HTML."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        return {}
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    shown = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        shown["text/html"] = value._repr_html_()
    return {kind: text.splitlines(keepends=True) for kind, text in shown.items()}


def run(path: Path) -> dict[str, Any]:
    """Return a notebook with what its cells show now."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for number, cell in enumerate(cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        shown = shown_by("".join(cell["source"]), names)
        result = {"data": shown, "execution_count": number + 1, "metadata": {}}
        cell["outputs"] = [result | {"output_type": "execute_result"}] if shown else []
        cell["execution_count"] = number + 1
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(path) == json.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    """Write what cells show anew."""
    from tempfile import TemporaryDirectory

    for path in NOTEBOOKS:
        with TemporaryDirectory() as folder:
            os.chdir(folder)
            text = json.dumps(run(path), indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
