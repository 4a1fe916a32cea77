"""Plans through Spark Connect: the same tables, without Java in this process."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import stories
from tests.engines.spark.comparing import same_on_both, tables

import neardup
from neardup.engines.spark.connect import SharedFolder, SummaryFile
from neardup.errors import InputError, SettingsError

TEXTS = stories(10, 4)
ROWS = [{"id": f"n{n}", "text": text} for n, text in enumerate([*TEXTS, TEXTS[3]])]
LINES = [json.dumps(row) + "\n" for row in ROWS]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "a.jsonl"
    made.write_text("".join(LINES))
    return made


def test_documents_are_compared_as_on_one_machine(connect: Any, path: Path) -> None:
    found = neardup.documents(path, engine=connect)
    expected = neardup.documents(path)
    assert expected.counts["pairs"] == 1
    assert tables(found) == tables(expected)


def test_results_are_written_to_no_addresses(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot write to addresses"):
        SharedFolder.at(Any, "s3://bucket/out")  # type: ignore[arg-type]
    folder = SharedFolder.at(Any, f"file://{tmp_path}/out")  # type: ignore[arg-type]
    assert (folder.beside(".partial") / "steps").path == tmp_path / "out.partial" / "steps"


def test_summaries_are_files_that_are_read_once(tmp_path: Path) -> None:
    kept = SummaryFile.of([1, 2], tmp_path / "steps")  # type: ignore[arg-type]
    assert kept.value == [1, 2]
    kept.path.write_bytes(b"")
    assert kept.value == [1, 2]
    assert SummaryFile.found_in(tmp_path / "steps") == kept
    assert SummaryFile.found_in(tmp_path / "elsewhere") is None


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(SettingsError, match="the server does not answer"):
        neardup.documents(["a text"], engine="spark", master="sc://127.0.0.1:1/;token=x")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["documents", "passages", "sentences", "pages"])
def test_every_statement_gives_the_same(connect: Any, path: Path, name: str) -> None:
    chosen: dict[str, Any] = {"min_length": 40} if name == "passages" else {}
    same_on_both(getattr(neardup, name), path, connect, **chosen)


@pytest.mark.slow
def test_dataframes_dedup_and_errors(connect: Any, path: Path, tmp_path: Path) -> None:
    frame = connect.createDataFrame([(row["id"], row["text"]) for row in ROWS]).toDF("id", "text")
    result = neardup.documents(frame, engine=connect, output=tmp_path / "out")
    assert [tuple(row)[:2] for row in result.pairs.collect()] == [("n3", "n10")]
    found = neardup.documents(path, output=tmp_path / "found", keep="first")
    done = neardup.dedup(found, tmp_path / "clean", mode="remove", engine=connect)
    assert done.removed == 1
    assert (tmp_path / "clean" / "a.jsonl").read_text() == "".join(LINES[:-1])
    path.write_text('{"text": 1}\n')
    with pytest.raises(InputError):
        neardup.documents(path, engine=connect, strict=True)
