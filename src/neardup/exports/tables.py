"""Tables as CSV, JSON Lines and Parquet."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from neardup.engines.parquet import write_table
from neardup.result import Result


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


def as_json(value: Any) -> str:
    """Write a value as JSON; what JSON does not know, such as a time, as text.

    >>> as_json(["é", None])
    '["é", null]'
    """
    return json.dumps(value, ensure_ascii=False, default=str)


WRITERS = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
