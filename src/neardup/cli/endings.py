"""Signals that end a command: it leaves nothing behind, says a word, and ends with the usual code."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

USUAL = 128  # as shells say it: this and the number of the signal
OTHERS = ("SIGTERM", "SIGHUP", "SIGBREAK")  # of batch systems, closed terminals, and Windows' Ctrl-Break


class Ended(SystemExit):
    """Raised by a signal that asks this process to end, so that it can clean up."""


def end(number: int, frame: FrameType | None) -> None:
    """End as if it were interrupted from the keyboard."""
    del frame
    raise Ended(USUAL + number)


@contextmanager
def signals_heard() -> Iterator[None]:
    """Let signals that would kill this process interrupt it, but not those that nohup made it ignore."""
    known = [getattr(signal, name) for name in OTHERS if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        known = []
    heard = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in heard:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def interruptible(hint: str = "") -> Iterator[None]:
    """End with a kind word and the usual code when a command is interrupted."""
    try:
        yield
    except (KeyboardInterrupt, Ended) as ending:
        typer.echo(f"interrupted; {hint}" if hint else "interrupted", err=True)
        code = ending.code if isinstance(ending, Ended) else USUAL + signal.SIGINT
        raise typer.Exit(int(code or 0)) from None
