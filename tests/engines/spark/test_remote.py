"""Input that only Spark reaches."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.corpora import stories
from tests.engines.spark.comparing import tables

import neardup
from neardup.engines import engine_settings
from neardup.engines.spark import remote
from neardup.errors import InputError, SettingsError
from neardup.methods.documents.plan import job as documents_job
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.passages.plan import job as passages_job
from neardup.methods.passages.settings import PassageSettings
from neardup.readers.records import ReaderSettings
from neardup.results.running import run_job
from neardup.settings.run import RunSettings
from neardup.steps.against import Against


def test_files_that_only_spark_reaches_are_read_by_it(spark: Any, tmp_path: Path) -> None:
    texts = stories(6, 4)
    rows = [{"id": f"n{n}", "text": text} for n, text in enumerate([*texts, texts[2]])]
    for name, own in (("a.jsonl", rows[:4]), ("b.jsonl", rows[4:])):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in own))
    run = RunSettings.make(2, "64MB", engine=engine_settings(spark))
    source = remote.open_remote([f"file://{tmp_path}"], ReaderSettings(), run)
    mark = source.fingerprint()
    result: Any = run_job(documents_job(source, DocumentSettings(), run), run, tmp_path / "out")
    assert [tuple(row)[:2] for row in result.pairs.collect()] == [("n2", "n6")]
    assert remote.marked(remote.listed(spark, [f"file://{tmp_path}/[ab].jsonl"])) == mark
    (tmp_path / "b.jsonl").write_text("")
    assert remote.marked(remote.listed(spark, [f"file://{tmp_path}/[ab].jsonl"])) != mark


@pytest.mark.slow
def test_sources_that_only_spark_reaches_are_compared_with(spark: Any, tmp_path: Path) -> None:
    texts = stories(10, 3)
    for name, own in (("new.jsonl", texts[5:]), ("old.jsonl", texts[:5])):
        rows = [{"id": f"{name}{n}", "text": text} for n, text in enumerate(own)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    paths = [str(tmp_path / name) for name in ("new.jsonl", "old.jsonl")]
    inputs, against = ([f"file://{path}"] for path in paths)
    run = RunSettings.make(2, "64MB", engine=engine_settings(spark))
    source, boundary = remote.open_both(inputs, against, ReaderSettings(), run)
    chosen = PassageSettings(min_length=40)
    job = passages_job(source, chosen, run, Against(boundary, within=False))
    found = neardup.Result.of(run_job(job, run, tmp_path / "out"))
    expected = neardup.passages(paths[0], against=paths[1], min_length=40)
    assert expected.counts["passages"] > 1
    assert tables(found)["passages"].equals(tables(expected)["passages"])
    with pytest.raises(InputError, match="an input and a source"):
        remote.open_both(inputs, inputs, ReaderSettings(), run)
    (tmp_path / "old.jsonl").write_text('{"text": "a b c"}')
    with pytest.raises(InputError, match="different columns"):
        remote.open_both(inputs, against, ReaderSettings(), run)


def test_partitions_of_a_table_are_counted_up_to_the_last_with_rows(spark: Any) -> None:
    assert remote.partitions_of(spark.range(0, 9, 1, 3)) == 3
    assert remote.partitions_of(spark.range(0, 9, 1, 3).where("id < 6")) == 2
    assert remote.partitions_of(spark.range(0)) == 0


def test_each_kind_of_file_becomes_a_table_of_spark_s(spark: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["a b"]}), tmp_path / "x.parquet")
    (tmp_path / "x.csv").write_text('id,text\n1,"says ""a""\nb"\n')
    (tmp_path / "x.txt").write_text("a\nb")
    expected = {"x.parquet": [("a b",)], "x.csv": [("1", 'says "a"\nb')]}
    for name, rows in expected.items():
        found = remote.table_of(spark, [f"file://{tmp_path}/{name}"])
        assert [tuple(row) for row in found.collect()] == rows
    [text] = remote.table_of(spark, [f"file://{tmp_path}/x.txt"]).collect()
    assert text["text"] == "a\nb"
    assert text["id"].endswith("/x.txt")
    with pytest.raises(InputError, match="has no reader"):
        remote.table_of(spark, ["s3a://bucket/x.warc.gz"])
    with pytest.raises(InputError, match="is not like"):
        remote.table_of(spark, ["s3a://bucket/x.csv.gz", "s3a://bucket/x.parquet"])
    with pytest.raises(InputError, match="no such file"):
        remote.listed(spark, [f"file://{tmp_path}/nothing"])


def test_what_only_spark_reaches_is_left_to_it(spark: Any) -> None:
    assert remote.only_spark_reaches(["s3a://bucket/x"])
    assert remote.only_spark_reaches(["dbfs:/x"])
    assert not remote.only_spark_reaches(["file:///x", "x.jsonl", "C:/x"])
    with pytest.raises(SettingsError, match="does not know gopher"):
        neardup.documents("gopher://host/x.jsonl", engine=spark)
