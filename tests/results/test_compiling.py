"""The wait before a first run is said, once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from neardup.kernels.ahead import FEW, Wanted, _lists, purposes
from neardup.readers.reader import LARGE
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource
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


def test_what_only_large_json_needs_is_compiled_for_it(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("small.jsonl", "large.txt", "large.jsonl")]
    line = b'{"text": "a few words"}\n'
    for path, count in zip(paths, (1, LARGE, LARGE), strict=True):
        path.write_bytes(line * (count // len(line) + 1) if path.suffix == ".jsonl" else b"a\n" * count)
    lists = [FileSource.open([path], ReaderSettings()).kernels for path in paths]
    assert lists == [(), (), ("json_lines",)]
    assert FileSource.open(paths, ReaderSettings()).kernels == ("json_lines",)
    assert "json_lines" in purposes()


def test_what_only_a_wiki_needs_is_compiled_for_it(tmp_path: Path) -> None:
    dump = tmp_path / "dump.xml"
    dump.write_text("<mediawiki><page><title>A</title></page></mediawiki>")
    assert FileSource.open([dump], ReaderSettings()).kernels == ("wikis",)
    own = {wanted for wanted, _ in _lists()["wikis"]}
    assert own
    assert not own & {wanted for name, rows in _lists().items() if name != "wikis" for wanted, _ in rows}
