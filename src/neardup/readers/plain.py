"""Plain text: one document a file, its characters and line ends as they are; or one a line."""

import codecs
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from neardup.readers import jsonl, lines
from neardup.readers.columns import Columns
from neardup.readers.encodings import Encoding, encoded_like, encoding_in
from neardup.readers.file import File
from neardup.readers.json_records import too_large
from neardup.readers.reader import Range, Reader, always, in_one
from neardup.readers.records import Decisions, ReaderSettings, Record, guarded, to_batch
from neardup.readers.streams import written

HEAD_BYTES = 8 << 10
TAR = slice(257, 262)


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut a file of lines into byte ranges; any other is one document."""
    return jsonl.splits(file, settings) if settings.lines else in_one(file, settings)


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the one record of a file, or one a line."""
    if settings.lines:
        yield from lines.read(file, begin, end, settings, schema)
        return
    data = whole(file, settings.max_record)
    yield to_batch(
        [data if isinstance(data, Record) else _record(data, file.name, settings.encoding)], schema
    )


def whole(file: File, limit: int) -> bytes | Record:
    """Return all bytes of a file, or a record that says why not."""
    with file.open_stream() as stream:
        data = stream.read((limit if stream.packing else min(limit, file.size)) + 1)
        if stream.failure:
            problem, detail = stream.failure
            return Record(id=file.name, problem=problem, detail=detail)
    if len(data) > limit:
        large = too_large(limit)
        return Record(id=file.name, problem=large.problem, detail=large.detail)
    return data


@guarded
def _record(data: bytes, name: str, named: str) -> Record:
    if data[TAR] == b"ustar":
        detail = "the file is a tar archive: give it a name that ends in .tar"
        return Record(id=name, problem="not text", detail=detail)
    encoding = encoding_in(data, named)
    if (encoding is None or encoding.guessed) and is_binary(data[:HEAD_BYTES], encoding):
        return Record(id=name, problem="not text", detail="the file holds binary data")
    codec = encoding.codec if encoding else "utf-8-sig"
    try:
        return Record(data[len(encoding.mark) if encoding else 0 :].decode(codec), name)
    except UnicodeDecodeError as error:
        what = f"invalid {_called(codec)}"
        at = error.start + (len(encoding.mark) if encoding else 0)
        return Record(id=name, problem=what, detail=f"at byte {at} of the file")


def _called(codec: str) -> str:
    """Return what people call an encoding.

    >>> _called("utf-16-le"), _called("cp1252")
    ('UTF-16', 'cp1252')
    """
    return codec[:6].strip("-").upper() if codec.startswith("utf") else codec


def is_binary(head: bytes, encoding: Encoding | None = None) -> bool:
    """Say whether some bytes are not text: many control characters, or a zero in what is not UTF-8.

    Text that came through other programs may well hold a few zeros.
    """
    controls = len(head.translate(None, bytes(range(9, 14)) + b"\x1b" + bytes(range(32, 256))))
    if encoding and encoding.codec.startswith("utf-16"):
        return False
    if b"\0" not in head:
        return controls * 20 > len(head)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeDecodeError:
        return True
    return controls * 4 > len(head)


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Copy the file, or do not, or write another text; there is no place for notes."""
    if settings.lines:
        return lines.rewrite(file, target, decided, settings)
    keep, _, texts = decided
    if texts:
        with written(target, file.packing()) as out:
            data = whole(file, settings.max_record)
            out.write(
                encoded_like(data if isinstance(data, bytes) else b"", texts[0], settings.encoding)
            )
        return 1
    if keep is not None and len(keep) and not keep[0] and not _has_problem(file, settings):
        return 0
    with file.raw() as raw, written(target, None) as out:
        shutil.copyfileobj(raw, out)
    return 1


def _has_problem(file: File, settings: ReaderSettings) -> bool:
    data = whole(file, settings.max_record)
    return isinstance(data, Record) or _record(data, file.name, settings.encoding).problem is not None


READER = Reader(
    look=always(Columns("text", "id", {})),
    splits=splits,
    read=read,
    rewrite=rewrite,
    suffixes=(".txt", ".text", ".md", ".markdown", ".rst"),
    decodes=True,
    cuts=True,
)
