"""`neardup pages`."""

from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Inputs,
)
from neardup.cli.shared import SharedOfTexts, explaining, sharing
from neardup.settings import Clustering, PageMeasure

if TYPE_CHECKING:
    from neardup.result import Result


@app.command()
@sharing
def pages(
    inputs: Inputs,
    shared: SharedOfTexts,
    measure: Annotated[
        PageMeasure,
        typer.Option(help="Trustable common subsequence; simhash and cosine are there to compare with."),
    ] = "tlcs",
    resemblance: Annotated[float, typer.Option(help="tlcs: the least resemblance of a pair, or")] = 0.28,
    containment: Annotated[
        float, typer.Option(help="tlcs: how much of the shorter page is in the other.")
    ] = 0.7,
    slope: Annotated[
        float, typer.Option(help="tlcs: the most edits a character in a trustable region.")
    ] = 0.1,
    rounds: Annotated[
        int, typer.Option(help="tlcs: so many regions are looked for; 1 finds no moved paragraphs.")
    ] = 8,
    window: Annotated[
        int, typer.Option(help="tlcs: characters that both must have in a row to count.")
    ] = 16,
    limit: Annotated[int, typer.Option(help="Only so many first characters of a page count.")] = 10_000,
    subsets: Annotated[int, typer.Option(help="Signatures of one turn of the ring (m).")] = 7,
    turns: Annotated[int, typer.Option(help="Turns of the ring, up to 16 (n).")] = 16,
    chosen: Annotated[int, typer.Option(help="Sentences that make one signature.")] = 2,
    shortest: Annotated[
        int, typer.Option(help="Sentences of up to so many characters make no signature.")
    ] = 16,
    site_pages: Annotated[
        int,
        typer.Option(help="tlcs: what so many pages of a site share is boilerplate; 0: nothing is."),
    ] = 3,
    max_pages: Annotated[
        int, typer.Option(help="A signature of more pages than this is of spam or a template.")
    ] = 10_000,
    max_site_pages: Annotated[
        int, typer.Option(help="So is one of more pages than this, mostly of one site.")
    ] = 400,
    cosine: Annotated[float, typer.Option(help="cosine: the least one of a pair.")] = 0.95,
    bits: Annotated[int, typer.Option(help="simhash: 64 or 128.")] = 64,
    distance: Annotated[int, typer.Option(help="simhash: bits that may differ, up to 8.")] = 5,
    max_list: Annotated[
        int, typer.Option(help="Pages of one signature that are all compared with each other.")
    ] = 100,
    max_copies: Annotated[
        int, typer.Option(help="Identical pages that are listed pair by pair.")
    ] = 1_000,
    clusters: Annotated[
        Clustering, typer.Option(help="Around one keeper, or everything that is connected.")
    ] = "star",
    keep: Annotated[
        str, typer.Option(help="The keeper of a cluster: longest, first, newest or a column.")
    ] = "longest",
) -> None:
    """Find near-duplicate web pages, whatever the templates of their sites."""
    from neardup.api import opened_files
    from neardup.jobs import pages_job
    from neardup.settings import PageSettings
    from neardup.views.pages import show_pages_summary

    settings = PageSettings(
        measure=measure,
        resemblance=resemblance,
        containment=containment,
        slope=slope,
        rounds=rounds,
        window=window,
        limit=limit,
        subsets=subsets,
        turns=turns,
        chosen=chosen,
        shortest=shortest,
        site_pages=site_pages,
        max_pages=max_pages,
        max_site_pages=max_site_pages,
        cosine=cosine,
        bits=bits,
        distance=distance,
        max_list=max_list,
        max_copies=max_copies,
        clusters=clusters,
        keep=keep,
    )
    run = shared.run
    source = opened_files(inputs, shared.reader, run.spark)
    result = shared.finish(pages_job(source, settings, run), run)
    shared.tell(result, show_pages_summary, to_look_at)


def to_look_at(result: "Result", folder: str) -> list[str]:
    """Return commands that show more of a result."""
    sites = [f"show {folder} --sites"] if result.counts["sites"] else []
    return sites + explaining(result, folder)
