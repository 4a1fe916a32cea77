"""Measures each step of `neardup documents`: seconds, processor seconds, and what is serial.

Work that only one thread can do is what the engine's own thread does while its workers wait, and all
of a step in SQL: so the share that is printed is the highest that it can be. If processor seconds do not
grow with the workers, these do not wait for each other's locks.

    python benchmarks/steps.py corpus.jsonl --workers 1 2 4 8 --candidates minhash exact
"""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import neardup
from neardup.engines.local.engine import LocalEngine
from neardup.plan import Cluster, Sql, Step

LEAST = 0.02  # processor seconds of a step that has a line of its own


class Measured(NamedTuple):
    """What one step took."""

    name: str
    seconds: float
    processor: float
    serial: float


def processor_seconds() -> float:
    """Return the processor time of this process and of those that it waited for."""
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)


class Watching(LocalEngine):
    """The local engine, with a look at the clocks before and after each step."""

    found: list[Measured]

    def _run_step(self, step: Step, folder: Path) -> None:
        before = time.perf_counter(), processor_seconds(), time.thread_time()
        super()._run_step(step, folder)
        after = time.perf_counter(), processor_seconds(), time.thread_time()
        seconds, processor, own = (b - a for a, b in zip(before, after, strict=True))
        serial = processor if isinstance(step, Sql | Cluster) or self.workers == 1 else own
        self.found.append(Measured(step.name, seconds, processor, serial))


def measured(corpus: Path, candidates: Any, workers: int) -> list[Measured]:
    """Run a method and return what its steps took."""
    Watching.found = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "result")
        neardup.documents(corpus, candidates=candidates, workers=workers, output=out)
    return Watching.found


def show(name: str, steps: list[Measured]) -> None:
    """Print a table: steps that take long, all others together, and the sum."""
    large = [step for step in steps if step.processor >= LEAST]
    rows = [*large, total("others", [step for step in steps if step not in large]), total("all", steps)]
    print(f"\n{name}\n\n| step | seconds | processor s | serial s | serial |\n|---|---|---|---|---|")
    for step in rows:
        share = step.serial / step.processor if step.processor else 0
        figures = f"{step.seconds:.2f} | {step.processor:.2f} | {step.serial:.2f} | {share:.0%}"
        print(f"| {step.name} | {figures} |")


def total(name: str, steps: list[Measured]) -> Measured:
    """Return the sum of several steps."""
    seconds, processor = (sum(step.seconds for step in steps), sum(step.processor for step in steps))
    return Measured(name, seconds, processor, sum(step.serial for step in steps))


def main() -> None:
    """Print a table for each kind of candidates and number of workers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--candidates", nargs="+", default=["minhash", "exact"])
    asked = parser.parse_args()
    sys.modules["neardup.engines.local.engine"].LocalEngine = Watching  # type: ignore[attr-defined]
    for candidates in asked.candidates:
        measured(asked.corpus, candidates, asked.workers[0])  # loads the kernels
        for workers in asked.workers:
            show(f"{candidates}, {workers} workers", measured(asked.corpus, candidates, workers))


if __name__ == "__main__":
    main()
