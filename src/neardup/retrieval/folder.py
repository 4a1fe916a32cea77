"""`neardup trec`: from files or data to a folder with tables, cleaned files and a report."""

import hashlib
import shutil
import types
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

import pyarrow as pa

from neardup.engines.base import Progress, Silent
from neardup.engines.disk import DiskFolder
from neardup.engines.parquet import write_table
from neardup.errors import InputError, SettingsError
from neardup.methods.documents.plan import job
from neardup.methods.documents.settings import DocumentSettings
from neardup.readers.records import NOT_ASKED_FOR, ReaderSettings
from neardup.readers.selection import NamedDocuments
from neardup.result import Result
from neardup.results.files import RUN, delete_with, result_folder, write_json
from neardup.results.places import Place
from neardup.results.running import run_job, versions
from neardup.retrieval import declared
from neardup.retrieval.analysis import Analysis, Pair, TrecSettings, analyse
from neardup.retrieval.duplicates import Duplicates, pairs_of
from neardup.retrieval.effect import Effect, Order, measure_named
from neardup.retrieval.files import content, lines_in, read_qrels, read_topics, write_qrels
from neardup.retrieval.frames import Names, duplicates_of, qrels_frame, qrels_of, run_frame, runs_of
from neardup.retrieval.policies import DIVERSITY, QRELS, RUNS, Removed
from neardup.retrieval.prevalence import Cumulative, Prevalence, RunTopic
from neardup.retrieval.report import report
from neardup.retrieval.runs import Catalogue, read_run, write_run
from neardup.settings.base import Preset, settings_of
from neardup.settings.file import meant
from neardup.settings.run import RunSettings, available_cores
from neardup.showing.progress import shown

if TYPE_CHECKING:
    import pandas

METHOD = "trec"
FOUND = "near-duplicates"  # the folder of the result that --documents makes
CLEAN = "deduplicated"
REPORT = "report.html"
BY_TOPIC = {"policy": str, "run": str, "topic": str, "measure": str, "value": float}
NOTHING = InputError(
    "none of the documents that the runs name is in the collection",
    hint="Are the ids spelt the same? For another column, see id_column=.",
)
KINDS = {str: pa.string(), int: pa.int64(), float: pa.float64()}


class TrecResult(Result):
    """What near-duplicates do to an evaluation, as tables, cleaned files and a report."""

    def runs(self, names: Names = "ir_measures") -> "dict[str, pandas.DataFrame]":
        """Return the runs without near-duplicates, with ir_measures' or PyTerrier's column names."""
        files = sorted((self.folder / CLEAN / RUNS).iterdir())
        return {file.name: run_frame(read_run(file), names) for file in files}

    def qrels(self, names: Names = "ir_measures") -> "pandas.DataFrame":
        """Return the judgements without near-duplicates."""
        return qrels_frame(read_qrels(self.folder / CLEAN / QRELS), names)

    def frame(self, table: str = "effects") -> "pandas.DataFrame":
        """Return one of the tables as a DataFrame."""
        return self.table(table).to_pandas()

    @property
    def remarks(self) -> list[str]:
        """Return what was odd about the input, and what was done about it."""
        return list(self.run["remarks"])

    def __repr__(self) -> str:
        counts = self.counts
        return (
            f"<TrecResult {str(self.folder)!r}: {counts[declared.RUNS]:,} runs, "
            f"{counts[declared.TOPICS_JUDGED]:,} topics, {counts[declared.REMOVED_FROM_QRELS]:,} of "
            f"{counts[declared.DOCUMENTS_JUDGED]:,} judged documents redundant>"
        )

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.frame('orders').to_html(index=False)}"


