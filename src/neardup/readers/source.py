"""Where documents come from: files of any format, or data that is already in memory."""

import hashlib
import json
import shutil
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.durable import is_for_want_of_room
from neardup.errors import DamagedFileError, InputError, NeardupError
from neardup.readers import formats
from neardup.readers.columns import Looked, NoTextColumnError, unknown
from neardup.readers.encodings import AUTO, guess_of
from neardup.readers.file import INDEX, File, Whole
from neardup.readers.files import as_it_is, check_unchanged, find, listed, named
from neardup.readers.html_columns import extracted
from neardup.readers.memory import TableSource
from neardup.readers.numbers import ROW_BITS, Source, Split, grouped, numbered, together, with_numbers
from neardup.readers.reader import WHOLE, Range
from neardup.readers.records import (
    CONTRIBUTOR,
    HEADINGS,
    SOURCE_CITES,
    Decisions,
    ReaderSettings,
    Record,
    check,
    column_types,
    records_schema,
    to_batch,
    unforeseen,
)
from neardup.text.layout import PAGE_STARTS

__all__ = [
    "ROW_BITS",
    "FileSource",
    "Source",
    "Split",
    "TableSource",
    "fetch",
    "grouped",
    "in_both",
    "names_in",
    "open_both",
    "open_source",
    "rewrite",
    "together",
]

NO_COLUMN = "\0"  # no column has this name
MOST_LOOKS = 1000  # files whose columns are checked before a run begins


