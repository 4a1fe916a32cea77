"""Write what follows from the tables and counts that methods declare: a page, and attributes of results.

With --check nothing is written; the exit code is 1 if one of the files is not what it should be.
"""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from neardup.methods import METHODS, OTHERS, method_named
from neardup.showing.console import with_options
from neardup.tables import Column, Count, Table

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "tables.md"
MODULE = ROOT / "src" / "neardup" / "results" / "attributes.py"
NAMES = (*METHODS, *OTHERS)
TABLED = (*METHODS, "clean")  # whose results have declared tables
HEAD = """# Tables and counts

All that results have, as their methods declare it (`tools/make_tables.py` writes this page).
[results.md](results.md) says what a result is. In Python, each table is an attribute: `result.pairs`; in
the terminal, `neardup show OUT TABLE` pages through it, with `--where` and `--sort`.

## Tables
"""
COUNTS = """
## Counts

Everything that a run read, skipped, left out and found is counted in `run.json`, and in `result.counts`.
`skipped.no words` is one of the counts `skipped`: one for each value. Where a limit cut something off,
the last column says which, or what avoids it.
"""
ATTRIBUTES = '''"""The tables of results as attributes, as methods declare: tools/make_tables.py."""

from functools import cached_property
from typing import Any

import pyarrow as pa


class Attributes:
    """Reads a table when it is first asked for."""

    def table(self, name: str) -> Any:
        """Return one of the result's tables."""
        raise NotImplementedError
'''
ATTRIBUTE = '''
    @cached_property
    def {name}(self) -> pa.Table:
        """Return the table `{name}`.

{about}
        """
        return self.table("{name}")
'''


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *tables(), COUNTS, *counts()]) + "\n"


def module() -> str:
    """Return the module of attributes."""
    names: dict[str, None] = {str(table): None for name in TABLED for table in method_named(name).tables}
    return ATTRIBUTES + "".join(attribute(name) for name in names)


def attribute(name: str) -> str:
    """Return the property that reads a table, and says what it is in results of which method."""
    indent = " " * 8
    lines = []
    for table, methods in forms(name):
        columns = ", ".join(column.name for column in table.columns)
        text = f"Of {', '.join(methods)}: {table.words}. Columns: {columns}."
        lines += textwrap.wrap(text, 105, initial_indent=indent, subsequent_indent=indent)
    return ATTRIBUTE.format(name=name, about="\n".join(lines))


def forms(name: str) -> list[tuple[Table, list[str]]]:
    """Return the forms that a table has, and the methods that have each."""
    found: dict[tuple[object, ...], tuple[Table, list[str]]] = {}
    for method in TABLED:
        for table in method_named(method).tables:
            if table == name:
                form = (table.words, table.columns, table.more)
                found.setdefault(form, (table, []))[1].append(method)
    return list(found.values())


def tables() -> Iterator[str]:
    """Yield the tables of all methods, with their columns."""
    names = dict.fromkeys(str(table) for name in TABLED for table in method_named(name).tables)
    for name in names:
        yield f"### {name}\n"
        for table, methods in forms(name):
            where = "all methods" if len(methods) == len(METHODS) else ", ".join(methods)
            order = f" Sorted by {', '.join(f'`{key}`' for key in table.key)}." if table.key else ""
            yield f"In results of {where}: {table.words}.{order}\n"
            yield "| column | type | meaning |\n|---|---|---|"
            yield from (column_line(column) for column in table.columns)
            if table.more:
                yield f"| … | | {table.more} |"
            yield ""


def column_line(column: Column) -> str:
    """Return the line of a column."""
    return f"| `{column.name}` | {column.type} | {column.meaning} |"


def counts() -> Iterator[str]:
    """Yield the counts of all methods, and which results have them."""
    yield "| count | what it counts | in results of | limit |\n|---|---|---|---|"
    having: dict[tuple[str, str], list[str]] = {}
    known: dict[tuple[str, str], Count] = {}
    for name in NAMES:
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
    return " ".join(
        f"`{word}`" if word.startswith("--") else word for word in with_options(limit).split()
    )


def main() -> None:
    """Write the files, or compare them."""
    for path, made in ((MODULE, module), (PAGE, page)):  # what the page imports may need the module
        if "--check" not in sys.argv:
            path.write_text(made(), encoding="utf-8")
        elif path.read_text(encoding="utf-8") != made():
            sys.exit(f"{path.name} is not current")


if __name__ == "__main__":
    main()
