"""Progress: bars in a notebook, lines in a log, and what `progress=True` stands for."""

import sys
from types import ModuleType
from typing import Any

import pytest

import neardup
from neardup.engines.base import Progress
from neardup.showing import console, progress
from neardup.showing.console import Lines
from neardup.showing.progress import NotebookBars, shown


class Cell:
    """What a notebook shows below a cell."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, data: dict[str, str], *, raw: bool, display_id: bool = False) -> "Cell":
        assert raw
        self.seen.append(data["text/html"])
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.seen.append(data["text/html"])


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    """Have a notebook, as far as neardup can see."""
    made, shell = Cell(), ModuleType("shell")
    ipython: Any = ModuleType("IPython")
    ipython.display = ModuleType("IPython.display")
    ipython.display.display = made
    shell.kernel = object()  # type: ignore[attr-defined]
    ipython.get_ipython = lambda: shell
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    monkeypatch.setattr(progress, "OFTEN", 0.0)
    return made


def test_a_notebook_has_bars_that_go_away(cell: Cell) -> None:
    bars = shown(True)
    assert isinstance(bars, NotebookBars)
    with bars.step("units <1>", 10, "bytes") as advance:
        advance(4)
        advance(6)
    assert cell.seen[1].startswith('<progress value="4" max="10"></progress> units &lt;1&gt;: 4 bytes')
    assert cell.seen[-2].startswith('<progress value="10" max="10">')
    assert cell.seen[-1] == ""
    bars.note("a < b")
    assert cell.seen[-1] == "<small>a &lt; b</small>"


def test_progress_may_be_true_in_python(cell: Cell) -> None:
    found = neardup.documents(["one text and no other", "one text and no other"], progress=True)
    assert found.pairs.num_rows == 1
    assert any("<progress" in text for text in cell.seen)


def test_without_a_notebook_it_is_lines_or_what_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    own: Progress = Lines()
    assert shown(own) is own
    assert shown(None) is None
    assert shown(False) is None
    assert isinstance(shown(True), Lines)


def test_no_line_promises_an_end_that_does_not_come(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "LOG_SECONDS", 0.0)
    with Lines().step("add", 100, "bytes") as advance:
        advance(100)
    said = capsys.readouterr().err
    assert "add: 100 %, nearly done" in said
    assert " 0 s left" not in said
