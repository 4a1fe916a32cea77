"""Plain text: one document a file, its characters and line ends as they are; or one a line."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from neardup.errors import DamagedFileError
from neardup.readers import jsonl
from neardup.readers.columns import Columns
from neardup.readers.encodings import AUTO, SEVERAL_WAYS, UTF8, Encoding, encoding_in, guess_of, opened
from neardup.readers.file import File
from neardup.readers.json_records import BOM, too_large
from neardup.readers.reader import Range, Reader, always, in_one
from neardup.readers.records import Choice, Decisions, ReaderSettings, Record, batches, guarded, to_batch
from neardup.readers.signs import kind_of_file
from neardup.readers.streams import written

HEAD_BYTES = 8 << 10
TAR = slice(257, 262)
MARKDOWN = (".md", ".markdown")
FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n((?:[^\n]*\n){1,200}?)(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
KEY = re.compile(r"^[\w-]+:(?:\s|$)", re.M)
STRAY = "neardup-stray"  # what handles single bytes of another encoding
ANYTHING = 1  # a single byte that is not UTF-8: a document is never given up for it
FACT = re.compile(r"^(title|date):[ \t]*([^\r\n]*?)[ \t]*\r?$", re.M)


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut a file of lines into byte ranges; any other is one document."""
    return jsonl.splits(file, settings) if settings.lines else in_one(file, settings)


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the one record of a file, or one a line."""
    if settings.lines:
        limit = settings.max_record

        def parse(block: bytes) -> Iterator[pa.RecordBatch]:
            return batches((_line(line, limit) for line in block.split(b"\n") if line.strip()), schema)

        with opened(file, settings.encoding, max(begin - 1, 0)) as stream:
            yield from jsonl.records(stream, (begin, end), parse, schema, limit)
        return
    data = whole(file, settings.max_record)
    yield to_batch(
        [data if isinstance(data, Record) else _record(data, file, settings.encoding)], schema
    )


@guarded
def _line(line: bytes, limit: int) -> Record:
    """Return the text of a line, without its end."""
    if len(line) > limit:
        return too_large(limit)
    try:
        return Record(line.removesuffix(b"\n").removesuffix(b"\r").decode())
    except UnicodeDecodeError as error:
        return Record(problem="invalid UTF-8", detail=f"at byte {error.start} of the line")


def whole(file: File, limit: int) -> bytes | Record:
    """Return all bytes of a file, or a record that says why not."""
    with file.open_stream() as stream:
        data = stream.read((limit if stream.packing else min(limit, file.size)) + 1)
        if stream.failure:
            problem, detail = stream.failure
            return Record(id=file.name, problem=problem, detail=detail)
    return too_large(limit, file.name) if len(data) > limit else data


def of_another_format(data: bytes, name: str) -> Record | None:
    """Return the record of what is no text, but of a format that is known."""
    kind = kind_of_file(data)
    return Record(id=name, problem="not text", detail=f"this is {kind}") if kind else None


@guarded
def _record(data: bytes, file: File, named: str) -> Record:
    name = file.name
    if data[TAR] == b"ustar":
        detail = "the file is a tar archive: give it a name that ends in .tar"
        return Record(id=name, problem="not text", detail=detail)
    if other := of_another_format(data, name):
        return other
    encoding = encoding_in(data, named)
    if (encoding is None or encoding.guessed) and is_binary(data[:HEAD_BYTES], encoding):
        return Record(id=name, problem="not text", detail="the file holds binary data")
    text = decoded(data, named).text
    front = front_of(text, file.suffix)
    facts = {key: value.strip("'\"") for key, value in FACT.findall(front)}
    return Record(text[len(front) :], name, facts)


def front_of(text: str, suffix: str) -> str:
    r"""Return the facts in YAML that stand before a text in Markdown, between two lines of hyphens.

    >>> front_of("---\ntitle: A walk\n---\nOnce upon a time", ".md")
    '---\ntitle: A walk\n---\n'
    """
    found = FRONT.match(text) if suffix in MARKDOWN else None
    return found[0] if found and KEY.search(found[1]) else ""


def doubt(file: File, settings: ReaderSettings) -> str | None:
    """Say how a file was decoded if that is a guess."""
    data = whole(file, settings.max_record)
    if settings.lines or isinstance(data, Record) or _record(data, file, settings.encoding).is_bad():
        return guess_of(file) if settings.lines and settings.encoding == AUTO else None
    return decoded(data, settings.encoding).doubt


def is_binary(head: bytes, encoding: Encoding | None = None) -> bool:
    """Return whether some bytes are not text: many control characters, or a zero in what is not UTF-8.

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
        return _rewrite_lines(file, target, decided, settings)
    keep, _, texts = decided
    if texts:
        data = whole(file, settings.max_record)
        new = _with_text(data, texts[0], file, settings) if isinstance(data, bytes) else b""
        with written(target, file.packing()) as out:
            out.write(new)
        return 1
    if keep is not None and len(keep) and not keep[0] and not _has_problem(file, settings):
        return 0
    file.copy_to(target)
    return 1


