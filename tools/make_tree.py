"""Write the tree in docs/architecture.md: every room with what its own docstring says, and its modules.

With --check nothing is written; the exit code is 1 if the page is not what it should be.
"""

import ast
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
SOURCE = ROOT / "src" / "neardup"
BLOCK = re.compile(r"(?<=```text\n)src/neardup/\n.*?(?=```)", re.DOTALL)
ORDER = (  # from what users reach down to what everything stands on
    *("cli", "server", "api", "reports", "cleaning", "exports", "index", "evaluation", "retrieval"),
    *("result", "extending", "methods", "showing", "results", "steps", "engines", "readers"),
    *("signatures", "text", "web", "store"),
    *("kernels", "settings", "plan", "tables", "durable", "storage", "chance", "plugins"),
    *("errors", "arrays"),
)
COLUMN = 20
WIDTH = 120


def tree() -> str:
    """Return the tree as text."""
    return (
        "\n".join(["src/neardup/", *(line for name in ORDER for line in part(SOURCE, name, 2))]) + "\n"
    )


def part(folder: Path, name: str, indent: int) -> Iterator[str]:
    """Yield the lines of a module, or of a room with the modules and the rooms in it."""
    room = folder / name
    if not room.is_dir():
        yield from entry(f"{name}.py", said(folder / f"{name}.py"), indent)
        return
    yield from entry(f"{name}/", said(room / "__init__.py"), indent)
    modules = sorted(path.stem for path in room.glob("*.py") if path.stem != "__init__")
    if modules:
        inside = " " * (COLUMN + 2)
        listed = ", ".join(modules)
        yield from textwrap.wrap(listed, WIDTH, initial_indent=inside, subsequent_indent=inside)
    for inner in sorted(path.parent.name for path in room.glob("*/__init__.py")):
        yield from part(room, inner, indent + 2)


def entry(name: str, text: str, indent: int) -> list[str]:
    """Return a name and what it is, the text in a column of its own."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"{' ' * indent}{name}".ljust(COLUMN - 1) + " ",
        subsequent_indent=" " * COLUMN,
    )


def said(module: Path) -> str:
    """Return the first sentence of a module's docstring, without its full stop."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).removesuffix(".")


def main() -> None:
    """Write the tree into the page, or check it."""
    page = PAGE.read_text(encoding="utf-8")
    written = BLOCK.sub(lambda _: tree(), page)
    if "--check" not in sys.argv:
        PAGE.write_text(written, encoding="utf-8")
    elif written != page or not BLOCK.search(page):
        sys.exit("docs/architecture.md shows another tree: run make docs")


if __name__ == "__main__":
    main()
