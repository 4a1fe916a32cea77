"""A new corpus checked against an index: each document looked up, and a result written."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa

from neardup.engines.base import Progress, Silent
from neardup.engines.disk import DiskFolder
from neardup.engines.parquet import write_table
from neardup.errors import InputError
from neardup.index.adding import Row, rows_of
from neardup.index.asking import Findings, find, is_file, is_name
from neardup.index.online import Index
from neardup.index.settings import QuerySettings
from neardup.methods.documents.settings import Measure
from neardup.methods.method import Method, lazy
from neardup.readers.indexes import index_file
from neardup.readers.source import Source
from neardup.result import Result
from neardup.results.files import RUN, delete_with, result_folder
from neardup.results.options import TextOptions
from neardup.results.places import Place, check_input
from neardup.results.running import versions
from neardup.results.sources import describe, described_file, opened_source
from neardup.settings.run import RunSettings, available_cores
from neardup.showing.progress import shown
from neardup.steps.columns import NO_WORDS
from neardup.steps.declared import (
    CONTAINMENT_A,
    CONTAINMENT_B,
    DOCUMENTS,
    OLD_DOCUMENTS,
    PAIRS,
    PASSAGES,
    PASSAGES_TABLE,
    SKIPPED,
    documents_table,
    pairs_table,
)
from neardup.storage import on_disk
from neardup.store.manifest import About
from neardup.tables import Count, column

AT_ONCE = 256  # documents
DOCUMENTS_FOUND = Count("documents_found", "documents that share text with the index")
PAIRS_BEYOND_LIMIT = Count("pairs_beyond_limit", "pairs left out", limit="limit=")
DOCUMENTS_TABLE = documents_table(
    column("found", "int64", "with how many of the index it is a pair", descending=True)
)
PAIRS_TABLE = pairs_table(
    column("similarity", "double", "resemblance", descending=True),
    CONTAINMENT_A,
    CONTAINMENT_B,
    column("coverage_a", "double", "how much of a passages cover", "share", descending=True),
    column("coverage_b", "double", "how much of b passages cover", "share", descending=True),
    column("kind", "string", "how the two are related", "category"),
    column("passages", "int64", "how many passages they share", descending=True),
)
TABLES = (DOCUMENTS_TABLE, PAIRS_TABLE, PASSAGES_TABLE)
SHARES = ("similarity", "containment_a", "containment_b", "coverage_a", "coverage_b")


class Query(Method):
    """A corpus that was looked up in an index: half of its texts are there."""

    name = "query"
    tables = TABLES
    counts = (DOCUMENTS, OLD_DOCUMENTS, DOCUMENTS_FOUND, PAIRS, PAIRS_BEYOND_LIMIT, PASSAGES, SKIPPED)
    refuses = MappingProxyType(
        {
            "clusters": "Its pairs say which documents are in the index already.",
            "dedup": 'To remove what the index has already: neardup.documents("NEW", against="INDEX")',
            "explain": "To see what a text shares with the documents of an index, run: neardup query",
            "rethreshold": "Filter its pairs by similarity, or run neardup query again.",
            "trec": "Its pairs are with an index. To find pairs of documents, run: neardup documents",
        }
    )

    views = lazy("view:views")
    report = lazy("report:KnownKind")


class Looked(NamedTuple):
    """A document of the corpus, and what was found for it; None if it has no words."""

    row: Row
    found: Findings | None


def query(
    index: Index | str | Path,
    source: Any,
    *,
    output: str | Path | None = None,
    threshold: float = 0.7,
    measure: Measure = "containment",
    limit: int | None = None,
    text_column: str | None = None,
    id_column: str | None = None,
    raw: bool = False,
    overwrite: bool = False,
    progress: Progress | bool | None = None,
) -> Result:
    """Look every document of a source up in an index; in the tables, b is a document of the index.

    `source` is as for `documents`, or one text. For each document, the best `limit` are found, or all.
    `Index.query` looks one text up and compares it word by word.

    >>> from tempfile import mkdtemp
    >>> known = [{"id": "old", "text": "To be or not to be, that is the question."}]
    >>> index = neardup.Index.build(Path(mkdtemp(), "known.neardup"), known)
    >>> result = neardup.query(index, ["To be, or not to be: that is the question!"])
    >>> result.pairs.select(["id_a", "id_b", "similarity"]).to_pylist()
    [{'id_a': 'memory#1', 'id_b': 'old', 'similarity': 1.0}]
    """
    settings = QuerySettings(threshold, measure, limit)
    reader = TextOptions(text_column=text_column, id_column=id_column, raw=raw).reader
    if isinstance(source, str) and not (is_file(source) or is_name(source)):
        source = [source]
    opened = opened_source(source, reader, RunSettings.make())
    with ExitStack() as stack:
        if not isinstance(index, Index):
            index = Index.to_ask(index)
            if not index.writable:
                stack.enter_context(index)
        folder = stack.enter_context(result_folder(output))
        bars = shown(progress)
        result = check(index, opened, settings, folder, overwrite=overwrite, progress=bars)
    if output is None:
        delete_with(result, folder.parent)
    return result


def check(
    index: Index,
    source: Source,
    settings: QuerySettings,
    output: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Look every document of a source up in an index, and write what was found.

    In the tables, a is a document of the source and b one of the index; with a limit, each a has its
    best b only.
    """
    progress = progress or Silent()
    place = Place(DiskFolder(on_disk(output)), progress)
    place.check_free(overwrite)
    check_input(source, str(output))
    skipped: Counter[str] = Counter()
    tables: dict[str, list[dict[str, Any]]] = {"documents": [], "pairs": [], "passages": []}
    size = sum(split.size for split in source.splits())
    with place.claimed(source.fingerprint()):
        with progress.step("query", size, "bytes") as advance:
            for looked in look_up(
                index, rows_of(source, skipped, advance, index.analysis, set()), settings
            ):
                if looked.found is None:
                    skipped[NO_WORDS] += 1
                else:
                    note(looked.row, looked.found, settings, tables)
        if not tables["documents"]:
            raise InputError("the input holds no documents", hint="Is it the right file?")
        with_those_found(index, tables)
        for table in TABLES:
            schema = pa.schema([(own.name, pa.type_for_alias(own.type)) for own in table.columns])
            batch = pa.RecordBatch.from_pylist(tables[table], schema)
            write_table(place.work.path / f"{table}.parquet", schema, [batch])
        place.write_json(RUN, facts(index, source, settings, tables, skipped))
        place.finish()
    return Result(output)