@dataclass(frozen=True)
class FileSource:
    """Documents in files; the numbering follows the sorted list of the files."""

    files: tuple[File, ...]
    settings: ReaderSettings
    first: int = field(default=0, kw_only=True)  # the number of the first of these files
    known: pa.Schema | None = field(default=None, kw_only=True)  # of records, if these are not all files
    added: tuple[str, ...] = field(default_factory=formats.added, kw_only=True)  # readers of others

    @classmethod
    def open(cls, inputs: Iterable[str | Path], settings: ReaderSettings) -> "FileSource":
        """Find the files and check that they can be read and hold the columns asked for."""
        check(settings)
        files = tuple(find(inputs, settings.revisions))
        check_own_columns(files, settings)
        return cls(files, with_carried(files, settings))

    @classmethod
    def open_both(
        cls, inputs: Iterable[str | Path], against: Iterable[str | Path], settings: ReaderSettings
    ) -> "tuple[FileSource, int]":
        """Open two sets of files as one source; return it and the number that the second begins with.

        That is the number of its first document: all those before are of the first set.
        """
        check(settings)
        first, second = (listed(paths, settings.revisions) for paths in (inputs, against))
        if both := sorted(first.keys() & second.keys()):
            raise in_both(both[0])
        files = sorted(named(first | second), key=lambda file: file.path in second)
        check_own_columns(files, settings)
        source = cls(tuple(files), with_carried(files, settings))
        split = next(split for split in source.splits() if split.file == len(first))
        return source, split.number << ROW_BITS

    @property
    def names(self) -> list[str]:
        """Return the names of the files."""
        return [file.name for file in self.files]

    @property
    def can_be_reopened(self) -> bool:
        """Return whether all files will be there when this process has ended."""
        return not any(file.is_copy for file in self.files)

    @cached_property
    def records(self) -> pa.Schema:
        """Return the schema of what the readers yield, by a look at the files that have columns."""
        if self.known is not None:
            return self.known
        extra: dict[str, pa.DataType] = {}
        looks = usable = 0
        refused: dict[str | None, NoTextColumnError] = {}  # by the column that was named
        held: set[str | None] = {None}  # what any file with columns has, or nobody named
        for file in self.files:
            if not file.size or looks == MOST_LOOKS:
                continue
            asked = own_settings(file, self.settings).text_column
            try:
                columns, types = looked_at(file, self.settings)
            except NoTextColumnError as error:
                refused.setdefault(asked, error)
                continue
            usable += 1
            looks += bool(types)
            held |= {asked} if types and columns.text == asked else set()
            found = {name: types[name] for name in self.settings.columns if name in types}
            extra = {n: t if extra.get(n, t) == t else pa.string() for n, t in found.items()} | {
                n: t for n, t in extra.items() if n not in found
            }
        for asked, refusal in refused.items():
            if self.settings.strict or not usable or asked not in held:
                raise refusal
        return records_schema(column_types(extra, self.settings))

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the schema of the numbered batches."""
        return with_numbers(self.records)

    def splits(self) -> list[Split]:
        """Cut each file as its format allows."""
        parts: list[Split] = []
        for number, file in enumerate(self.files):
            ranges = self._ranges(file)
            share = file.size // len(ranges)
            parts += [
                Split(len(parts) + at, number, begin, end, share)
                for at, (begin, end) in enumerate(ranges)
            ]
        return parts

    def part(self, splits: Sequence[Split]) -> "tuple[FileSource, Sequence[Split]]":
        """Return what is needed to read some splits that follow each other."""
        first, last = splits[0].file, splits[-1].file
        own = self.files[first - self.first : last + 1 - self.first]
        return replace(self, files=own, first=first, known=self.records), splits

    def _ranges(self, file: File) -> list[Range]:
        if file.problem:
            return [WHOLE]
        try:
            looked_at(file, self.settings)
            own = own_settings(file, self.settings)
            return formats.reader_of(file).splits(file, own) if file.size else [WHOLE]
        except Exception:  # `read` says so
            return [WHOLE]

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Yield the records of one part of one file."""
        file = self.files[split.file - self.first]
        # files that are far away are looked at by a run at its end: asking for each takes long
        unread = as_it_is(file) if file.is_local and not file.problem else None
        found = self._read(file, split)
        left_out = () if file.problem else formats.reader_of(file).left_out
        yield from numbered(found, split, self.schema, self.settings.strict, file.name, left_out)
        if unread:
            check_unchanged([unread])

    def _read(self, file: File, split: Split) -> Iterator[pa.RecordBatch]:
        if file.problem:
            what, detail = file.problem
            yield to_batch([Record(problem=what, detail=detail)], self.records)
            return
        if not file.size:
            yield to_batch([Record(problem="empty file", detail="it has no bytes")], self.records)
            return
        formats.check_added(self.added)
        reader = formats.reader_of(file)
        try:
            own = own_settings(file, self.settings)
            found = reader.read(file, split.begin, split.end, own, self.records)
            yield from extracted(found, self.settings.raw) if self._has_html(file) else found
        except NoTextColumnError as error:
            yield to_batch([Record(problem="no text column", detail=error.hint)], self.records)
        except NeardupError:
            raise
        except OSError as error:
            if is_for_want_of_room(error):
                raise
            yield to_batch([Record(problem="unreadable", detail=str(error))], self.records)
        except Exception as error:  # nothing but our own errors leaves a reader
            yield to_batch([unforeseen(error)], self.records)

    @property
    def kernels(self) -> tuple[str, ...]:
        """Return what kernels are listed for with which these files are read."""
        readers = [(formats.reader_of(file), file.size) for file in self.files if file.size]
        return tuple(sorted({r.kernels for r, size in readers if r.kernels and size >= r.kernels_from}))

    @property
    def holds_gil(self) -> bool:
        """Return whether any of the readers needed holds the interpreter's lock."""
        files = [file for file in self.files if file.size]
        return any(formats.reader_of(f).holds_gil for f in files) or any(map(self._has_html, files))

    def _has_html(self, file: File) -> bool:
        """Return whether the text of a file is in a column of HTML."""
        try:
            return looked_at(file, self.settings)[0].is_html
        except NoTextColumnError:
            return False

    def guessed_encodings(self) -> dict[str, str]:
        """Return the encodings of files that do not say in which they are, by the files' names."""
        found = ((file.name, guessed_encoding(file, self.settings)) for file in self.files if file.size)
        return {name: codec for name, codec in found if codec}

    def unseen(self) -> dict[str, int]:
        """Return how many characters were left out because no reader sees them, by the files' names."""
        readers = [(file, formats.reader_of(file).unseen) for file in self.files if file.size]
        found = ((file.name, count(file, self.settings)) for file, count in readers if count)
        return {name: characters for name, characters in found if characters}

    def fingerprint(self) -> str:
        """Return a digest of the names, sizes and times of the files, and of how they are read."""
        facts = [
            asdict(self.settings),
            [(f.path, f.size, f.modified, f.text_column) for f in self.files],
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def with_carried(files: Iterable[File], settings: ReaderSettings) -> ReaderSettings:
    """Return the settings with the columns that the format carries, if all files are of the same.

    Where pages begin is carried along if any of the formats says so.
    """
    readers = {formats.reader_of(file) for file in files if not file.problem}
    paged = (PAGE_STARTS,) if any(PAGE_STARTS in reader.carries for reader in readers) else ()
    carried = readers.pop().carries if len(readers) == 1 else paged
    asked = {
        HEADINGS: settings.headings,
        CONTRIBUTOR: settings.revisions,
        SOURCE_CITES: settings.citations,
    }
    wanted = (name for name in carried if asked.get(name, True))
    return replace(settings, columns=tuple(dict.fromkeys((*settings.columns, *wanted))))


def own_settings(file: File, settings: ReaderSettings) -> ReaderSettings:
    """Return how one file is read: its text may be in a column of its own."""
    return replace(settings, text_column=file.text_column) if file.text_column else settings


def check_own_columns(files: Iterable[File], settings: ReaderSettings) -> None:
    """Refuse columns behind the names of files where fields are compared."""
    own = next((file for file in files if file.text_column), None)
    if own and settings.fields:
        hint = "Give the file without a column, and name its columns with fields=."
        raise InputError("threads have several texts each, not one column", where=own.path, hint=hint)


def looked_at(file: File, settings: ReaderSettings) -> Looked:
    """Return the columns of a file, those asked for if it cannot be read: `read` says so in a record."""
    try:
        return formats.reader_of(file).look(file, own_settings(file, settings))
    except NeardupError:
        raise
    except Exception:
        return unknown(settings)


def names_in(data: object, settings: ReaderSettings) -> tuple[str, ...]:
    """Return the names of all columns of a file, or of data in memory; none if it has no columns."""
    asked = replace(settings, text_column=NO_COLUMN)
    try:
        if isinstance(data, File):
            formats.reader_of(data).look(data, asked)
        else:
            TableSource.open(data, asked)
    except NoTextColumnError as error:
        return error.names
    except InputError:  # of strings
        return ()
    return ()


def guessed_encoding(file: File, settings: ReaderSettings) -> str | None:
    """Return the encoding of a file if it had to be guessed."""
    try:
        reader = formats.reader_of(file)
        if reader.doubt:
            return reader.doubt(file, settings)
        return guess_of(file) if reader.decodes and settings.encoding == AUTO else None
    except OSError:
        return None


def fetch(source: Source, wanted: Sequence[tuple[int, int]], column: str = "text") -> list[str | None]:
    """Return the texts of records by (number of the file, position in it from 0), None for no text.

    Reads each file only as far as it must. Another `column` holds another field. What has `fetched` has
    texts of its own.
    """
    if hasattr(source, "fetched"):
        own: list[str | None] = source.fetched(wanted, column)
        return own
    found = {
        (file, position): text
        for file, positions, rows in wanted_rows(source, wanted)
        for position, text in zip(positions, rows[column].to_pylist(), strict=True)
    }
    return [found.get(key) for key in wanted]


def wanted_rows(
    source: Source, wanted: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, list[int], pa.RecordBatch]]:
    """Yield records by (number of the file, position in it): the file, positions, and their rows."""
    asked: dict[int, list[int]] = {}
    for file, position in sorted(set(wanted)):
        asked.setdefault(file, []).append(position)
    seen = dict.fromkeys(asked, 0)
    for split in source.splits():
        here = asked.get(split.file)
        if here is None or seen[split.file] > here[-1]:
            continue
        for batch in source.read(split):
            first = seen[split.file]
            seen[split.file] += batch.num_rows
            positions = here[bisect_left(here, first) : bisect_left(here, seen[split.file])]
            if positions:
                yield split.file, positions, batch.take(pa.array([p - first for p in positions]))
            if seen[split.file] > here[-1]:
                break


