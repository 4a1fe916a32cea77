"""A new corpus checked against an index: each document looked up, and a result written."""

from collections import Counter
from collections.abc import Iterator
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
from neardup.methods.method import PAGE, Method
from neardup.readers.source import Source
from neardup.result import Result
from neardup.results.files import RUN
from neardup.results.folder import ResultFolder
from neardup.results.options import TextOptions
from neardup.results.places import Place, check_input
from neardup.results.running import versions
from neardup.results.sources import describe, opened_source
from neardup.results.temporary import delete_with, result_folder
from neardup.settings.run import RunSettings, available_cores
from neardup.showing.progress import shown
from neardup.steps.columns import NO_WORDS, schema_of
from neardup.steps.declared import DOCUMENTS, PAIRS, PASSAGES, SKIPPED
from neardup.storage import on_disk
from neardup.tables import Count

AT_ONCE = 256  # documents
DOCUMENTS_FOUND = Count("documents_found", "documents that share text with the index")
PAIRS_BEYOND_LIMIT = Count("pairs_beyond_limit", "pairs left out", limit="--limit")
DOCUMENTS_SCHEMA = schema_of("doc int64, id string, length found int64")
SHARES = ("similarity", "containment_a", "containment_b", "coverage_a", "coverage_b")
PAIRS_SCHEMA = schema_of(
    f"id_a id_b string, {' '.join(SHARES)} float64, kind string, passages doc_a int64"
)
PASSAGES_SCHEMA = schema_of(
    "id_a string, start_a end_a int64, id_b string, start_b end_b sentences int64, "
    "similarity float64, kind string, words doc_a int64"
)


class Query(Method):
    """A corpus that was looked up in an index: half of its texts are there."""

    name = "query"
    tables = ("passages",)
    counts = (DOCUMENTS, DOCUMENTS_FOUND, PAIRS, PAIRS_BEYOND_LIMIT, PASSAGES, SKIPPED)
    refuses = MappingProxyType(
        {
            "clusters": "Its pairs say which documents are in the index already.",
            "dedup": "To remove what the index has already, run: neardup documents NEW --against INDEX",
            "explain": "To see what a text shares with the documents of an index, run: neardup query",
            "report": "See its pairs with neardup show, or make one that has a report: "
            "neardup passages NEW --against INDEX -o OUT",
            "rethreshold": "Filter its pairs by similarity, or run neardup query again.",
            "sort": "It is shown in its own.",
            "trec": "Its pairs are with an index. To find pairs of documents, run: neardup documents",
        }
    )

    def show_page(self, result: ResultFolder, page: int, per_page: int | None, sort: str | None) -> None:
        """Print one page of the documents that share text with the index."""
        from neardup.index.view import show_known_page

        del sort
        show_known_page(result, page, per_page or PAGE)


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
        for (name, rows), schema in zip(
            tables.items(), (DOCUMENTS_SCHEMA, PAIRS_SCHEMA, PASSAGES_SCHEMA), strict=True
        ):
            batch = pa.RecordBatch.from_pylist(rows, schema)
            write_table(place.work.path / f"{name}.parquet", schema, [batch])
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
