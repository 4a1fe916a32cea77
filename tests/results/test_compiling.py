"""The wait before a first run is said, once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from neardup.kernels.ahead import FEW, Wanted
from neardup.results import compiling


class Shown:
    """Keeps what is shown."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, message: str) -> None:
        self.lines.append(message)

    @contextmanager
    def step(self, name: str, total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
        self.lines.append(f"{name} {total} {unit}")
        yield lambda amount: self.lines.append(f"{amount} done")


def compile_at_once(wanted: Sequence[Wanted], advance: Callable[[int], None]) -> None:
    advance(len(wanted))


@pytest.mark.parametrize(("count", "lines"), [(0, 0), (FEW, 0), (5, 2)])
def test_compiling_is_said_where_there_is_much(
    monkeypatch: pytest.MonkeyPatch, count: int, lines: int
) -> None:
    monkeypatch.setattr(compiling, "missing", lambda *_: [Wanted("a.b", [])] * count)
    monkeypatch.setattr(compiling, "compile_ahead", compile_at_once)
    told: list[str] = []
    monkeypatch.setattr(compiling, "tell_wait", lambda: told.append("said"))
    shown = Shown()
    compiling.compile_for("documents", shown)
    assert len(shown.lines) == lines
    if lines:
        assert shown.lines == ["compiling 5 parts", "5 done"]
        assert told == ["said"]


def test_a_place_where_nothing_can_be_kept_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(compiling, "folder", lambda: None)
    monkeypatch.setattr(compiling, "missing", lambda *_: [])
    monkeypatch.setattr(compiling, "tell_wait", lambda: told.append("said"))
    shown = Shown()
    compiling.compile_for("documents", shown)
    assert told == ["said"]
    assert not shown.lines
