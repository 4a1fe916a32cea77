"""However a command is interrupted, and whatever its libraries make of that: one word, one code."""

import atexit
import os
import signal
import sys
import time
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from neardup.cli import endings
from neardup.errors import NeardupError


@pytest.fixture(autouse=True)
def nothing_heard() -> Iterator[None]:
    """Let no signal be ignored, as a shell or nohup makes those that they start do."""
    interrupted = signal.signal(signal.SIGINT, signal.default_int_handler)
    hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupted)
    signal.signal(signal.SIGHUP, hung_up)
    endings._heard.clear()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("made_of_it", [None, NeardupError("step"), SystemError("numba"), SystemExit(1)])
def test_what_libraries_make_of_an_interruption_is_one(
    number: signal.Signals, made_of_it: BaseException | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        pytest.raises(SystemExit) as end,
        endings.signals_heard(),
        endings.interruptible(),
        endings.interruptible("go on"),
    ):
        try:
            signal.raise_signal(number)
        except BaseException as raised:
            raise made_of_it or raised from None
    assert end.value.code == 128 + number
    assert capsys.readouterr().err == "interrupted; go on\n"


@pytest.mark.parametrize("error", [NeardupError("wrong"), SystemExit(2), ValueError("no")])
def test_other_errors_pass_and_so_does_what_was_done_in_time(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised, endings.signals_heard(), endings.interruptible():
        raise error
    assert raised.value is error
    with pytest.raises(SystemExit) as end, endings.signals_heard(), endings.interruptible():
        endings._heard.append(signal.SIGTERM)
        sys.exit(0)
    assert end.value.code == 0


def test_no_interruption_is_raised_while_llvm_calls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: waited.append(seconds))
    inside: dict[str, Any] = {"__name__": "llvmlite.binding", "signal": signal}
    exec("def callback():\n    signal.raise_signal(signal.SIGTERM)", inside)
    with pytest.raises(endings.Ended), endings.signals_heard():
        inside["callback"]()
        assert waited == [endings.SOON]
        signal.raise_signal(signal.SIGALRM)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_neither_is_one_by_a_signal_that_comes_while_another_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is raised into LLVM is lost, and the code that it was about to make is not there."""
    waited: list[float] = []

    def again(which: int, seconds: float) -> None:
        del which
        waited.append(seconds)
        if len(waited) == 1:
            signal.raise_signal(signal.SIGALRM)

    monkeypatch.setattr(signal, "setitimer", again)
    inside: dict[str, Any] = {"__name__": "llvmlite.binding", "signal": signal}
    exec("def callback():\n    signal.raise_signal(signal.SIGTERM)\n    return 7", inside)
    with endings.signals_heard():
        assert inside["callback"]() == 7
        assert waited == [endings.SOON, endings.SOON]
        with pytest.raises(endings.Ended):
            signal.raise_signal(signal.SIGALRM)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_what_a_signal_raises_where_it_is_lost_is_raised_again(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Python drops what the callback of a weak reference raises; its imports have many of these."""

    class Thing:
        pass

    thing = Thing()
    callback = weakref.ref(thing, lambda gone: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(endings.Ended), endings.signals_heard():
        del thing
        time.sleep(60)
    assert callback() is None
    assert capfd.readouterr().err == ""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_what_others_lose_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    class Thing:
        def __del__(self) -> None:
            raise ValueError("of a library")

    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    thing = Thing()
    with endings.signals_heard():
        del thing
    assert told == [ValueError]


def test_handlers_are_put_back_and_those_of_others_left_alone() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    ignored = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with endings.signals_heard():
            assert signal.getsignal(signal.SIGTERM) is endings.end
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, ignored)
    assert {number: signal.getsignal(number) for number in before} == before


@pytest.mark.parametrize(
    ("ending", "codes"), [(None, [0]), (SystemExit(), [0]), (SystemExit(143), [143]), (OSError(), [])]
)
def test_a_process_is_left_with_its_code_when_all_else_is_done(
    ending: BaseException | None, codes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    registered: list[tuple[Any, list[int]]] = []
    left: list[int] = []
    monkeypatch.setattr(atexit, "register", lambda *given: registered.append(given))
    monkeypatch.setattr(os, "_exit", left.append)
    try:
        with endings.as_a_process():
            if ending:
                raise ending
    except BaseException as raised:
        assert raised is ending
    [(leave, given)] = registered
    leave(given)
    assert left == codes
