"""Says what each step costs on Spark: jobs, tasks, bytes between Java and Python, and seconds in both.

    python benchmarks/spark_steps.py corpus.jsonl [--commands "documents" "passages"] [--megabytes 64]

Bytes, rows and seconds of steps are from Spark's event log. Java's are processor seconds of tasks,
Python's the time that its processes worked on a task, with the wait for a core. The last lines are
processor seconds of whole processes, with Java's start, planning, compiling and collecting garbage.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.measure import Measurement, measure

SENT = "data sent to Python workers"
RETURNED = "data returned from Python workers"
PYTHON = "time to run Python workers"
NAME = "neardup: "
COMMANDS = ("documents --candidates minhash", "documents --candidates exact")
COLUMNS = (
    *("step", "jobs", "tasks", "MB to Python", "MB from Python", "MB shuffled"),
    *("Java s", "Python s", "most rows of a task"),
)


@dataclass
class Cost:
    """What the jobs of a step took."""

    jobs: set[int] = field(default_factory=set)
    tasks: int = 0
    sent: int = 0
    returned: int = 0
    shuffled: int = 0
    java: float = 0
    python: float = 0
    largest: int = 0  # rows that one task read

    def add(self, event: dict[str, Any]) -> None:
        """Take in a task that has ended."""
        metrics = event["Task Metrics"]
        self.tasks += 1
        self.java += metrics["Executor CPU Time"] / 1e9
        self.shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
        read = metrics["Input Metrics"]["Records Read"]
        read += metrics["Shuffle Read Metrics"]["Total Records Read"]
        self.largest = max(self.largest, read)
        updates: dict[str, int] = defaultdict(int)
        for one in event["Task Info"]["Accumulables"]:
            if one.get("Name") in {SENT, RETURNED, PYTHON}:
                updates[one["Name"]] += int(one["Update"])
        self.sent += updates[SENT]
        self.returned += updates[RETURNED]
        self.python += updates[PYTHON] / 1e3


def events(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of all logs in a folder."""
    for log in sorted(path for path in folder.rglob("*") if path.is_file()):
        with log.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def costs(folder: Path) -> dict[str, Cost]:
    """Return what each step took, by its name."""
    found: dict[str, Cost] = defaultdict(Cost)
    steps: dict[int, str] = {}
    for event in events(folder):
        if event["Event"] == "SparkListenerJobStart":
            properties = event.get("Properties") or {}
            name = properties.get("spark.job.description", "").removeprefix(NAME) or "others"
            found[name].jobs.add(event["Job ID"])
            steps |= dict.fromkeys(event["Stage IDs"], name)
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            found[steps[event["Stage ID"]]].add(event)
    return dict(found)


def run(
    command: list[str], folder: Path, program: Sequence[str] = ("-m", "neardup")
) -> tuple[Measurement, dict[str, Cost]]:
    """Run a command on Spark and return what all of it and each of its steps took."""
    logs, output = folder / "events", folder / "result"
    for place in (logs, output):
        shutil.rmtree(place, ignore_errors=True)
    logs.mkdir()
    settings = {"enabled": "true", "dir": logs.as_uri(), "compress": "false", "rolling.enabled": "false"}
    told = [
        word for key, value in settings.items() for word in ("--conf", f"spark.eventLog.{key}={value}")
    ]
    ending = ["-o", str(output), "--quiet", "--engine", "spark", *told]
    measured = measure([sys.executable, *program, *command, *ending], log=folder / "log.txt")
    return measured, costs(logs)


def show(measured: Measurement, steps: dict[str, Cost]) -> None:
    """Print a line a step, and the sums."""
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for name, cost in [*steps.items(), ("all", total(list(steps.values())))]:
        sizes = " | ".join(f"{size / 1e6:.1f}" for size in (cost.sent, cost.returned, cost.shuffled))
        seconds = f"{cost.java:.1f} | {cost.python:.1f}"
        print(f"| {name} | {len(cost.jobs)} | {cost.tasks} | {sizes} | {seconds} | {cost.largest:,} |")
    apart = ", ".join(f"{name} {seconds:.1f}" for name, seconds in sorted(measured.by_program.items()))
    print(f"\n{measured.seconds:.1f} s; processor seconds: {apart}; ", end="")
    print(f"{measured.peak_bytes / 1e9:.1f} GB at most")


def total(parts: list[Cost]) -> Cost:
    """Return the sum of costs."""
    sums = Cost(jobs={job for part in parts for job in part.jobs})
    for part in parts:
        for name in ("tasks", "sent", "returned", "shuffled", "java", "python"):
            setattr(sums, name, getattr(sums, name) + getattr(part, name))
    sums.largest = max((part.largest for part in parts), default=0)
    return sums


def beginning(corpus: Path, size: int, path: Path) -> Path:
    """Write the first documents of a corpus, of so many bytes."""
    with corpus.open("rb") as lines, path.open("wb") as part:
        for line in lines:
            if part.tell() + len(line) > size:
                break
            part.write(line)
    return path


def main() -> None:
    """Print a table for each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--commands", nargs="+", default=COMMANDS)
    parser.add_argument("--megabytes", type=int, help="of the corpus; all if not given")
    parser.add_argument("--master", default="local[2]")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder, corpus = Path(work), asked.corpus
        if asked.megabytes:
            corpus = beginning(corpus, asked.megabytes * 10**6, folder / "part.jsonl")
        for command in asked.commands:
            print(f"\n{command}, {corpus.stat().st_size / 1e6:.0f} MB\n")
            show(*run([*command.split(), str(corpus), "--master", asked.master], folder))


if __name__ == "__main__":
    main()
