"""Says what a GB costs on Spark, so that a large run can be planned: measured at several sizes.

    python benchmarks/spark_cost.py corpus.jsonl [--sizes 0.5 2 8] [--commands "documents" "passages"]

A corpus that is smaller than a size is repeated, with other letters for its letters, so that its
documents resemble none of those before. All statements are compiled and run by Spark, as they are where
no table is small. What grows is the slope of a line through all sizes; what it costs to begin is where
that line starts.
"""

import argparse
import json
import os
import random
import string
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.spark_steps import run, total

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


class Measured(NamedTuple):
    """What a run took: sizes in bytes, times in processor seconds."""

    size: int
    documents: int
    seconds: float
    java: float
    tasks_java: float
    python: float
    crossed: int
    shuffled: int
    written: int
    tasks: int
    peak: int


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


def measured(command: Sequence[str], corpus: Path, folder: Path) -> Measured:
    """Run a command on a corpus."""
    words = [command[0], str(corpus), *command[1:], "--master", "local[2]", "--keep-steps"]
    found, steps = run(words, folder, program=["-c", ALL_BY_SPARK])
    sums = total(list(steps.values()))
    output = folder / "result"
    counts = json.loads((output / "run.json").read_text())["counts"]
    written = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    return Measured(
        size=corpus.stat().st_size,
        documents=counts["documents"],
        seconds=found.seconds,
        java=found.by_program.get("java", 0),
        tasks_java=sums.java,
        python=found.by_program.get("python", 0),
        crossed=sums.sent + sums.returned,
        shuffled=sums.shuffled,
        written=written,
        tasks=sums.tasks,
        peak=found.peak_bytes,
    )


def show(command: str, runs: list[Measured]) -> None:
    """Print what each size took, and what follows for a GB and for TBs."""
    sizes = [own.size / 1e9 for own in runs]
    heads = ["", *(f"{size:.2f} GB" for size in sizes), "a GB more", *(f"{t} TB" for t in TERABYTES)]
    print(f"\n`{command}`\n\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for name, (label, unit, form) in LABELS.items():
        values = [getattr(own, name) / unit for own in runs]
        slope, start = np.polyfit(sizes, values, 1) if len(runs) > 1 else (values[0] / sizes[0], 0)
        far = [form.format(start + slope * 1e3 * t) for t in TERABYTES]
        if name in FIXED:
            slope, far = 0.0, ["", ""]
        cells = [*map(form.format, values), form.format(slope) if slope else "", *far]
        print(f"| {label} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Measure all commands at all sizes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sizes", type=float, nargs="+", default=[0.5, 2, 8], help="in GB")
    parser.add_argument(
        "--commands", nargs="+", default=["documents", "documents --candidates minhash", "passages"]
    )
    asked = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        found: dict[str, list[Measured]] = {command: [] for command in asked.commands}
        for size in asked.sizes:
            corpus = write_corpus(asked.corpus, int(size * 1e9), folder / "corpus.jsonl")
            for command, runs in found.items():
                runs.append(measured(command.split(), corpus, folder))
        for command, runs in found.items():
            show(command, runs)


if __name__ == "__main__":
    main()
