"""Plain text: one document a file, its characters and line ends as they are."""

import codecs
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from neardup.readers.columns import Columns
from neardup.readers.files import File
from neardup.readers.json_records import too_large
from neardup.readers.reader import Reader, always
from neardup.readers.records import Decisions, ReaderSettings, Record, guarded, to_batch
from neardup.readers.streams import written

HEAD_BYTES = 8 << 10
TAR = slice(257, 262)
WIDE = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32"} | {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the one record of a file."""
    del begin, end
    data = whole(file, settings.max_record)
    yield to_batch([data if isinstance(data, Record) else _record(data, file.name)], schema)


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
def _record(data: bytes, name: str) -> Record:
    if data[TAR] == b"ustar":
        detail = "the file is a tar archive: unpack it and give the folder"
        return Record(id=name, problem="not text", detail=detail)
    encoding = next((wide for bom, wide in WIDE.items() if data.startswith(bom)), "utf-8-sig")
    if encoding == "utf-8-sig" and is_binary(data[:HEAD_BYTES]):
        return Record(id=name, problem="not text", detail="the file holds binary data")
    try:
        return Record(data.decode(encoding), name)
    except UnicodeDecodeError as error:
        what = "invalid UTF-8" if encoding == "utf-8-sig" else "invalid UTF-16"
        return Record(id=name, problem=what, detail=f"at byte {error.start} of the file")


def is_binary(head: bytes) -> bool:
    """Say whether some bytes are not text: many control characters, or a zero in what is not UTF-8.

    Text that came through other programs may well hold a few zeros.
    """
    controls = len(head.translate(None, bytes(range(9, 14)) + b"\x1b" + bytes(range(32, 256))))
    if b"\0" not in head:
        return controls * 20 > len(head)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeDecodeError:
        return True
    return controls * 4 > len(head)


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Copy the file, or do not, or write another text; there is no place for notes."""
    keep, _, texts = decided
    if texts:
        with written(target, file.packing()) as out:
            data = whole(file, settings.max_record)
            out.write(_encoded_as(data if isinstance(data, bytes) else b"", texts[0]))
        return 1
    if keep is not None and len(keep) and not keep[0] and not _has_problem(file, settings):
        return 0
    with file.open() as raw, written(target, None) as out:
        shutil.copyfileobj(raw, out)
    return 1


def _encoded_as(old: bytes, text: str) -> bytes:
    """Encode a text as an old one was, with its byte order mark."""
    for mark, codec in MARKS.items():
        if old.startswith(mark):
            return mark + text.encode(codec)
    return text.encode("utf-8")


def _has_problem(file: File, settings: ReaderSettings) -> bool:
    data = whole(file, settings.max_record)
    return isinstance(data, Record) or _record(data, file.name).problem is not None


READER = Reader(
    look=always(Columns("text", "id", {})),
    read=read,
    rewrite=rewrite,
    suffixes=(".txt", ".text", ".md", ".markdown", ".rst"),
    cuts=True,
)
