"""The page on where duplicates come from."""

import csv
import re
from pathlib import Path

import pytest
from tests.command_line import Command

import neardup
from neardup.errors import OutputError, SettingsError
from neardup.reports import origins

TEXT = "The ferry to the island leaves at nine in the morning from the old pier by the market hall"
HOSTILE = "http://x.org/<script>alert(1)</script>"


def result_in(folder: Path) -> neardup.Result:
    urls = ["http://x.org/a", "http://www.x.org/a/", "http://y.org/a", HOSTILE, "http://x.org/a"]
    records = [{"id": f"d{n}", "text": TEXT, "url": url} for n, url in enumerate(urls)]
    return neardup.documents(records, keep="first", output=folder / "out")


def test_the_page_has_a_chart_examples_and_all_numbers(tmp_path: Path) -> None:
    made = origins(result_in(tmp_path))
    page = made.path.read_text()
    assert "<script" not in page and "alert(1)" in page
    for words in ("Why there are duplicates", "URL variation", "Mirror", "Crawled again", "Sites"):
        assert words in page
    with made.table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["origin"] for row in rows] == [
        "URL variation", "mirror", "URL variation", "crawled again",
    ]  # fmt: skip
    assert not re.findall(r"(?:src|href)=\"(?!data:text/csv)", page), "nothing is loaded"


def test_no_table_of_others_is_written_over(tmp_path: Path) -> None:
    result = result_in(tmp_path)
    (tmp_path / "corpus.csv").write_text("id,text\n1,a\n")
    with pytest.raises(OutputError, match="not a table of origins"):
        origins(result, tmp_path / "corpus.html")
    assert not (tmp_path / "corpus.html").exists()
    with pytest.raises(SettingsError, match="must be an HTML file"):
        origins(result, tmp_path / "new.csv")
    origins(result, tmp_path / "new.html")
    assert origins(result, tmp_path / "new.html").table == tmp_path / "new.csv"


def test_the_command_and_the_report(tmp_path: Path, command: Command) -> None:
    out = result_in(tmp_path).folder
    done = command("origins", out)
    assert done.code == 0, done.said
    assert "mirror http://y.org/a = http://x.org/a 1 25.0" in done.said
    assert command("origins", out, "--json").json["origins"] == {
        "crawled again": 1, "URL variation": 2, "mirror": 1,
    }  # fmt: skip
    page = neardup.report(out).path.read_text()
    assert 'aria-label="Why there are duplicates"' in page
    other = neardup.documents([TEXT, TEXT], output=tmp_path / "other")
    assert 'aria-label="Why there are two' not in neardup.report(other).path.read_text()
    assert "has an address or a date" in command("origins", other.folder).said