def trec(
    runs: Any,
    qrels: Any = None,
    *,
    groups: Any = None,
    result: Any = None,
    documents: Any = None,
    diversity: Any = None,
    topics: Any = None,
    urls: Any = None,
    output: str | Path | None = None,
    threshold: float | None = None,
    thresholds: Iterable[float] | None = None,
    depths: Iterable[int] = TrecSettings.depths,
    measures: Iterable[str] | None = None,
    relevance: int = 1,
    keep: Any = "first",
    shingle: str | None = None,
    preset: Preset | None = None,
    lenient: bool = False,
    text_column: str | None = None,
    id_column: str | None = None,
    raw: bool | None = None,
    workers: int | None = None,
    memory: str | int | None = None,
    overwrite: bool = False,
    progress: Progress | bool | None = None,
    **method: Any,
) -> TrecResult:
    """Measure what near-duplicates do to an evaluation of retrieval systems.

    `runs` are files, or DataFrames by name; `qrels` is a file or a DataFrame; without any,
    near-duplicates are only counted. They come from `groups` (a file, or lists of ids), from a `result`
    of neardup, or are found in `documents`, by runs of five words or as the thesis does (`preset`).
    Further settings are those of the method `documents`.

    >>> from pandas import DataFrame
    >>> ids = ["a", "copy-of-a", "b"]
    >>> run = DataFrame({"query_id": "1", "doc_id": ids, "score": [3.0, 2.0, 1.0]})
    >>> judged = DataFrame({"query_id": "1", "doc_id": ids, "relevance": [1, 1, 0]})
    >>> found = neardup.trec({"mine": run}, judged, groups=[["a", "copy-of-a"]], measures=["P@2"])
    >>> [(row["policy"], row["before"], row["after"]) for row in found.table("effects").to_pylist()]
    [('runs', 1.0, 0.5), ('irrelevant', 1.0, 0.5), ('qrels', 1.0, 0.5), ('both', 1.0, 0.5)]
    """
    given = {"preset": preset, "threshold": threshold, "shingle": shingle, "raw": raw, **method}
    own: dict[str, Any] = DocumentSettings.filled(given)
    chosen = method_settings({name: own[name] for name in own if name != "raw"})
    settings = TrecSettings(
        own["threshold"],
        None if thresholds is None else tuple(thresholds),
        tuple(depths),
        None if measures is None else tuple(measures),
        relevance,
        keep,
        chosen.shingle,
        preset,
    )
    chosen = replace(chosen, threshold=settings.least)
    check(settings, groups, result, documents)
    reader = ReaderSettings(text_column=text_column, id_column=id_column, raw=bool(own["raw"]))
    run = RunSettings.make(workers, memory)
    progress = shown(progress) or Silent()
    with result_folder(output) as folder:
        place = Place(DiskFolder(folder), progress)
        place.check_free(overwrite)
        catalogue = Catalogue()
        systems = runs_of(runs, catalogue, lenient)
        judged = None if qrels is None else qrels_of(qrels, lenient)
        subtopics = None if diversity is None else qrels_of(diversity, lenient)
        queries = {} if topics is None else read_topics(topics)
        known = None if urls is None else addresses(urls)
        ids = set(catalogue) | {row.id for row in (judged.rows if judged else ())}
        source = (
            None
            if documents is None
            else NamedDocuments.named(
                [documents] if isinstance(documents, str | Path) else list(documents), reader, ids
            )
        )
        with place.claimed(mark(source, chosen)):
            if source is not None:
                result = find_in(source, chosen, run, place.work.path / FOUND, progress)
            near, found_urls = (
                (duplicates_of(groups, lenient), {}) if result is None else from_result(result, ids)
            )
            found = analyse(
                systems,
                judged,
                near,
                settings,
                catalogue=catalogue,
                diversity=subtopics,
                urls=found_urls if known is None else known,
                progress=progress,
            )
            write_all(place.work.path, found, settings, queries)
            place.finish()
        done = TrecResult(folder)
        if output is None:
            delete_with(done, folder.parent)
        return done


def check(settings: TrecSettings, *origins: Any) -> None:
    """Raise an error unless near-duplicates have one origin, and all measures are known."""
    if sum(given is not None for given in origins) != 1:
        raise SettingsError(
            "near-duplicates come from one of three places",
            hint="Give a file with groups=, a result with result=, or texts with documents=.",
        )
    for name in settings.measures or ():
        measure_named(name)


def method_settings(given: Mapping[str, Any]) -> DocumentSettings:
    """Return how near-duplicates are found in documents: all pairs are listed, as all count."""
    known = {own.name for own in settings_of(DocumentSettings)}
    if unknown := [meant(name, known) for name in given if name not in known]:
        raise SettingsError(f"neardup trec has no setting {', '.join(unknown)}")
    values = {name: value for name, value in given.items() if value is not None}
    return DocumentSettings(**{**values, "pairs": "all"})


