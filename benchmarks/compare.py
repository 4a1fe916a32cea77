"""Runs neardup and other tools on the same corpus and cores, and prints how they compare.

    python -m benchmarks compare [--corpus FILE.jsonl | --generate N] [--tools NAME…] [--quick]

A corpus needs the fields `id` and `text`. Time is that of the whole command, from JSONL to the
written result; memory is the peak of all its processes together.
"""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

from benchmarks.claims import Group, Score, neardup_groups, planted_truth, pooled_truth, score
from benchmarks.corpus import Settings, half, truth_path, write_corpus
from benchmarks.environments import RIVALS, UnavailableError, interpreter
from benchmarks.measure import NEARDUP, ROOT, CommandError, Measurement, measure
from rich import box
from rich.console import Console
from rich.table import Table

CANDIDATES = ("minhash", "exact")
SECTIONS = ("compare", "scaling", "memory", "passages")
FLOOR = """
import sys, duckdb
duckdb.sql(f"SET threads = {int(sys.argv[2])}")
read = "read_json(?, format = 'newline_delimited', maximum_object_size = 1073741824, "
read += "columns = {'id': 'VARCHAR', 'text': 'VARCHAR'})"
print(duckdb.execute(f"SELECT count(*), sum(strlen(text)) FROM {read}", sys.argv[1:2]).fetchone())
"""
BYTES_PER_DOCUMENT = 2_500  # of a generated corpus, rather less than more
console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)


