"""`neardup study`: experiments from the papers, on any corpus."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from neardup.cli.app import App, Group, app
from neardup.cli.options import (
    IdColumn,
    Inputs,
    Json,
    Memory,
    Overwrite,
    Quiet,
    Raw,
    SettingsFile,
    TextColumn,
    Workers,
    progress_for,
)
from neardup.cli.shared import sharing
from neardup.cli.threads import Fields, Signatures
from neardup.durable import write_text
from neardup.errors import OutputError, SettingsError
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.pages.settings import PageSettings
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.sentences.settings import SentenceSettings
from neardup.methods.threads.settings import ThreadSettings
from neardup.results.options import TextOptions

FILE = "study.json"

study = App(
    cls=Group, help="Repeat the experiments of the papers on your own texts.", no_args_is_help=True
)
app.add_typer(study, name="study")

PlotsFolder = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FOLDER", help="The folder for study.json, the report and the plots."
    ),
]


@study.command()
@sharing(None, PassageSettings)
def signatures(
    inputs: Inputs,
    *,
    output: PlotsFolder = None,
    documents: Annotated[int, typer.Option(help="How many documents to read.")] = 2_000,
    sentences: Annotated[int, typer.Option(help="How many sentences to take from each document.")] = 40,
    seed: Annotated[int, typer.Option(help="Another seed plants other passages.")] = 1,
    labelled: Annotated[
        Path | None,
        typer.Option(
            help="Sentence pairs that people have labelled, to compare signatures on: CSV with the "
            "columns a, b and label (1 or 0)."
        ),
    ] = None,
    chosen: dict[str, Any],
    settings_file: SettingsFile = None,
    text_column: TextColumn = None,
    raw: Raw = False,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Plant copied sentences in a corpus, and see which signatures of sentences find them."""
    from neardup.evaluation.planting import read_labelled
    from neardup.evaluation.signature_report import figures, tables
    from neardup.evaluation.studies import StudySettings, study_signatures
    from neardup.readers.source import FileSource
    from neardup.settings.run import RunSettings

    del settings_file  # its settings are among those chosen
    check_free(output, overwrite)
    settings = StudySettings(documents, sentences, seed, PassageSettings(**chosen))
    source = FileSource.open(inputs, TextOptions(text_column=text_column, raw=raw).reader)
    run = RunSettings.make(workers, memory)
    judged = read_labelled(labelled) if labelled else None
    found = study_signatures(source, settings, run, progress_for(quiet or as_json), judged)
    show = None if quiet else partial(show_tables, found.counts, tables(found))
    files = report_files("Signatures of sentences", found.counts, tables(found), figures(found))
    finish_study(found, output, files, show, as_json)


