"""Indexes of neardup: each document is read with the text that the index keeps of it."""

import json
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.durable import sync_all
from neardup.errors import DamagedFileError, InputError
from neardup.readers import tables
from neardup.readers.columns import Columns, Looked
from neardup.readers.file import INDEX, File
from neardup.readers.reader import Range, Reader, always
from neardup.readers.records import BATCH_ROWS, KNOWN, Decisions, ReaderSettings, Record, to_batch
from neardup.store.files import are_few
from neardup.store.manifest import Manifest
from neardup.store.moments import copy
from neardup.store.segments import Segment


@dataclass(frozen=True)
class Part(File):
    """An index of which only some documents are read, in their order; those `taken` get another id.

    For an input has documents with these ids.
    """

    docs: tuple[int, ...] = ()
    taken: frozenset[int] = frozenset()

    def texts(self, manifest: Manifest, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Yield those that are asked for of a range."""
        docs = [doc for doc in self.docs if begin <= doc and not 0 <= end <= doc]
        for facts in manifest.segments():
            own = [doc for doc in docs if facts.first <= doc < facts.first + facts.count]
            segment = Segment(manifest.folder, facts) if own else None
            if segment and are_few(len(own), facts.count):
                segment.expect_queries()
            yield from ((doc, segment.texts.of(doc - facts.first)) for doc in own if segment)
        wanted = set(docs)
        yield from (row for row in manifest.recent(begin) if row[0] in wanted)

    def named(self, doc: int, given: str) -> str:
        """Return the id of a document."""
        return f"{self.name}##{given}" if doc in self.taken else given


COLUMNS = Columns("text", "id", {name: name for name in KNOWN})
SCHEMA = pa.schema([("id", pa.string()), ("text", pa.binary()), *((n, pa.string()) for n in KNOWN)])
SPLIT_BYTES = 8 << 20  # of an index
TOGETHER = 2000  # documents of a part of one


def look(file: File, settings: ReaderSettings) -> Looked:
    """Return the columns: those of every index of texts, or the fields that an index of threads has."""
    with closing(Manifest(Path(file.path), False)) as manifest:
        fields = fields_of(manifest)
    if fields:
        schema = with_fields(fields)
        known = tuple(name for name in settings.columns if name in schema.names)
        return tables.look_at(schema, replace(settings, columns=known), file.name)
    try:
        return always(COLUMNS)(file, settings)
    except InputError as error:
        hint = "An index keeps one text of each document: name the files that it was built from instead."
        raise InputError(error.what, where=file.path, hint=hint) from None


def fields_of(manifest: Manifest) -> tuple[str, ...]:
    """Return the fields of each document of an index of threads; of one of texts, nothing."""
    return tuple(json.loads(manifest.facts.get("settings", "{}")).get("fields", ()))


def with_fields(fields: Sequence[str]) -> pa.Schema:
    """Return the columns of an index of threads."""
    names = dict.fromkeys((*SCHEMA.names, *fields))
    return pa.schema([(name, pa.string()) for name in names if name != "text" or name in fields])


def index_file(path: str, name: str) -> File:
    """Return an index as a file of the input, with a number that tells its states apart."""
    with closing(Manifest(Path(path), False)) as manifest:
        size = sum(sum(own.sizes.values()) for own in manifest.segments()) + manifest.recent_bytes
        deleted = len(manifest.deleted())
        state = zlib.crc32(repr((*manifest.state[:2], deleted)).encode())
    return File(path, name, size, suffix=INDEX, modified=state)


def splits(file: File, _: ReaderSettings) -> list[Range]:
    """Cut an index into ranges of documents."""
    if isinstance(file, Part):
        cuts = [0, *file.docs[TOGETHER::TOGETHER]]
        return list(zip(cuts, [*cuts[1:], -1], strict=True))
    with closing(Manifest(Path(file.path), False)) as manifest:
        last = manifest.state.next
    step = max(last * SPLIT_BYTES // file.size, 1)
    cuts = list(range(0, max(last, 1), step))
    return list(zip(cuts, [*cuts[1:], -1], strict=True))


def read(
    file: File, begin: int, end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the documents of a range, in their order."""
    columns, _ = look(file, settings)
    try:
        with closing(Manifest(Path(file.path), False)) as manifest:
            fields = fields_of(manifest)
            kept_as = with_fields(fields) if fields else SCHEMA
            own = file if isinstance(file, Part) else None
            found = own.texts(manifest, begin, end) if own else texts(manifest, begin, end)
            while part := list(islice(found, BATCH_ROWS)):
                known = manifest.about([doc for doc, _ in part])
                if own:
                    known = {d: about._replace(id=own.named(d, about.id)) for d, about in known.items()}
                rows = [known[doc]._asdict() | apart(text, fields) for doc, text in part if doc in known]
                batch = pa.RecordBatch.from_pylist(rows, kept_as)
                yield from tables.to_records(batch, columns, schema, settings.max_record)
    except InputError as error:
        yield to_batch([Record(problem="unreadable", detail=f"index: {error.what}")], schema)


def apart(text: bytes, fields: Sequence[str]) -> dict[str, Any]:
    """Return the columns of a document that is kept: its fields, or its text."""
    return dict(zip(fields, json.loads(text), strict=True)) if fields else {"text": text}


def texts(manifest: Manifest, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the documents of a range, with those that were removed."""
    for facts in manifest.segments():
        if facts.first + facts.count <= begin or 0 <= end <= facts.first:
            continue
        segment = Segment(manifest.folder, facts)
        for doc, text in segment.texts.all(max(begin - facts.first, 0)):
            if 0 <= end <= facts.first + doc:
                return
            yield facts.first + doc, text
    for doc, text in manifest.recent(begin):
        if 0 <= end <= doc:
            return
        yield doc, text


def rewrite(file: File, target: Path, decided: Decisions, _: ReaderSettings) -> int:
    """Copy an index and delete the documents that are not kept; return how many are."""
    target.mkdir()
    try:
        with closing(Manifest(Path(file.path), False)) as manifest:
            copy(manifest, target)
        with closing(Manifest(target, True)) as copied:
            docs = copied.docs()
            keep = np.ones(len(docs), bool)
            if decided.keep is not None:
                keep[: len(decided.keep)] = decided.keep
            with copied.transaction(at_once=True) as change:
                change.delete([doc for doc, stays in zip(docs, keep, strict=True) if not stays])
    except InputError as error:
        shutil.rmtree(target)
        raise DamagedFileError(error.what, where=file.path) from error
    sync_all(target)
    return int(keep.sum())


READER = Reader(look=look, splits=splits, read=read, rewrite=rewrite, suffixes=(INDEX,), needs_end=True)
