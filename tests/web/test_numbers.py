"""Figures come with their numbers."""

import csv
import re
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.browsing import violations

from neardup.web.numbers import Figure, csv_text, figure_files, paper, saved_table, shown
from neardup.web.page import section

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


def test_a_paper_is_accessible_and_fits(browser: Any, tmp_path: Path) -> None:
    head = [f"a long column {n}" for n in range(20)]
    tables = [saved_table(f"t{n}", head, [[1.5] * 20]) for n in range(2)]
    (tmp_path / "paper.html").write_text(paper("Title", section("Part", *tables), cards={"runs": 4}))
    for width in (1400, 390):
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto((tmp_path / "paper.html").as_uri())
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
