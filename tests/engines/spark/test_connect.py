"""Plans through Spark Connect: the same tables, without Java in this process."""

from pathlib import Path
from typing import Any

import pytest
from tests.corpora import stories
from tests.engines.spark.comparing import same_on_both

import neardup
from neardup.engines.spark.connect import SharedFolder
from neardup.errors import InputError, SettingsError


def test_documents_are_compared_as_on_one_machine(connect: Any, tmp_path: Path) -> None:
    texts = stories(8, 4)
    path = tmp_path / "a.csv"
    rows = [f'n{n},"{text}"\n' for n, text in enumerate([*texts, texts[3]])]
    path.write_text("id,text\n" + "".join(rows))
    found = same_on_both(neardup.documents, path, connect)
    assert found.counts["pairs"] == 1
    frame = connect.createDataFrame([(f"n{n}", text) for n, text in enumerate([*texts, texts[3]])])
    result = neardup.documents(frame.toDF("id", "text"), engine=connect, output=tmp_path / "out")
    assert [tuple(row)[:2] for row in result.pairs.collect()] == [("n3", "n8")]
    done = neardup.dedup(
        neardup.documents(path, output=tmp_path / "found"),
        tmp_path / "clean",
        mode="remove",
        engine=connect,
    )
    assert done.removed == 1
    assert (tmp_path / "clean" / "a.csv").read_text() == "id,text\n" + "".join(rows[:-1])


def test_what_connect_cannot_do_is_refused(connect: Any) -> None:
    with pytest.raises(SettingsError, match="writes to no addresses"):
        SharedFolder.at(connect, "s3://bucket/out")


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(SettingsError, match="the server does not answer"):
        neardup.documents(["a text"], engine="spark", master="sc://127.0.0.1:1/;token=x")


@pytest.mark.slow
@pytest.mark.parametrize("method", [neardup.passages, neardup.sentences, neardup.pages])
def test_other_methods_are_the_same_too(connect: Any, method: Any) -> None:
    texts = stories(10, 6)
    same_on_both(method, [*texts, f"{texts[0]} {texts[5]}"], connect)


@pytest.mark.slow
def test_errors_arrive_as_they_are(connect: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": 1}\n')
    with pytest.raises(InputError):
        neardup.documents(tmp_path / "a.jsonl", engine=connect, strict=True)
