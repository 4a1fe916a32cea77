"""Plain text with a document a line, if that is asked for: lists of sentences, verses, queries."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa

from neardup.readers.encodings import opened, written_like
from neardup.readers.file import File
from neardup.readers.json_records import BOM, too_large
from neardup.readers.jsonl import TOO_LONG, line_blocks, pieces
from neardup.readers.records import Decisions, ReaderSettings, Record, batches, failed, guarded


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield a record for each line that starts in a byte range and is not blank."""
    limit = settings.max_record
    with opened(file, settings.encoding, max(begin - 1, 0)) as stream:
        first = begin == 0
        for block in line_blocks(stream, begin, end, limit):
            if block is TOO_LONG:
                yield from batches([too_large(limit)], schema)
            else:
                lines = (block.removeprefix(BOM) if first else block).split(b"\n")
                yield from batches((record(line, limit) for line in lines if line.strip()), schema)
            first = False
        yield from failed(stream, schema)


@guarded
def record(line: bytes, limit: int) -> Record:
    """Return the text of a line, without its end."""
    if len(line) > limit:
        return too_large(limit)
    try:
        return Record(line.removesuffix(b"\n").removesuffix(b"\r").decode())
    except UnicodeDecodeError as error:
        return Record(problem="invalid UTF-8", detail=f"at byte {error.start} of the line")


def rewrite(file: File, target: Path, decided: Decisions, settings: ReaderSettings) -> int:
    """Write the lines kept, as they are or with new texts; return how many there are."""
    choice = decided.in_turn()
    with opened(file, settings.encoding) as stream, written_like(file, target, settings.encoding) as out:
        keeping = True
        for kind, piece in pieces(stream, settings.max_record):
            if kind == "line":
                keeping = choice.next(partial(_is_bad, piece, settings.max_record))
                if keeping and choice.text is not None:
                    text = piece.rstrip(b"\r\n")
                    piece = choice.text.encode() + piece[len(text) :]
            elif kind == "large":
                keeping = choice.next(lambda: True)
            if keeping or kind == "blank":
                out.write(piece)
    return choice.kept


def _is_bad(line: bytes, limit: int) -> bool:
    return record(line.removeprefix(BOM), limit).is_bad()
