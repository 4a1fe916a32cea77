"""`neardup passages`."""

from pathlib import Path
from typing import Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Inputs,
)
from neardup.cli.shared import SharedOfTexts, explaining, sharing


@app.command()
@sharing
def passages(
    inputs: Inputs,
    shared: SharedOfTexts,
    against: Annotated[
        list[str] | None,
        typer.Option(help="Compare the input with these sources only; may be given several times."),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(help="Compare just the pairs of this file: two ids or file names a line."),
    ] = None,
    signature: Annotated[
        str,
        typer.Option(
            help="What proposes a match: winnowing:N,W (runs of N words, one in W kept), or of "
            "sentences imatch, shingles:N or spotsigs. auto is winnowing by the size of the input."
        ),
    ] = "auto",
    min_length: Annotated[int, typer.Option(help="winnowing: characters of a passage.")] = 150,
    min_sentences: Annotated[
        int | None, typer.Option(help="Sentences of a passage.", show_default="3; winnowing: 1")
    ] = None,
    max_gap: Annotated[
        int | None,
        typer.Option(help="Changed sentences inside a passage.", show_default="1; winnowing: 4"),
    ] = None,
    soft: Annotated[
        bool | None,
        typer.Option(
            "--soft/--verbatim",
            help="winnowing: find rewritten passages too.",
            show_default="if the input is up to 64 MB",
        ),
    ] = None,
    within: Annotated[
        bool, typer.Option("--within", help="Find what is repeated inside a document too.")
    ] = False,
    max_documents: Annotated[
        int, typer.Option(help="What more documents than this share is boilerplate, shown once.")
    ] = 100,
    threshold: Annotated[
        float, typer.Option(help="shingles, spotsigs: Jaccard similarity of two sentences.")
    ] = 0.9,
    idf_low: Annotated[float, typer.Option(help="imatch: the least normalised idf of a word.")] = 0.1,
    idf_high: Annotated[float, typer.Option(help="imatch: the highest one.")] = 1.0,
    antecedents: Annotated[
        int | None,
        typer.Option(help="spotsigs: so many frequent words.", show_default="60 % of the text"),
    ] = None,
    spot_distance: Annotated[int, typer.Option(help="spotsigs: distance of chained words.")] = 1,
    spot_chain: Annotated[int, typer.Option(help="spotsigs: words in a chain.")] = 2,
    language: Annotated[
        str,
        typer.Option(help="The language for splitting sentences, such as en or zh; auto detects it."),
    ] = "auto",
) -> None:
    """Find passages that documents share, and locate them to the character."""
    from neardup.api import opened_files, opened_files_of_both
    from neardup.jobs import passages_job
    from neardup.readers.listed import listed_pairs
    from neardup.settings import PassageSettings
    from neardup.views.passages import show_passages_summary

    settings = PassageSettings(
        signature=signature,
        min_length=min_length,
        min_sentences=min_sentences,
        max_gap=max_gap,
        soft=soft,
        within=within,
        max_documents=max_documents,
        threshold=threshold,
        idf_low=idf_low,
        idf_high=idf_high,
        antecedents=antecedents,
        spot_distance=spot_distance,
        spot_chain=spot_chain,
        language=language,
    )
    run = shared.run
    boundary = None
    if against:
        source, boundary = opened_files_of_both(inputs, against, shared.reader, run.spark)
    else:
        source = opened_files(inputs, shared.reader, run.spark)
    listed = listed_pairs(pairs) if pairs else None
    result = shared.finish(passages_job(source, settings, run, boundary, listed), run)
    shared.tell(result, show_passages_summary, explaining)
