"""`neardup trec`: what near-duplicates do to the evaluation of retrieval systems."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from neardup.cli.app import app
from neardup.cli.endings import interruptible
from neardup.cli.options import (
    Json,
    Machine,
    Output,
    Overwrite,
    Quiet,
    ReadDocuments,
    listed_numbers,
    needed_output,
    progress_for,
)
from neardup.cli.shared import sharing
from neardup.methods.documents.settings import DocumentSettings

if TYPE_CHECKING:
    from neardup.retrieval.folder import TrecResult

Runs = Annotated[
    list[str],
    typer.Option(metavar="RUNS", help="Runs: files, folders or patterns; may be given several times."),
]
QrelsFile = Annotated[
    Path | None,
    typer.Option(
        help="The relevance judgements: a file of qrels. Without them, near-duplicates are only counted."
    ),
]
Groups = Annotated[
    Path | None, typer.Option(help='Known near-duplicates: JSON Lines, each with a list of "ids".')
]
FoundBefore = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Known near-duplicates: a result of neardup.")
]
Documents = Annotated[
    list[str] | None,
    typer.Option(
        metavar="INPUT",
        help="Find the near-duplicates in these files or folders, among the documents that runs or "
        "judgements name. May be given several times.",
    ),
]
Diversity = Annotated[
    Path | None, typer.Option(help="Judgements of subtopics, for alpha_nDCG and ERR_IA.")
]
Topics = Annotated[Path | None, typer.Option(help="The queries of the topics, for the report.")]
Urls = Annotated[Path | None, typer.Option(help="Addresses of documents: an id and a URL per line.")]
Least = Annotated[
    float | None, typer.Option(help="The lowest similarity of near-duplicates.", show_default="0.5")
]
Thresholds = Annotated[
    str | None,
    typer.Option(
        help="Count near-duplicates at these similarities, with commas between them.",
        show_default="0.9,0.8,… to the lowest known; with --documents to 0.5, as lower ones take long",
    ),
]
Depths = Annotated[str, typer.Option(help="How many documents at the top of a ranking to look at.")]
Measures = Annotated[
    str | None,
    typer.Option(
        help="The measures to compute, by their names in ir_measures, with commas; measures other "
        "than the default ones need the extra trec.",
        show_default="MAP, nDCG@20, P@20, ERR@20; with subtopics alpha_nDCG@20, ERR_IA@20",
    ),
]
Relevance = Annotated[int, typer.Option(help="The lowest judgement that counts as relevant.")]
Keep = Annotated[
    Literal["first", "relevant", "judged", "id"],
    typer.Option(
        help="Which document of a group to keep: the first judged or best ranked, the most "
        "relevant, a judged one if there is one, or the one with the smallest id."
    ),
]
Shingle = Annotated[str, typer.Option(help="With --documents: what is compared, word:N or char:N.")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Leave out broken lines, and say which.")]


@app.command()
@sharing(None, DocumentSettings, ("keep", "pairs", "clusters"))
def trec(
    runs: Runs,
    *,
    qrels: QrelsFile = None,
    groups: Groups = None,
    result: FoundBefore = None,
    documents: Documents = None,
    output: Output = None,
    diversity: Diversity = None,
    topics: Topics = None,
    urls: Urls = None,
    threshold: Least = None,
    thresholds: Thresholds = None,
    depths: Depths = "10,20,50,100,200,500",
    measures: Measures = None,
    relevance: Relevance = 1,
    keep: Keep = "first",
    shingle: Shingle = "word:5",
    chosen: dict[str, Any],
    lenient: Lenient = False,
    read: ReadDocuments,
    machine: Machine,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Measure what near-duplicates do to an evaluation of search: how common they are, and who gains."""
    from neardup.retrieval.borrowed import split_names
    from neardup.retrieval.folder import trec as run_trec

    folder = needed_output(output)
    with interruptible("the same command goes on from the last whole step"):
        found = run_trec(
            runs,
            qrels,
            groups=groups,
            result=result,
            documents=documents or None,
            diversity=diversity,
            topics=topics,
            urls=urls,
            output=folder,
            threshold=threshold,
            thresholds=None if thresholds is None else listed_numbers("thresholds", thresholds, float),
            depths=listed_numbers("depths", depths, int),
            measures=None if measures is None else split_names(measures),
            relevance=relevance,
            keep=keep,
            shingle=shingle,
            lenient=lenient,
            overwrite=overwrite,
            progress=progress_for(quiet or as_json),
            **vars(read),
            **vars(machine),
            **chosen,
        )
    if as_json:
        print_json(found)
    elif not quiet:
        from neardup.retrieval.view import show_effects

        show_effects(found)


def print_json(found: "TrecResult") -> None:
    """Print the summary and the tables of effects as JSON."""
    from neardup.showing.console import OUT

    rows = {name: found.table(name).to_pylist() for name in ("prevalence", "effects", "orders")}
    OUT.print_json(data={"output": str(found.where), **found.run, **rows})
