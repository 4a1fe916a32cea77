"""`neardup threads`."""

from typing import Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Inputs,
)
from neardup.cli.shared import Shared, explaining, sharing
from neardup.settings import Clustering
from neardup.thread_settings import IndexOfThreads

Fields = Annotated[
    str | None,
    typer.Option(
        help="Fields with their weights, which sum to 1.", show_default="title=0.4,body=0.2,answer=0.4"
    ),
]
Signatures = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[FIELD=]KIND",
        help="shingles:N, winnowing:K,W, imatch, imatch:LOW,HIGH, "
        "spotsigs or spotsigs:ANTECEDENTS, for all fields or for one; may be given several times.",
        show_default="shingles:3",
    ),
]


@app.command()
@sharing
def threads(
    inputs: Inputs,
    shared: Shared,
    fields: Fields = None,
    signature: Signatures = None,
    threshold: Annotated[
        float, typer.Option(help="The least weighted similarity of a pair, above 0 to 1.")
    ] = 0.5,
    max_shared: Annotated[
        int,
        typer.Option(
            help="Signatures that more threads have are boilerplate and do not count; 0: all count."
        ),
    ] = 0,
    index: Annotated[
        IndexOfThreads, typer.Option(help="Candidates by posting lists, or by blocks of threads.")
    ] = "term",
    clusters: Annotated[
        Clustering, typer.Option(help="Around one keeper, or everything that is connected.")
    ] = "star",
    keep: Annotated[
        str | None,
        typer.Option(
            help="The keeper of a cluster: longest, first, newest, oldest or a column, or several with "
            "commas.",
            show_default="longest; in dumps of Stack Exchange score,answers,longest",
        ),
    ] = None,
    max_postings: Annotated[
        int,
        typer.Option(
            help="term: threads of one signature that are all compared with each other; 0: no limit."
        ),
    ] = 10_000,
    max_copies: Annotated[
        int, typer.Option(help="Identical threads that are listed pair by pair.")
    ] = 1_000,
) -> None:
    """Find near-duplicate questions and answers, compared field by field."""
    from neardup.api import opened_files
    from neardup.jobs import thread_reader, threads_job
    from neardup.thread_settings import ThreadSettings
    from neardup.views.threads import show_threads_summary

    settings = ThreadSettings.make(
        fields,
        signature,
        threshold=threshold,
        max_shared=max_shared,
        index=index,
        clusters=clusters,
        keep=keep,
        max_postings=max_postings,
        max_copies=max_copies,
    )
    run = shared.run
    source = opened_files(inputs, thread_reader(settings, shared.reader), run.spark)
    result = shared.finish(threads_job(source, settings, run), run)
    shared.tell(result, show_threads_summary, explaining)
