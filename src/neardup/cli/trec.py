"""`neardup trec`: what near-duplicates do to the evaluation of retrieval systems."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    IdColumn,
    Json,
    Memory,
    Output,
    Overwrite,
    Quiet,
    Raw,
    TextColumn,
    Workers,
    interruptible,
    needed_output,
    progress_for,
)
from neardup.errors import SettingsError

if TYPE_CHECKING:
    from rich.table import Table

    from neardup.retrieval.folder import TrecResult

WIDEST = 160  # so that no name or number is cut
SCOPES = {
    "relevant": "relevant documents",
    "judged": "judged documents",
    "pool": "documents in the pools",
}
Keep = Literal["first", "relevant", "judged", "id"]


@app.command()
def trec(
    runs: Annotated[
        list[str], typer.Option(help="Runs: files, folders or patterns; may be given several times.")
    ],
    qrels: Annotated[Path, typer.Option(help="Judgements: a file of qrels.")],
    groups: Annotated[
        Path | None, typer.Option(help='Near-duplicates: JSON Lines, each with a list of "ids".')
    ] = None,
    result: Annotated[Path | None, typer.Option(help="Near-duplicates: a result of neardup.")] = None,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            help="Near-duplicates are found in these files or folders; only documents are compared "
            "that runs or judgements name. May be given several times."
        ),
    ] = None,
    output: Output = None,
    diversity: Annotated[
        Path | None, typer.Option(help="Judgements of subtopics, for alpha_nDCG and ERR_IA.")
    ] = None,
    topics: Annotated[Path | None, typer.Option(help="The queries of the topics, to be shown.")] = None,
    urls: Annotated[
        Path | None, typer.Option(help="The addresses of documents: an id and a URL a line.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="The least similarity of near-duplicates.", show_default="0.5")
    ] = None,
    thresholds: Annotated[
        str | None,
        typer.Option(
            help="Thresholds to count near-duplicates at.",
            show_default="0.9,0.8,… as far as known; of documents to 0.5, as lower ones take long",
        ),
    ] = None,
    depths: Annotated[
        str, typer.Option(help="How many documents at the top of a ranking to look at.")
    ] = "10,20,50,100,200,500",
    measures: Annotated[
        str | None,
        typer.Option(
            help="Measures, as ir_measures calls them.",
            show_default="MAP, nDCG@20, P@20, ERR@20; with subtopics alpha_nDCG@20, ERR_IA@20",
        ),
    ] = None,
    relevance: Annotated[
        int, typer.Option(help="Documents are relevant from this judgement on, when counted.")
    ] = 1,
    keep: Annotated[
        Keep,
        typer.Option(
            help="Who stays of a group: the first judged or best ranked, the most relevant, a judged "
            "one before others, or the one with the smallest id."
        ),
    ] = "first",
    shingle: Annotated[
        str, typer.Option(help="documents: what is compared, word:N or char:N.")
    ] = "word:5",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave out broken lines, and say which.")
    ] = False,
    text_column: TextColumn = None,
    id_column: IdColumn = None,
    raw: Raw = False,
    workers: Workers = None,
    memory: Memory = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say what near-duplicates do to an evaluation: how common, whence, and who gains by them."""
    from neardup.retrieval.effect import split_names
    from neardup.retrieval.folder import trec as run_trec

    folder = needed_output(output)
    with interruptible():
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
            thresholds=None if thresholds is None else numbers("thresholds", thresholds, float),
            depths=numbers("depths", depths, int),
            measures=None if measures is None else split_names(measures),
            relevance=relevance,
            keep=keep,
            shingle=shingle,
            lenient=lenient,
            text_column=text_column,
            id_column=id_column,
            raw=raw,
            workers=workers,
            memory=memory,
            overwrite=overwrite,
            progress=progress_for(quiet or as_json),
        )
    if as_json:
        from neardup.showing.console import OUT

        rows = {name: found.table(name).to_pylist() for name in ("prevalence", "effects", "orders")}
        OUT.print_json(data={"output": str(folder), **found.run, **rows})
    elif not quiet:
        show_effects(found)


def numbers(option: str, text: str, kind: Any) -> list[Any]:
    """Read numbers with commas between them."""
    try:
        return [kind(part) for part in text.replace(",", " ").split()]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise SettingsError(f"--{option} takes {what} with commas between them, not {text!r}") from None


def show_effects(found: "TrecResult") -> None:
    """Print what was found, and every assumption."""
    from neardup.showing.console import OUT, Console

    wide = Console(highlight=False, width=max(OUT.width, WIDEST))
    for line in lines(found):
        OUT.print(line, markup=False)
    OUT.print()
    wide.print(effect_table(found))
    for remark in found.remarks:
        OUT.print(f"  {remark}", style="yellow", markup=False)
    folder = found.folder
    OUT.print(f"\nReport in {folder / 'report.html'}; files without near-duplicates:", markup=False)
    OUT.print(f"  {quote(str(folder / 'deduplicated' / 'qrels.txt'))}", markup=False)
    OUT.print(f"  {quote(str(folder / 'deduplicated' / 'runs'))}/", markup=False)


def lines(found: "TrecResult") -> Iterator[str]:
    """Say how common near-duplicates are."""
    from neardup.showing.console import number

    counts, threshold = found.counts, found.run["settings"]["threshold"]
    what = "in groups" if threshold is None else f"with similarity ≥ {threshold}"
    yield (
        f"{number(counts['runs'], 'run')}, {number(counts['topics judged'], 'topic')}, "
        f"{number(counts['judgements'], 'judgement')}; near-duplicates {what}"
    )
    for scope, name in SCOPES.items():
        rows = [
            row
            for row in found.table("prevalence").to_pylist()
            if (row["scope"], row["threshold"]) == (scope, threshold) and row["topic"] is not None
        ]
        total, alike, redundant = (
            sum(row[column] for row in rows) for column in ("documents", "near_duplicates", "redundant")
        )
        share = 100 * redundant / max(total, 1)
        yield (
            f"{alike:,} of {total:,} {name} resemble another one of their topic; "
            f"{redundant:,} ({share:.1f} %) are redundant"
        )
    kinds = [
        (name.removeprefix("origin: "), value) for name, value in counts.items() if "origin" in name
    ]
    if any(name != "unknown" for name, _ in kinds):
        yield f"origins: {', '.join(f'{value:,} {name}' for name, value in kinds)}"


def effect_table(found: "TrecResult") -> "Table":
    """Show each measure before and after, averaged over the systems, and how their order changed."""
    from rich.table import Table

    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in (
        "policy",
        "measure",
        "mean before",
        "after",
        "change",
        "τ of the ranking",
        "ranks moved",
    ):
        shown.add_column(name, justify="left" if name in ("policy", "measure") else "right")
    effects = found.table("effects").to_pylist()
    last = None
    for order in found.table("orders").to_pylist():
        rows = [e for e in effects if (e["policy"], e["measure"]) == (order["policy"], order["measure"])]
        before, after = (sum(row[name] for row in rows) / len(rows) for name in ("before", "after"))
        change = f"{100 * (after - before) / before:+.1f} %" if before else ""
        move = max(abs(row["rank_after"] - row["rank_before"]) for row in rows)
        tau = "" if order["tau"] is None else f"{order['tau']:.2f}"
        policy = order["policy"] if order["policy"] != last else ""
        last = order["policy"]
        shown.add_row(policy, order["measure"], f"{before:.4f}", f"{after:.4f}", change, tau, str(move))
    return shown
