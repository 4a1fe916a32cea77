"""Texts of documents in the result itself, so that nobody needs the input to look at it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from neardup.arrays import Integers
from neardup.engines.base import Folder
from neardup.errors import SettingsError
from neardup.readers.records import collected
from neardup.readers.source import FileSource, Source, TableSource, wanted_rows

TEXTS = "texts"
PAIRED = ("pairs", "rejected")  # tables of documents that people look at
POSITION_BITS = 40
Fetch = Callable[[Sequence[tuple[int, int]], str], Iterable[str | None]]
GROUP_BYTES = 4 << 20  # texts that are read together where one of them is wanted


def check_keeping(folder: Folder, source: Source) -> None:
    """Refuse to keep texts that only a cluster can reach."""
    if not isinstance(source, FileSource | TableSource) or folder.local_path() is None:
        hint = 'Run it with engine="local", or write the result to this machine\'s disk.'
        raise SettingsError("texts are kept on this machine only", hint=hint)


def keep_texts(folder: Path, source: Source, paired: Sequence[str]) -> None:
    """Write the texts of all documents that are in a pair, or nearly, beside the tables of a result."""
    tables = [path for path in (folder / f"{name}.parquet" for name in PAIRED) if path.exists()]
    sides = [side for path in tables for side in pq.read_table(path, columns=[*paired]).columns]
    documents = pq.read_table(folder / "documents.parquet", columns=["source", "position"])
    docs: Integers = np.unique(np.concatenate([side.to_numpy() for side in sides])).astype(np.int64)
    keys = place_keys(documents.take(pa.array(docs)), source.names)
    fields = getattr(source, "settings", None)
    columns = dict.fromkeys(("text", *(fields.fields if fields else ())))
    schema = pa.schema(
        [("doc", pa.int64()), *((n, pa.large_string()) for n in columns if n in source.schema.names)]
    )
    with pq.ParquetWriter(folder / f"{TEXTS}.parquet", schema, compression="zstd") as out:
        for table in together(kept_batches(source, keys, docs, schema)):
            out.write_table(table)


def kept_batches(
    source: Source, keys: Integers, docs: Integers, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the texts of documents, by the keys of their places, in the order of the input."""
    places = [divmod(key, 1 << POSITION_BITS) for key in keys.tolist()]
    known = dict(zip(places, docs.tolist(), strict=True))
    for file, positions, batch in wanted_rows(source, places):
        numbers = pa.array([known[file, position] for position in positions], pa.int64())
        columns = [batch[field.name].cast(field.type) for field in list(schema)[1:]]
        yield pa.RecordBatch.from_arrays([numbers, *columns], schema=schema)


def together(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Put small batches together, up to a number of bytes."""
    for waiting in collected(batches, lambda batch: batch.nbytes, GROUP_BYTES):
        yield pa.Table.from_batches(waiting).combine_chunks()


def place_keys(documents: pa.Table, names: Sequence[str]) -> Integers:
    """Return one number for the file and the position of each document, in their order."""
    files = pc.fill_null(pc.index_in(documents["source"], pa.array(names, pa.string())), 0)
    found: Integers = (files.to_numpy().astype(np.int64) << POSITION_BITS) + (
        documents["position"].to_numpy() - 1
    )
    return found


class KeptTexts:
    """The texts that a result has of its own; `rest` opens the input for what is not among them."""

    def __init__(
        self, texts: tuple[pafs.FileSystem, str], documents: pa.Table, names: Sequence[str], rest: Fetch
    ) -> None:
        from pyarrow import dataset  # imports pandas where that is installed, which takes half a second

        self.names = list(names)
        filesystem, path = texts
        self._texts = dataset.dataset(path, filesystem=filesystem)
        self._keys = place_keys(documents, names)
        self._rest = rest

    def fetched(self, wanted: Sequence[tuple[int, int]], column: str) -> list[str | None]:
        """Return the texts of records by (number of the file, position in it from 0)."""
        keys = np.array([(file << POSITION_BITS) + position for file, position in wanted], np.int64)
        docs = np.searchsorted(self._keys, keys)
        chosen = pc.field("doc").isin(pa.array(np.unique(docs)))
        table = self._texts.to_table(columns=["doc", column], filter=chosen)
        known = dict(zip(table["doc"].to_pylist(), table[column].to_pylist(), strict=True))
        missing = [place for place, doc in zip(wanted, docs.tolist(), strict=True) if doc not in known]
        others = iter(self._rest(missing, column) if missing else ())
        return [known[doc] if doc in known else next(others) for doc in docs.tolist()]
