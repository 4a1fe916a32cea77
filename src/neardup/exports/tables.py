"""Tables as CSV, JSON Lines and Parquet, and as an Excel workbook: a sheet for each."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from neardup.durable import written
from neardup.engines.parquet import write_table
from neardup.errors import OutputError
from neardup.result import Result

MOST_ROWS = 1_048_575  # of a sheet, below the names of columns
LONGEST = 32_767  # characters of a cell
LONGEST_NAME = 31
EXACT = 2**53  # numbers beyond are texts: a sheet would round them
AS_WRITTEN = {
    "constant_memory": True,
    "nan_inf_to_errors": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
}
ALWAYS = datetime(1980, 1, 1, tzinfo=UTC)  # so that the same tables are the same bytes


def exported(result: Result, name: str) -> pa.Table:
    """Return a table as people want it outside of a result."""
    return result.own_method.exported(result, name)


def write_csv(table: pa.Table, path: Path) -> None:
    """Write CSV with a header; a list is written as JSON, as CSV has none."""
    for at, field in enumerate(table.schema):
        if pa.types.is_nested(field.type):
            values = [None if v is None else as_json(v) for v in table[field.name].to_pylist()]
            table = table.set_column(at, field.name, pa.array(values, pa.string()))
    pa_csv.write_csv(table, path)


def write_jsonl(table: pa.Table, path: Path) -> None:
    """Write an object a row; what is null is there, as null."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for batch in table.to_batches(max_chunksize=10_000):
            out.writelines(f"{as_json(row)}\n" for row in batch.to_pylist())


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write Parquet as a run does."""
    write_table(path, table.schema, table.to_batches())


def as_json(value: object) -> str:
    """Write a value as JSON; what JSON does not know, such as a time, as text.

    >>> as_json(["é", None])
    '["é", null]'
    """
    return json.dumps(value, ensure_ascii=False, default=str)


def write_workbook(tables: Iterable[tuple[str, pa.Table]], path: Path) -> None:
    """Write a workbook of some tables, in which no text becomes a formula or a link."""
    try:
        from xlsxwriter import Workbook
    except ImportError:
        hint = "Install it in neardup's folder with: pip install '.[office]'"
        raise OutputError("workbooks need XlsxWriter", hint=hint) from None
    with written(path) as partial, Workbook(str(partial), AS_WRITTEN) as book:
        book.set_properties({"created": ALWAYS, "comments": "exported by neardup"})
        bold = book.add_format({"bold": True})
        for name, table in tables:
            if len(table) > MOST_ROWS:
                hint = "Take csv, or name other tables."
                raise OutputError(f"a sheet has no room for the {len(table):,} {name}", hint=hint)
            sheet = book.add_worksheet(name[:LONGEST_NAME])
            sheet.freeze_panes(1, 0)
            sheet.autofilter(0, 0, len(table), max(table.num_columns - 1, 0))
            for column, head in enumerate(table.column_names):
                sheet.write_string(0, column, head[:LONGEST], bold)
            rows = (row for batch in table.to_batches(max_chunksize=10_000) for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                for column, value in enumerate(row.values()):
                    write_cell(sheet, number, column, value)


def write_cell(sheet: Any, row: int, column: int, value: Any) -> None:
    """Write a value as what it is; a text that is too long for a cell is cut."""
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float) and abs(value) <= EXACT:
        sheet.write_number(row, column, value)
    else:
        text = value if isinstance(value, str) else str(value)
        text = as_json(value) if isinstance(value, list | dict) else text
        sheet.write_string(row, column, text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


WRITERS = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
