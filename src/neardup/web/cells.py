"""Cells of CSV that a spreadsheet opens: none of them becomes a formula."""

import re
from typing import TypeVar

Cell = TypeVar("Cell")
FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guarded(cell: Cell) -> Cell | str:
    """Return a cell that is not computed: a text that begins as formulas do gets an apostrophe.

    >>> guarded("=1+1"), guarded("-5"), guarded(-5), guarded("'=1")
    ("'=1+1", '-5', -5, "''=1")
    """
    if isinstance(cell, str) and FORMULA.match(cell) and not is_number(cell):
        return f"'{cell}"
    return cell


def unguarded(cell: str) -> str:
    """Return a cell as it was before it was guarded.

    >>> unguarded("'=1+1"), unguarded("'tis"), unguarded("-5")
    ('=1+1', "'tis", '-5')
    """
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def is_number(text: str) -> bool:
    """Return whether a text is a number, which a spreadsheet may well take for one."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
