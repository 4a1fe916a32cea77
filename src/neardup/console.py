"""What the command line shows: progress, summaries, errors. Nothing else in neardup prints."""

import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

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
from rich.text import Text

from neardup.engines.base import Advance
from neardup.errors import NeardupError

OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False, soft_wrap=True)
SETTING = re.compile(r"\b[a-z]+(_[a-z]+)+(?= must be)")
ARGUMENT = re.compile(r"\b([a-z]+(?:_[a-z]+)*)=(?:True\b|\[?\"([^\"]*)\"\]?|(?=[\s.,;:)]|$))")
OPTIONS = {"replace_ids": "replace"}  # that are not called as in Python
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
    """Print an error without a traceback, and settings as options are written."""
    if isinstance(error, NeardupError) and error.hint:
        error.hint = with_options(error.hint)
    said = SETTING.sub(lambda name: option(name[0]), str(error))
    ERR.print(Text.assemble(("error: ", "bold red"), said))


def with_options(hint: str) -> str:
    """Write a hint for Python for the command line.

    >>> with_options('Take overwrite=True, mode="list", columns=["score"], or name one with id_column=.')
    'Take --overwrite, --mode list, --columns score, or name one with --id-column.'
    """
    return ARGUMENT.sub(lambda found: " ".join(filter(None, (option(found[1]), found[2]))), hint)


def option(argument: str) -> str:
    """Return the option that is the twin of an argument in Python."""
    return f"--{OPTIONS.get(argument, argument).replace('_', '-')}"


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


def number(count: int, what: str) -> str:
    """Say how many there are of something.

    >>> number(1, "pair"), number(2000, "pair")
    ('1 pair', '2,000 pairs')
    """
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def similarity_text(similarity: float | None) -> str:
    """Show a similarity, or that there is none."""
    return "connected" if similarity is None else f"{similarity:.3f}"
