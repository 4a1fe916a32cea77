"""The report of a study: its counts, tables and figures on one page, and the files beside it."""

import re
from collections.abc import Iterable, Mapping, Sequence

from neardup.web.numbers import Figure, csv_text, figure_files, paper, saved_table, shown
from neardup.web.page import section

Table = tuple[str, Sequence[str], Sequence[Sequence[object]]]  # title, head and rows


def study_files(
    title: str, counts: Mapping[str, int], tables: Iterable[Table], figures: Iterable[Figure]
) -> dict[str, str]:
    """Return the files of a study by name: the report, each figure drawn and as CSV, tables as CSV."""
    told, drawn = list(tables), list(figures)
    shown_tables = [section(name, saved_table(file_name(name), head, rows)) for name, head, rows in told]
    page = paper(title, *shown_tables, section("Figures", *map(shown, drawn)), cards=counts)
    files = {f"tables/{file_name(name)}.csv": csv_text(head, rows) for name, head, rows in told}
    return {"report.html": page, **files, **figure_files(drawn)}


def file_name(title: str) -> str:
    """Return the name of a file for what has a title.

    >>> file_name("Table 3.1: documents by RR, and more")
    'table-3-1-documents-by-rr-and-more'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-")
