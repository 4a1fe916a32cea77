"""Runs methods on a cluster that loses what it needs, and compares their tables with the local engine's.

    python benchmarks/spark_faults.py [--runs 20] [--faults worker disk] [--methods documents]

One master and three workers on loopback, for each run new ones. What happens, at a moment drawn at
random from the time that an undisturbed run takes (`--seed`):

- worker: a worker and its executor are killed at once, as a machine that loses power;
- memory: an executor is killed, as the kernel does when memory is out;
- disk: the local disk of a worker is full from the start (64 kB in memory; mounting it needs root);
- slow: a worker stands still nine tenths of the time; what takes too long is begun elsewhere, too;
- driver: the command itself is killed, and given once more.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq

sys.path.insert(
    0, str(Path(__file__).resolve().parents[1])
)  # so that `benchmarks` and `tests` are found

from tests.corpora import stories
from tests.spark_cluster import Cluster

METHODS = ["documents", "passages", "sentences", "threads", "pages"]
WORKERS = 3
SMALL_DISK = "size=64k"
STILL, MOVING = 0.45, 0.05  # seconds
MOST_SECONDS = 900
EXCLUDING = ("spark.excludeOnFailure.enabled=true",)
SPECULATING = (
    "spark.speculation=true",
    "spark.speculation.multiplier=2",
    "spark.speculation.quantile=0.5",
)


class Run:
    """A command on a cluster, as a process."""

    def __init__(
        self, started: Cluster, command: list[str], output: Path, conf: tuple[str, ...]
    ) -> None:
        self.started = started
        self.output = output
        settings = ("spark.executor.memory=512m", "spark.driver.host=127.0.0.1", *conf)
        told = [word for setting in settings for word in ("--conf", setting)]
        place = ["-o", str(output), "--quiet", "--engine", "spark", "--master", started.address]
        self.command = [sys.executable, "-m", "neardup", *command, *place, *told]
        self.process = self._begin()

    def _begin(self) -> "subprocess.Popen[bytes]":
        environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        log = self.output.with_suffix(".log").open("ab")
        return subprocess.Popen(
            self.command, stdout=log, stderr=log, env=environment, start_new_session=True
        )

    def again(self) -> None:
        """Kill the command with all that it started here, and give it once more."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if not (self.output / "run.json").exists():
            self.process = self._begin()

    def wait(self, seconds: float = MOST_SECONDS) -> int | None:
        """Return how the command ended; None if it did not."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


Fault = Callable[[Run, float, random.Random], None]


def sleep(run: Run, seconds: float) -> None:
    """Wait, but not longer than the command takes."""
    run.wait(seconds)


def kill_worker(run: Run, moment: float, dice: random.Random) -> None:
    """Kill a worker with its executors."""
    sleep(run, moment)
    run.started.kill_worker(dice.randrange(WORKERS))


def kill_executor(run: Run, moment: float, dice: random.Random) -> None:
    """Kill the executor of a worker, which starts another one."""
    sleep(run, moment)
    worker = run.started.workers[dice.randrange(WORKERS)].pid
    for process in executors_of(worker):
        os.kill(process, signal.SIGKILL)


def executors_of(worker: int) -> Iterator[int]:
    """Yield the Java processes that a worker has started."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[3]) == worker and b"CoarseGrainedExecutorBackend" in words:
            yield int(process.name)


def slow_down(run: Run, moment: float, dice: random.Random) -> None:
    """Let a worker with its executors stand still most of the time."""
    sleep(run, moment)
    worker = run.started.workers[dice.randrange(WORKERS)].pid
    until = time.monotonic() + MOST_SECONDS
    while run.process.poll() is None and time.monotonic() < until:
        for sent, seconds in ((signal.SIGSTOP, STILL), (signal.SIGCONT, MOVING)):
            os.killpg(worker, sent)
            time.sleep(seconds)


def kill_driver(run: Run, moment: float, dice: random.Random) -> None:
    """Kill the command, and give it again."""
    del dice
    sleep(run, moment)
    run.again()


def nothing(run: Run, moment: float, dice: random.Random) -> None:
    """Do no harm."""
    del run, moment, dice


FAULTS: dict[str, tuple[Fault, tuple[str, ...]]] = {
    "none": (nothing, ()),
    "worker": (kill_worker, ()),
    "memory": (kill_executor, ()),
    "disk": (nothing, EXCLUDING),
    "slow": (slow_down, SPECULATING),
    "driver": (kill_driver, ()),
}


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Give a folder on which next to nothing can be written."""
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", SMALL_DISK, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def cluster_for(fault: str, folder: Path) -> Iterator[Cluster]:
    """Start a cluster; one of its workers has a full disk if that is the fault."""
    if fault == "disk":
        with small_disk(folder / "full") as full, cluster_for("", folder / "cluster") as started:
            started.replace_worker(WORKERS - 1, full)
            yield started
        return
    folder.mkdir(exist_ok=True)
    started = Cluster(folder, WORKERS)
    try:
        yield started
    finally:
        started.stop()


def same_tables(output: Path, expected: Path) -> bool:
    """Say whether two results have the same tables, row by row."""
    names = {path.name for path in expected.glob("*.parquet")}
    if names != {path.name for path in output.glob("*.parquet")}:
        return False
    return all(pq.read_table(output / name).equals(pq.read_table(expected / name)) for name in names)


def tried(fault: str, command: list[str], expected: Path, seconds: float, dice: random.Random) -> str:
    """Run a command once with a fault, and say in a word how it ended."""
    harm, conf = FAULTS[fault]
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        with cluster_for(fault, folder / "machines") as started:
            run = Run(started, command, folder / "result", conf)
            harm(run, dice.uniform(0, seconds), dice)
            code = run.wait()
            if code is None:
                os.killpg(run.process.pid, signal.SIGKILL)
                return "not finished"
        if code:
            print((folder / "result.log").read_text(errors="replace")[-600:], file=sys.stderr)
            return f"ended with {code}"
        return "same tables" if same_tables(folder / "result", expected) else "OTHER TABLES"


def write_corpus(path: Path, documents: int) -> Path:
    """Write texts, some of them twice, that are threads as well."""
    texts = stories(documents, 8)
    with path.open("w", encoding="utf-8") as lines:
        for text in (*texts, *texts[:50]):
            row = {"text": text, "title": text[:60], "body": text, "answer": text[::2]}
            lines.write(json.dumps(row) + "\n")
    return path


def main() -> None:
    """Print for each method and fault how many runs ended how."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--faults", nargs="+", choices=FAULTS, default=list(FAULTS)[1:])
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as work:
        corpus = write_corpus(Path(work, "corpus.jsonl"), asked.documents)
        print("| method | fault | runs | how they ended | s |\n|---|---|---|---|---|")
        for method in asked.methods:
            command, expected = [method, str(corpus)], Path(work, f"local-{method}")
            local = [sys.executable, "-m", "neardup", *command, "-o", str(expected), "--quiet"]
            subprocess.run(local, check=True)
            begun = time.monotonic()
            tried("none", command, expected, 0, dice)
            usual = time.monotonic() - begun
            for fault in asked.faults:
                begun = time.monotonic()
                ends = Counter(tried(fault, command, expected, usual, dice) for _ in range(asked.runs))
                told = ", ".join(f"{count} {how}" for how, count in sorted(ends.items()))
                each = (time.monotonic() - begun) / asked.runs
                print(f"| `{method}` | {fault} | {asked.runs} | {told} | {each:.0f} |", flush=True)
            shutil.rmtree(expected)


if __name__ == "__main__":
    main()
