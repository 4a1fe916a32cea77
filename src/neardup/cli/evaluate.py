"""`neardup evaluate` and `sample`: how well a result agrees with labels, and pairs to be labelled."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import InputNow, Json, Quiet, ResultFolder, progress_for
from neardup.errors import SettingsError

if TYPE_CHECKING:
    from rich.table import Table

    from neardup.evaluation import Agreement, AnswerScores, PairScores, Scores, SheetScores

STEPS_SHOWN = 10


@app.command()
def evaluate(
    out: ResultFolder,
    gold: Annotated[
        list[Path] | None,
        typer.Option(
            help="Labels of pairs, clusters or passages: CSV, TSV, JSONL, a folder of PAN's XML files, "
            "or PostLinks.xml of Stack Exchange; or a model's answers to test items (id, correct). "
            "May be given several times."
        ),
    ] = None,
    sheet: Annotated[
        list[Path] | None,
        typer.Option(
            help="A filled-in sheet of neardup sample, or marks saved from a report; one for each "
            "judge, may be given several times."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare a result with labels (precision, recall, F1), or with people's judgements of a sample."""
    from neardup.evaluation import AnswerScores, Scores, answer_scores, judged
    from neardup.evaluation import evaluate as run_evaluate
    from neardup.evaluation.gold import AnswerGold, read_labels
    from neardup.showing.console import OUT

    if bool(gold) == bool(sheet):
        raise SettingsError("evaluate needs either --gold or --sheet", hint="Give one of the two.")
    labels = read_labels(gold) if gold else None
    scores: Scores | SheetScores | AnswerScores
    if isinstance(labels, AnswerGold):
        scores = answer_scores(out, labels)
    else:
        scores = run_evaluate(out, labels) if labels else judged(out, sheet or [])
    if as_json:
        OUT.print_json(data=scores.as_dict())
    elif isinstance(scores, Scores):
        show_scores(scores)
    elif isinstance(scores, AnswerScores):
        show_answers(scores)
    else:
        show_judged(scores)


@app.command()
def sample(
    out: ResultFolder,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The sheet to write; its report goes beside it.",
            show_default="sheet.csv in OUT",
        ),
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="How many pairs to draw.")] = 100,
    by: Annotated[
        str | None,
        typer.Option(
            help="A column of pairs, such as kind: draw the same number for each of its values; for "
            "numbers, such as similarity, for each tenth of the pairs. Or origin: for each reason "
            "for duplicates."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other pairs.")] = 1,
    input: InputNow = None,  # noqa: A002  (the word of the option)
    quiet: Quiet = False,
) -> None:
    """Draw pairs at random for people to judge: a sheet to fill in, and a report of these pairs."""
    from neardup.reports.sheets import sample as run_sample
    from neardup.result import Result
    from neardup.showing.console import OUT, number

    found = Result(out, input=input)
    made = run_sample(found, output, size=size, by=by, seed=seed, progress=progress_for(quiet))
    if quiet:
        return
    OUT.print(f"[bold]{number(made.pairs, 'pair')}[/bold] to judge")
    for name, count in made.kinds.items():
        if name:
            OUT.print(f"  {count:,} {name}", markup=False)
    if made.without_text:
        OUT.print(f"  {number(made.without_text, 'pair')} without text", style="yellow")
    OUT.print(f"Write same, different or unsure into the column label of {made.path}", markup=False)
    OUT.print(f"Look at the pairs in a browser: {made.report}", markup=False)
    OUT.print(f"Then: neardup evaluate {quote(str(out))} --sheet {quote(str(made.path))}", markup=False)


def show_answers(scores: "AnswerScores") -> None:
    """Print a model's scores on test items that are clean, and on those that are dirty."""
    from neardup.showing.console import OUT, number
    from neardup.showing.tables import show_rows

    heads = ["benchmark", "status", "items", "answered", "score", "95 % interval"]
    rows = []
    for one in scores.rows:
        value = "" if one.score is None else f"{one.score:.4f}"
        counts = f"{one.items:,}", f"{one.answered:,}"
        rows.append([one.benchmark, one.status, *counts, value, f"{one.low:.4f} – {one.high:.4f}"])
    show_rows(heads, rows, [0, 1])
    for count, what in ((scores.unknown, "to no item"), (scores.duplicates, "given again: not counted")):
        if count:
            OUT.print(f"  {number(count, 'answer')} {what}", style="yellow", markup=False)


def show_judged(scores: "SheetScores") -> None:
    """Print what judges say of a sample."""
    from rich.text import Text

    from neardup.showing.console import OUT, number
    from neardup.showing.tables import plain_table, show_wide

    heads = ("", "precision", "95 % interval", "same", "different", "unsure", "pairs in the result")
    table = plain_table(heads)
    several = [kind for kind in scores.kinds if kind.kind or len(scores.kinds) > 1]
    for row in (*several, scores.all):
        value = "" if row.precision is None else f"{row.precision:.4f}"
        counts = (f"{count:,}" for count in (row.same, row.different, row.unsure, row.pairs))
        table.add_row(Text(row.kind or "no kind"), value, f"{row.low:.4f} – {row.high:.4f}", *counts)
    show_wide(table)
    show_steps(scores)
    for line in agreement_lines(scores):
        OUT.print(line, markup=False)
    for count, what in (
        (scores.empty, "without a label"),
        (scores.unknown, "that the result does not have"),
        (scores.unjudged, f"whose {scores.by} nobody judged"),
    ):
        if count:
            OUT.print(f"  {number(count, 'pair')} {what}: not counted", style="yellow", markup=False)


def show_steps(scores: "SheetScores") -> None:
    """Print how precise the pairs are that other thresholds leave, and which threshold to take."""
    from neardup.showing.console import OUT
    from neardup.showing.tables import plain_table, show_wide

    if len(scores.steps) > 1:
        table = plain_table(("threshold", "precision", "95 % interval", "judged", "pairs"))
        for step in scores.steps[:: -(-len(scores.steps) // STEPS_SHOWN)]:
            own = step.found
            value = "" if own.precision is None else f"{own.precision:.4f}"
            judged, left = f"{own.same + own.different:,}", f"{step.pairs:,}"
            table.add_row(f"{step.at:.6g}", value, f"{own.low:.4f} – {own.high:.4f}", judged, left)
        show_wide(table)
    if scores.advice:
        OUT.print(scores.advice, markup=False)


def agreement_lines(scores: "SheetScores") -> Iterator[str]:
    """Say how far several judges agree, with the answer unsure and without it."""
    from neardup.showing.console import number

    name = "Cohen" if len(scores.judges) == 2 else "Fleiss"
    both = number(scores.judged_by_all, "pair")
    if len(scores.judges) > 1:
        yield f"{len(scores.judges)} judges, {both} judged by all"
    for what, pairs, found in (
        ("same, different or unsure", scores.judged_by_all, scores.answers),
        ("same or different", scores.sure_of, scores.sure),
    ):
        if found is not None:
            kappa = f"{found.kappa:.4f} ({found.low:.4f} – {found.high:.4f})"
            said = "not defined: all say the same" if found.kappa is None else kappa
            of = number(pairs, "pair")
            yield f"  {what}: {100 * found.agreed:.1f} % agreed of {of}, {name}'s κ {said}"


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
