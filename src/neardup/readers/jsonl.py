"""JSON Lines: large files in byte ranges, in parallel; bad lines are named one by one."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path

import pyarrow as pa

from neardup.readers.columns import Looked, unknown
from neardup.readers.encodings import Opened, encoding_of, opened, written_like
from neardup.readers.file import File
from neardup.readers.json_records import BOM, Parser, from_line, look_at, rewritten, too_large
from neardup.readers.reader import LARGE, WHOLE, Range, Reader, in_one, markup, ranges
from neardup.readers.records import BATCH_BYTES, Choice, Decisions, ReaderSettings, batches, failed

SPLIT_BYTES = 16 << 20
TOO_LONG = None
Parse = Callable[[bytes], Iterator[pa.RecordBatch]]  # of whole lines


def splits(file: File, settings: ReaderSettings) -> list[Range]:
    """Cut a file into byte ranges; what is compressed or recoded can only be read from its beginning."""
    whole = not file.can_seek or file.packing() or encoding_of(file, settings.encoding)
    return in_one(file, settings) if whole else ranges(file.size, SPLIT_BYTES)


@lru_cache(1 << 10)
def look(file: File, settings: ReaderSettings) -> Looked:
    """Choose the columns by the first block of lines in which one is an object."""
    looked = unknown(settings)
    with opened(file, settings.encoding) as stream:
        for block in line_blocks(stream, 0, -1, settings.max_record):
            looked = look_at((block or b"").split(b"\n"), settings, file.name)
            if looked[1]:
                break
    return looked


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the records of the lines that start in a byte range (end -1: all the rest)."""
    parser = Parser(look(file, settings), schema, settings.max_record)
    # from one byte earlier: is it the end of the line before?
    with opened(file, settings.encoding, max(begin - 1, 0)) as stream:
        yield from records(stream, (begin, end), parser.records, schema, settings.max_record)
        while stream.failure and stream.resume():
            yield from records(stream, WHOLE, parser.records, schema, settings.max_record)


def records(
    stream: Opened, part: Range, parse: Parse, schema: pa.Schema, limit: int
) -> Iterator[pa.RecordBatch]:
    """Yield the records of a range of a stream, as far as it can be read; then say why no further."""
    begin, end = part
    first = begin == 0
    for block in line_blocks(stream, begin, end, limit):
        if block is TOO_LONG:
            yield from batches([too_large(limit)], schema)
        else:
            yield from parse(block.removeprefix(BOM) if first else block)
        first = False
    yield from failed(stream, schema)


def line_blocks(stream: Opened, begin: int, end: int, limit: int) -> Iterator[bytes | None]:
    """Yield blocks of whole lines that start at begin ≤ position < end; None for a line over limit.

    The stream stands one byte before `begin`; an `end` of -1 means the end of the file.
    """
    position = max(begin - 1, 0)
    skipping = begin > 0  # inside a line that is not ours, or that is over the limit
    parts: list[bytes | memoryview] = []
    while chunk := stream.read(_chunk_size(position, end)):
        start, position = position, position + len(chunk)
        if skipping:
            cut = chunk.find(b"\n") + 1
            if not cut:
                continue
            chunk, start, skipping = chunk[cut:], start + cut, False
        if 0 <= end <= start and not parts:
            return
        if 0 <= end <= position:
            # the line feed at or after end - 1 closes the last line that starts before `end`
            cut = chunk.find(b"\n", max(end - 1 - start, 0)) + 1
            if cut:
                yield b"".join([*parts, memoryview(chunk)[:cut]])
                return
        cut = chunk.rfind(b"\n") + 1
        if cut:
            yield b"".join([*parts, memoryview(chunk)[:cut]])
            parts = []
        parts.append(chunk[cut:])
        if sum(map(len, parts)) > limit:
            yield TOO_LONG
            parts, skipping = [], True
    if any(parts):
        yield b"".join(parts)


def _chunk_size(position: int, end: int) -> int:
    return BATCH_BYTES if end < 0 else min(BATCH_BYTES, max(end - position, 1 << 16))


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the lines kept, as they are but for notes and new texts; return how many records."""
    columns, _ = look(file, settings)

    def is_bad(line: bytes) -> bool:
        return from_line(line.removeprefix(BOM), columns).is_bad()

    def changed(line: bytes, choice: Choice) -> bytes:
        return rewritten(line, columns, choice, decided.notes)

    return rewrite_lines(file, target, decided, settings, is_bad, changed)


def rewrite_lines(
    file: File,
    target: Path,
    decided: Decisions,
    settings: ReaderSettings,
    is_bad: Callable[[bytes], bool],
    changed: Callable[[bytes, Choice], bytes],
) -> int:
    """Write the lines kept, as they are `changed`; return how many records."""
    choice = decided.in_turn()
    with opened(file, settings.encoding) as stream, written_like(file, target, settings.encoding) as out:
        keeping = True
        for kind, piece in pieces(stream, settings.max_record):
            if kind == "line":
                keeping = choice.next(partial(is_bad, piece))
                piece = changed(piece, choice) if keeping else piece
            elif kind == "large":
                keeping = choice.next(lambda: True)
            if keeping or kind == "blank":
                out.write(piece)
    return choice.kept


def pieces(stream: Opened, limit: int) -> Iterator[tuple[str, bytes]]:
    """Cut a stream into lines; one over the limit comes as `large`, then as `more` of the same."""
    rest = b""
    inside = False
    while chunk := stream.read(max(BATCH_BYTES, len(rest) // 4)):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield _kind(line, limit, inside), line + b"\n"
            inside = False
        if len(rest) > limit or (inside and rest):
            yield _kind(rest, limit, inside), rest
            rest, inside = b"", True
    if rest:
        yield _kind(rest, limit, inside), rest


def _kind(line: bytes, limit: int, inside: bool) -> str:
    if inside:
        return "more"
    if len(line) > limit:
        return "large"
    return "line" if line.strip() else "blank"


READER = Reader(
    look=look,
    splits=splits,
    read=read,
    rewrite=rewrite,
    suffixes=(".jsonl", ".ndjson", ".jl"),
    # an object that ends on its first line, as far as that can be seen
    begins=markup(rb'(?=\{\s*["}])[^\n]*(\}[ \t\r\f\v]*\n|\Z)'),
    decodes=True,
    kernels="json_lines",
    kernels_from=LARGE,
    annotates=True,
    cuts=True,
)
