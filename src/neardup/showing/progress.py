"""Which progress is shown where: bars on a terminal and in a notebook, lines in a log."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from neardup.engines.base import Advance, Progress
from neardup.showing.console import ERR, Lines, step_words

OFTEN = 0.2  # seconds between two looks of a bar in a notebook


class NotebookBars:
    """Progress bars below the cell of a notebook that runs: one for each step, gone when it ends."""

    def __init__(self, display: Any) -> None:
        self._display = display

    @contextmanager
    def step(self, name: str, total: int | None, unit: str) -> Iterator[Advance]:
        """Show one bar while a step runs."""
        name = step_words(name)
        done, begun, looked = 0, time.monotonic(), 0.0
        shown = self._display({"text/html": bar(name, 0, total, unit, 0)}, raw=True, display_id=True)

        def advance(amount: int) -> None:
            nonlocal done, looked
            done += amount
            now = time.monotonic()
            if now - looked >= OFTEN:
                looked = now
                shown.update({"text/html": bar(name, done, total, unit, now - begun)}, raw=True)

        try:
            yield advance
        finally:
            shown.update({"text/html": ""}, raw=True)

    def note(self, message: str) -> None:
        """Show one line."""
        self._display({"text/html": f"<small>{escape(message)}</small>"}, raw=True)


def bar(name: str, done: int, total: int | None, unit: str, seconds: float) -> str:
    """Return a bar in HTML; one whose end is not known moves by itself.

    >>> bar("units", 5, 10, "bytes", 2)
    '<progress value="5" max="10"></progress> units: 5 bytes, 2 s'
    """
    value = f' value="{done}" max="{total}"' if total else ""
    return f"<progress{value}></progress> {escape(name)}: {done:,} {escape(unit)}, {seconds:.0f} s"


def shown(progress: Progress | bool | None) -> Progress | None:
    """Return what shows progress: what was given, or for True what suits the place."""
    if not isinstance(progress, bool):
        return progress
    if not progress:
        return None
    if display := of_notebook():
        return NotebookBars(display)
    if not ERR.is_terminal:
        return Lines()
    from neardup.showing.bars import Bars

    return Bars()


def of_notebook() -> Any:
    """Return what shows things in a notebook, None if this is none."""
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython
    from IPython.display import display

    return display if hasattr(get_ipython(), "kernel") else None
