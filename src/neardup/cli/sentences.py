"""`neardup sentences`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neardup.cli.app import app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedOfTexts, sharing
from neardup.methods.sentences.settings import Preset, SentenceSettings

if TYPE_CHECKING:
    from neardup.results.folder import Result


@app.command()
@sharing(SharedOfTexts, SentenceSettings)
def sentences(
    inputs: Inputs,
    *,
    preset: Annotated[
        Preset | None, typer.Option(help="The paper's settings, for recall or for precision.")
    ] = None,
    chosen: dict[str, Any],
    csv: Annotated[
        Path | None, typer.Option(help="A folder for pairs.csv, drift.csv and articles.csv.")
    ] = None,
    namespaces: Annotated[
        str, typer.Option(help="Wikis: numbers of the namespaces to read, with commas; or all.")
    ] = "0",
    redirects: Annotated[bool, typer.Option("--redirects", help="Wikis: read redirects too.")] = False,
    shared: SharedOfTexts,
) -> None:
    """Find similar sentences, what differs in them, and the kind of change."""
    from neardup.methods.sentences.plan import sentences_job
    from neardup.methods.sentences.tables import write_csv
    from neardup.methods.sentences.view import expected_recall, show_sentences_summary
    from neardup.results.sources import opened_files

    settings = SentenceSettings.make(preset, **chosen)
    run = shared.run
    reader = replace(
        shared.reader, namespaces=namespaces, redirects=redirects, revisions=settings.revisions
    )
    source = opened_files(inputs, reader, run.spark)
    result = shared.finish(sentences_job(source, settings, run), run)
    if csv:
        write_csv(result, csv)
    recall = expected_recall(result.counts)
    shared.tell(result, show_sentences_summary, to_look_at, expected_recall=recall)


def to_look_at(result: "Result", folder: str) -> list[str]:
    """Return commands that show more of a result."""
    drift = result.counts.get("pairs: factual drift")
    drifted = [f"show {folder} --kind 'factual drift'"] if drift else []
    return [*drifted, f"show {folder} --csv FOLDER"]
