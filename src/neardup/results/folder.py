"""A result folder that can be read: Parquet tables and `run.json`, opened lazily.

The tables are sorted, so that two results can be compared byte by byte. What differs from run to run
(times, workers) is in `timings.json`.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from neardup.engines.disk import DiskFolder, Tables
from neardup.errors import OutputError
from neardup.readers.source import fetch
from neardup.results.attributes import Attributes
from neardup.results.files import RUN
from neardup.results.keeping import TEXTS, KeptTexts
from neardup.results.places import beside_data
from neardup.results.renamed import renamed
from neardup.results.reopening import AskedTexts, reopen
from neardup.steps.against import OLD
from neardup.steps.declared import CLUSTERS, DOCUMENTS, PAIRS, PASSAGES
from neardup.storage import MARK, Address, located, without_secrets

COUNTED = (DOCUMENTS, PAIRS, CLUSTERS, PASSAGES)


class ResultFolder(Attributes):
    """What a run left: its settings, counts and tables. What rooms and views take."""

    def __init__(
        self,
        folder: str | Path | Address,
        source: object = None,
        tables: Tables | None = None,
        *,
        input: str | Path | Sequence[str | Path] | None = None,  # noqa: A002  (the word of the option)
    ) -> None:
        self.where = cleaned_out(located(folder))  # on this disk, or at an address
        self.moved = (input,) if isinstance(input, str | Path) else tuple(input or ())
        self.live_source = source  # of a run over data in memory: nothing on disk to open again
        self.tables = tables or tables_at(self.where)

    @property
    def folder(self) -> Path:
        """Return the folder, which must be on this machine's disk."""
        return self.where if isinstance(self.where, Path) else self.tables.local()

    @property
    def method(self) -> str:
        """Return the name of the method that was run."""
        return str(self.run["method"])

    @cached_property
    def run(self) -> dict[str, Any]:
        """Return what `run.json` says: settings, versions, inputs and counts."""
        try:
            found = json.loads(self.tables.read_text(RUN))
            if not isinstance(found, dict) or not found.keys() >= {"method", "settings"}:
                raise ValueError("it does not say what was run")
            return found | {"counts": renamed(found.get("counts", {}))}
        except ValueError as error:
            raise OutputError(f"run.json is damaged: {error}", where=str(self.where)) from error

    @property
    def settings(self) -> dict[str, Any]:
        """Return the settings of the run."""
        return dict(self.run["settings"])

    @property
    def counts(self) -> dict[str, int]:
        """Return the counts of everything read, skipped, capped and found."""
        return dict(self.run["counts"])

    def has(self, name: str) -> bool:
        """Return whether the result has a table."""
        return name in self.tables.names()

    def lacks(self, what: str) -> OutputError:
        """Return the error for something that such a result does not have."""
        names = ", ".join(self.tables.names())
        message = f"a result of {self.method} has no {what}"
        return OutputError(message, where=str(self.where), hint=f"Its tables are: {names}.")

    def table(self, name: str) -> Any:
        """Return one of the result's tables."""
        if not self.has(name):
            raise self.lacks(name)
        try:
            return self.tables.table(name)
        except (OSError, pa.ArrowException) as error:
            where = str(self.where)
            raise OutputError(f"cannot read {name}.parquet: {error}", where=where) from None

    @property
    def threshold(self) -> float:
        """Return the least similarity of the pairs."""
        if self.settings.get("threshold") is None:
            raise self.lacks("threshold")
        return float(self.settings["threshold"])

    def local(self) -> Self:
        """Return the result with Arrow tables: itself, unless its tables are others."""
        if type(self.tables) is Tables:
            return self
        own = self.tables.folder
        where = located(own.local_path() or str(own))
        tables = Tables(where if isinstance(where, Address) else DiskFolder(where), origin=self.tables)
        return type(self)(where, self.live_source, tables, input=self.moved)

    def source(self, with_old: bool = True) -> Any:
        """Return the source that the run read, opened again, to fetch texts from.

        Of one with old documents, `with_old=False` opens the files of new ones only: others may change.
        """
        if self.live_source is not None:
            return self.live_source
        read = self.run["input"]
        if not with_old and "files" in read:
            read = {**read, "files": [file for file in read["files"] if not file.get(OLD)]}
        return reopen(read, self.moved)

    def texts(self) -> Any:
        """Return what texts can be fetched from: those that the result has, or the source."""
        return self.kept_texts() or self._input_texts()

    def _input_texts(self) -> Any:
        return self.live_source or AskedTexts(self.run["input"], self.moved)

    def kept_texts(self) -> KeptTexts | None:
        """Return the texts that the result has of its own, if the run kept any."""
        if not self.has(TEXTS):
            return None
        names = [file["name"] for file in self.run["input"].get("files", [])]
        local = self.local()
        texts = local.tables.file(TEXTS)
        return KeptTexts(
            texts, local.documents, names, lambda *asked: fetch(self._input_texts(), *asked)
        )

    def __repr__(self) -> str:
        known = {name: self.counts[name] for name in COUNTED if name in self.counts}
        counted = [f"{n:,} {name[:-1] if n == 1 else name}" for name, n in known.items()]
        return f"<{type(self).__name__} {str(self.where)!r}: {', '.join(counted)}>"


def cleaned_out(folder: Path | Address) -> Path | Address:
    """Return a folder; of a corpus that was cleaned, that of the tables of what is not in it."""
    try:
        tables = beside_data(folder)
        return tables if not (folder / RUN).exists() and (tables / RUN).exists() else folder
    except OSError:  # of an address, which is told when it is read
        return folder


def tables_at(folder: Path | Address) -> Tables:
    """Return the tables of a folder, which must hold a whole result."""
    run = folder / RUN
    if isinstance(run, Path):
        if run.is_file():
            return Tables(DiskFolder(run.parent))
    elif isinstance(folder, Address):
        try:
            if run.exists():
                return Tables(folder)
            if (folder / MARK).exists():
                hint = "Wait until it is whole, or run the command that writes it again."
                raise OutputError(
                    "the upload to this address is incomplete", where=str(folder), hint=hint
                )
        except OSError as error:
            where, what = without_secrets(str(folder)), str(error).partition("\n")[0]
            hint = "Check the address and your permissions."
            raise OutputError(f"cannot be read: {what}", where=where, hint=hint) from error
    what = "this folder does not hold a result of neardup"
    if isinstance(folder, Path) and not folder.is_dir():
        what = "this is a file, not the folder of a result" if folder.exists() else "no such folder"
    hint = 'Give the folder that a run has written: neardup.documents(…, output="OUT")'
    raise OutputError(what, where=str(folder), hint=hint)