def look_up(index: Index, rows: Iterator[Row], settings: QuerySettings) -> Iterator[Looked]:
    """Look documents up, some at a time, in their order."""
    search = index.search

    def one(row: Row) -> Looked:
        text = row.text.decode("utf-8", "replace")
        has_words = bool(len(search.text(row.text).shingles))
        return Looked(row, find(search, text, settings) if has_words else None)

    with ThreadPoolExecutor(available_cores()) as pool:
        while part := list(islice(rows, AT_ONCE)):
            yield from pool.map(one, part)


def note(
    row: Row, found: Findings, settings: QuerySettings, tables: dict[str, list[dict[str, Any]]]
) -> None:
    """Write down what was found for one document; those of the index have its numbers for now."""
    doc, about = len(tables["documents"]), row.about
    tables["documents"].append(described_row(doc, row, old=False, found=len(found.documents)))
    for match in found.documents[: settings.limit]:
        rows = found.passages.get(match.doc, [])
        pair = {"id_a": about.id, "id_b": match.about.id, "doc_a": doc, "doc_b": match.doc}
        shares = (
            match.resemblance,
            match.containment_query,
            match.containment_document,
            match.coverage_query,
            match.coverage_document,
        )
        more = {"kind": match.kind, "passages": len(rows)}
        tables["pairs"].append(pair | dict(zip(SHARES, shares, strict=True)) | more)
        # in the index's tables the document is a, and the text b
        tables["passages"] += [pair | turned_around(row) for row in rows]


def described_row(doc: int, row: Row, *, old: bool, found: int | None) -> dict[str, Any]:
    """Return what the table says of a document."""
    place = {"doc": doc, "source": row.source, "position": row.position, "old": old, "found": found}
    return {**row.about._asdict(), **place, "length": len(row.text.decode("utf-8", "replace"))}


def with_those_found(index: Index, tables: dict[str, list[dict[str, Any]]]) -> None:
    """Add the documents of the index that were found behind the others, and number them so."""
    contents = index.search.contents
    known = dict(sorted((row["doc_b"], row["id_b"]) for row in tables["pairs"]))
    numbers = {doc: number for number, doc in enumerate(known, len(tables["documents"]))}
    view, about = contents.view, contents.about([*known])
    for (doc, given), position in zip(known.items(), contents.positions([*known]), strict=True):
        held = Row(about.get(doc, About(given)), view.text(doc), index.path.name, position)
        tables["documents"].append(described_row(numbers[doc], held, old=True, found=None))
    for row in (*tables["pairs"], *tables["passages"]):
        row["doc_b"] = numbers[row["doc_b"]]
    tables["passages"].sort(key=itemgetter(*PASSAGES_TABLE.key))


def turned_around(row: dict[str, Any]) -> dict[str, Any]:
    """Return a passage with the text as a and the document of the index as b."""
    places = ("start", "end")
    about = {name: row[name] for name in ("sentences", "similarity", "kind", "words")}
    return about | {f"{p}_{x}": row[f"{p}_{y}"] for p in places for x, y in ("ab", "ba")}


def facts(
    index: Index,
    source: Source,
    settings: QuerySettings,
    tables: dict[str, list[dict[str, Any]]],
    skipped: Counter[str],
) -> dict[str, Any]:
    """Return what `run.json` says."""
    documents = [row for row in tables["documents"] if not row["old"]]
    read = describe(source)
    if "files" in read:
        own = index_file(str(index.path.absolute()), index.path.name)
        read["files"].append(described_file(own) | {"old": True})
    return {
        "method": "query",
        "settings": {**index.settings.as_dict(), **vars(settings)},
        "versions": versions(),
        "input": read,
        "tables": sorted(tables),
        "index": {"file": index.path.name, "documents": len(index)},
        "counts": {
            DOCUMENTS: len(tables["documents"]),
            OLD_DOCUMENTS: len(tables["documents"]) - len(documents),
            DOCUMENTS_FOUND: sum(row["found"] > 0 for row in documents),
            PAIRS: len(tables["pairs"]),
            PAIRS_BEYOND_LIMIT: sum(row["found"] for row in documents) - len(tables["pairs"]),
            PASSAGES: len(tables["passages"]),
            **{f"{SKIPPED}.{problem}": count for problem, count in sorted(skipped.items())},
        },
    }
