"""Runs the same command on both engines, and says what Spark costs and where it begins to pay.

    python -m benchmarks engines --corpus FILE.jsonl [--methods documents passages]
        [--engines local[2] cluster]

Time is that of the whole command, with Spark's start, of the engine on this machine, of Spark in one
process, and of a cluster on loopback with one and with two workers of one core. A short run comes first,
so that Spark's classes are ready, as from the second run on. With `--engines`, beside the engine
on this machine those whose names hold one of the words.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import half
from benchmarks.measure import DEMO, NEARDUP, Measurement, measure
from tests.spark_cluster import Cluster

SPARK = ["--engine", "spark", "--master"]
ON_CLUSTER = ["--engine", "spark", "--conf", "spark.executor.memory=2g"]
ON_CLUSTER += ["--conf", "spark.driver.host=127.0.0.1"]
ENGINES: list[tuple[str, list[str], int]] = [
    ("local, 2 workers", ["--workers", "2"], 0),
    ("Spark local[1]", [*SPARK, "local[1]"], 0),
    ("Spark local[2]", [*SPARK, "local[2]"], 0),
    ("Spark, a cluster with 1 worker", ON_CLUSTER, 1),
    ("Spark, a cluster with 2 workers", ON_CLUSTER, 2),
]
WRITING = 30  # seconds in which Java writes the archive of its classes


def main() -> None:
    """Read the options and run what they ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--methods", nargs="+", default=["documents", "passages"])
    parser.add_argument("--engines", nargs="+", default=[""])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for method in options.methods:
            show_times(method, options.corpus, options.engines, Path(folder))


def show_times(method: str, corpus: Path, wanted: list[str], folder: Path) -> None:
    """Print the times of both engines on the corpus and half of it, and what follows from them."""
    part_of_it = half(corpus, folder / "half.jsonl")
    print(f"\n{method}: {corpus.stat().st_size / 1e6:.0f} MB")
    print(
        "| engine | seconds | half of the corpus | start | seconds a GB | times local "
        "| processor seconds | times local |"
    )
    print("|---|---|---|---|---|---|---|---|")
    rows = {}
    run(method, DEMO, [*SPARK, "local[2]"], folder)
    time.sleep(WRITING)
    chosen = [own for own in ENGINES[1:] if any(word in own[0] for word in wanted)]
    for name, choice, workers in (ENGINES[0], *chosen):
        with using(workers, folder) as started:
            more = [*choice, *(["--master", started.address] if started else [])]
            sessions = [worker.pid for worker in started.workers] if started else []
            whole, part = (run(method, path, more, folder, sessions) for path in (corpus, part_of_it))
        slope = (whole.seconds - part.seconds) / (corpus.stat().st_size - part_of_it.stat().st_size)
        start = max(whole.seconds - slope * corpus.stat().st_size, 0)
        rows[name] = (whole, start, slope)
        base = rows[ENGINES[0][0]][0]
        ratio, cost = whole.seconds / base.seconds, whole.cpu_seconds / base.cpu_seconds
        print(
            f"| {name} | {whole.seconds:.1f} | {part.seconds:.1f} | {start:.1f} | {slope * 1e9:.1f} "
            f"| {ratio:.1f} | {whole.cpu_seconds:.1f} | {cost:.1f} |",
            flush=True,
        )
    if "Spark local[2]" not in rows:
        return
    (_, begin, ours), (_, start, theirs) = rows[ENGINES[0][0]], rows["Spark local[2]"]
    if min(ours, theirs) <= 0:
        print("The corpus is too small to tell what grows with it.")
        return
    cores = 2 * theirs / ours
    size = (start - begin) / (ours / 2)
    print(f"Spark needs {cores:.0f} cores to read as many bytes a second as the local engine with two;")
    print(f"with {2 * cores:.0f}, if all share the work, it is faster from {size / 1e9:.1f} GB on.")


@contextmanager
def using(workers: int, folder: Path) -> Iterator[Cluster | None]:
    """Start a cluster with so many workers; none if there are to be none."""
    if not workers:
        yield None
        return
    place = folder / f"cluster-{workers}"
    place.mkdir(exist_ok=True)
    started = Cluster(place, workers)
    try:
        yield started
    finally:
        started.stop()


def run(
    method: str, corpus: Path, choice: list[str], folder: Path, sessions: Sequence[int] = ()
) -> Measurement:
    """Return what one command costs."""
    output = folder / "result"
    command = [*NEARDUP, method, corpus, "-o", output]
    environment = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    log = folder / "log.txt"
    found = measure([*command, "--quiet", *choice], log=log, environment=environment, others=sessions)
    shutil.rmtree(output)
    return found
