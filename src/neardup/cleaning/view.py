"""A cleaned corpus in a terminal: what came to each stage, and what went."""

from shlex import quote
from typing import Any

from neardup.cleaning.declared import CHARACTERS, CHARACTERS_KEPT, FLOW, KEPT
from neardup.cleaning.written import Cleaned
from neardup.results.folder import ResultFolder
from neardup.showing.console import OUT, number, show_read
from neardup.showing.tables import show_rows


def stages_of(result: ResultFolder) -> list[dict[str, Any]]:
    """Return what each stage did to all sources together, in order."""
    found: dict[int, dict[str, Any]] = {}
    for row in result.local().table(FLOW).to_pylist():
        stage = found.setdefault(row["number"], {"stage": row["stage"]})
        for name, value in row.items():
            if name not in ("number", "stage", "source"):
                stage[name] = stage.get(name, 0) + value
    return [found[number] for number in sorted(found)]


def show_summary(result: ResultFolder) -> None:
    """Print what was read, what each stage took, and what is left."""
    show_read(result.counts)
    rows = [
        [
            stage["stage"],
            *(f"{stage[name]:,}" for name in ("records_before", "dropped", "changed")),
            f"{stage['characters_gone']:,}",
            share(stage["characters_gone"], stage["characters_before"]),
        ]
        for stage in stages_of(result)
    ]
    show_rows(["stage", "records", "dropped", "changed", "characters gone", "share"], rows, [0])
    counts = result.counts
    kept = f"{number(counts[KEPT], 'record')} kept, {number(counts[CHARACTERS_KEPT], 'character')}"
    OUT.print(f"[bold]{kept}[/bold] ({share(counts[CHARACTERS_KEPT], counts[CHARACTERS])})")


def share(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{part / whole:.1%}" if whole else "-"


def show_cleaned(done: Cleaned, quiet: bool, as_json: bool) -> None:
    """Print what was done, and where it is; or all of it as JSON."""
    result = done.result
    if as_json:
        told = {"files": done.files, "damaged": dict(done.damaged), "stages": stages_of(result)}
        OUT.print_json(data={"output": done.output, **told, **result.run}, default=str)
    elif not quiet:
        show_summary(result)
        for name, what in done.damaged.items():
            OUT.print(
                f"  {name} could not be read whole: nothing was left out of it: {what}", markup=False
            )
        if done.output is None:
            OUT.print("\nNothing was written; with -o the ledger stays")
            return
        where = quote(str(done.output))
        if done.files:
            OUT.print(f"\nWritten to {done.output}: {number(len(done.files), 'file')}", markup=False)
        else:
            OUT.print("\nNothing was written but the ledger", markup=False)
        OUT.print(f"The ledger is in {result.where}; look at it with:", markup=False)
        OUT.print(f"  neardup show {where} ledger", markup=False)
