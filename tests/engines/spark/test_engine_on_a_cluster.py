"""Runs on a cluster of two workers, whatever becomes of them."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from tests.corpora import stories
from tests.engines.spark.comparing import tables
from tests.spark_cluster import Cluster, cluster

import neardup

NEARDUP = Path(sys.executable).with_name("neardup")


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if not shutil.which("java"):
        pytest.skip("there is no Java")
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def run_on(
    started: Cluster, source: Path, out: Path, *more: str, memory: str = "512m", **env: str
) -> subprocess.Popen[str]:
    command = [str(NEARDUP), "documents", str(source), "-o", str(out), "--threshold", "0.2"]
    spark = ["--engine", "spark", "--master", started.address, "--conf"]
    spark += [f"spark.executor.memory={memory}"]
    quick = ["--conf", "spark.sql.codegen.wholeStage=false", "--conf", "spark.driver.host=127.0.0.1"]
    return subprocess.Popen(
        [*command, *spark, *quick, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"} | env,
    )


def first_table_of(job: "subprocess.Popen[str]", folder: Path) -> Path:
    """Wait until a run into `out` has written its first table, and return what marks it as whole."""
    written = folder / "out.partial" / "steps" / "01-units" / "_SUCCESS"
    begun = time.monotonic()
    while not written.exists() and job.poll() is None and time.monotonic() - begun < 400:
        time.sleep(0.1)
    assert written.exists()
    return written


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    source = tmp_path / "texts.jsonl"
    source.write_text("\n".join(json.dumps({"text": text}) for text in stories(60, 8)))
    return source


def without_neardup(folder: Path) -> Path:
    """Make a Python that has all packages of this one but neardup."""
    packages = Path(pa.__file__).parent.parent
    python = folder / "python"
    path = f'PYTHONPATH="$PYTHONPATH:{packages}"'
    python.write_text(f'#!/bin/sh\n{path} exec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    return python


@pytest.mark.slow
def test_executors_get_the_package_from_an_archive_or_say_that_they_lack_it(
    two_workers: Cluster, corpus: Path, tmp_path: Path
) -> None:
    python = str(without_neardup(tmp_path))
    lacking = run_on(two_workers, corpus, tmp_path / "out", PYSPARK_PYTHON=python)
    told, _ = lacking.communicate(timeout=400)
    assert lacking.returncode == 2
    assert "the executors have no package neardup" in told
    assert "spark.archives" in told
    packed = shutil.make_archive(
        str(tmp_path / "neardup"), "zip", Path(neardup.__file__).parent.parent, "neardup"
    )
    archive = ["--conf", f"spark.archives={packed}#lib", "--conf", "spark.executorEnv.PYTHONPATH=lib"]
    sent = run_on(two_workers, corpus, tmp_path / "out", *archive, PYSPARK_PYTHON=python)
    told, _ = sent.communicate(timeout=400)
    assert sent.returncode == 0, told
    local = neardup.documents(str(corpus), threshold=0.2)
    assert tables(neardup.Result(tmp_path / "out"))["pairs"].equals(tables(local)["pairs"])


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(
    two_workers: Cluster, corpus: Path, tmp_path: Path
) -> None:
    job = run_on(two_workers, corpus, tmp_path / "out")
    first_table_of(job, tmp_path)
    two_workers.kill_worker(0)
    told, _ = job.communicate(timeout=400)
    assert job.returncode == 0, told
    ours, theirs = (
        tables(neardup.documents(str(corpus), threshold=0.2)),
        tables(neardup.Result(tmp_path / "out")),
    )
    assert ours.keys() == theirs.keys()
    assert all(theirs[name].equals(table) for name, table in ours.items())


@pytest.mark.slow
def test_a_driver_that_is_killed_leaves_what_the_same_command_goes_on_with(
    two_workers: Cluster, corpus: Path, tmp_path: Path
) -> None:
    job = run_on(two_workers, corpus, tmp_path / "out")
    before = first_table_of(job, tmp_path).stat().st_mtime_ns
    job.kill()
    job.communicate()
    again = run_on(two_workers, corpus, tmp_path / "out", "--keep-steps")
    told, _ = again.communicate(timeout=400)
    assert again.returncode == 0, told
    kept = tmp_path / "out" / "steps" / "01-units" / "_SUCCESS"
    assert kept.stat().st_mtime_ns == before
    ours, theirs = (
        tables(neardup.documents(str(corpus), threshold=0.2)),
        tables(neardup.Result(tmp_path / "out")),
    )
    assert all(theirs[name].equals(table) for name, table in ours.items())


@pytest.mark.slow
def test_a_document_whose_shingles_would_be_too_much_for_java_is_none_of_its_business(
    two_workers: Cluster, tmp_path: Path
) -> None:
    source = tmp_path / "texts.jsonl"
    dice = random.Random(1)
    huge = " ".join(str(dice.randrange(10**6)) for _ in range(9_000_000))
    source.write_text("\n".join(json.dumps({"text": text}) for text in (*stories(3, 5), huge)))
    poor = run_on(two_workers, source, tmp_path / "out")  # with 512 MB: died of it as bytes in a row
    told, _ = poor.communicate(timeout=600)
    assert poor.returncode == 0, told
    local = neardup.documents(str(source), threshold=0.2)
    assert tables(neardup.Result(tmp_path / "out"))["documents"].equals(tables(local)["documents"])
