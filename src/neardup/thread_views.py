"""Threads on the terminal: what a run found, and what was asked before."""

from collections.abc import Mapping

from neardup.console import OUT, number, show_caps, show_read
from neardup.result import Result


def show_threads_summary(result: Result) -> None:
    """Print what a run read, skipped, capped and found."""
    counts, settings = result.counts, result.run["settings"]
    show_read(counts)
    compared = number(counts["candidates"], "candidate") if "candidates" in counts else "blocks of threads"
    OUT.print(
        f"[bold]{number(counts['pairs'], 'pair')}[/bold] with similarity ≥ {settings['threshold']} "
        f"({weights_text(settings['fields'])}), all verified: {counts['identical copies']:,} identical "
        f"to another thread, {compared} compared"
    )
    show_caps({"shingles too common to pair all": 0} | counts, settings)
    OUT.print(
        f"[bold]{number(counts['clusters'], 'cluster')}[/bold], "
        f"{number(counts['duplicates'], 'thread')} "
        f"({100 * counts['duplicates'] / max(counts['documents'], 1):.1f} %) asked before; kept: "
        f"{settings['keep']}"
    )


def weights_text(fields: Mapping[str, float]) -> str:
    """Write fields with their weights.

    >>> weights_text({"title": 0.4, "body": 0.6})
    'title 0.4, body 0.6'
    """
    return ", ".join(f"{name} {weight:g}" for name, weight in fields.items())
