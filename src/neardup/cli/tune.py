"""`neardup tune`: the settings of threads that agree best with labels."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import app
from neardup.cli.options import (
    IdColumn,
    Inputs,
    Json,
    Machine,
    Quiet,
    listed_numbers,
    option_of,
    progress_for,
)
from neardup.methods.threads.settings import Missing, ThreadSettings
from neardup.settings.base import settings_of

if TYPE_CHECKING:
    from rich.table import Table

    from neardup.evaluation.tune import Tried, Tuning

Labels = Annotated[
    list[Path],
    typer.Option(
        help="Labelled pairs (columns id_a, id_b and perhaps label) or clusters (id, cluster): CSV, TSV "
        "or JSONL; or PostLinks.xml of Stack Exchange; may be given several times."
    ),
]
SettingsOutput = Annotated[Path, typer.Option("--output", "-o", help="The file of settings to write.")]
Fields = Annotated[str, typer.Option(help="The fields of the threads to compare, with commas.")]
Signatures = Annotated[
    list[str] | None,
    typer.Option(
        help="A signature to try; if given several times, each field gets the best one.",
        show_default="shingles:3",
    ),
]
MaxShared = Annotated[
    str,
    typer.Option(
        help="Limits to try, with commas: ignore signatures that more threads than this have, as "
        "boilerplate; 0: ignore none."
    ),
]
OF_THREADS = {setting.name: setting for setting in settings_of(ThreadSettings)}
WhatIsMissing = Annotated[Missing, option_of(OF_THREADS["missing"])]
AnswerContainment = Annotated[bool, option_of(OF_THREADS["answer_containment"])]
Precision = Annotated[
    float | None,
    typer.Option(
        help="Seek the highest recall with at least this precision.", show_default="the highest F1"
    ),
]
Recall = Annotated[
    float | None, typer.Option(help="Seek the highest precision with at least this recall.")
]
Starts = Annotated[int, typer.Option(help="How many random weights to start the search from.")]
HeldOut = Annotated[float, typer.Option(help="The share of threads to check the settings on.")]
Seed = Annotated[int, typer.Option(help="Another seed gives other starts, and holds out other threads.")]


@app.command()
def tune(
    inputs: Inputs,
    labels: Labels,
    *,
    output: SettingsOutput = Path("tuned.json"),
    fields: Fields = "title,body,answer",
    signature: Signatures = None,
    max_shared: MaxShared = "0,2,3,5,8,20",
    missing: WhatIsMissing = "ignore",
    answer_containment: AnswerContainment = False,
    precision: Precision = None,
    recall: Recall = None,
    starts: Starts = 100,
    held_out: HeldOut = 0.3,
    seed: Seed = 1,
    id_column: IdColumn = None,
    machine: Machine,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find the settings of `neardup threads` that agree best with labelled pairs."""
    from neardup.evaluation.tune import tune as run_tune
    from neardup.results.files import check_file
    from neardup.showing.console import OUT

    check_file(output, '"held_out"', "tuning")
    found = run_tune(
        [Path(path) for path in inputs],
        labels,
        fields=fields,
        signatures=tuple(signature or ["shingles:3"]),
        max_shared=listed_numbers("max-shared", max_shared, int),
        missing=missing,
        answer_containment=answer_containment,
        precision=precision,
        recall=recall,
        starts=starts,
        held_out=held_out,
        seed=seed,
        id_column=id_column,
        progress=progress_for(quiet or as_json),
        **vars(machine),
    )
    found.write(output)
    if as_json:
        learned = found.learned and found.learned.as_dict()
        more = {"warnings": list(found.warnings), "counts": found.counts, "learned": learned}
        OUT.print_json(data={"output": str(output), **found.best.as_dict(), **more})
    elif not quiet:
        show_tuning(found)
        show_learned(found)
        show_missed_goal(found, precision, recall)
        show_advice(found, output)


