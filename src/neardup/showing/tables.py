"""Tables on the terminal, each row on one line: whole where there is room, else cut in the middle."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

from neardup.showing.console import OUT, Console

GAP = "  "
LEAST = 16  # columns that are left of a cell that is cut
WIDEST = 160  # so that no name or number is cut: a narrow terminal wraps the lines by itself


def show_rows(heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int]) -> None:
    """Print rows of figures and words.

    `words` are the places of the columns of words. If a terminal is too narrow for all, the first of
    these is cut first. What is not a terminal has room for everything.
    """
    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    if OUT.is_terminal:
        widths = narrowed(widths, words, OUT.width)
    OUT.print(Text(line(heads, widths, words), style="bold"))
    for row in rows:
        OUT.print(Text(line(row, widths, words)))


def narrowed(widths: Sequence[int], words: Sequence[int], room: int) -> list[int]:
    """Make columns of words narrower until all columns fit.

    >>> narrowed([5, 40, 40], (2, 1), 80), narrowed([5, 40, 40], (2, 1), 60)
    ([5, 40, 31], [5, 35, 16])
    """
    narrow = list(widths)
    for column in words:
        over = sum(narrow) + len(GAP) * (len(narrow) - 1) - room
        narrow[column] -= max(min(over, narrow[column] - LEAST), 0)
    return narrow


def line(cells: Sequence[str], widths: Sequence[int], words: Sequence[int]) -> str:
    """Write one row: words to the left, figures to the right.

    >>> line(["0", "7", "bridge-wire"], [7, 4, 16], words=(2,))
    '      0     7  bridge-wire'
    """
    shown = []
    for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        text = middle_cut(cell, width)
        space = " " * (width - cell_len(text))
        shown.append(text + space if column in words else space + text)
    return GAP.join(shown).rstrip()


def middle_cut(text: str, width: int) -> str:
    """Cut out the middle of a text that is wider than the given number of columns.

    >>> middle_cut("crawl-2024/segment-7/page-0001", 15)
    'crawl-2…ge-0001'
    """
    if cell_len(text) <= width:
        return text
    half = (width - 1) // 2
    tail = set_cell_size(text[::-1], half)[::-1]
    return f"{set_cell_size(text, width - 1 - half)}…{tail}"


def plain_table(heads: Sequence[str], title: str | None = None, words: int = 1) -> Table:
    """Return an empty table without lines: its first columns for words, the others for numbers."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for place, name in enumerate(heads):
        table.add_column(name, justify="left" if place < words else "right")
    return table


def show_wide(table: Table) -> None:
    """Print a table without cutting anything."""
    Console(highlight=False, width=max(OUT.width, WIDEST)).print(table)
