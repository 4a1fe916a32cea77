"""`neardup sentences`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    Inputs,
)
from neardup.cli.shared import SharedOfTexts, sharing
from neardup.settings import Clustering, Preset, SentenceCandidates, Splitting

if TYPE_CHECKING:
    from neardup.result import Result


@app.command()
@sharing
def sentences(
    inputs: Inputs,
    shared: SharedOfTexts,
    max_distance: Annotated[
        float | None,
        typer.Option(help="The highest normalised edit distance of a pair.", show_default="0.25"),
    ] = None,
    preset: Annotated[
        Preset | None, typer.Option(help="The paper's settings, for recall or for precision.")
    ] = None,
    min_length: Annotated[
        int | None, typer.Option(help="Characters of the shortest sentence.", show_default="20")
    ] = None,
    max_length: Annotated[
        int | None, typer.Option(help="Characters of the longest.", show_default="1000")
    ] = None,
    split: Annotated[
        Splitting | None,
        typer.Option(
            help="Compare sentences, or whole records.",
            show_default="auto: records, if most are one sentence",
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(help="The language for splitting, such as en or zh.", show_default="auto"),
    ] = None,
    candidates: Annotated[
        SentenceCandidates | None,
        typer.Option(
            help="What is compared: those that share rare runs of words, or a signature of the paper.",
            show_default="rare",
        ),
    ] = None,
    keys: Annotated[
        int | None, typer.Option(help="rare: runs of words taken of a sentence.", show_default="12")
    ] = None,
    shingle: Annotated[
        int | None, typer.Option(help="minhash: characters of a shingle (L).", show_default="10")
    ] = None,
    signatures: Annotated[
        int | None, typer.Option(help="minhash: signatures of a sentence (N).", show_default="10")
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help="minhash: hashes in a signature (K).", show_default="8")
    ] = None,
    hash_bits: Annotated[
        int | None, typer.Option(help="minhash: bits of a hash.", show_default="32")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="minhash: another family of functions.", show_default="1")
    ] = None,
    max_bucket: Annotated[
        int | None,
        typer.Option(help="Sentences of one bucket that are all compared.", show_default="100"),
    ] = None,
    max_copies: Annotated[
        int | None,
        typer.Option(help="Identical sentences that are listed pair by pair.", show_default="20"),
    ] = None,
    clusters: Annotated[
        Clustering | None,
        typer.Option(help="Around one keeper, or everything that is connected.", show_default="star"),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="A folder for pairs.csv, drift.csv and articles.csv.")
    ] = None,
    revisions: Annotated[
        bool, typer.Option("--revisions", help="Wikis: compare revisions of a page with each other.")
    ] = False,
    namespaces: Annotated[
        str, typer.Option(help="Wikis: numbers of the namespaces to read, with commas; or all.")
    ] = "0",
    redirects: Annotated[bool, typer.Option("--redirects", help="Wikis: read redirects too.")] = False,
) -> None:
    """Find similar sentences, what differs in them, and the kind of change."""
    from neardup.api import opened_files
    from neardup.jobs import sentences_job
    from neardup.sentence_tables import write_csv
    from neardup.settings import SentenceSettings
    from neardup.views.sentences import expected_recall, show_sentences_summary

    settings = SentenceSettings.make(
        preset,
        max_distance=max_distance,
        min_length=min_length,
        max_length=max_length,
        split=split,
        language=language,
        candidates=candidates,
        keys=keys,
        shingle=shingle,
        signatures=signatures,
        rows=rows,
        hash_bits=hash_bits,
        seed=seed,
        max_bucket=max_bucket,
        max_copies=max_copies,
        clusters=clusters,
        revisions=revisions,
    )
    run = shared.run
    reader = replace(shared.reader, namespaces=namespaces, redirects=redirects, revisions=revisions)
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
