"""`neardup study`: experiments from the papers, on any corpus."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from neardup.cli.app import App, Group, Together, app
from neardup.cli.options import (
    IdColumn,
    Inputs,
    Json,
    Machine,
    Overwrite,
    Quiet,
    ReadDocuments,
    ReadTexts,
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

if TYPE_CHECKING:
    from neardup.engines.base import Progress
    from neardup.evaluation.study_report import Table
    from neardup.web.numbers import Figure

FILE = "study.json"
UNUSED_IN_SAMPLING = (
    *("pairs", "clusters", "keep", "max_copies", "max_pairs"),
    *("sample", "bands", "rows", "max_postings"),
)

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


class Found(Protocol):
    """What a study found."""

    @property
    def counts(self) -> Mapping[str, int]:
        """What the study is about."""

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""


@dataclass(frozen=True, kw_only=True)
class Ending(Together):
    """Where a study is written, and what is said of it."""

    output: PlotsFolder = None
    overwrite: Overwrite = False
    quiet: Quiet = False
    as_json: Json = False

    def __post_init__(self) -> None:
        """Refuse to write over another study."""
        if self.output and (self.output / FILE).exists() and not self.overwrite:
            raise OutputError(
                "this folder already holds a study",
                where=str(self.output),
                hint="Choose another folder with -o, or add --overwrite.",
            )

    @property
    def progress(self) -> "Progress | None":
        """Return what shows how far the study is."""
        return progress_for(self.quiet or self.as_json)

    def finish(
        self, title: str, found: Found, tables: Iterable["Table"], figures: Iterable["Figure"]
    ) -> None:
        """Write what a study found, with a report and the files beside it, and print it."""
        from neardup.evaluation.study_report import study_files
        from neardup.results.files import write_json
        from neardup.showing.console import OUT

        told = list(tables)
        if self.output:
            for name, content in study_files(title, found.counts, told, figures).items():
                (self.output / name).parent.mkdir(parents=True, exist_ok=True)
                write_text(self.output / name, content)
            write_json(self.output / FILE, found.as_dict())
        if self.as_json:
            OUT.print_json(data=found.as_dict())
        elif not self.quiet:
            show_tables(found.counts, told)


def show_tables(counts: Mapping[str, int], tables: Iterable["Table"]) -> None:
    """Print what a study is about, and its tables."""
    from rich.text import Text

    from neardup.showing.console import OUT
    from neardup.showing.tables import plain_table, show_wide

    for name, value in counts.items():
        OUT.print(f"{value:,} {name}", markup=False)
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


@study.command()
@sharing(None, PassageSettings, ("signature", "min_length", "soft"))
def signatures(
    inputs: Inputs,
    *,
    documents: Annotated[int, typer.Option(help="How many documents to read.")] = 2_000,
    sentences: Annotated[int, typer.Option(help="How many sentences to take from each document.")] = 40,
    seed: Annotated[int, typer.Option(help="Another seed plants other passages.")] = 1,
    labelled: Annotated[
        Path | None,
        typer.Option(
            help="Labelled pairs of sentences to compare signatures on: CSV with the columns a, b and "
            "label (1 or 0)."
        ),
    ] = None,
    chosen: dict[str, Any],
    texts: ReadTexts,
    machine: Machine,
    ending: Ending,
) -> None:
    """Plant copied sentences in a corpus, and see which signatures of sentences find them."""
    from neardup.evaluation.planting import read_labelled
    from neardup.evaluation.signature_report import figures, tables
    from neardup.evaluation.studies import StudySettings, study_signatures
    from neardup.readers.source import FileSource

    settings = StudySettings(documents, sentences, seed, PassageSettings(**chosen))
    source = FileSource.open(inputs, texts.reader)
    judged = read_labelled(labelled) if labelled else None
    found = study_signatures(source, settings, machine.run, ending.progress, judged)
    ending.finish("Signatures of sentences", found, tables(found), figures(found))


@study.command()
@sharing(None, DocumentSettings, UNUSED_IN_SAMPLING)
def sampling(
    inputs: Inputs,
    *,
    chosen: dict[str, Any],
    documents: Annotated[int, typer.Option(help="How many documents to compare.")] = 10_000,
    shingle: Annotated[
        str, typer.Option(help="What is compared: runs of N words (word:N) or of N characters (char:N).")
    ] = "char:64",
    threshold: Annotated[float, typer.Option(help="The lowest resemblance of near-duplicates.")] = 0.5,
    texts: ReadTexts,
    machine: Machine,
    ending: Ending,
) -> None:
    """Find near-duplicates with fewer and fewer shingles, and see which are lost."""
    from neardup.evaluation.sampling import SamplingSettings, study_sampling
    from neardup.evaluation.sampling_report import figures, tables
    from neardup.readers.source import FileSource

    own = DocumentSettings(**{**chosen, "shingle": shingle, "threshold": threshold})
    source = FileSource.open(inputs, texts.reader)
    found = study_sampling(source, SamplingSettings.of(documents, own), machine.run, ending.progress)
    ending.finish("Sampling of shingles", found, tables(found), figures(found))


@study.command()
@sharing(None, SentenceSettings, ("candidates", "keys", "max_copies"))
def shingles(
    inputs: Inputs,
    *,
    sentences: Annotated[int, typer.Option(min=2, help="How many sentences to read.")] = 50_000,
    rows: Annotated[str, typer.Option(help="Hashes per signature to try (paper: K).")] = "8,9,10",
    shingle: Annotated[str, typer.Option(help="Characters per shingle to try (paper: L).")] = "5-15",
    hash_bits: Annotated[str, typer.Option(help="Sizes of a hash to try, such as 12,16,24,32.")] = "32",
    chosen: dict[str, Any],
    texts: ReadTexts,
    ending: Ending,
) -> None:
    """Count the good and bad pairs of sentences for each length of shingles and signatures."""
    from neardup.evaluation.shingle_study import ShingleStudySettings, study_shingles
    from neardup.methods.sentences.plan import sentence_reader
    from neardup.readers.source import FileSource

    hashes, lengths, bits = (tuple(numbers_in(str(own))) for own in (rows, shingle, hash_bits))
    settings = ShingleStudySettings(sentences, hashes, lengths, bits, SentenceSettings(**chosen))
    source = FileSource.open(inputs, sentence_reader(settings.method, texts.reader))
    found = study_shingles(source, settings, ending.progress)
    ending.finish("Similar sentences", found, found.tables(), found.figures())


@study.command()
@sharing(None, SentenceSettings)
def citations(
    inputs: Inputs, *, chosen: dict[str, Any], texts: ReadTexts, machine: Machine, ending: Ending
) -> None:
    """See whether articles that share sentences share citations, too."""
    from neardup.evaluation.citation_study import study_citations
    from neardup.methods.sentences.plan import sentence_reader
    from neardup.readers.source import FileSource

    settings = SentenceSettings(**chosen)
    reader = replace(sentence_reader(settings, texts.reader), citations=True)
    source = FileSource.open(inputs, reader)
    found = study_citations(source, settings, machine.run, ending.progress)
    ending.finish("Citations in common", found, found.tables(), found.figures())


@study.command()
@sharing(None, PageSettings, ("measure",))
def pages(
    inputs: Inputs,
    *,
    gold: Annotated[Path, typer.Option(help="A file of labelled pairs: id_a, id_b, label (1 or 0).")],
    chosen: dict[str, Any],
    documents: ReadDocuments,
    machine: Machine,
    ending: Ending,
) -> None:
    """Compare trustable common subsequence, simhash and cosine on labelled pairs of web pages."""
    from neardup.evaluation.gold import read_gold
    from neardup.evaluation.page_study import study_pages
    from neardup.methods.pages.plan import page_reader
    from neardup.readers.source import FileSource

    settings = PageSettings(**chosen)
    source = FileSource.open(inputs, page_reader(settings, documents.reader))
    found = study_pages(source, read_gold(gold), settings, machine.run, ending.progress)
    ending.finish("Near-duplicate web pages", found, found.tables(), found.figures())


@study.command()
@sharing(None, ThreadSettings)
def threads(
    inputs: Inputs,
    *,
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            help="For table 1: labelled pairs (id_a, id_b, perhaps label and field) or clusters."
        ),
    ] = None,
    fields: Fields = None,
    signature: Signatures = None,
    chosen: dict[str, Any],
    id_column: IdColumn = None,
    machine: Machine,
    ending: Ending,
) -> None:
    """Compare signatures in each field of threads, and both indexes over sizes of the corpus."""
    from neardup.evaluation.thread_study import study_threads

    found = study_threads(
        [Path(path) for path in inputs],
        ThreadSettings.make(fields, signature, **chosen),
        machine.run,
        labels=labels or (),
        reader=TextOptions(id_column=id_column).reader,
        progress=ending.progress,
    )
    ending.finish("Questions and answers", found, found.tables(), found.figures())


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
