"""Documents by id: of a collection of any size, only those that somebody named.

A record that nobody named stays a row, without text, so that all others keep their numbers and
places. Where a text costs more than its id (web archives, TREC documents) it is not even made.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from neardup.readers.file import File
from neardup.readers.numbers import Split
from neardup.readers.records import NOT_ASKED_FOR, ReaderSettings, Record, to_batch
from neardup.readers.source import FileSource

# In ClueWeb's collections an id names the archive that holds the document: clueweb09-en0011-54-30937
# is in en0011/54.warc.gz, clueweb12-0000wb-12-34567 in 0000wb/0000wb-12.warc.gz.
ID = re.compile(r"clueweb(?:09|12)-(\w+)-(\d\d)-\d+")
ARCHIVE = re.compile(r"(?P<folder>\w+)/(?:(?P=folder)-)?(?P<number>\d\d)\.warc\.gz$")


@dataclass(frozen=True)
class NamedOnly(ReaderSettings):
    """How the input is read if only some ids are wanted."""

    ids: frozenset[str] = frozenset()

    def wants(self, own_id: str | None) -> bool:
        """Return whether somebody named this document."""
        return own_id in self.ids


@dataclass(frozen=True)
class NamedDocuments(FileSource):
    """Documents in files, those with the given ids only."""

    ids: frozenset[str] = frozenset()

    @classmethod
    def named(
        cls, inputs: Iterable[str | Path], settings: ReaderSettings, ids: Iterable[str]
    ) -> "NamedDocuments":
        """Open files for the documents with these ids."""
        return cls(FileSource.open(inputs, settings).files, settings, frozenset(ids))

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Yield the records of one part; those that nobody named have a problem and no text."""
        wanted = pa.array(sorted(self.ids), pa.string())
        for batch in super().read(split):
            other = pc.and_(pc.invert(pc.is_in(batch["id"], wanted)), pc.is_null(batch["problem"]))
            if not pc.any(other).as_py():
                yield batch
                continue
            # not null: Arrow would leave the text in its place, where kernels see it
            empty = {"text": pa.scalar("", pa.large_string()), "problem": NOT_ASKED_FOR}
            columns = [
                pc.if_else(other, empty[name], batch[name]) if name in empty else batch[name]
                for name in batch.schema.names
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=batch.schema)

    def _read(self, file: File, split: Split) -> Iterator[pa.RecordBatch]:
        if not may_hold(file, self.archives):
            yield to_batch([Record(problem=NOT_ASKED_FOR, detail="the whole archive")], self.records)
            return
        given = {f.name: getattr(self.settings, f.name) for f in fields(ReaderSettings)}
        chosen = replace(self, settings=NamedOnly(**given, ids=self.ids), known=self.records)
        yield from super(NamedDocuments, chosen)._read(file, split)

    @property
    def archives(self) -> frozenset[tuple[str, str]] | None:
        """Return the archives that hold the documents, None if some ids do not tell."""
        found = [ID.fullmatch(own) for own in self.ids]
        return None if None in found else frozenset((f[1], f[2]) for f in found if f)

    def fingerprint(self) -> str:
        """Return a digest of the files and of the ids."""
        facts = [super().fingerprint(), *sorted(self.ids)]
        return hashlib.sha256("\n".join(facts).encode("utf-8", "replace")).hexdigest()


def may_hold(file: File, archives: frozenset[tuple[str, str]] | None) -> bool:
    """Return whether a file may hold a document of these archives of ClueWeb.

    >>> may_hold(File("/c/en0011/54.warc.gz", "54.warc.gz", 1), frozenset({("en0012", "54")}))
    False
    """
    place = ARCHIVE.search(file.path)
    return archives is None or place is None or (place["folder"], place["number"]) in archives
