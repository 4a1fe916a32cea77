"""Runs the same command on both engines, and says what Spark costs and where it begins to pay.

    python benchmarks/engines.py --corpus FILE.jsonl [--methods documents passages] [--sizes]
        [--engines local[2] cluster]

Time is that of the whole command, with Spark's start, of the engine on this machine, of Spark in one
process, and of a cluster on loopback with one and with two workers of one core. A short run comes first,
so that Spark's classes are ready, as from the second run on. With `--engines`, beside the engine
on this machine those whose names hold one of the words. With `--sizes`, instead of times: the rows and
bytes of each table that the Spark engine writes, per document, to plan a large run by.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.measure import Measurement, measure
from tests.spark_cluster import Cluster

import neardup

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
    parser.add_argument("--sizes", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for method in options.methods:
            if options.sizes:
                show_sizes(method, options.corpus, Path(folder))
            else:
                show_times(method, options.corpus, options.engines, Path(folder))


def show_times(method: str, corpus: Path, wanted: list[str], folder: Path) -> None:
    """Print the times of both engines on the corpus and half of it, and what follows from them."""
    half = halved(corpus, folder / "half.jsonl")
    print(f"\n{method}: {corpus.stat().st_size / 1e6:.0f} MB")
    print(
        "| engine | seconds | half of the corpus | start | seconds a GB | times local "
        "| processor seconds | times local |"
    )
    print("|---|---|---|---|---|---|---|---|")
    rows = {}
    run(method, demo(), [*SPARK, "local[2]"], folder)
    time.sleep(WRITING)
    chosen = [own for own in ENGINES[1:] if any(word in own[0] for word in wanted)]
    for name, choice, workers in (ENGINES[0], *chosen):
        with using(workers, folder) as started:
            more = [*choice, *(["--master", started.address] if started else [])]
            sessions = [worker.pid for worker in started.workers] if started else []
            whole, part = (run(method, path, more, folder, sessions) for path in (corpus, half))
        slope = (whole.seconds - part.seconds) / (corpus.stat().st_size - half.stat().st_size)
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


def demo() -> Path:
    """Return the corpus that comes with the package."""
    return Path(neardup.__file__).parent / "data" / "demo.jsonl"


def run(
    method: str, corpus: Path, choice: list[str], folder: Path, sessions: Sequence[int] = ()
) -> Measurement:
    """Return what one command costs."""
    output = folder / "result"
    command = [str(Path(sys.executable).with_name("neardup")), method, str(corpus), "-o", str(output)]
    environment = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    log = folder / "log.txt"
    found = measure([*command, "--quiet", *choice], log=log, environment=environment, others=sessions)
    shutil.rmtree(output)
    return found


def halved(corpus: Path, path: Path) -> Path:
    """Write every second document of a corpus."""
    with corpus.open("rb") as lines, path.open("wb") as half:
        half.writelines(line for number, line in enumerate(lines) if number % 2)
    return path


def show_sizes(method: str, corpus: Path, folder: Path) -> None:
    """Print what each table that the Spark engine writes has of rows and bytes, for a document."""
    output = folder / f"sizes-{method}"
    command = [str(Path(sys.executable).with_name("neardup")), method, str(corpus), "-o", str(output)]
    measure([*command, "--quiet", "--keep-steps", *SPARK, "local[2]"], log=folder / "log.txt")
    documents = json.loads((output / "run.json").read_text())["counts"]["documents"]
    print(f"\n{method}: {documents:,} documents, {corpus.stat().st_size / documents:,.0f} bytes each")
    print("| table | rows a document | bytes a document |")
    print("|---|---|---|")
    for name, rows, size in written(output):
        print(f"| `{name}` | {rows / documents:.3f} | {size / documents:,.1f} |")


def written(output: Path) -> Iterator[tuple[str, int, int]]:
    """Yield the name, rows and bytes of each table that a run left."""
    for folder in (*sorted((output / "steps").iterdir()), *sorted(output.glob("*.parquet"))):
        parts = sorted(folder.glob("*.parquet"))
        if parts:
            rows = sum(pq.read_metadata(part).num_rows for part in parts)
            yield folder.name, rows, sum(part.stat().st_size for part in parts)


if __name__ == "__main__":
    main()
