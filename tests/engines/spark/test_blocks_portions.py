"""What tasks get to read."""

import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.corpora import stories

from neardup.engines.spark.blocks import part_of, portions_of
from neardup.engines.spark.tasks import PORTION
from neardup.readers.records import ReaderSettings
from neardup.readers.selection import NamedDocuments
from neardup.readers.source import FileSource, Source, TableSource, grouped

FEW, MANY = 12, 600
OF_A_TASK = 6


def files(folder: Path, number: int) -> FileSource:
    folder.mkdir()
    for own in range(number):
        (folder / f"{own:04}.txt").write_text(f"Text number {own}, and no more.")
    return FileSource.open([folder], ReaderSettings())


@pytest.fixture
def of_files(tmp_path: Path) -> FileSource:
    return files(tmp_path / "in", FEW)


@pytest.fixture
def in_memory(monkeypatch: pytest.MonkeyPatch) -> TableSource:
    monkeypatch.setattr("neardup.readers.memory.SPLIT_BYTES", 1)
    table = pa.concat_tables(pa.table({"text": [text]}) for text in stories(7, 3))
    return TableSource.open(table, ReaderSettings())


@pytest.fixture
def by_name(of_files: FileSource) -> NamedDocuments:
    return NamedDocuments(of_files.files, of_files.settings, frozenset({"0003.txt", "0007.txt"}))


@pytest.mark.parametrize("kind", ["of_files", "in_memory", "by_name"])
def test_a_part_reads_the_same(kind: str, request: pytest.FixtureRequest) -> None:
    source: Source = request.getfixturevalue(kind)
    splits = source.splits()
    assert len(splits) > 5
    for group in grouped([split._replace(size=1) for split in splits], 5):
        part, moved = pickle.loads(pickle.dumps(part_of(source, group)))
        for split, own in zip(group, moved, strict=True):
            assert list(part.read(own)) == list(source.read(split))


def test_a_task_gets_no_more_where_there_are_more_files(spark: Any, tmp_path: Path) -> None:
    sizes = {}
    for number in (FEW, MANY):
        source = files(tmp_path / f"in-{number}", number)
        groups = list(grouped((s._replace(size=1) for s in source.splits()), OF_A_TASK))
        rows = portions_of(spark, source, groups)
        found = rows.selectExpr("spark_partition_id() as task", f"length({PORTION}) as size").collect()
        assert len({row["task"] for row in found}) == len(found) == number // OF_A_TASK
        sizes[number] = max(row["size"] for row in found)
    assert sizes[MANY] < 1.1 * sizes[FEW]
