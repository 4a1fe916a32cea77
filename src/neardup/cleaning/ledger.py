"""A ledger carried out: which records of a file stay, and what is cut out of their texts."""

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from neardup.arrays import Integers
from neardup.cleaning.declared import (
    CHANGED,
    CHARACTERS_KEPT,
    DROPPED,
    FLOW,
    GONE,
    KEPT,
    KEPT_TABLE,
    LEDGER,
    SHOWN,
)
from neardup.cleaning.recipe import names_in
from neardup.engines.disk import delete
from neardup.engines.parquet import write_table
from neardup.errors import InputError
from neardup.readers import formats
from neardup.readers.file import File
from neardup.readers.records import Decisions, Notes, ReaderSettings
from neardup.results.cutting import CutTexts
from neardup.results.files import KEY, RUN, as_json, digests_in, sealed
from neardup.results.folder import ResultFolder
from neardup.settings.base import Mode
from neardup.steps.declared import DOCUMENTS


def check_cuts(files: Iterable[File]) -> None:
    """Refuse files of which no text can be cut."""
    for file in files:
        if file.size and not file.problem and not formats.reader_of(file).cuts:
            able = formats.those_that(lambda reader: reader.cuts)
            hint = f"Those in {able} can. For others, take a recipe without stages that cut."
            raise InputError("texts in files of this format cannot be cut", where=file.name, hint=hint)


class LedgerRemoval:
    """Removes what a ledger says."""

    def __init__(self, result: ResultFolder) -> None:
        from pyarrow import dataset  # imports pandas where that is installed, which takes half a second

        filesystem, path = result.tables.file(LEDGER)
        self._rows = dataset.dataset(path, filesystem=filesystem)
        self._added = names_in(result.settings.get("add"))
        kept_in, kept = result.tables.file(KEPT_TABLE)
        self._kept = dataset.dataset(kept, filesystem=kept_in)
        self._reader = getattr(result.source(with_old=False), "settings", ReaderSettings())

    @property
    def adds(self) -> bool:
        """Return whether something is noted on every record that stays."""
        return bool(self._added)

    def decide(self, file: File, mode: Mode) -> Decisions:
        """Return which records of a file stay, and their new texts."""
        own = pc.field("source") == file.name
        rows = self._rows.to_table(columns=["position", "action", "start", "end"], filter=own)
        kept = self._kept.to_table(["position", *self._added], filter=own) if self._added else None
        return decisions(file, self._reader, rows, kept)


def decisions(file: File, reader: ReaderSettings, rows: pa.Table, kept: pa.Table | None) -> Decisions:
    """Return which records of a file stay, and their new texts, by its rows of a ledger.

    `kept` has what is added to records that stay.
    """
    gone, spans = split(rows)
    keep = np.ones(int(gone.max(initial=-1)) + 1, bool)
    keep[gone] = False
    notes = None if kept is None else notes_of(kept)
    return Decisions(keep, notes, CutTexts(file, reader, spans))


def split(rows: pa.Table) -> tuple[Integers, dict[int, list[tuple[int, int]]]]:
    """Return which records go, and what is cut out of others; both by their places, from 0 on."""
    dropped = pc.equal(rows["action"], "dropped")
    gone = rows.filter(dropped)["position"]
    spans: dict[int, list[tuple[int, int]]] = {}
    cut = rows.filter(pc.invert(pc.is_in(rows["position"], gone)))
    columns = (cut[name].to_pylist() for name in ("position", "start", "end"))
    for position, start, end in zip(*columns, strict=True):
        spans.setdefault(position - 1, []).append((start, end))
    return gone.to_numpy() - 1, spans


def notes_of(kept: pa.Table) -> Notes:
    """Return what is added to the records of a file."""
    fields = (field for field in kept.schema if field.name != "position")
    notes = Notes({field.name: field.type for field in fields})
    for row in kept.to_pylist():
        notes[row.pop("position") - 1] = row
    return notes


def spare(folder: Path, files: Collection[str]) -> None:
    """Take out of a ledger what would have gone of files that stay as they are, and count again."""
    names = pa.array(sorted(files), pa.string())
    tables = (LEDGER, FLOW, KEPT_TABLE, SHOWN, DOCUMENTS)
    ledger, stages, kept, shown, known = (pq.read_table(folder / f"{name}.parquet") for name in tables)
    ledger = ledger.filter(pc.invert(pc.is_in(ledger["source"], names)))
    kept = with_spared(kept, known.filter(pc.is_in(known["source"], names)))
    own = ledger.filter(pc.is_in(ledger["id"], shown["id"]))
    went = set(zip(*(own[name].to_pylist() for name in ("stage", "id")), strict=True))
    shows = zip(*(shown[name].to_pylist() for name in ("stage", "id")), strict=True)
    shown = shown.filter(pa.array([one in went for one in shows], pa.bool_()))
    flow = stages.to_pylist()
    before = {row["source"]: row for row in flow if row["number"] == 1}
    for row in flow:
        if row["source"] in files:
            row |= dict.fromkeys(("dropped", "changed", "characters_gone"), 0)
            for what in ("records", "characters"):
                whole = before[row["source"]][f"{what}_before"]
                row |= {f"{what}_before": whole, f"{what}_after": whole}
    stages = pa.Table.from_pylist(flow, stages.schema)
    for name, table in zip(tables, (ledger, stages, kept, shown), strict=False):
        delete(folder / f"{name}.parquet")  # Spark's is a folder
        write_table(folder / f"{name}.parquet", table.schema, table.to_batches())
    run = json.loads((folder / RUN).read_text())
    run["counts"] = counted(run["counts"], flow, ledger)
    run.pop(KEY, None)
    (folder / RUN).write_text(as_json(sealed(run, digests_in(folder))))


def with_spared(kept: pa.Table, known: pa.Table) -> pa.Table:
    """Return the records that stay, with those among `known` that were to go, each for itself."""
    back = known.filter(pc.invert(pc.is_in(known["doc"], kept["doc"])))
    own = {name: back[name] for name in ("id", "source", "position", "doc")}
    own["cluster_size"] = pa.repeat(1, len(back))
    columns = [own.get(name, pa.nulls(len(back))) for name in kept.column_names]
    added = pa.table(columns, kept.column_names).cast(kept.schema)
    return pa.concat_tables([kept, added]).sort_by("doc")


def counted(counts: dict[str, int], flow: list[dict[str, Any]], ledger: pa.Table) -> dict[str, int]:
    """Return the counts of a run with what a ledger and its flow say now."""
    found = {n: v for n, v in counts.items() if n.partition(".")[0] not in (DROPPED, GONE)}
    for key, column in ((DROPPED, "dropped"), (GONE, "characters_gone")):
        found[key] = sum(row[column] for row in flow)
        for row in flow:
            if row[column]:
                name = f"{key}.{row['stage']}"
                found[name] = found.get(name, 0) + row[column]
    whole = ledger.filter(pc.equal(ledger["action"], "dropped"))["doc"]
    found[CHANGED] = len(pc.unique(ledger.filter(pc.invert(pc.is_in(ledger["doc"], whole)))["doc"]))
    found[KEPT] = found[DOCUMENTS] - found[DROPPED]
    found[CHARACTERS_KEPT] = found["characters"] - found[GONE]
    return dict(sorted(found.items()))
