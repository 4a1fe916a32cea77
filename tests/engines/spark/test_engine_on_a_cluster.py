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
import pyarrow.parquet as pq
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


STALLING = """
import sys, time
from pathlib import Path
import neardup
from neardup.cleaning import shards
from neardup.engines.spark import engine
from neardup.methods.documents import plan
from pyspark import TaskContext

source, folder, master = sys.argv[1:]


def stalled(part, seconds):
    context = TaskContext.get()
    if context.attemptNumber() < len(seconds) and context.partitionId() == part:
        time.sleep(seconds[context.attemptNumber()])


class Units(plan.MakeUnits):
    def __call__(self, batch, sides):
        stalled(0, [90])  # the second attempt is faster
        stalled(1, [8, 90])  # the second attempt is begun, and slower
        return super().__call__(batch, sides)


class Shard(shards.Shard):
    def __call__(self, shard, rows):
        done = super().__call__(shard, rows)
        if shard["number"] == 0 and TaskContext.get().attemptNumber() == 0:
            time.sleep(90)  # when it has written all, and not said so
        return done


engine.TASK_BYTES = 1
plan.MakeUnits = Units
shards.Shard = Shard
conf = {
    "spark.driver.host": "127.0.0.1",
    "spark.speculation": "true",
    "spark.speculation.interval": "200ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.minTaskRuntime": "1s",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.dir": Path(folder, "events").as_uri(),
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
chosen = dict(engine="spark", master=master, conf=conf)
neardup.documents(source, threshold=0.2, output=f"{folder}/out", **chosen)
neardup.dedup(f"{folder}/out", f"{folder}/clean", mode="remove", **chosen)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs two addresses of loopback")
def test_a_task_that_is_begun_twice_changes_nothing(two_workers: Cluster, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    texts = stories(60, 8)
    for number in range(6):
        rows = [json.dumps({"text": text}) for text in (*texts[number::6], texts[0])]
        (source / f"{number}.jsonl").write_text("".join(f"{row}\n" for row in rows))
    (tmp_path / "events").mkdir()
    script = tmp_path / "stalling.py"
    script.write_text(STALLING)
    done = subprocess.run(
        [sys.executable, str(script), str(source), str(tmp_path), two_workers.address],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    [log] = (tmp_path / "events").iterdir()
    events = [json.loads(line) for line in log.read_text().splitlines()]
    ended = [event for event in events if event["Event"] == "SparkListenerTaskEnd"]
    copies = [event["Task Info"] for event in ended if event["Task Info"]["Speculative"]]
    lost = [event for event in ended if event["Task End Reason"]["Reason"] == "TaskKilled"]
    assert len(copies) >= 3 and len(lost) >= 3
    assert {copy["Killed"] for copy in copies} == {True, False}
    local = neardup.documents(source, threshold=0.2, output=tmp_path / "local")
    ours, theirs = tables(local), tables(neardup.Result(tmp_path / "out"))
    assert all(theirs[name].equals(table) for name, table in ours.items())
    here = neardup.dedup(local, tmp_path / "here", mode="remove")
    assert here.removed >= 5
    for path in here.files:
        assert (tmp_path / "clean" / path.name).read_bytes() == path.read_bytes()
    removed = [pq.read_table(tmp_path / own / "neardup-removed.parquet") for own in ("here", "clean")]
    assert removed[1].equals(removed[0])


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
