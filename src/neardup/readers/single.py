"""Formats of which a file is one document that was laid out: it is read, and kept or removed, whole."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.readers import plain
from neardup.readers.columns import Columns
from neardup.readers.file import File
from neardup.readers.pdf_pages import MOST_CHARACTERS
from neardup.readers.reader import Reader, always
from neardup.readers.records import Decisions, ReaderSettings, Record, guarded, to_batch
from neardup.readers.signs import kind_of_file
from neardup.text.layout import PAGE_STARTS, START, assembled

MOST_BYTES = 100 << 20  # of a file, and of what is packed in it: more is a bomb, or no text
COLUMNS = Columns("text", "id", {name: name for name in ("title", "date", PAGE_STARTS)})
Make = Callable[[bytes], Record]


class UnusableError(Exception):
    """A file cannot be used: what is wrong with it, and the details."""


def laid_out(text: str, names: list[str], notes: str = "", **others: Any) -> Record:
    """Return the record of a text in which form feeds begin pages of these names; notes come last."""
    if notes.strip():
        text, names = f"{text}\n\n{START}{notes}", [*names, "notes"]
    if len(text) > MOST_CHARACTERS:
        raise UnusableError("too large", f"over {MOST_CHARACTERS:,} characters")
    plain_text, starts = assembled(text, names)
    if not plain_text:
        raise UnusableError("no text", "the file holds none")
    return Record(plain_text, others={**others, PAGE_STARTS: starts})


def other_kind(data: bytes, called: str) -> UnusableError:
    """Return the reason for what is not of the format that its name says."""
    kind = kind_of_file(data)
    return UnusableError("unreadable", f"this is not {called}" + (f", but {kind}" if kind else ""))


def single(make: Make, **about: Any) -> Reader:
    """Return the reader of a format by what makes a record of a file's bytes."""

    @guarded
    def made(data: bytes) -> Record:
        try:
            return make(data)
        except UnusableError as error:
            problem, detail = error.args
            return Record(problem=problem, detail=detail)

    def record(file: File, settings: ReaderSettings) -> Record:
        data = plain.whole(file, min(MOST_BYTES, settings.max_record))
        return (data if isinstance(data, Record) else made(data))._replace(id=file.name)

    def read(
        file: File, _begin: int, _end: int, settings: ReaderSettings, schema: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        yield to_batch([record(file, settings)], schema)

    def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
        if not decided.in_turn().next(lambda: record(file, settings).is_bad()):
            return 0
        file.copy_to(target)
        return 1

    return Reader(
        look=always(COLUMNS, {PAGE_STARTS: pa.string()}),
        read=read,
        rewrite=rewrite,
        holds_gil=True,
        carries=(PAGE_STARTS,),
        **about,
    )
