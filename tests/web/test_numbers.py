"""Figures come with their numbers."""

import csv
import re
from io import StringIO
from urllib.parse import unquote

from neardup.web.numbers import Figure, csv_text, figure_files, paper, shown

HOSTILE = '"><script>alert(1)</script>'


def test_a_figure_has_a_table_and_a_csv_of_the_same_numbers() -> None:
    rows: list[list[object]] = [[HOSTILE, 0.123456789], ["b,c", None]]
    page = paper(
        HOSTILE, shown(Figure(HOSTILE, "<svg></svg>", ["name", "share"], rows)), cards={HOSTILE: 2000}
    )
    assert "<script" not in page
    assert "0.1235" in page and "2,000" in page
    [address] = re.findall(r'href="data:text/csv;charset=utf-8,([^"]*)"', page)
    read = list(csv.reader(StringIO(unquote(address))))
    assert read == [["name", "share"], [HOSTILE, "0.123456789"], ["b,c", ""]]


def test_figures_are_written_as_files() -> None:
    files = figure_files([Figure("sizes", "<svg/>", ["n"], [[1]])])
    assert files == {"plots/sizes.svg": "<svg/>", "plots/sizes.csv": csv_text(["n"], [[1]])}
