"""Write docs/api.md, the reference of the Python API, from the docstrings; --check compares only."""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neardup
from neardup.results.attributes import Attributes

REFERENCE = Path(__file__).parent.parent / "docs" / "api.md"
WIDTH = 90
# What the rooms of the project ask of these classes, and nobody else does.
INSIDE = (
    "add_rows add_source can check declared facts grow kept_texts kernels lacks local numbers of "
    "opened own_method remembers row similar source stored texts to_ask writes"
)
HEAD = """\
# Python, name by name

Written from the code by `make docs`. [python.md](python.md) shows how these are used together.
"""


def reference() -> str:
    """Return the whole page."""
    return HEAD + "".join(
        line for name in sorted(neardup.__all__, key=str.lower) for line in entry(name)
    )


def entry(name: str) -> Iterator[str]:
    """Yield what is said of one public name, and of the methods of a class."""
    own = getattr(neardup, name)
    yield f"\n## {name}\n\n{call(name, own)}{prose(own)}"
    if inspect.isclass(own) and not issubclass(own, Exception):
        for method, value in members(own).items():
            if doc := inspect.getdoc(value):
                yield f"\n### {name}.{method}\n\n{call(method, value)}{prose_of(doc)}"


def members(own: type) -> dict[str, Any]:
    """Return what users call of a class; docs/tables.md has the tables of results."""
    bases = [base for base in own.__mro__ if base not in (object, Attributes)]
    found = {name: value for base in reversed(bases) for name, value in vars(base).items()}
    inside = INSIDE.split()
    return {n: value for n, value in found.items() if not n.startswith("_") and n not in inside}


def call(name: str, own: Any) -> str:
    """Return how a function is called: its parameters and their defaults, without types."""
    function = getattr(own, "__func__", own)
    if not callable(function) or (inspect.isclass(own) and issubclass(own, Exception)):
        return ""
    parameters = [
        p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")
    ]
    plain = [p.replace(annotation=p.empty) for p in parameters]
    written = (
        str(inspect.Signature(plain)) if "\nSettings:\n" not in (own.__doc__ or "") else "(source, …)"
    )
    if len(written) > WIDTH:
        written = "\n".join(["(", *(f"    {p}," for p in map(str, plain)), ")"])
    return f"```py\n{name}{written}\n```\n\n"


def prose(own: Any) -> str:
    """Return the docstring of something as Markdown."""
    return prose_of(inspect.getdoc(own) or "")


def prose_of(doc: str) -> str:
    """Return a docstring as Markdown: examples and lists of settings become blocks.

    >>> print(prose_of("Says one.\\n\\n>>> one\\n1").strip())
    Says one.
    <BLANKLINE>
    ```pycon
    >>> one
    1
    ```
    """
    paragraphs = []
    for paragraph in doc.split("\n\n"):
        if paragraph.startswith(">>> "):
            paragraphs.append(f"```pycon\n{paragraph}\n```")
        elif listed := re.fullmatch(r"(\w+):\n((?:    .*\n?)+)", paragraph):
            paragraphs.append(f"{listed[1]}:\n\n{bullets(listed[2])}")
        else:
            paragraphs.append(paragraph)
    return "\n\n".join(paragraphs) + "\n"


def bullets(block: str) -> str:
    """Return the lines `name (default): text` of a docstring as a list."""
    whole = re.sub(r"\n {8,}", " ", inspect.cleandoc(block).replace("\n    ", "\n        "))
    return "\n".join(
        re.sub(r"^(\w+) \((.*?)\): ", r"- **`\1`** (`\2`): ", line) for line in whole.splitlines()
    )


def main() -> None:
    """Write the page, or check it."""
    page = reference()
    if "--check" not in sys.argv:
        REFERENCE.write_text(page, encoding="utf-8")
        print(f"{REFERENCE.name} written")
    elif page != REFERENCE.read_text(encoding="utf-8"):
        sys.exit(f"{REFERENCE.name} is stale: run `make docs`")


if __name__ == "__main__":
    main()
