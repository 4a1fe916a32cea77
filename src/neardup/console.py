"""What the command line shows: progress, summaries, errors. Nothing else in neardup prints."""

import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from neardup.engines.base import Advance

OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False, soft_wrap=True)
LOG_SECONDS = 5.0
WORTH_A_LINE = 1.0  # seconds: shorter steps are not worth a line in a log


class Amount(DownloadColumn):
    """How much is done: bytes with their unit, all else as a number."""

    def render(self, task: Task) -> Text:
        """Return the text for a bar."""
        unit = task.fields["unit"]
        return super().render(task) if unit == "bytes" else Text(f"{task.completed:,.0f} {unit}")


class Bars:
    """Progress bars with the time left, on a terminal; one for each step that runs."""

    def __init__(self) -> None:
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description:14}"),
            BarColumn(),
            Amount(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=ERR,
            transient=True,
        )
        self._lock = threading.Lock()

    @contextmanager
    def step(self, name: str, total: int | None, unit: str) -> Iterator[Advance]:
        """Show one bar while a step runs."""
        with self._lock:
            task = self._bars.add_task(name, total=total, unit=unit)
            self._bars.start()
        try:
            yield lambda amount: self._bars.advance(task, amount)
        finally:
            with self._lock:
                self._bars.remove_task(task)
                if not self._bars.task_ids:
                    self._bars.stop()

    def note(self, message: str) -> None:
        """Show one line."""
        ERR.print(f"[dim]{escape(message)}[/dim]")


class Lines:
    """Plain log lines, where there is no terminal: one when a step ends, and some on the way."""

    @contextmanager
    def step(self, name: str, total: int | None, unit: str) -> Iterator[Advance]:
        """Log a step."""
        begun = shown = time.monotonic()
        done = 0

        def advance(amount: int) -> None:
            nonlocal done, shown
            done += amount
            now = time.monotonic()
            if total and now - shown >= LOG_SECONDS:
                shown = now
                left = (now - begun) * (total - done) / max(done, 1)
                self.note(f"{name}: {100 * done / total:.0f} %, about {left:.0f} s left")

        yield advance
        spent = time.monotonic() - begun
        if spent >= WORTH_A_LINE:
            self.note(f"{name}: done, {done:,} {unit} in {spent:.1f} s")

    def note(self, message: str) -> None:
        """Write one line."""
        sys.stderr.write(f"{time.strftime('%H:%M:%S')} {message}\n")
        sys.stderr.flush()


def show_error(error: Exception) -> None:
    """Print an error without a traceback."""
    ERR.print(Text.assemble(("error: ", "bold red"), str(error)))


def show_read(counts: Mapping[str, int]) -> None:
    """Print what a run read and skipped."""
    read, records = number(counts["documents"], "document"), number(counts["records"], "record")
    OUT.print(f"[bold]{read}[/bold] of {records}")
    for name, value in counts.items():
        if name.startswith("skipped: "):
            OUT.print(f"  skipped {value:,}: {escape(name.removeprefix('skipped: '))}", style="yellow")
    if twice := counts["ids given twice"]:
        who = "document has an id" if twice == 1 else "documents have ids"
        OUT.print(f"  {twice:,} {who} given before: named by file and position instead", style="yellow")


def show_summary(counts: Mapping[str, int], run: Mapping[str, Any], recall: float) -> None:
    """Print what a run read, skipped, capped and found."""
    settings = run["settings"]
    show_read(counts)
    OUT.print(
        f"[bold]{number(counts['pairs'], 'pair')}[/bold] with {settings['measure']} ≥ "
        f"{settings['threshold']}, all verified: {counts['identical copies']:,} identical to another "
        f"document, {number(counts['candidates'], 'candidate')} compared"
    )
    if recall < 1:
        OUT.print(
            f"  {settings['candidates']} candidates: a pair exactly at the threshold is found with "
            f"probability {recall:.2f}; take --candidates exact to find all",
            style="yellow",
        )
    show_caps(counts, settings)
    removable = number(counts["duplicates"], "document")
    OUT.print(
        f"[bold]{number(counts['clusters'], 'cluster')}[/bold], {removable} "
        f"({100 * counts['duplicates'] / max(counts['documents'], 1):.1f} %) could be removed"
    )
    if chained := counts["members that do not resemble their keeper"]:
        OUT.print(
            f"  {chained:,} of them only hang together with their keeper through others; star clusters "
            "(--clusters star) do not chain strangers",
            style="yellow",
        )


def show_passages_summary(counts: Mapping[str, int], run: Mapping[str, Any]) -> None:
    """Print what a run read, skipped, and found in passages."""
    show_read(counts)
    found = number(counts["passages"], "passage")
    OUT.print(f"[bold]{found}[/bold] in {number(counts['pairs'], 'pair')} of documents")
    for name, value in counts.items():
        if name.startswith("pairs: "):
            OUT.print(f"  {value:,} {escape(name.removeprefix('pairs: '))}")
    if repeated := counts["passages of boilerplate"]:
        often = run["settings"]["max_documents"]
        OUT.print(
            f"{number(repeated, 'passage')} of boilerplate, in over {often:,} documents each: shown once"
        )
    if missing := counts.get("listed pairs not found"):
        OUT.print(f"  {missing:,} of the listed pairs name no document", style="yellow")


def show_caps(counts: Mapping[str, int], settings: Mapping[str, Any]) -> None:
    """Print where a limit cut something off."""
    if capped := counts["shingles too common to pair all"]:
        OUT.print(
            f"  {capped:,} keys are in over {settings['max_postings']:,} documents: each of these was "
            "compared with a few of them only (--max-postings)",
            style="yellow",
        )
    if listed := counts["copies paired with the first only"]:
        OUT.print(
            f"  {listed:,} identical copies are listed with the first of their kind only (--max-copies)",
            style="yellow",
        )


def show_clusters(rows: list[dict[str, Any]], title: str) -> None:
    """Print clusters, keeper first."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("cluster", "size", "similarity", "id", "keeper"):
        table.add_column(name, justify="right" if name in ("cluster", "size") else "left")
    last = None
    for row in rows:
        first = row["cluster"] != last
        last = row["cluster"]
        keeper = row["id"] == row["keeper_id"]
        table.add_row(
            str(row["cluster"]) if first else "",
            f"{row['size']:,}" if first else "",
            "" if keeper else similarity_text(row["similarity"]),
            Text(row["id"]),
            "keeper" if keeper else "",
        )
    OUT.print(table)


def number(count: int, what: str) -> str:
    """Say how many there are of something.

    >>> number(1, "pair"), number(2000, "pair")
    ('1 pair', '2,000 pairs')
    """
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def similarity_text(similarity: float | None) -> str:
    """Show a similarity, or that there is none."""
    return "connected" if similarity is None else f"{similarity:.3f}"
