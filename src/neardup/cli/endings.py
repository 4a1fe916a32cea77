"""Signals that end a command: it leaves nothing behind, says a word, and ends with the usual code."""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import Any

import typer

USUAL = 128  # as shells say it: this and the number of the signal
# from the keyboard, of batch systems, closed terminals, and Windows' Ctrl-Break
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
UNHEARD = (signal.SIG_DFL, signal.default_int_handler)  # nohup makes it another one

COMPILERS = ("llvmlite", "numba.core.serialize")  # what is raised while native code calls them is lost
SOON = 0.02  # seconds

_heard: list[int] = []  # the signals that asked this process to end


class Ended(SystemExit):
    """Raised by a signal that asks this process to end, so that it can clean up."""


class Told(SystemExit):
    """Raised when it was said that the command was interrupted."""


def end(number: int, frame: FrameType | None) -> None:
    """Interrupt what is being done; while a kernel is compiled or loaded, do so soon."""
    _heard.append(number)
    end_when_safe(number, frame)


def end_when_safe(_: int, frame: FrameType | None) -> None:
    """Raise what ends the command, now or a little later."""
    if frame and is_compiling(frame) and hasattr(signal, "setitimer"):
        end_soon()
        return
    raise KeyboardInterrupt if _heard[0] == signal.SIGINT else Ended(USUAL + _heard[0])


def end_soon() -> None:
    """Come back to what ends the command, when other code is running."""
    signal.signal(signal.SIGALRM, end_when_safe)
    signal.setitimer(signal.ITIMER_REAL, SOON)


def end_though_lost(tell: Callable[[Any], object], lost: "sys.UnraisableHookArgs") -> None:
    """End a command soon if what a signal raised was lost, as in the callback of a weak reference.

    What libraries lost is told as ever.
    """
    if _heard and issubclass(lost.exc_type, Ended | KeyboardInterrupt) and hasattr(signal, "setitimer"):
        end_soon()
    else:
        tell(lost)


def is_compiling(frame: FrameType) -> bool:
    """Return whether the interrupted code is in a compiler, also inside another signal handler."""
    inner: FrameType | None = frame
    while inner:
        if str(inner.f_globals.get("__name__")).startswith(COMPILERS):
            return True
        inner = inner.f_back
    return False


@contextmanager
def signals_heard() -> Iterator[None]:
    """Let signals that would kill this process interrupt it, but not those that nohup made it ignore."""
    _heard.clear()
    known = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        known = []
    before = {number: signal.getsignal(number) for number in known}
    heard = {number: handler for number, handler in before.items() if handler in UNHEARD}
    for number in heard:
        signal.signal(number, end)
    of_others, sys.unraisablehook = sys.unraisablehook, partial(end_though_lost, sys.unraisablehook)
    try:
        yield
    finally:
        sys.unraisablehook = of_others
        if heard and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in heard.items():
            signal.signal(number, handler)


@contextmanager
def interruptible(hint: str = "") -> Iterator[None]:
    """End with a kind word and the usual code when a command is interrupted.

    An interruption may come as any error: DuckDB, Numba and Arrow make their own of what they are
    interrupted by.
    """
    try:
        yield
    except (typer.Exit, Told):
        raise
    except BaseException as error:
        number = _heard[0] if _heard else signal.SIGINT
        is_done = isinstance(error, SystemExit) and not error.code
        if is_done or not (_heard or isinstance(error, KeyboardInterrupt)):
            raise
        typer.echo(f"interrupted; {hint}" if hint else "interrupted", err=True)
        raise Told(USUAL + number) from None


@contextmanager
def as_a_process() -> Iterator[None]:
    """End this process when all is cleaned up, but before Python itself ends, which takes a while.

    Threads of DuckDB or Arrow may still be at work after an interruption: one that comes back to an
    interpreter that is gone would end the process by SIGABRT. What is registered first is done last.
    """
    codes: list[int] = []
    atexit.register(leave, codes)
    try:
        yield
        codes.append(0)
    except SystemExit as ending:
        if isinstance(ending.code, int | None):
            codes.append(ending.code or 0)
        raise


def leave(codes: list[int]) -> None:
    """Leave with a code, if there is one, and all that was printed could be written."""
    for code in codes:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