def mark(source: NamedDocuments | None, settings: DocumentSettings) -> str:
    """Return a digest of what decides which near-duplicates are found in documents."""
    facts = [source.fingerprint() if source else "", str(sorted(settings.as_dict().items()))]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def find_in(
    source: NamedDocuments, chosen: DocumentSettings, run: RunSettings, output: Path, progress: Progress
) -> Result:
    """Find the near-duplicates among the named documents of a collection."""
    if (output / RUN).is_file():
        return Result(output)  # of an interrupted run over the same documents
    try:
        return Result.of(run_job(job(source, chosen, run), run, output, progress=progress))
    except InputError as error:
        raise (NOTHING if NOT_ASKED_FOR in error.what else error) from error


def from_result(given: Any, ids: set[str]) -> tuple[Duplicates, dict[str, str]]:
    """Return the near-duplicates of a result, and the addresses of documents that it knows."""
    found = Result.opened(given)
    near = pairs_of(found)
    near.remarks += coverage(found, ids)
    return near, urls_of(found)


def coverage(found: Result, ids: set[str]) -> list[str]:
    """Say which of the named documents were not there to compare."""
    known = set(found.documents["id"].to_pylist())
    missing = sorted(ids - known)
    if len(missing) == len(ids):
        raise NOTHING
    if not missing:
        return []
    some = ", ".join(missing[:3])
    return [
        f"{len(missing):,} of {len(ids):,} documents are not in the collection, such as {some}: "
        "they count as without near-duplicates"
    ]


def urls_of(found: Result) -> dict[str, str]:
    """Return the addresses of a result's documents."""
    columns = (found.documents[name].to_pylist() for name in ("id", "url"))
    return {own: url for own, url in zip(*columns, strict=True) if url}


def addresses(given: Any) -> dict[str, str]:
    """Read the addresses of documents: an id and a URL a line."""
    if isinstance(given, Mapping):
        return dict(given)
    fields = (line.decode("utf-8", "replace").split(None, 1) for _, line in lines_in(content(given)))
    return {row[0]: row[1].strip() for row in fields if len(row) == 2}


def write_all(work: Path, found: Analysis, settings: TrecSettings, queries: Mapping[str, str]) -> None:
    """Write tables, cleaned files, `run.json` and the report."""
    counted, measured = found.counted, found.measured
    tables: dict[str, tuple[Mapping[str, Any], Iterable[Any]]] = {
        "prevalence": (get_type_hints(Prevalence), counted.prevalence),
        "run_topics": (get_type_hints(RunTopic), counted.run_topics),
        "cumulative": (get_type_hints(Cumulative), counted.cumulative),
        "origins": (get_type_hints(Pair), counted.origins),
        "effects": (get_type_hints(Effect), measured.effects if measured else ()),
        "orders": (get_type_hints(Order), measured.orders if measured else ()),
        "by_topic": (BY_TOPIC, measured.by_topic if measured else ()),
        "removed": (get_type_hints(Removed), found.removed),
    }
    for name, (columns, rows) in tables.items():
        table = table_of(columns, rows)
        write_table(work / f"{name}.parquet", table.schema, table.to_batches())
    clean = work / CLEAN
    shutil.rmtree(clean, ignore_errors=True)  # of an interrupted run with other systems
    (clean / RUNS).mkdir(parents=True)
    with ThreadPoolExecutor(available_cores()) as pool:
        list(pool.map(lambda run: write_run(clean / RUNS / run.name, run), found.runs))
    if measured:
        write_qrels(clean / QRELS, measured.qrels.rows)
    if measured and measured.diversity is not None and measured.diversity is not measured.qrels:
        write_qrels(clean / DIVERSITY, measured.diversity.rows)
    content = {
        "method": METHOD,
        "settings": asdict(settings) | {"threshold": found.threshold},
        "versions": versions(),
        "input": {
            "kind": METHOD,
            "runs": [run.name for run in found.runs],
            "qrels": measured.qrels.name if measured else None,
        },
        "tables": sorted(tables),
        "counts": found.counts,
        "remarks": found.remarks,
    }
    write_json(work / RUN, content)
    (work / REPORT).write_text(report(found, settings, queries), encoding="utf-8")


def table_of(columns: Mapping[str, Any], rows: Iterable[Any]) -> pa.Table:
    """Make a table of tuples."""
    schema = pa.schema([(name, arrow_type(kind)) for name, kind in columns.items()])
    values: list[Sequence[Any]] = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, f.type) for column, f in zip(values, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def arrow_type(kind: Any) -> pa.DataType:
    """Return the Arrow type for a Python type, optional or not."""
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(k for k in get_args(kind) if k is not type(None))
    return KINDS[kind]
