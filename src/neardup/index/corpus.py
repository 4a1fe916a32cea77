"""A new corpus checked against an index: each document looked up, and a result written."""

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
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
from neardup.methods.method import Method
from neardup.readers.source import Source
from neardup.result import Result
from neardup.results.files import RUN
from neardup.results.options import TextOptions
from neardup.results.places import Place, check_input
from neardup.results.running import versions
from neardup.results.sources import describe, opened_source
from neardup.results.temporary import delete_with, result_folder
from neardup.settings.run import RunSettings, available_cores
from neardup.showing.listed import View
from neardup.showing.progress import shown
from neardup.steps.columns import NO_WORDS
from neardup.steps.declared import (
    CONTAINMENT_A,
    CONTAINMENT_B,
    DOC_A,
    DOC_B,
    DOCUMENTS,
    ID_A,
    PAIRS,
    PASSAGES,
    PASSAGES_TABLE,
    SKIPPED,
)
from neardup.storage import on_disk
from neardup.tables import Count, Table, column

AT_ONCE = 256  # documents
DOCUMENTS_FOUND = Count("documents_found", "documents that share text with the index")
PAIRS_BEYOND_LIMIT = Count("pairs_beyond_limit", "pairs left out", limit="limit=")
TABLES = (
    Table(
        "documents",
        "document",
        "documents",
        (
            column("doc", "int64", "the document's number, from 0", "hidden"),
            column("id", "string", "the id of the input, or `file#position`", "name"),
            column("length", "int64", "characters of the text", descending=True),
            column("found", "int64", "with how many of the index it is a pair", descending=True),
        ),
        key=("doc",),
    ),
    Table(
        "pairs",
        "pair",
        "pairs of a document and one of the index",
        (
            ID_A,
            column("id_b", "string", "the document of the index", "name"),
            column("similarity", "double", "resemblance", descending=True),
            CONTAINMENT_A,
            CONTAINMENT_B,
            column("coverage_a", "double", "how much of a passages cover", "share", descending=True),
            column("coverage_b", "double", "how much of b passages cover", "share", descending=True),
            column("kind", "string", "what the two are to each other", "category"),
            column("passages", "int64", "how many they share", descending=True),
            DOC_A,
        ),
    ),
    Table(
        "passages",
        "passage",
        "passages",
        [own for own in PASSAGES_TABLE.columns if own != DOC_B],
    ),
)
SHARES = ("similarity", "containment_a", "containment_b", "coverage_a", "coverage_b")


class Query(Method):
    """A corpus that was looked up in an index: half of its texts are there."""

    name = "query"
    tables = TABLES
    counts = (DOCUMENTS, DOCUMENTS_FOUND, PAIRS, PAIRS_BEYOND_LIMIT, PASSAGES, SKIPPED)
    refuses = MappingProxyType(
        {
            "clusters": "Its pairs say which documents are in the index already.",
            "dedup": 'To remove what the index has already: neardup.documents("NEW", against="INDEX")',
            "explain": "To see what a text shares with the documents of an index, run: neardup query",
            "report": "See its pairs with neardup show, or make one that has a report: "
            'neardup.passages("NEW", against="INDEX", output="OUT")',
            "rethreshold": "Filter its pairs by similarity, or run neardup query again.",
            "trec": "Its pairs are with an index. To find pairs of documents, run: neardup documents",
        }
    )

    def views(self) -> Mapping[str, View]:
        """Return how pairs of a document and one of the index are shown."""
        from neardup.index.view import show_known

        return {"pairs": View(show_known)}


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

    `source` is what `documents` takes, or one text. Of each document the best `limit` are found, or all.
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
            for looked in look_up(index, rows_of(source, skipped, advance, set()), settings):
                if looked.found is None:
                    skipped[NO_WORDS] += 1
                else:
                    note(looked.row, looked.found, settings, tables)
        if not tables["documents"]:
            raise InputError("the input holds no documents", hint="Is it the right file?")
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
    """Write down what was found for one document."""
    given, doc = row.about.id, len(tables["documents"])
    length = len(row.text.decode("utf-8", "replace"))
    tables["documents"].append(
        {"doc": doc, "id": given, "length": length, "found": len(found.documents)}
    )
    for match in found.documents[: settings.limit]:
        rows = found.passages.get(match.doc, [])
        pair = {"id_a": given, "id_b": match.about.id, "doc_a": doc}
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
    documents = tables["documents"]
    return {
        "method": "query",
        "settings": {**index.settings.as_dict(), **vars(settings)},
        "versions": versions(),
        "input": describe(source),
        "tables": sorted(tables),
        "index": {"file": index.path.name, "documents": len(index)},
        "counts": {
            DOCUMENTS: len(documents),
            DOCUMENTS_FOUND: sum(row["found"] > 0 for row in documents),
            PAIRS: len(tables["pairs"]),
            PAIRS_BEYOND_LIMIT: sum(row["found"] for row in documents) - len(tables["pairs"]),
            PASSAGES: len(tables["passages"]),
            **{f"{SKIPPED}.{problem}": count for problem, count in sorted(skipped.items())},
        },
    }
