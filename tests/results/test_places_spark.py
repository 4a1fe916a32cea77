"""Results whose tables Spark reads and writes."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import stories

import neardup
from neardup.engines.disk import DiskFolder
from neardup.engines.spark.folders import HadoopFolder
from neardup.engines.spark.frames import SparkTables
from neardup.errors import OutputError


def test_all_that_is_done_with_a_result_works_with_tables_of_spark_s(spark: Any, tmp_path: Path) -> None:
    rows = [{"id": own, "text": "A plain text of more than five words, twice."} for own in "ab"]
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    local = neardup.documents(tmp_path / "corpus.jsonl", output=tmp_path / "out")
    folder = HadoopFolder(spark, str(tmp_path / "out")).qualified()
    result = neardup.Result(str(folder), tables=SparkTables(folder))
    assert result._repr_html_() == local._repr_html_()
    assert result.to_polars().equals(local.to_polars())
    assert result.to_pandas().equals(local.to_pandas())
    assert result.explain("a", "b") == local.explain("a", "b")
    assert result.rethreshold(0.9).clusters == local.clusters
    assert neardup.dedup(result, tmp_path / "clean").removed == 1
    assert neardup.report(result, tmp_path / "report.html").pairs == 1


@pytest.mark.slow
def test_a_folder_that_is_not_free_is_refused(spark: Any, tmp_path: Path) -> None:
    texts = stories(3, 7)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear")
    with pytest.raises(OutputError, match="not an empty folder"):
        neardup.documents(texts, engine=spark, output=tmp_path / "mine")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "run.json").write_text("{}")
    with pytest.raises(OutputError, match="already holds a result"):
        neardup.documents(texts, engine=spark, output=tmp_path / "old")
    result = neardup.documents(texts, engine=spark, output=tmp_path / "old", overwrite=True)
    assert result.counts["documents"] == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "old"]
    (tmp_path / "old" / "letter.txt").write_text("Dear")
    with pytest.raises(OutputError, match=r"did not write: letter\.txt"):
        neardup.documents(texts, engine=spark, output=tmp_path / "old", overwrite=True)
    (tmp_path / "new.partial").mkdir()
    (tmp_path / "new.partial" / "letter.txt").write_text("Dear")
    with pytest.raises(OutputError, match="not neardup's"):
        neardup.documents(texts, engine=spark, output=tmp_path / "new")
    assert [(p.parent.name, p.read_text()) for p in sorted(tmp_path.glob("*/letter.txt"))] == [
        (name, "Dear") for name in ("mine", "new.partial", "old")
    ]


def test_two_runs_cannot_write_one_result(spark: Any, tmp_path: Path) -> None:
    with (
        DiskFolder(tmp_path / "out.partial").locked("out"),
        pytest.raises(OutputError, match="another run is writing this result"),
    ):
        neardup.documents(["a"], engine=spark, output=tmp_path / "out")