def show_tuning(found: "Tuning") -> None:
    """Print both tables of the paper."""
    from neardup.evaluation.tune import COUNTS, RIGHT_HELD_OUT
    from neardup.showing.console import OUT
    from neardup.showing.tables import show_wide
    from neardup.tables import said

    for name, count in said(found.counts, COUNTS).items():
        if count:
            OUT.print(f"{count:,} {name}", markup=False)
    held = bool(found.counts[RIGHT_HELD_OUT])
    some, more = (" (and held out)", "; and held out") if held else ("", "")
    OUT.print(f"\n[bold]F1 of each field alone[/bold], at its best threshold{some}")
    show_wide(signature_table(found.signatures, held))
    OUT.print(f"\n[bold]Weights and threshold[/bold], best first (precision, recall, F1{more})")
    show_wide(settings_table(found.settings, found.defaults, held))


def show_learned(found: "Tuning") -> None:
    """Print what learning how fields go together gains over equation 4."""
    from neardup.showing.console import OUT

    if (own := found.learned) is None:
        return
    OUT.print("\n[bold]Learned by logistic regression[/bold], each fifth of the threads by the others")
    for name, quality in (("learned", own.quality), ("equation 4", own.equation)):
        shares = (quality.precision, quality.recall, quality.f1)
        told = ", ".join(f"{n} {v:.4f}" for n, v in zip(("P", "R", "F1"), shares, strict=True))
        OUT.print(f"  {name}: {told}", highlight=False)
    OUT.print(f"  gain in F1: {own.gain:+.4f}", highlight=False)


def show_missed_goal(found: "Tuning", precision: float | None, recall: float | None) -> None:
    """Say that no settings reach what was asked for, if that is so."""
    from neardup.showing.console import OUT

    for name, least in (("precision", precision), ("recall", recall)):
        if least is not None and getattr(found.best.tuning, name) < least:
            OUT.print(f"\nNo settings reach a {name} of {least:g}: the best come closest to it.")


def show_advice(found: "Tuning", output: Path) -> None:
    """Print where the settings are, and how to use them; or why not to."""
    from neardup.showing.console import OUT

    if not found.warnings:
        OUT.print(f"\nSettings in {output}; use them with:", markup=False)
        OUT.print(f"  neardup threads INPUT -o OUT --settings {quote(str(output))}", markup=False)
        return
    OUT.print(f"\nSettings in {output}, but do not rely on them:", markup=False)
    for warning in found.warnings:
        OUT.print(f"  {warning}", style="yellow")


def signature_table(rows: Sequence["Tried"], held: bool) -> "Table":
    """Return the paper's table 1: a row a signature, a column a field; what is held out, if any is."""
    from neardup.showing.tables import plain_table

    table = plain_table(["", *rows[0].fields])
    for signature in dict.fromkeys(next(iter(row.signature.values())) for row in rows):
        own = [row for row in rows if signature in row.signature.values()]
        values = [f" ({row.held_out.f1:.4f})" if held else "" for row in own]
        cells = zip(own, values, strict=True)
        table.add_row(
            signature, *(f"{row.tuning.f1:.4f}{value} ≥ {row.threshold:.2f}" for row, value in cells)
        )
    return table


def settings_table(rows: Sequence["Tried"], defaults: "Tried", held: bool) -> "Table":
    """Return the paper's table 2: a row for each place that was climbed to, and the defaults."""
    from neardup.showing.tables import plain_table

    several = len({kind for row in rows for kind in row.signature.values()}) > 1
    figures = ("shared", "threshold", "P", "R", "F1", *(("held out P", "R", "F1") if held else ()))
    table = plain_table(["", *rows[0].fields, *figures])
    for row in (*rows, defaults):
        weights = [
            f"{weight:.2f}" + (f" {row.signature[name]}" if several else "")
            for name, weight in row.fields.items()
        ]
        shares = [
            f"{value:.4f}"
            for quality in ((row.tuning, row.held_out) if held else (row.tuning,))
            for value in (quality.precision, quality.recall, quality.f1)
        ]
        limits = [f"≤ {row.max_shared}" if row.max_shared else "–", f"{row.threshold:.2f}"]
        name = "defaults" if row is defaults else "best" if row is rows[0] else ""
        table.add_row(name, *weights, *limits, *shares)
    return table
