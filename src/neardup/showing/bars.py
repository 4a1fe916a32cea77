"""Progress bars on a terminal."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

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
from neardup.showing.console import ERR, step_words


class Amount(DownloadColumn):
    """How much is done: bytes with their unit, anything else as a number."""

    def render(self, task: Task) -> Text:
        """Return the text for a bar."""
        unit = task.fields["unit"]
        return super().render(task) if unit == "bytes" else Text(f"{task.completed:,.0f} {unit}")


class Bars:
    """Progress bars with the time left, on a terminal; one for each step that runs."""

    def __init__(self) -> None:
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description:23}"),
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
            task = self._bars.add_task(step_words(name), total=total, unit=unit)
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
