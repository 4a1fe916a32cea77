"""Exporting a result: all of its tables, or one file of what is linked with what."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from neardup.errors import OutputError, SettingsError
from neardup.exports.graphs import Graph, as_gexf, as_graphml
from neardup.exports.tables import WRITERS, exported, write_workbook
from neardup.exports.tei import as_tei
from neardup.exports.xml import MARK, write_xml
from neardup.result import Result
from neardup.results.files import check_file, written_file
from neardup.results.places import written_folder
from neardup.settings.base import Format
from neardup.storage import Address, located


def export(
    result: Result | str | Path,
    output: str | Path,
    *,
    format: Format | None = None,  # noqa: A002  (the word of the command line)
    tables: str | Iterable[str] = (),
) -> list[Any]:
    """Write a result in another format, and return the files that were written.

    Without a format it is the one that the name ends with, as `pairs.xlsx` does, or else `csv`.
    `csv`, `jsonl` and `parquet` write a file for each table into a new folder, or for those of `tables`;
    `xlsx` writes a workbook with a sheet for each; `graphml` and `gexf` write the documents and their
    pairs as a graph, `tei` their texts with links between what they share, into one file.

    >>> import tempfile
    >>> result = neardup.documents(["The same text twice, my dear.", "The same text twice, my dear!"])
    >>> folder = Path(tempfile.mkdtemp())
    >>> [path.name for path in export(result, folder / "tables", tables="pairs")]
    ['pairs.csv']
    """
    result = Result.opened(result)
    target = located(output)
    if format is None:
        suffix = str(output).lower().rpartition(".")[2]
        format = suffix if suffix in get_args(Format) else "csv"  # type: ignore[assignment]  # noqa: A001
    if format not in get_args(Format):
        raise SettingsError(f"format must be one of {', '.join(get_args(Format))}: got {format!r}")
    names = [tables] if isinstance(tables, str) else list(tables)
    if format in (*WRITERS, "xlsx"):
        return write_tables(result, target, format, names)
    if names:
        raise SettingsError(f"{format} has no tables", hint="Leave the tables out, or take csv.")
    check_file(target, MARK, f"{format} file")
    parts = as_tei(result) if format == "tei" else GRAPHS[str(format)](Graph.of(result))
    with written_file(target) as path:
        write_xml(path, parts)
    return [target]


KEPT = "A workbook may have become your own, so none is written over: remove it, or name another one."
GRAPHS = {"graphml": as_graphml, "gexf": as_gexf}


def write_tables(result: Result, output: Path | Address, kind: str, names: list[str]) -> list[Any]:
    """Write tables into a folder, a file each, or a workbook; all that there are if none is named."""
    known = [*result.tables.names(), *result.own_method.exports]
    for name in names:
        if name not in known:
            raise result.lacks(name)
    chosen = names or known
    if kind == "xlsx":
        if output.exists() and not output.is_dir():
            raise OutputError("this file is already there", where=str(output), hint=KEPT)
        check_file(output, MARK, "workbook")
        chosen = names or sorted(
            known, key=lambda name: name != "pairs"
        )  # a workbook opens at its first
        with written_file(output) as path:
            write_workbook(((name, exported(result, name)) for name in chosen), path)
        return [output]
    with written_folder(output, *(f"{name}.{kind}" for name in chosen)) as work:
        for name in chosen:
            WRITERS[kind](exported(result, name), work / f"{name}.{kind}")
    return [output / f"{name}.{kind}" for name in chosen]