def _rewrite_lines(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    def is_bad(line: bytes) -> bool:
        return _line(line.removeprefix(BOM), settings.max_record).is_bad()

    def changed(line: bytes, choice: Choice) -> bytes:
        end = line[len(line.rstrip(b"\r\n")) :]
        return line if choice.text is None else choice.text.encode() + end

    return jsonl.rewrite_lines(file, target, decided, settings, is_bad, changed)


def _with_text(data: bytes, text: str, file: File, settings: ReaderSettings) -> bytes:
    """Return the bytes of a file with another text, encoded as they are, behind the same front."""
    found = decoded(data, settings.encoding)
    if found.stray or found.encoded(found.text) != data:
        raise DamagedFileError(SEVERAL_WAYS, where=file.name)
    return found.encoded(front_of(found.text, file.suffix) + text)


def _has_problem(file: File, settings: ReaderSettings) -> bool:
    data = whole(file, settings.max_record)
    return isinstance(data, Record) or _record(data, file, settings.encoding).is_bad()


class Decoded(NamedTuple):
    """A text, how it was encoded, and how it was read if that is a guess."""

    text: str
    codec: str
    mark: bytes
    doubt: str | None
    stray: int  # bytes that are not in this encoding

    def encoded(self, text: str) -> bytes:
        """Encode another text alike."""
        return self.mark + text.encode(self.codec)


def _stray(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return bad.decode("cp1252", "replace"), error.end


codecs.register_error(STRAY, _stray)


def decoded(data: bytes, name: str) -> Decoded:
    """Decode a document; `name` is what the user called its encoding, or auto.

    >>> decoded("déjà vu".encode() + b", caf\\xe9", "auto")[::3]
    ('déjà vu, café', 'utf-8 but for 1 byte')
    """
    encoding = encoding_in(data, name, ANYTHING)
    marked = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    codec, mark = (encoding.codec, encoding.mark) if encoding else (UTF8, marked)
    raw = data[len(mark) :]
    try:
        text, stray = raw.decode(codec), 0
    except UnicodeDecodeError:
        text = raw.decode(codec, STRAY)
        stray = _lost(raw, codec)
    doubt = codec if encoding and encoding.guessed else None
    if stray:
        doubt = f"{codec} but for {stray:,} byte{'s' if stray > 1 else ''}"
    return Decoded(text, codec, mark, doubt, stray)


def _lost(raw: bytes, codec: str) -> int:
    """Return how many bytes are not in an encoding."""
    return len(raw.decode(codec, "neardup-bad")) - len(raw.decode(codec, "ignore"))


READER = Reader(
    look=always(Columns("text", "id", {})),
    splits=splits,
    read=read,
    rewrite=rewrite,
    suffixes=(".txt", ".text", ".md", ".markdown", ".rst"),
    decodes=True,
    doubt=doubt,
    cuts=True,
)