@dataclass
class Bench:
    """The settings of this benchmark, and the commands that they make."""

    corpus: Path
    cache: Path
    threshold: float
    workers: int
    repeat: int

    def neardup(
        self, corpus: Path, candidates: str, *, workers: int | None = None, memory: str = ""
    ) -> tuple[Measurement, list[Group]]:
        """Find near-duplicate documents."""
        options = ["--candidates", candidates, "--threshold", str(self.threshold), "--shingle", "word:5"]
        run, result = self.median("documents", corpus, options, workers, memory)
        return run, neardup_groups(result)

    def passages(self, corpus: Path, *, workers: int | None = None, memory: str = "") -> Measurement:
        """Find passages, with the default settings."""
        return self.median("passages", corpus, [], workers, memory)[0]

    def median(
        self, method: str, corpus: Path, options: list[str], workers: int | None, memory: str
    ) -> tuple[Measurement, Path]:
        """Run neardup several times; the run of median time counts. Return it and a result."""
        command = [*NEARDUP, method, corpus, "--quiet", *options]
        command += ["--workers", str(workers or self.workers)]
        command += ["--memory", memory] if memory else []
        runs = []
        for _ in range(self.repeat):
            folder = self.fresh(f"neardup-{method}")
            runs.append(measure([*command, "-o", str(folder / "result")], log=folder / "log.txt"))
        return sorted(runs, key=lambda run: run.seconds)[(len(runs) - 1) // 2], folder / "result"

    def rival(self, name: str) -> tuple[Measurement, list[Group]]:
        """Run another tool once, in its own environment."""
        python = interpreter(self.cache, name)
        folder = self.fresh(name)
        module = f"benchmarks.rivals.{name.replace('-', '_')}"
        output = folder / "groups.jsonl"
        command = [python, "-m", module, self.corpus, output, self.threshold, self.workers]
        environment = {"PYTHONPATH": str(ROOT)}
        run = measure(list(map(str, command)), log=folder / "log.txt", environment=environment)
        return run, list(map(json.loads, output.read_text("utf-8").splitlines()))

    def floor(self) -> Measurement:
        """Read the corpus with DuckDB; the second time, when the file is in memory as for all."""
        folder = self.fresh("floor")
        command = [sys.executable, "-c", FLOOR, str(self.corpus), str(self.workers)]
        return [measure(command, log=folder / "log.txt") for _ in range(2)][-1]

    def fresh(self, name: str) -> Path:
        """Make an empty folder for one run."""
        folder = self.cache / "runs" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def generated(self, documents: int, seed: int = 1) -> Path:
        """Generate a corpus, unless an earlier benchmark has."""
        path = self.cache / f"corpus-{documents}-{seed}.jsonl"
        if not truth_path(path).exists():
            console.print(f"generating {documents:,} documents …")
            partial = self.cache / "partial.jsonl"
            write_corpus(partial, Settings(documents, seed))
            partial.rename(path)
            truth_path(partial).rename(truth_path(path))
        return path


def compare(bench: Bench, tools: list[str]) -> dict[str, Measurement]:
    """Run all tools on the corpus and print a table."""
    runs: dict[str, Measurement] = {}
    claims: dict[str, list[Group]] = {}
    skipped: dict[str, str] = {}
    commands: dict[str, Callable[[], tuple[Measurement, list[Group]]]] = {
        f"neardup {candidates}": partial(bench.neardup, bench.corpus, candidates)
        for candidates in CANDIDATES
    }
    commands |= {name: partial(bench.rival, name) for name in tools}
    for name, command in commands.items():
        console.print(f"{name} … ", end="")
        try:
            runs[name], claims[name] = command()
            console.print(f"{runs[name].seconds:.1f} s")
        except (CommandError, UnavailableError) as error:
            if name.startswith("neardup"):
                raise
            skipped[name] = str(error)
            console.print("skipped")
    planted = truth_path(bench.corpus)
    truth = planted_truth(planted) if planted.exists() else pooled_truth(bench.corpus, claims.values())
    scores = {name: score(groups, truth, bench.threshold) for name, groups in claims.items()}
    console.print(_comparison(bench, runs, scores))
    pooled = "the pairs that any tool claims, verified one by one in plain Python"
    console.print(f"Truth: {'the planted pairs' if planted.exists() else pooled}.")
    for name, reason in skipped.items():
        console.print(f"Skipped {name}: {reason}")
    return runs


def _comparison(bench: Bench, runs: dict[str, Measurement], scores: dict[str, Score]) -> Table:
    near = f"recall {bench.threshold:g}–{bench.threshold + 0.1:g}"
    costs = ("seconds", "x minhash", "x exact", "cpu s", "cpu s/GB", "peak MB")
    title = f"{bench.corpus.name}, {bench.workers} workers"
    table = _table(title, "tool", *costs, "pairs", "recall", near, "precision")
    for name, run in sorted(runs.items(), key=lambda item: item[1].seconds):
        got = scores[name]
        table.add_row(
            f"{name} {_version(name)}",
            f"{run.seconds:.1f}",
            *(f"{run.seconds / runs[f'neardup {c}'].seconds:.1f}" for c in CANDIDATES),
            f"{run.cpu_seconds:.1f}",
            f"{run.cpu_seconds / bench.corpus.stat().st_size * 1e9:.1f}",
            f"{run.peak_bytes / 1e6:.0f}",
            f"{got.claimed:,}",
            *(f"{share:.3f}" for share in (got.recall, got.near, got.precision)),
        )
    return table


def _table(title: str, first: str, *headings: str) -> Table:
    """Make an empty table of one column of names and some of numbers."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def scaling(bench: Bench, whole: dict[str, Measurement]) -> None:
    """Compare one worker with several, and half of the corpus with all of it."""
    many = f"{bench.workers} workers"
    table = _table("scaling, in seconds", "neardup", many, "1 worker", "speed-up", "half", "doubling")
    part = half(bench.corpus, bench.cache / "half.jsonl")
    for candidates in CANDIDATES:
        name = f"neardup {candidates}"
        full = whole.get(name) or bench.neardup(bench.corpus, candidates)[0]
        one = bench.neardup(bench.corpus, candidates, workers=1)[0].seconds
        some = bench.neardup(part, candidates)[0].seconds
        row = (full.seconds, one, one / full.seconds, some, full.seconds / some)
        table.add_row(candidates, *(f"{number:.2f}" for number in row))
    part.unlink()
    console.print(table)


def memory(bench: Bench, limit: int) -> None:
    """Run the exact join on a corpus ten times as large as the memory that it may use."""
    corpus = bench.generated(limit * 10_000_000 // BYTES_PER_DOCUMENT)
    run, groups = bench.neardup(corpus, "exact", memory=f"{limit}MB")
    got = score(groups, planted_truth(truth_path(corpus)), bench.threshold)
    size = corpus.stat().st_size
    console.print(
        f"memory: {size / 1e6:,.0f} MB of text with --memory {limit}MB: {run.seconds:.0f} s, peak "
        f"{run.peak_bytes / 1e6:.0f} MB, recall {got.recall:.3f}, precision {got.precision:.3f}"
    )


def passages(bench: Bench, limit: int) -> None:
    """Find passages in all of the corpus and in half of it, with fewer workers and less memory."""
    bench.passages(bench.generated(200))  # compiles what is not compiled
    part = half(bench.corpus, bench.cache / "half.jsonl")
    many = f"{bench.workers} workers"
    runs = {
        f"all, {many}": (bench.corpus, bench.passages(bench.corpus)),
        "all, 1 worker": (bench.corpus, bench.passages(bench.corpus, workers=1)),
        f"half, {many}": (part, bench.passages(part)),
        f"all, --memory {limit}MB": (bench.corpus, bench.passages(bench.corpus, memory=f"{limit}MB")),
    }
    table = _table("passages", "corpus", "seconds", "MB/s", "cpu s", "peak MB")
    for name, (corpus, run) in runs.items():
        speed = corpus.stat().st_size / 1e6 / run.seconds
        row = (run.seconds, speed, run.cpu_seconds, run.peak_bytes / 1e6)
        table.add_row(name, *(f"{number:.1f}" for number in row))
    part.unlink()
    console.print(table)


def _version(name: str) -> str:
    return RIVALS[name].version if name in RIVALS else version("neardup")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, help="a JSONL file with the fields id and text")
    parser.add_argument("--generate", type=int, metavar="N", default=100_000, help="documents")
    parser.add_argument("--tools", nargs="*", choices=list(RIVALS), default=list(RIVALS))
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--threshold", type=float, default=0.7)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3, help="runs of neardup; the median counts")
    parser.add_argument("--memory", type=int, default=64, metavar="MB", help="for that section")
    parser.add_argument("--quick", action="store_true", help="2,000 documents, no memory section")
    parser.add_argument("--cache", type=Path, default=ROOT / ".bench", help="environments, corpora")
    return parser.parse_args()


def main() -> None:
    """Run the chosen sections."""
    options = _options()
    cache = options.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    repeat = 1 if options.quick else options.repeat
    sections = set(options.sections) - ({"memory"} if options.quick else set())
    bench = Bench(Path(), cache, options.threshold, options.workers, repeat)
    documents = 2_000 if options.quick else options.generate
    bench.corpus = options.corpus.resolve() if options.corpus else bench.generated(documents)
    size = bench.corpus.stat().st_size / 1e6
    console.print(
        f"{bench.corpus.name}: {size:,.0f} MB; {len(os.sched_getaffinity(0))} cores, load "
        f"{os.getloadavg()[0]:.1f}; neardup's time is the median of {repeat}"
    )
    try:
        for candidates in CANDIDATES:
            bench.neardup(bench.generated(200), candidates)  # compiles what is not compiled
        floor = bench.floor().seconds
        console.print(f"floor: DuckDB reads the file in {floor:.2f} s, {size / floor:.0f} MB/s")
        runs = compare(bench, options.tools) if "compare" in sections else {}
        if "scaling" in sections:
            scaling(bench, runs)
        if "memory" in sections:
            memory(bench, options.memory)
        if "passages" in sections:
            passages(bench, options.memory)
    except CommandError as error:
        raise SystemExit(str(error)) from error
