"""Repeated sentences cut out of documents, one copy of each kept."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError, SettingsError
from neardup.methods.passages.cleaning import Cut, find_cuts, removed_rows, without
from neardup.readers import formats
from neardup.readers.files import File
from neardup.readers.records import Decisions, PassageNotes, ReaderSettings
from neardup.readers.source import FileSource, fetch
from neardup.results.folder import ResultFolder
from neardup.results.removing import new_documents, rows_by_file
from neardup.settings.base import Clustering, Mode

SURE = 0.95  # how similar passages are of which one is removed


def removal(
    result: ResultFolder, keep: str | None, threshold: float | None, clusters: Clustering | None
) -> "PassageRemoval":
    """Decide which repeated sentences are cut out."""
    if clusters is not None:
        raise SettingsError("a result of passages has no clusters", hint="Leave clusters= out.")
    cuts = find_cuts(result, keep or "first", SURE if threshold is None else threshold)
    return PassageRemoval(result, cuts)


class PassageRemoval:
    """Removes each sentence of a repeated passage that a better document has too."""

    what = "repeated passage"
    ids = None

    def __init__(self, result: ResultFolder, cuts: Mapping[int, list[Cut]]) -> None:
        self._result = result
        self._cuts = cuts
        docs = pa.array(list(self._cuts), pa.int64())
        self._documents = result.documents.filter(pc.is_in(result.documents["doc"], docs))
        self._sizes = {doc: sum(c.end - c.start for c in cuts) for doc, cuts in self._cuts.items()}

    def sparing(self, files: Collection[str]) -> "PassageRemoval":
        """Return the same for a corpus of which some files stay as they are."""
        rows = (row for name in files for row in self._cut_by_file.get(name, []))
        spared = {row["doc"] for row in rows}
        cuts = {doc: cuts for doc, cuts in self._cuts.items() if doc not in spared}
        return PassageRemoval(self._result, cuts)

    @cached_property
    def removed(self) -> pa.Table:
        """Return one row a passage that goes: where it was, and where the same words stay."""
        return removed_rows(self._result, self._cuts)

    @property
    def kept(self) -> int:
        """Return how many documents have some text left."""
        own = self._documents
        lengths = zip(own["doc"].to_pylist(), own["length"].to_pylist(), strict=True)
        emptied = sum(self._sizes[doc] == length for doc, length in lengths)
        return int(len(new_documents(self._result)) - emptied)

    @property
    def characters(self) -> int:
        """Return how many characters are cut out."""
        return sum(self._sizes.values())

    @cached_property
    def _cut_by_file(self) -> dict[str, list[dict[str, Any]]]:
        return rows_by_file(self._documents.select(["source", "position", "doc"]))

    @cached_property
    def _removed_by_file(self) -> dict[str, list[dict[str, Any]]]:
        return rows_by_file(self.removed)

    def decide(self, file: File, mode: Mode) -> Decisions:
        """Return the new texts of a file's records, or what is noted on them."""
        if mode == "annotate":
            return Decisions(notes=passage_notes(self._removed_by_file.get(file.name, [])))
        docs = {row["position"] - 1: row["doc"] for row in self._cut_by_file.get(file.name, [])}
        if docs and not formats.reader_of(file).cuts:
            able = formats.those_that(lambda reader: reader.cuts)
            raise InputError(
                "texts in files of this format cannot be cut",
                where=file.name,
                hint=f'Those in {able} can. Take mode="list" for the others.',
            )
        reader = getattr(self._result.source(), "settings", ReaderSettings())
        texts = fetch(FileSource((file,), reader), [(0, position) for position in docs])
        new = {
            position: without(text or "", [(cut.start, cut.end) for cut in self._cuts[doc]])
            for (position, doc), text in zip(docs.items(), texts, strict=True)
        }
        keep = np.ones(max(docs, default=-1) + 1, bool)
        keep[[position for position, text in new.items() if not text]] = False
        return Decisions(keep=keep, texts={at: text for at, text in new.items() if text})


def passage_notes(removed: Iterable[Mapping[str, Any]]) -> PassageNotes:
    """Return the notes on the records of one file."""
    notes = PassageNotes()
    for row in removed:
        note = notes.setdefault(row["position"] - 1, {"passages": []})
        names = ("start", "end", "keeper_id", "keeper_start", "keeper_end")
        note["passages"].append({name.removesuffix("_id"): row[name] for name in names})
    return notes