@study.command()
@sharing(None, DocumentSettings)
def sampling(
    inputs: Inputs,
    *,
    chosen: dict[str, Any],
    settings_file: SettingsFile = None,
    output: PlotsFolder = None,
    documents: Annotated[int, typer.Option(help="How many documents to compare.")] = 10_000,
    shingle: Annotated[
        str, typer.Option(help="What is compared: runs of N words (word:N) or of N characters (char:N).")
    ] = "char:64",
    threshold: Annotated[float, typer.Option(help="The lowest resemblance of near-duplicates.")] = 0.5,
    text_column: TextColumn = None,
    raw: Raw = False,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find near-duplicates with fewer and fewer shingles, and see which are lost."""
    from neardup.evaluation.sampling import SamplingSettings, study_sampling
    from neardup.evaluation.sampling_report import figures, tables
    from neardup.readers.source import FileSource
    from neardup.settings.run import RunSettings

    del settings_file  # its settings are among those chosen
    check_free(output, overwrite)
    own = DocumentSettings(**{**chosen, "shingle": shingle, "threshold": threshold})
    source = FileSource.open(inputs, TextOptions(text_column=text_column, raw=raw).reader)
    run = RunSettings.make(workers, memory)
    settings = SamplingSettings.of(documents, own)
    found = study_sampling(source, settings, run, progress_for(quiet or as_json))
    show = None if quiet else partial(show_tables, found.counts, tables(found))
    files = report_files("Sampling of shingles", found.counts, tables(found), figures(found))
    finish_study(found, output, files, show, as_json)


def report_files(
    title: str, counts: Mapping[str, int], tables: Iterable[Any], figures: Iterable[Any]
) -> Callable[[], dict[str, str]]:
    """Return what makes the report of a study and the files beside it."""
    from neardup.evaluation.study_report import study_files

    return partial(study_files, title, counts, tables, figures)


def check_free(output: Path | None, overwrite: bool) -> None:
    """Refuse to write over another study."""
    if output and (output / FILE).exists() and not overwrite:
        raise OutputError(
            "this folder already holds a study",
            where=str(output),
            hint="Choose another folder with -o, or add --overwrite.",
        )


def finish_study(
    found: Any,
    output: Path | None,
    files: Callable[[], Mapping[str, str]],
    show: Callable[[], None] | None,
    as_json: bool,
) -> None:
    """Write what a study found, with more files beside it, and print it."""
    from neardup.results.files import write_json
    from neardup.showing.console import OUT

    if output:
        for name, content in files().items():
            (output / name).parent.mkdir(parents=True, exist_ok=True)
            write_text(output / name, content)
        output.mkdir(parents=True, exist_ok=True)
        write_json(output / FILE, found.as_dict())
    if as_json:
        OUT.print_json(data=found.as_dict())
    elif show:
        show()


def show_tables(counts: Mapping[str, int], tables: Iterable[tuple[str, Any, Any]]) -> None:
    """Print what a study is about, and its tables."""
    from rich.text import Text

    from neardup.showing.console import OUT
    from neardup.showing.tables import plain_table, show_wide

    show_counts(counts)
    for title, head, rows in tables:
        OUT.print()
        table = plain_table(head, title)
        for row in rows:
            table.add_row(*(Text(written(value)) for value in row))
        show_wide(table)


def written(value: object) -> str:
    """Write a value of a table.

    >>> written(0.25), written(1e-9), written(1200), written("a"), written(None)
    ('0.2500', '1.0e-09', '1,200', 'a', '')
    """
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < 0.00005 else f"{value:.4f}"
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def show_counts(counts: Mapping[str, int]) -> None:
    """Print what a study is about."""
    from neardup.showing.console import OUT

    for name, value in counts.items():
        OUT.print(f"{value:,} {name}", markup=False)


@study.command()
@sharing(None, SentenceSettings)
def shingles(
    inputs: Inputs,
    *,
    output: PlotsFolder = None,
    sentences: Annotated[int, typer.Option(min=2, help="How many sentences to read.")] = 50_000,
    rows: Annotated[str, typer.Option(help="Hashes per signature to try (paper: K).")] = "8,9,10",
    shingle: Annotated[str, typer.Option(help="Characters per shingle to try (paper: L).")] = "5-15",
    hash_bits: Annotated[str, typer.Option(help="Sizes of a hash to try, such as 12,16,24,32.")] = "32",
    chosen: dict[str, Any],
    settings_file: SettingsFile = None,
    text_column: TextColumn = None,
    raw: Raw = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Count the good and bad pairs of sentences for each length of shingles and signatures."""
    from neardup.evaluation.shingle_study import ShingleStudySettings, study_shingles
    from neardup.methods.sentences.plan import sentence_reader
    from neardup.readers.source import FileSource

    del settings_file  # its settings are among those chosen
    check_free(output, overwrite)
    hashes, lengths, bits = (tuple(numbers_in(str(own))) for own in (rows, shingle, hash_bits))
    own = SentenceSettings(**chosen)
    settings = ShingleStudySettings(sentences, hashes, lengths, bits, own)
    reader = TextOptions(text_column=text_column, raw=raw).reader
    source = FileSource.open(inputs, sentence_reader(settings.method, reader))
    found = study_shingles(source, settings, progress_for(quiet or as_json))
    show = None if quiet else partial(show_tables, found.counts, found.tables())
    files = report_files("Similar sentences", found.counts, found.tables(), found.figures())
    finish_study(found, output, files, show, as_json)


@study.command()
@sharing(None, SentenceSettings)
def citations(
    inputs: Inputs,
    *,
    output: PlotsFolder = None,
    chosen: dict[str, Any],
    settings_file: SettingsFile = None,
    text_column: TextColumn = None,
    raw: Raw = False,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """See whether articles that share sentences share citations, too."""
    from neardup.evaluation.citation_study import study_citations
    from neardup.methods.sentences.plan import sentence_reader
    from neardup.readers.source import FileSource
    from neardup.settings.run import RunSettings

    del settings_file  # its settings are among those chosen
    check_free(output, overwrite)
    settings = SentenceSettings(**chosen)
    reader = sentence_reader(settings, TextOptions(text_column=text_column, raw=raw).reader)
    source = FileSource.open(inputs, replace(reader, citations=True))
    run = RunSettings.make(workers, memory)
    found = study_citations(source, settings, run, progress_for(quiet or as_json))
    show = None if quiet else partial(show_tables, found.counts, found.tables())
    files = report_files("Citations in common", found.counts, found.tables(), found.figures())
    finish_study(found, output, files, show, as_json)


@study.command()
@sharing(None, PageSettings)
def pages(
    inputs: Inputs,
    *,
    gold: Annotated[Path, typer.Option(help="A file of labelled pairs: id_a, id_b, label (1 or 0).")],
    output: PlotsFolder = None,
    chosen: dict[str, Any],
    settings_file: SettingsFile = None,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    raw: Raw = False,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compare trustable common subsequence, simhash and cosine on labelled pairs of web pages."""
    from neardup.evaluation.gold import read_gold
    from neardup.evaluation.page_study import study_pages
    from neardup.methods.pages.plan import page_reader
    from neardup.readers.source import FileSource
    from neardup.settings.run import RunSettings

    del settings_file  # its settings are among those chosen
    check_free(output, overwrite)
    settings = PageSettings(**chosen)
    reader = TextOptions(text_column=text_column, id_column=id_column, raw=raw).reader
    source = FileSource.open(inputs, page_reader(settings, reader))
    run = RunSettings.make(workers, memory)
    found = study_pages(source, read_gold(gold), settings, run, progress_for(quiet or as_json))
    show = None if quiet else partial(show_tables, found.counts, found.tables())
    files = report_files("Near-duplicate web pages", found.counts, found.tables(), found.figures())
    finish_study(found, output, files, show, as_json)


@study.command()
@sharing(None, ThreadSettings)
def threads(
    inputs: Inputs,
    *,
    output: PlotsFolder = None,
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            help="For table 1: labelled pairs (id_a, id_b, perhaps label and field) or clusters."
        ),
    ] = None,
    fields: Fields = None,
    signature: Signatures = None,
    chosen: dict[str, Any],
    settings_file: SettingsFile = None,
    id_column: IdColumn = None,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compare signatures in each field of threads, and both indexes over sizes of the corpus."""
    from neardup.evaluation.thread_study import study_threads
    from neardup.settings.run import RunSettings

    del settings_file  # its settings are among those chosen
    check_free(output, overwrite)
    found = study_threads(
        [Path(path) for path in inputs],
        ThreadSettings.make(fields, signature, **chosen),
        RunSettings.make(workers, memory),
        labels=labels or (),
        reader=TextOptions(id_column=id_column).reader,
        progress=progress_for(quiet or as_json),
    )
    show = None if quiet else partial(show_tables, found.counts, found.tables())
    files = report_files("Questions and answers", found.counts, found.tables(), found.figures())
    finish_study(found, output, files, show, as_json)


def numbers_in(text: str) -> list[int]:
    """Read numbers with commas between them, and ranges.

    >>> numbers_in("5-7,10")
    [5, 6, 7, 10]
    """
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdigit() or (last and not last.isdigit()) or int(first) < 1:
            raise SettingsError(f"{text!r} are not numbers", hint="Write them like 8,9,10 or 5-15.")
        found += range(int(first), int(last or first) + 1)
    return found
