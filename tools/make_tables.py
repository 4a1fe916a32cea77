"""Write docs/tables.md: all that results have, as methods declare it.

With --check nothing is written; the exit code is 1 if the page is not what it should be.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from neardup.methods import METHODS, OTHERS, method_named
from neardup.tables import Count

PAGE = Path(__file__).parent.parent / "docs" / "tables.md"
HEAD = """# Tables and counts

All that results have, as their methods declare it (`tools/make_tables.py` writes this page).
[results.md](results.md) says what a result is.

## Counts

Everything that a run read, skipped, left out and found is counted in `run.json`, and in `result.counts`.
`skipped.no words` is one of the counts `skipped`: one for each value. Where a limit cut something off,
the last column says which, or what avoids it.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *counts()]) + "\n"


def counts() -> Iterator[str]:
    """Yield the counts of all methods, and which results have them."""
    yield "| count | what it counts | in results of | limit |\n|---|---|---|---|"
    having: dict[tuple[str, str], list[str]] = {}
    known: dict[tuple[str, str], Count] = {}
    names = (*METHODS, *OTHERS)
    for name in names:
        for count in method_named(name).counts:
            having.setdefault((count, count.sentence), []).append(name)
            known[count, count.sentence] = count
    for (key, sentence), count in known.items():
        named = f"`{key}.{count.by.upper()}`" if count.by else f"`{key}`"
        methods = having[key, sentence]
        where = "all" if len(methods) == len(METHODS) else ", ".join(methods)
        yield f"| {named} | {sentence} | {where} | {linked(count.limit)} |"


def linked(limit: str) -> str:
    """Write options as such."""
    return " ".join(f"`{word}`" if word.startswith("--") else word for word in limit.split())


def main() -> None:
    """Write the page, or compare it."""
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
