"""Compares clusters of one worker and of two, and says what memory the driver takes as input grows.

    python benchmarks/spark_workers.py corpus.jsonl [--sizes 2 8] [--workers 1 2] [--command documents]

A master and workers on loopback, each with one core and an executor of its own. The corpus is repeated
as in spark_cost.py. All processes of the command itself are the driver: its Python and its Java.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(
    0, str(Path(__file__).resolve().parents[1])
)  # so that `benchmarks` and `tests` are found

from benchmarks.measure import Measurement, measure
from benchmarks.spark_cost import write_corpus
from tests.spark_cluster import Cluster

SETTINGS = ("spark.executor.memory=2g", "spark.driver.host=127.0.0.1")


def run(command: list[str], corpus: Path, workers: int, folder: Path) -> Measurement:
    """Run a command on a new cluster of so many workers."""
    folder.mkdir()
    started = Cluster(folder, workers)
    told = [word for setting in SETTINGS for word in ("--conf", setting)]
    place = ["-o", str(folder / "result"), "--quiet", "--engine", "spark", "--master", started.address]
    words = [sys.executable, "-m", "neardup", command[0], str(corpus), *command[1:], *place, *told]
    try:
        return measure(words, log=folder / "log.txt", environment={"SPARK_LOCAL_IP": "127.0.0.1"})
    finally:
        started.stop()


def main() -> None:
    """Print a line for each size and number of workers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sizes", type=float, nargs="+", default=[2, 8], help="in GB")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--command", default="documents")
    asked = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    print(
        "| GB | workers | s | driver: MB at most | its processor s |\n|---|---|---|---|---|", flush=True
    )
    for size in asked.sizes:
        with tempfile.TemporaryDirectory() as work:
            corpus = write_corpus(asked.corpus, int(size * 1e9), Path(work, "corpus.jsonl"))
            for workers in asked.workers:
                found = run(asked.command.split(), corpus, workers, Path(work, f"workers-{workers}"))
                memory, spent = found.peak_bytes / 1e6, found.cpu_seconds
                print(
                    f"| {size:g} | {workers} | {found.seconds:.0f} | {memory:.0f} | {spent:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
