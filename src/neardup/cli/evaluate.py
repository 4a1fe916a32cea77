"""`neardup evaluate`: how well a result agrees with labels."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import Json, ResultFolder

if TYPE_CHECKING:
    from rich.table import Table

    from neardup.evaluation import Agreement, PairScores, Scores


@app.command()
def evaluate(
    out: ResultFolder,
    gold: Annotated[
        list[Path],
        typer.Option(
            help="Labels of pairs, clusters or passages, which say what is right: CSV, TSV, JSONL, or a "
            "folder of PAN's XML files; may be given several times."
        ),
    ],
    as_json: Json = False,
) -> None:
    """Compare a result with labels: precision, recall and F1."""
    from neardup.evaluation import evaluate as run_evaluate
    from neardup.showing.console import OUT

    scores = run_evaluate(out, gold)
    if as_json:
        OUT.print_json(data=scores.as_dict())
    else:
        show_scores(scores)


def show_scores(scores: "Scores") -> None:
    """Print scores as a table, and below it what they leave out."""
    from neardup.showing.console import OUT
    from neardup.showing.tables import show_wide

    show_wide(passage_table(scores) if scores.all else pair_table(scores))
    for line in more_lines(scores):
        OUT.print(line, markup=False)
    for note in notes(scores):
        OUT.print(f"  {note}", style="yellow", markup=False)


def pair_table(scores: "Scores") -> "Table":
    """Return the table for pairs, and for clusters if gold has them."""
    from neardup.showing.tables import plain_table

    rows: list[tuple[str, PairScores | Agreement | None]] = [("pairs", scores.pairs)]
    if clusters := scores.clusters:
        every, clustered = clusters.b_cubed, clusters.b_cubed_clustered
        rows.append((f"B-cubed, all {every.documents:,} documents", every))
        rows.append((f"B-cubed, {clustered.documents:,} documents in a cluster", clustered))
    table = plain_table(["", "precision", "recall", "F1"])
    for name, row in rows:
        if row:
            table.add_row(name, *decimals(row.precision, row.recall, row.f1))
    return table


def passage_table(scores: "Scores") -> "Table":
    """Return the table for passages: a row a group, and one for all if there are several."""
    from rich.text import Text

    from neardup.showing.tables import plain_table

    measures = ("plagdet", "precision", "recall", "granularity", "cases", "found", "detections")
    table = plain_table(["", *measures])
    rows = [*scores.groups, scores.all] if len(scores.groups) > 1 else list(scores.groups)
    for group in filter(None, rows):
        own = group.scores
        values = decimals(own.plagdet, own.precision, own.recall, own.granularity)
        counts = [f"{count:,}" for count in (own.cases, own.cases_found, own.detections)]
        table.add_row(Text(group.name), *values, *counts)
    return table


def decimals(*values: float) -> list[str]:
    """Show numbers with four decimals."""
    return [f"{value:.4f}" for value in values]


def more_lines(scores: "Scores") -> Iterator[str]:
    """Yield what the table has no column for."""
    if clusters := scores.clusters:
        yield f"adjusted Rand index {clusters.adjusted_rand:.4f}"
        yield (
            f"{clusters.exact_clusters:,} of {clusters.gold_clusters:,} clusters found exactly "
            f"({clusters.exact:.4f}); {clusters.found_clusters:,} found in all"
        )
    if pairs := scores.pairs:
        yield f"pairs: {pairs.right:,} right, {pairs.wrong:,} wrong, {pairs.missed:,} missed"
    if scores.all and scores.all.pairs_without_reuse:
        found, pairs_without = scores.all.pairs_without_reuse_found, scores.all.pairs_without_reuse
        yield f"pairs without reuse in which passages were found: {found:,} of {pairs_without:,}"


def notes(scores: "Scores") -> Iterator[str]:
    """Yield what is not in the scores, or lowers them for another reason than bad work."""
    from neardup.showing.console import number

    if scores.unknown:
        some = ", ".join(scores.unknown[:3])
        yield (
            f"{len(scores.unknown):,} of {scores.gold_documents:,} documents of the labels are not in "
            f"the result, such as {some}: what the labels say about them counts as missed"
        )
    for count, what, which in (
        (scores.duplicates, "label", "given again: counted once"),
        (scores.unlabelled_pairs, "pair", "found without a label: not counted"),
        (scores.unlisted_passages, "passage", "found in pairs that the labels do not list: ignored"),
        (scores.unlisted_cases, "case", "in pairs that the labels do not list: ignored"),
        (scores.cases_without_source, "case", "without a source: ignored"),
    ):
        if count:
            yield f"{number(count, what)} {which}"
