"""Pairs drawn at random for people to judge: a sheet to fill in, and a report of just these pairs."""

import csv
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers
from neardup.durable import written
from neardup.engines.base import Progress
from neardup.engines.parquet import write_table
from neardup.errors import InputError, OutputError, SettingsError
from neardup.evaluation.sheets import values_of
from neardup.reports.build import report
from neardup.reports.texts import texts_of_docs
from neardup.result import Result
from neardup.results.files import RUN, delete_with, result_folder, write_json
from neardup.showing.judged import DRAWN_BY, HEAD, pair_names
from neardup.showing.kind import Kind
from neardup.steps.declared import PAIRS
from neardup.storage import on_disk
from neardup.web.cells import guarded

OTHERS = ("pairs", "clusters", "rejected")  # tables that a sample has no use for as they are


class Sheet(NamedTuple):
    """Where a sheet and its report are, and how many pairs of each kind are in it."""

    path: Path
    report: Path
    pairs: int
    kinds: dict[str, int]
    without_text: int


def sample(
    result: Result | str | Path,
    output: str | Path | None = None,
    *,
    size: int = 100,
    by: str | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> Sheet:
    """Draw pairs at random, and write a sheet (CSV) to judge them, with a report beside it.

    By default they go to `sheet.csv` and `sheet.html` in the folder of the result. With `by`, the name
    of a column of pairs such as kind, as many pairs are drawn of each of its values as of the others; of
    numbers, such as similarity, as many of each tenth of the pairs.
    """
    found = Result.opened(result)
    found.check("report")
    path = on_disk(output) if output is not None else found.folder / "sheet.csv"
    page = path.with_suffix(".html")
    if page == path:
        raise SettingsError("a sheet is not a page", where=str(path), hint="Call it sheet.csv.")
    if path.exists():
        hint = "It may have been filled in: name another one with output."
        raise OutputError("this file is already there", where=str(path), hint=hint)
    rows = draw(found, size, by, seed)
    kind = found.own_method.report(found)
    lines = list(sheet_rows(kind, rows, by))
    path.parent.mkdir(parents=True, exist_ok=True)
    report(only(found, rows, by), page, progress=progress)
    with written(path) as partial, partial.open("w", encoding="utf-8-sig", newline="") as out:
        csv.writer(out).writerows([HEAD, *(map(guarded, line) for line in lines)])
    names = values_at(found, rows, by or "kind")
    counts = {name: names.count(name) for name in sorted(set(names))}
    return Sheet(path, page, len(rows), counts, sum(not line[-1] for line in lines))


def draw(result: Result, size: int, by: str | None = None, seed: int = 1) -> Integers:
    """Return rows of pairs in the order in which chance drew them."""
    if size < 1:
        raise SettingsError(f"a sample has 1 pair at least, not {size}")
    count = len(result.pairs)
    if not count:
        raise InputError("there are no pairs to draw", where=str(result.where))
    order = np.random.default_rng(seed).permutation(count)
    if by is None:
        return order[:size]
    turns: dict[str, int] = {}
    places = []  # the n-th of each kind comes in the n-th round
    for name in values_at(result, order, by):
        places.append(turns.get(name, 0))
        turns[name] = places[-1] + 1
    chosen = np.sort(np.argsort(places, kind="stable")[:size])
    return order[chosen]


def values_at(result: Result, rows: Integers, by: str) -> list[str]:
    """Return what some pairs have in a column."""
    values = values_of(result, by)
    return [values[row] for row in rows.tolist()]


def sheet_rows(kind: Kind, rows: Integers, by: str | None) -> Iterator[Sequence[Any]]:
    """Yield the lines of a sheet, their labels still empty."""
    left, right = pair_names(kind, rows)
    texts = texts_of_docs(kind, kind.docs(rows).tolist()).by_doc
    kinds = values_at(Result.of(kind.result), rows, "kind")
    close = "similarity" if "similarity" in kind.pairs.column_names else "distance"
    values = kind.pairs[close].take(pa.array(rows)).to_pylist()
    for place, row in enumerate(rows.tolist()):
        said: list[str] = []
        if kind.item == "sentence":  # which is its own name
            said = [left[place], right[place]]
        elif found := kind.compared(row, texts):
            said = [found.text_a, found.text_b]
        shown = [in_a_cell(text, kind.longest_text) for text in said] or ["", ""]
        yield (left[place], right[place], kinds[place], values[place], "", "", "", by or "", *shown)


def in_a_cell(text: str, most: int) -> str:
    """Return a text as a spreadsheet can hold it: not too long.

    >>> in_a_cell("a long text", 6)
    'a long…'
    """
    text = text.replace("\0", " ")
    return text if len(text) <= most else f"{text[:most]}…"


def only(result: Result, rows: Integers, by: str | None) -> Result:
    """Return a result that has just some of the pairs, no clusters, and how they were drawn."""
    pairs = result.pairs.take(pa.array(np.sort(rows)))
    with result_folder(None) as folder:
        folder.mkdir(parents=True)
        for name in result.tables.names():
            if name not in OTHERS:
                shutil.copy(result.folder / f"{name}.parquet", folder)
        write_table(folder / "pairs.parquet", pairs.schema, pairs.to_batches())
        counts = result.counts | {PAIRS: len(pairs)}
        write_json(folder / RUN, result.run | {"counts": counts, DRAWN_BY: by or ""})
        new = Result(folder, result.live_source, input=result.moved)
        delete_with(new.tables, folder.parent)
        return new
