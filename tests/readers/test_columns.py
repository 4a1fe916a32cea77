"""Columns: which ones are titles and dates, whatever the letters, in every format of tables."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.command_line import Command
from tests.corpora import prose

import neardup
from neardup.readers.columns import choose
from neardup.readers.records import ReaderSettings


@pytest.mark.parametrize(
    ("names", "title", "date"),
    [
        (["Title", "Date"], "Title", "Date"),
        (["headline", "published"], "headline", "published"),
        (["HEADLINE", "Pub_Date"], "HEADLINE", "Pub_Date"),
        (["headline", "title", "timestamp", "date"], "title", "date"),
        (["Date", "date"], None, "date"),
        (["subtitle", "updated"], None, None),
    ],
)
def test_titles_and_dates_have_usual_names(
    names: list[str], title: str | None, date: str | None
) -> None:
    chosen = choose(["Text", *names], ReaderSettings(), "here").others
    assert (chosen.get("title"), chosen.get("date")) == (title, date)


def test_what_is_the_text_or_the_id_is_no_title_and_no_date() -> None:
    given = ReaderSettings(text_column="headline", id_column="timestamp", columns=("created_at",))
    names = ["headline", "timestamp", "created_at"]
    assert choose(names, given, "here").others == {"date": "created_at", "created_at": "created_at"}


def test_an_address_that_is_the_id_is_an_address_too() -> None:
    assert choose(["text", "url"], ReaderSettings(id_column="url"), "here").others == {"url": "url"}


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "memory"])
def test_every_format_has_them(suffix: str, tmp_path: Path) -> None:
    rows = [
        {"Text": prose(40, seed=n), "Headline": f"The {n}", "Published": f"{n}.3.2024"} for n in (1, 2)
    ]
    path: Any = tmp_path / f"in.{suffix}"
    if suffix == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    elif suffix == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    elif suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        path = rows
    found = neardup.documents(path).documents
    assert found["title"].to_pylist() == ["The 1", "The 2"]
    assert found["date"].to_pylist() == ["1.3.2024", "2.3.2024"]


@pytest.mark.parametrize("engine", ["local", pytest.param("spark", marks=pytest.mark.slow)])
def test_a_run_says_which_dates_it_could_not_read(engine: str, command: Command, tmp_path: Path) -> None:
    dates = ["2 mars 2024", "2 mars 2024", "soon", "03/01/2024", "in May", "2024-03-01", "", None]
    rows = [{"text": prose(40, seed=n % 7), "date": date} for n, date in enumerate(dates)]
    found = neardup.passages(rows, engine=engine)
    assert {k: n for k, n in found.counts.items() if k.startswith("unread_dates")} == {
        "unread_dates.2 mars 2024": 2,
        "unread_dates.03/01/2024": 1,
        "unread_dates.in May": 1,
        "unread_dates.": 1,
    }
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    said = command("passages", path, "-o", tmp_path / "out").said
    assert "5 dates could not be read, such as" in said
    assert "'2 mars 2024'" in said and "soon" not in said
    for other in (
        neardup.sentences(rows, engine=engine),
        neardup.documents(rows, engine=engine, keep="oldest"),
    ):
        assert other.counts["unread_dates.2 mars 2024"] == 2
