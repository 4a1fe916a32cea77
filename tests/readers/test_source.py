"""Sources: files found by name, data in memory, and records fetched again."""

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from tests.readers.samples import DOCUMENTS, Make

from neardup.errors import InputError
from neardup.readers import jsonl
from neardup.readers.files import find
from neardup.readers.numbers import Split, together
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import (
    FileSource,
    Source,
    TableSource,
    fetch,
    grouped,
    open_source,
    rewrite,
)

SETTINGS = ReaderSettings()
TEXTS = [d["text"] for d in DOCUMENTS]
IDS = [d["id"] for d in DOCUMENTS]


def rows_in(source: Source) -> list[dict[str, Any]]:
    return [row for split in source.splits() for b in source.read(split) for row in b.to_pylist()]


FRAMES: dict[str, Callable[[], Any]] = {
    "dicts": lambda: DOCUMENTS,
    "generator": lambda: (dict(d) for d in DOCUMENTS),
    "columns": lambda: {"id": IDS, "text": TEXTS},
    "pandas": lambda: pd.DataFrame(DOCUMENTS),
    "polars": lambda: pl.DataFrame(DOCUMENTS),
    "lazy": lambda: pl.LazyFrame(DOCUMENTS),
    "table": lambda: pa.Table.from_pylist(DOCUMENTS),
    "batch": lambda: pa.RecordBatch.from_pylist(DOCUMENTS),
    "reader": lambda: pa.Table.from_pylist(DOCUMENTS).to_reader(),
    "dataset": lambda: ds.dataset(pa.Table.from_pylist(DOCUMENTS)),
}
SERIES: dict[str, Callable[[], Any]] = {
    "strings": lambda: list(TEXTS),
    "generator": lambda: iter(TEXTS),
    "pandas": lambda: pd.Series(TEXTS),
    "polars": lambda: pl.Series(TEXTS),
    "arrow": lambda: pa.array(TEXTS),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_tables_in_memory(kind: str) -> None:
    source = open_source(FRAMES[kind](), SETTINGS)
    assert source.names == ["memory"]
    rows = rows_in(source)
    assert [(r["id"], r["text"]) for r in rows] == list(zip(IDS, TEXTS, strict=True))
    same = open_source(DOCUMENTS, SETTINGS)
    assert [r["doc"] for r in rows] == [r["doc"] for r in rows_in(same)]


@pytest.mark.parametrize("kind", SERIES)
def test_strings_in_memory(kind: str) -> None:
    rows = rows_in(open_source(SERIES[kind](), SETTINGS))
    assert [(r["id"], r["text"]) for r in rows] == [(None, text) for text in TEXTS]


def test_bad_items_in_memory() -> None:
    rows = rows_in(open_source(["a", None, 5, {"text": 1}, "\ud800", {"text": "b"}], SETTINGS))
    bad = ["no text", "text is not a string", "text is not a string", "invalid UTF-8"]
    assert [row["problem"] for row in rows] == [None, *bad, None]
    mixed = pd.DataFrame({"text": ["a", 5, None], "n": [1.0, 2.0, None]})
    rows = rows_in(open_source(mixed, SETTINGS))
    assert [row["problem"] for row in rows] == [None, "text is not a string", "no text"]


def test_wrong_columns_in_memory() -> None:
    with pytest.raises(InputError, match="Did you mean 'text'"):
        open_source(DOCUMENTS, ReaderSettings(text_column="texd"))
    with pytest.raises(InputError, match="no columns"):
        open_source(["a"], ReaderSettings(text_column="text"))
    with pytest.raises(InputError, match="Python int"):
        open_source(5, SETTINGS)


def test_extra_columns_keep_their_types() -> None:
    table = pa.table({"text": ["a"], "n": [5], "tags": [["x", "y"]], "meta": [{"m": 1.5}]})
    (row,) = rows_in(open_source(table, ReaderSettings(columns=("n", "tags", "meta.m"))))
    assert (row["n"], row["tags"], row["meta.m"]) == (5, '["x", "y"]', 1.5)


def test_fingerprints_follow_the_content(make: Make) -> None:
    one, two = (open_source(texts, SETTINGS).fingerprint() for texts in (["a"], ["b"]))
    assert one != two
    assert open_source(["a"], SETTINGS).fingerprint() == one
    path = make("jsonl", DOCUMENTS)
    before = open_source(path, SETTINGS).fingerprint()
    assert open_source(path, SETTINGS).fingerprint() == before
    assert open_source(path, ReaderSettings(raw=True)).fingerprint() != before
    path.write_text('{"text": "new"}\n')
    assert open_source(path, SETTINGS).fingerprint() != before


def test_what_is_a_path_and_what_is_a_text(make: Make) -> None:
    path = make("jsonl", DOCUMENTS)
    for given in (path, str(path), [path], (path,), str(path.with_name("*.jsonl"))):
        assert isinstance(open_source(given, SETTINGS), FileSource)
    assert isinstance(open_source([str(path), "a text"], SETTINGS), TableSource)
    with pytest.raises(InputError, match="no such file"):
        open_source("some text", SETTINGS)


def test_sources_can_be_sent_to_other_processes(make: Make) -> None:
    for source in (open_source(make("jsonl", DOCUMENTS), SETTINGS), open_source(TEXTS, SETTINGS)):
        copy = pickle.loads(pickle.dumps(source))
        assert rows_in(copy) == rows_in(source)
        assert copy.fingerprint() == source.fingerprint()


def test_fetch_by_file_and_position(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", 60)
    folder = make("jsonl", DOCUMENTS).parent
    make("csv", DOCUMENTS)
    (folder / "z.jsonl").write_text('{"text": null}\n{"text": "last"}\n')
    source = open_source(folder, SETTINGS)
    assert source.names == ["data.csv", "data.jsonl", "z.jsonl"]
    wanted = [(2, 1), (0, 4), (1, 0), (1, 3), (2, 0), (1, 3), (2, 99)]
    assert fetch(source, wanted) == ["last", TEXTS[4], TEXTS[0], TEXTS[3], None, TEXTS[3], None]
    assert fetch(open_source(TEXTS, SETTINGS), [(0, 2)]) == [TEXTS[2]]
    assert fetch(source, []) == []


def test_numbers_follow_files_and_positions(make: Make) -> None:
    folder = make("jsonl", DOCUMENTS).parent
    make("parquet", DOCUMENTS)
    rows = rows_in(open_source(folder, SETTINGS))
    assert [row["file"] for row in rows] == [0] * 5 + [1] * 5
    assert [row["doc"] for row in rows] == sorted(row["doc"] for row in rows)


def test_globs_and_addresses(tmp_path: Path) -> None:
    for name in ("a/one.txt", "a/two.md", "b/deep/one.txt", "[odd].txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")

    def names(*patterns: str) -> list[str]:
        return [file.name for file in find(f"{tmp_path}/{p}" for p in patterns)]

    assert names("*/*.txt") == ["one.txt"]
    assert names("**/*.txt") == ["[odd].txt", "a/one.txt", "b/deep/one.txt"]
    assert names("a") == ["one.txt", "two.md"]
    assert names("a/one.txt", "a/*.txt", "a") == ["one.txt", "two.md"]
    assert names("[odd].txt") == ["[odd].txt"]
    assert [f.name for f in find([f"file://{tmp_path}/a"])] == ["one.txt", "two.md"]
    assert [f.name for f in find([f"file://{tmp_path}/a/*.md"])] == ["two.md"]


def test_rewrite_finds_the_format_and_keeps_empty_files(make: Make, tmp_path: Path) -> None:
    file = find([make("csv", DOCUMENTS)])[0]
    target = tmp_path / "new" / "folder" / "out.csv"
    assert rewrite(file, target, Decisions(np.array([False] * 4 + [True])), SETTINGS) is None
    assert [row["id"] for row in rows_in(open_source(target, SETTINGS))] == ["a5"]
    (tmp_path / "empty.parquet").touch()
    file = find([tmp_path / "empty.parquet"])[0]
    assert rewrite(file, tmp_path / "copy.parquet", Decisions(np.array([False])), SETTINGS) is None
    assert (tmp_path / "copy.parquet").read_bytes() == b""


def test_which_sources_hold_the_lock(make: Make, tmp_path: Path) -> None:
    assert not open_source(make("jsonl", DOCUMENTS), SETTINGS).holds_gil
    (tmp_path / "a.html").write_text("<p>x</p>")
    assert open_source(tmp_path, SETTINGS).holds_gil


class Sized:
    """A split that counts how often somebody asked for the size of any."""

    asked = 0

    @property
    def size(self) -> int:
        Sized.asked += 1
        return 10


def test_many_small_splits_are_put_together_in_one_pass() -> None:
    splits: list[Any] = [Sized() for _ in range(1000)]
    groups = list(grouped(splits, 3000))
    assert [len(group) for group in groups] == [300, 300, 300, 100]
    assert [split for group in groups for split in group] == splits
    assert Sized.asked == len(splits)


def test_small_batches_are_joined_and_large_ones_are_left_as_they_are() -> None:
    sizes = [1] * 20_000 + [9000, 8000, 3 << 20, 1]
    batches = [pa.record_batch({"text": ["x"] * size}) for size in sizes]
    found = list(together(batches))
    assert [batch.num_rows for batch in found] == [8192, 8192, 3616, 9000, 8000, 3 << 20, 1]
    assert pa.Table.from_batches(found) == pa.Table.from_batches(batches)
    assert found[3] is batches[20_000]


class Position(int):
    """A position that counts how often any was compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Position.compared += 1
        return int(self) < other

    def __le__(self, other: int) -> bool:
        Position.compared += 1
        return int(self) <= other

    def __ge__(self, other: int) -> bool:
        Position.compared += 1
        return int(self) >= other

    __hash__ = int.__hash__


class OneByOne:
    """A source with a batch for each record."""

    def splits(self) -> list[Split]:
        return [Split(0, 0, 0, 500, 0)]

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        for number in range(split.begin, split.end):
            yield pa.record_batch({"text": [str(number)]})


def test_fetch_looks_at_few_of_many_positions_in_each_batch() -> None:
    source: Any = OneByOne()
    wanted = [(0, Position(number)) for number in range(500)]
    assert fetch(source, wanted) == [str(number) for number in range(500)]
    assert Position.compared < 50 * len(wanted)


def test_names_of_files_are_not_taken_for_texts(make: Make) -> None:
    names = [str(make("jsonl", DOCUMENTS)), str(make("csv", DOCUMENTS))]
    with pytest.raises(InputError, match="names of files") as caught:
        open_source(names, SETTINGS)
    assert "Path" in str(caught.value.hint)
    assert len(rows_in(open_source([*names, "and a text"], SETTINGS))) == 3
