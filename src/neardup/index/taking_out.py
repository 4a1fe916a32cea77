"""What an index holds, taken out of it: a copy of all, or its documents as JSON Lines or Parquet."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.durable import partial_of, written
from neardup.engines.parquet import write_table
from neardup.errors import OutputError, SettingsError
from neardup.index.adding import Row, portions
from neardup.index.kept import check_free, check_whole, put, recover, remove_index
from neardup.readers.indexes import apart, fields_of, with_fields
from neardup.store.files import MANIFEST, damaged
from neardup.store.manifest import About, Manifest
from neardup.store.moments import copy, moment, texts

COLUMNS = (*About._fields[:1], "text", *About._fields[1:])
SCHEMA = pa.schema([(name, pa.string()) for name in COLUMNS])
PACKED = ("", ".gz", ".bz2", ".zst")  # behind .jsonl
ENDINGS = (*(f".jsonl{own}" for own in PACKED), ".parquet")
NOBODY = About("")


def copy_index(path: Path, target: Path) -> int:
    """Write a copy of an index as it is now, whoever writes it; return how many documents that has."""
    recover(path)
    check_free(target, overwrite=False)
    work = partial_of(target)
    remove_index(work)
    try:
        with closing(Manifest(path, False)) as manifest:
            try:
                work.mkdir(parents=True)
                documents = copy(manifest, work)
            except OSError as error:
                raise OutputError(f"cannot be written: {error}", where=str(work)) from error
        check_whole(work, documents)
        put(work, target)
    except BaseException:
        remove_index(work)
        raise
    return documents


def export_index(path: Path, target: Path) -> int:
    """Write the documents of an index, as they are now, to a file; return how many there are."""
    if not target.name.endswith(ENDINGS):
        what = f"{target.name} is no name of a file that documents can be written to"
        raise SettingsError(what, hint=f"Let it end in one of {', '.join(ENDINGS)}.")
    if target.exists():
        raise OutputError("this is already there", where=str(target), hint="Name another file.")
    recover(path)
    with closing(Manifest(path, False)) as manifest:
        try:
            with written(target) as partial:
                if target.suffix == ".parquet":
                    return write_table(partial, schema_of(fields_of(manifest)), batches(manifest))
                return write_lines(partial, target.suffix, batches(manifest))
        except OSError as error:
            raise OutputError(f"cannot be written: {error}", where=str(target)) from error


def write_lines(path: Path, suffix: str, rows: Iterator[pa.RecordBatch]) -> int:
    """Write an object a line, as the readers take it, compressed if the name says so."""
    kind = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}.get(suffix)
    count = 0
    with pa.output_stream(str(path), compression=kind) as out:
        for batch in rows:
            lines = (json.dumps(row, ensure_ascii=False) for row in batch.to_pylist())
            out.write("".join(f"{line}\n" for line in lines).encode())
            count += batch.num_rows
    return count


def schema_of(fields: Sequence[str]) -> pa.Schema:
    """Return the columns that documents are written with: their text, or their fields."""
    return with_fields(fields) if fields else SCHEMA


def columns_of(text: bytes, fields: Sequence[str]) -> dict[str, Any]:
    """Return the same of a document, besides what is known of it."""
    return apart(text, fields) if fields else {"text": text.decode("utf-8", "replace")}


def batches(manifest: Manifest) -> Iterator[pa.RecordBatch]:
    """Yield all documents of one moment, a bounded part at a time."""
    fields = fields_of(manifest)
    schema = schema_of(fields)
    with moment(manifest) as segments:
        found = (Row(NOBODY, text, position=doc) for doc, text in texts(manifest, segments))
        for part in portions(found):
            known = manifest.about([row.position for row in part])
            if len(known) < len(part):
                raise damaged(manifest.folder / MANIFEST)
            rows = [known[row.position]._asdict() | columns_of(row.text, fields) for row in part]
            yield pa.RecordBatch.from_pylist(rows, schema)
            for segment in segments:
                segment.release()
