"""Says what a GB costs on Spark, so that a large run can be planned, and what each step costs.

    python -m benchmarks spark corpus.jsonl [--sizes 0.5 2 8] [--commands "documents"] [--steps]

A corpus that is smaller than a size is repeated, with other letters for its letters, so that its
documents resemble none of those before. All statements are compiled and run by Spark, as they are where
no table is small. What grows is the slope of a line through all sizes; what it costs to begin is where
that line starts.

With `--steps`, the command as it is: jobs, tasks, bytes between Java and Python, and seconds in both, of
each step, from Spark's event log. Java's are processor seconds of tasks, Python's the time that its
processes worked on a task, with the wait for a core.
"""

import argparse
import json
import random
import shutil
import string
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.measure import NEARDUP, Measurement, measure

SENT = "data sent to Python workers"
RETURNED = "data returned from Python workers"
PYTHON = "time to run Python workers"
NAME = "neardup: "
COLUMNS = (
    *("step", "jobs", "tasks", "MB to Python", "MB from Python", "MB shuffled"),
    *("Java s", "Python s", "most rows of a task"),
)
ALL_BY_SPARK = """
from neardup.engines.spark import session, small
small.MOST_BYTES = -1
session.SMALL = 0
from neardup.cli import main
main()
"""
TEXTS = ("text", "title", "body", "answer")
TERABYTES = (1, 10)
FIXED = {"seconds", "java", "peak"}  # of two cores, and what hardly grows
Measured = dict[str, float]  # what a run took: sizes in bytes, times in processor seconds
LABELS = {
    "documents": ("documents", 1.0, "{:,.0f}"),
    "seconds": ("seconds", 1.0, "{:.1f}"),
    "java": ("Java, processor s, with planning and compiling", 1.0, "{:.1f}"),
    "tasks_java": ("Java's tasks, processor s", 1.0, "{:.1f}"),
    "python": ("Python, processor s", 1.0, "{:.1f}"),
    "crossed": ("MB between them", 1e6, "{:.1f}"),
    "shuffled": ("MB shuffled", 1e6, "{:.1f}"),
    "written": ("MB written", 1e6, "{:.1f}"),
    "tasks": ("tasks", 1.0, "{:.0f}"),
    "peak": ("MB of memory, all processes", 1e6, "{:.0f}"),
}


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


def run(command: list[str], folder: Path, program: Sequence[str]) -> tuple[Measurement, dict[str, Cost]]:
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
    measured = measure([NEARDUP[0], *program, *command, *ending], log=folder / "log.txt")
    return measured, costs(logs)


def show_steps(measured: Measurement, steps: dict[str, Cost]) -> None:
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


def documents_of(corpus: Path) -> Iterator[str]:
    """Yield the lines of a corpus without an end: each time with other letters."""
    for round_number in range(10**6):
        letters = list(string.ascii_lowercase)
        if round_number:
            random.Random(round_number).shuffle(letters)
        other = str.maketrans(string.ascii_lowercase, "".join(letters))
        with corpus.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                texts = {name: row[name] for name in TEXTS if name in row}
                if round_number:
                    texts = {name: text.lower().translate(other) for name, text in texts.items()}
                yield json.dumps({"id": f"{round_number}-{row.get('id')}", **texts}) + "\n"


def write_corpus(corpus: Path, size: int, path: Path) -> Path:
    """Write so many bytes of a corpus."""
    with path.open("w", encoding="utf-8") as file:
        written = 0
        for line in documents_of(corpus):
            written += len(line.encode())
            if written > size:
                return path
            file.write(line)
    return path


def measured(command: Sequence[str], corpus: Path, folder: Path, in_steps: bool) -> Measured:
    """Run a command on a corpus; print what its steps took if that is asked for."""
    words = [command[0], str(corpus), *command[1:], "--master", "local[2]", "--keep-steps"]
    found, steps = run(words, folder, ("-m", "neardup") if in_steps else ("-c", ALL_BY_SPARK))
    if in_steps:
        show_steps(found, steps)
    sums = total(list(steps.values()))
    output = folder / "result"
    counts = json.loads((output / "run.json").read_text())["counts"]
    written = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    return {
        "size": corpus.stat().st_size,
        "documents": counts["documents"],
        "seconds": found.seconds,
        "java": found.by_program.get("java", 0),
        "tasks_java": sums.java,
        "python": found.by_program.get("python", 0),
        "crossed": sums.sent + sums.returned,
        "shuffled": sums.shuffled,
        "written": written,
        "tasks": sums.tasks,
        "peak": found.peak_bytes,
    }


def show(command: str, runs: list[Measured]) -> None:
    """Print what each size took, and what follows for a GB and for TBs."""
    sizes = [own["size"] / 1e9 for own in runs]
    heads = ["", *(f"{size:.2f} GB" for size in sizes), "a GB more", *(f"{t} TB" for t in TERABYTES)]
    print(f"\n`{command}`\n\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for name, (label, unit, form) in LABELS.items():
        values = [own[name] / unit for own in runs]
        slope, start = np.polyfit(sizes, values, 1) if len(runs) > 1 else (values[0] / sizes[0], 0)
        far = [form.format(start + slope * 1e3 * t) for t in TERABYTES]
        if name in FIXED:
            slope, far = 0.0, ["", ""]
        cells = [*map(form.format, values), form.format(slope) if slope else "", *far]
        print(f"| {label} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Measure all commands at all sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sizes", type=float, nargs="+", default=[0.5, 2, 8], help="in GB")
    parser.add_argument("--steps", action="store_true", help="what each step costs, too")
    parser.add_argument(
        "--commands", nargs="+", default=["documents", "documents --candidates minhash", "passages"]
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        found: dict[str, list[Measured]] = {command: [] for command in asked.commands}
        for size in asked.sizes:
            corpus = write_corpus(asked.corpus, int(size * 1e9), folder / "corpus.jsonl")
            for command, runs in found.items():
                runs.append(measured(command.split(), corpus, folder, asked.steps))
        for command, runs in found.items():
            show(command, runs)
