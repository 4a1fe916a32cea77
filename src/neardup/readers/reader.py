"""What a reader is: all that neardup knows of one format, said by the module that reads it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from neardup.readers.columns import Columns, Looked, check_fields
from neardup.readers.file import File
from neardup.readers.records import Decisions, ReaderSettings

Range = tuple[int, int]  # of bytes, batches or whatever a format is cut by; an end of -1 is the file's
WHOLE = (0, -1)
LARGE = 256 << 10  # bytes that are worth loading kernels, or compiling them
Look = Callable[[File, ReaderSettings], Looked]


def in_one(_file: File, _settings: ReaderSettings) -> list[Range]:
    """Return the one range of a file that cannot be cut."""
    return [WHOLE]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reader:
    """Reads and writes the files of one format.

    `look` chooses the columns of a file and says of which types they are. `splits` cuts a file into
    ranges that can be read in parallel, and `read` yields the records of one in batches. `rewrite`
    copies a file with what was decided for its records, and returns how many are in the copy; the file
    is one that raises DamagedFileError where it cannot be read.
    """

    look: Look
    splits: Callable[[File, ReaderSettings], list[Range]] = in_one
    read: Callable[[File, int, int, ReaderSettings, pa.Schema], Iterator[pa.RecordBatch]]
    rewrite: Callable[[File, Path, Decisions, ReaderSettings], int]
    suffixes: tuple[str, ...] = ()
    begins: re.Pattern[bytes] | None = None  # recognises the format by a file's first bytes
    usual: tuple[str, ...] = ()  # suffixes of files whose first bytes are of no format
    decodes: bool = False  # reads text in any encoding: see `readers.encodings`
    doubt: Callable[[File, ReaderSettings], str | None] | None = None  # says so of a guess at that
    unseen: Callable[[File, ReaderSettings], int] | None = None  # says how much no reader sees
    kernels: str | None = None  # what they are listed for with which files are read
    kernels_from: int = 0  # bytes of a file: a smaller one is read without them
    holds_gil: bool = False  # is read in Python: processes gain more than threads
    annotates: bool = False  # has a place for notes on a record
    cuts: bool = False  # can write another text in place of a record's own
    needs_end: bool = False  # a file of which only the beginning is there cannot be read
    carries: tuple[str, ...] = ()  # columns of the result if all files are of this format
    left_out: tuple[str, ...] = ()  # problems of records that are as they should be


def markup(pattern: bytes, flags: int = 0) -> re.Pattern[bytes]:
    """Return a pattern for text at its beginning, behind a byte-order mark and white space."""
    return re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:%b)" % pattern, flags)


def always(columns: Columns, types: Mapping[str, pa.DataType] | None = None) -> Look:
    """Return the look at a format whose columns are the same in every file."""

    def look(file: File, settings: ReaderSettings) -> Looked:
        check_fields([columns.text, *columns.others], settings.fields, file.name)
        return columns, dict(types or {})

    return look


def ranges(size: int, step: int) -> list[Range]:
    """Cut a number of bytes into ranges; the last one goes to the end, wherever that is.

    >>> ranges(25, 10)
    [(0, 10), (10, 20), (20, -1)]
    """
    cuts = list(range(0, max(size, 1), step))
    return list(zip(cuts, [*cuts[1:], -1], strict=True))
