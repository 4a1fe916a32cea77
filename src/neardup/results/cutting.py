"""Parts cut out of documents, each of which stays somewhere else."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.readers import formats
from neardup.readers.file import File
from neardup.readers.records import PASSAGE_NOTES, Decisions, Notes, ReaderSettings
from neardup.readers.source import FileSource, wanted_rows
from neardup.results.folder import ResultFolder
from neardup.results.removing import new_documents, rows_by_file
from neardup.settings.base import Mode
from neardup.steps.columns import schema_of

REMOVED = schema_of(
    "id source string, position start end int64, keeper_id string, keeper_start keeper_end int64, "
    "similarity float64"
)


class Cut(NamedTuple):
    """What to cut out of a document, and where the same words stay; characters, ends excluded."""

    doc: int
    start: int
    end: int
    keeper: int
    keeper_start: int
    keeper_end: int
    similarity: float


@dataclass(frozen=True)
class CutRemoval:
    """Removes parts of documents; a document of which too little would be left goes as a whole.

    That is nothing at all, or less than `least_left` of its characters.
    """

    ids = None
    adds = False

    result: ResultFolder
    cuts: Mapping[int, list[Cut]]
    what: str
    least_left: float = 0

    @cached_property
    def _documents(self) -> pa.Table:
        documents = self.result.documents
        return documents.filter(pc.is_in(documents["doc"], pa.array(list(self.cuts), pa.int64())))

    @cached_property
    def _sizes(self) -> dict[int, int]:
        return {doc: sum(c.end - c.start for c in cuts) for doc, cuts in self.cuts.items()}

    def sparing(self, files: Collection[str]) -> Self:
        """Return the same for a corpus of which some files stay as they are."""
        rows = (row for name in files for row in self._cut_by_file.get(name, []))
        spared = {row["doc"] for row in rows}
        return replace(self, cuts={doc: cuts for doc, cuts in self.cuts.items() if doc not in spared})

    @cached_property
    def removed(self) -> pa.Table:
        """Return one row a passage that goes: where it was, and where the same words stay."""
        return removed_rows(self.result, self.cuts)

    @property
    def kept(self) -> int:
        """Return how many documents have some text left."""
        return len(new_documents(self.result)) - len(self._going)

    @cached_property
    def _going(self) -> set[int]:
        """Return the documents of which too little would be left."""
        rows = zip(*(self._documents[name].to_pylist() for name in ("doc", "length")), strict=True)
        left = ((doc, length - self._sizes[doc], length) for doc, length in rows)
        return {doc for doc, rest, whole in left if rest <= 0 or rest < self.least_left * whole}

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

    def notes(self, removed: Iterable[Mapping[str, Any]]) -> Mapping[int, dict[str, Any]]:
        """Return the notes on the records of one file."""
        return passage_notes(removed)

    def decide(self, file: File, mode: Mode) -> Decisions:
        """Return the new texts of a file's records, or what is noted on them."""
        if mode == "annotate":
            return Decisions(notes=self.notes(self._removed_by_file.get(file.name, [])))
        docs = {row["position"] - 1: row["doc"] for row in self._cut_by_file.get(file.name, [])}
        if docs and not formats.reader_of(file).cuts:
            able = formats.those_that(lambda reader: reader.cuts)
            raise InputError(
                "texts in files of this format cannot be cut",
                where=file.name,
                hint=f'Those in {able} can. Take mode="list" for the others.',
            )
        reader = getattr(self.result.source(with_old=False), "settings", ReaderSettings())
        keep = np.ones(max(docs, default=-1) + 1, bool)
        keep[[position for position, doc in docs.items() if doc in self._going]] = False
        spans = {
            position: [(cut.start, cut.end) for cut in self.cuts[doc]]
            for position, doc in docs.items()
            if keep[position]
        }
        return Decisions(keep=keep, texts=CutTexts(file, reader, spans))


class CutTexts(Mapping[int, str]):
    """The texts of a file's records without some spans, by position; read one after the other.

    So a file of any size is cut in bounded memory: its writer asks in the order of the file.
    """

    def __init__(
        self, file: File, reader: ReaderSettings, spans: Mapping[int, Iterable[tuple[int, int]]]
    ) -> None:
        self._source = FileSource((file,), reader)
        self._spans = spans
        self._read: Iterator[tuple[int, list[int], pa.RecordBatch]] = iter(())
        self._at: dict[int, str | None] = {}

    def __len__(self) -> int:
        return len(self._spans)

    def __iter__(self) -> Iterator[int]:
        return iter(self._spans)

    def __contains__(self, position: object) -> bool:
        return position in self._spans  # without reading up to it

    def __getitem__(self, position: int) -> str:
        spans = self._spans[position]
        while position not in self._at:
            following = next(self._read, None)
            if following is None:  # the first one, or one before those that were read
                later = [(0, own) for own in self._spans if own >= position]
                self._read = wanted_rows(self._source, later)
                following = next(self._read)
            _, positions, batch = following
            self._at = dict(zip(positions, batch["text"].to_pylist(), strict=True))
        return without(self._at[position] or "", spans)


def passage_notes(removed: Iterable[Mapping[str, Any]]) -> Notes:
    """Return the notes on the records of one file."""
    notes = Notes(PASSAGE_NOTES)
    for row in removed:
        note = notes.setdefault(row["position"] - 1, {"passages": []})
        names = ("start", "end", "keeper_id", "keeper_start", "keeper_end")
        note["passages"].append({name.removesuffix("_id"): row[name] for name in names})
    return notes


def removed_rows(result: ResultFolder, found: Mapping[int, list[Cut]]) -> pa.Table:
    """Return the table of all that goes, with the users' ids."""
    documents = result.documents
    ids, sources, positions = (documents[name].to_pylist() for name in ("id", "source", "position"))
    place = {doc: at for at, doc in enumerate(documents["doc"].to_pylist())}
    rows = []
    for doc in sorted(found):
        at = place[doc]
        for cut in found[doc]:
            row = {"id": ids[at], "source": sources[at], "position": positions[at]}
            row |= cut._asdict() | {"keeper_id": ids[place[cut.keeper]]}
            rows.append({name: row[name] for name in REMOVED.names})
    return pa.Table.from_pylist(rows, REMOVED)


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Cut spans out of a text.

    >>> without("One. Two. Three.", [(5, 10)])
    'One. Three.'
    """
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])
