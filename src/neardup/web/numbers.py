"""Figures with their numbers: a drawing, the table behind it, and the same as CSV.

Reports of evaluations and studies are made of these, and look as those of results do.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import NamedTuple
from urllib.parse import quote

from neardup.web.cells import guarded
from neardup.web.page import Html, element, figure, page, table
from neardup.web.svg import Series
from neardup.web.viewer import style
from neardup.web.words import say

MORE_STYLE = """
.band { display: block; max-height: none; } .figures { flex-wrap: wrap; }
main > section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr));
  align-items: start; gap: 0 2rem; padding: 1rem; margin-top: 1rem; }
main > section > * { min-width: 0; } main > section > h2 { margin-top: 0; }
main > section > :is(h2, h3, p, ul, .small, .numbers) { grid-column: 1 / -1; }
h3 ~ div:not(:has(figure)), main > section > div:only-of-type { grid-column: 1 / -1; }
.wide th { overflow-wrap: normal; }
figure { margin: 0.5rem 0; } main figure > svg { width: 100%; max-width: 52rem; }
.wide td { white-space: nowrap; font-variant-numeric: tabular-nums; }
.wide th, .wide td { text-align: right; padding: 0.2rem 0.7rem; }
.wide th:first-child, .wide td:first-child { text-align: left; }
.texts :is(th, td):is(th, td) { text-align: left; white-space: normal; min-width: 7rem; }
.small { display: grid; gap: 0.5rem 1.5rem; }
.small { grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
svg { max-width: 100%; height: auto; }
.numbers { margin: 0 0 1.5rem; } .numbers > summary { font-size: 0.9rem; font-weight: 400; margin: 0; }
"""


class Figure(NamedTuple):
    """A drawing and the numbers that it shows."""

    name: str
    svg: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""


def shown(drawn: Figure) -> Html:
    """Show a figure, and below it, folded, its numbers."""
    return element("div", figure(drawn.svg, drawn.caption), numbers(drawn.name, drawn.head, drawn.rows))


def numbers(name: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Html:
    """Fold a table of numbers, with a link that saves it."""
    folded = element("summary", say("figure.numbers"))
    return element("details", folded, saved_table(name, head, rows), kind="numbers")


def saved_table(name: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> Html:
    """Show a table, with a link that saves it as CSV."""
    address = f"data:text/csv;charset=utf-8,{quote(csv_text(head, rows))}"
    link = Html(f'<p><a download="{quote(name)}.csv" href="{address}">CSV</a></p>')
    return element("div", table(head, [[short(value) for value in row] for row in rows]), link)


def short(value: object) -> object:
    """Show a number with four digits behind the point, and commas between thousands."""
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else value


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV, for spreadsheets and for programs.

    >>> csv_text(["n", "share"], [[10, 0.5], [20, None]])
    'n,share\\r\\n10,0.5\\r\\n20,\\r\\n'
    """
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(map(guarded, head))
    writer.writerows(map(guarded, row) for row in rows)
    return out.getvalue()


def points(series: Sequence[Series], x: str) -> tuple[list[str], list[list[object]]]:
    """Return the numbers of lines: a row for each x, a column for each line.

    >>> points([Series("a", [(1, 2)]), Series("b", [(1, 3), (2, 4)])], "n")
    (['n', 'a', 'b'], [[1, 2, 3], [2, None, 4]])
    """
    known = [dict(one.points) for one in series]
    places = sorted({place for one in known for place in one})
    return [x, *(one.name for one in series)], [[at, *(one.get(at) for one in known)] for at in places]


def figure_files(figures: Iterable[Figure]) -> dict[str, str]:
    """Return the files of figures, by name: each drawn, and as CSV."""
    files: dict[str, str] = {}
    for drawn in figures:
        files[f"plots/{drawn.name}.svg"] = drawn.svg
        files[f"plots/{drawn.name}.csv"] = csv_text(drawn.head, drawn.rows)
    return files


def paper(title: str, *content: object, cards: Mapping[str, object] | None = None) -> str:
    """Return a page that looks like other reports; cards are counts to begin with."""
    counts = (
        element(
            "div", element("dd", f"{value:,}" if isinstance(value, int) else value), element("dt", name)
        )
        for name, value in (cards or {}).items()
    )
    band = [element("div", element("dl", *counts, kind="figures"), kind="band")] if cards else []
    top = element("header", element("h1", title), kind="top")
    main = element("main", *band, *content)
    return page(title, top, main, style=style() + MORE_STYLE, headed=False)