def open_source(data: object, settings: ReaderSettings) -> Source:
    """Open a file, folder or glob, a list of paths, or data in memory.

    A single string is the name of a file; a list of strings is a list of texts.
    """
    if paths := paths_in(data):
        return FileSource.open(paths, settings)
    if isinstance(data, FileSource | TableSource):
        return data
    return TableSource.open(data, settings)


def in_both(path: str) -> InputError:
    """Return the error for a file that is given twice."""
    hint = "A document is compared with the sources, so it cannot be one of them."
    return InputError("this file is an input and a source", where=path, hint=hint)


def open_both(data: object, against: object, settings: ReaderSettings) -> tuple[Source, int]:
    """Open two inputs as one; return it, and the number that the second one's documents begin with."""
    paths = [paths_in(data), paths_in(against)]
    if paths[0] and paths[1]:
        return FileSource.open_both(paths[0], paths[1], settings)
    if paths[0] or paths[1]:
        raise InputError("give both inputs as files, or both as data in memory")
    first, second = TableSource.open(data, settings), TableSource.open(against, settings)
    return TableSource.joined(first, second)


class Named(str):
    """A path or an address as it was written: a Path would drop slashes of an address."""

    __slots__ = ()

    def __fspath__(self) -> str:
        return str(self)


def paths_in(data: Any) -> list[str]:
    """Return the paths that some data are; strings in a list are texts, not paths."""
    if isinstance(data, str | PathLike):
        return [str(data)]
    paths = [d for d in data if isinstance(d, PathLike)] if isinstance(data, list | tuple) else []
    if paths and len(paths) < len(data):
        hint = "Make a Path of each; strings in a list are texts."
        raise InputError("some of the list are paths and others are not", where=str(paths[0]), hint=hint)
    return [str(path) for path in paths]


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> str | None:
    """Copy a file with what was decided for its records.

    One that cannot be read whole is copied as it is, and what is wrong with it returned: a part of it
    would be less than what was there.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    if file.problem:
        copy(file, target)
        return None
    if not file.size:
        target.touch()
        return None
    try:
        return _rewritten(Whole.of(file), target, decided, settings)
    except (DamagedFileError, NoTextColumnError) as damage:
        copy(file, target)
        return damage.what if isinstance(damage, DamagedFileError) else None


def _rewritten(file: Whole, target: Path, decided: Decisions, settings: ReaderSettings) -> str | None:
    reader = formats.reader_of(file)
    reader.rewrite(file, target, decided, own_settings(file, settings))
    return None


def copy(file: File, target: Path) -> None:
    """Copy a file as it is, or an index."""
    if file.suffix == INDEX:
        shutil.copytree(file.path, target)
    else:
        file.copy_to(target)


def size_of(source: Source) -> int:
    """Return the bytes of a source, as far as they are known."""
    return sum(split.size for split in source.splits())
