"""Runs neardup and other tools on the same corpus and cores, and prints how they compare.

    python benchmarks/run.py [--corpus FILE.jsonl | --generate N] [--tools NAME…] [--quick]

A corpus needs the fields `id` and `text`. Time is that of the whole command, from JSONL to the
written result; memory is the peak of all its processes together.
"""

import argparse
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.claims import (
    Group,
    Score,
    neardup_groups,
    planted_truth,
    pooled_truth,
    rival_groups,
    score,
)
from benchmarks.corpus import truth_path
from benchmarks.environments import RIVALS, UnavailableError, interpreter
from benchmarks.measure import CommandError, Measurement, measure

ROOT = Path(__file__).resolve().parents[1]
CANDIDATES = ("minhash", "exact")
PROMISED = {"minhash": {"text-dedup": 100, "gaoya": 5}, "exact": {"text-dedup": 60, "gaoya": 3}}
SECTIONS = ("compare", "scaling", "memory", "passages")
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
    results: dict[str, object] = field(default_factory=dict)

    def neardup(
        self, corpus: Path, candidates: str, *, workers: int | None = None, memory: str = ""
    ) -> tuple[Measurement, list[Group]]:
        """Find near-duplicate documents."""
        options = ["--candidates", candidates, "--threshold", str(self.threshold), "--shingle", "word:5"]
        run, result = self.median("documents", corpus, options, workers, memory)
        groups = neardup_groups(result)
        shutil.rmtree(result)
        return run, groups

    def passages(self, corpus: Path, *, workers: int | None = None, memory: str = "") -> Measurement:
        """Find passages, with the default settings."""
        run, result = self.median("passages", corpus, [], workers, memory)
        shutil.rmtree(result)
        return run

    def median(
        self, method: str, corpus: Path, options: list[str], workers: int | None, memory: str
    ) -> tuple[Measurement, Path]:
        """Run neardup several times; the run of median time counts. Return it and a result."""
        script = shutil.which("neardup", path=Path(sys.executable).parent)
        if script is None:
            raise CommandError("neardup is not installed beside this Python; `make bench` does it")
        command = [script, method, str(corpus), "--quiet", *options]
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
        groups = rival_groups(output)
        shutil.rmtree(folder)
        return run, groups

    def floor(self) -> Measurement:
        """Read the corpus with DuckDB; the second time, when the file is in memory as for all."""
        folder = self.fresh("floor")
        script = ROOT / "benchmarks" / "floor.py"
        command = [sys.executable, str(script), str(self.corpus), str(self.workers)]
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
            script = ROOT / "benchmarks" / "corpus.py"
            command = [sys.executable, script, partial, "--documents", documents, "--seed", seed]
            measure(list(map(str, command)), log=self.cache / "corpus.log")
            partial.rename(path)
            truth_path(partial).rename(truth_path(path))
        return path

    def half(self) -> Path:
        """Write every second line of the corpus."""
        path = self.cache / "half.jsonl"
        with self.corpus.open("rb") as whole, path.open("wb") as half:
            half.writelines(line for number, line in enumerate(whole) if number % 2 == 0)
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
    console.print(
        "Truth: the planted pairs, with their exact similarity."
        if planted.exists()
        else "Truth: the pairs that any tool claims, verified one by one in plain Python."
    )
    for name, reason in skipped.items():
        console.print(f"Skipped {name}: {reason}")
    bench.results["true_pairs"] = sum(value >= bench.threshold for value in truth.values())
    bench.results["skipped"] = skipped
    bench.results["tools"] = {
        name: asdict(runs[name]) | asdict(scores[name]) | {"version": _version(name)} for name in runs
    }
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


def scaling(bench: Bench, whole: dict[str, Measurement]) -> dict[str, dict[str, float]]:
    """Compare one worker with several, and half of the corpus with all of it."""
    many = f"{bench.workers} workers"
    table = _table("scaling, in seconds", "neardup", many, "1 worker", "speed-up", "half", "doubling")
    half = bench.half()
    factors = {}
    for candidates in CANDIDATES:
        name = f"neardup {candidates}"
        full = whole.get(name) or bench.neardup(bench.corpus, candidates)[0]
        one = bench.neardup(bench.corpus, candidates, workers=1)[0].seconds
        part = bench.neardup(half, candidates)[0].seconds
        factors[candidates] = {"speed-up": one / full.seconds, "doubling": full.seconds / part}
        row = (full.seconds, one, one / full.seconds, part, full.seconds / part)
        table.add_row(candidates, *(f"{number:.2f}" for number in row))
    half.unlink()
    console.print(table)
    bench.results["scaling"] = factors
    return factors


def memory(bench: Bench, limit: int) -> float:
    """Run the exact join on a corpus ten times as large as the memory that it may use."""
    corpus = bench.generated(limit * 10_000_000 // BYTES_PER_DOCUMENT)
    run, groups = bench.neardup(corpus, "exact", memory=f"{limit}MB")
    got = score(groups, planted_truth(truth_path(corpus)), bench.threshold)
    size = corpus.stat().st_size
    console.print(
        f"memory: {size / 1e6:,.0f} MB of text with --memory {limit}MB: {run.seconds:.0f} s, peak "
        f"{run.peak_bytes / 1e6:.0f} MB, recall {got.recall:.3f}, precision {got.precision:.3f}"
    )
    bench.results["memory"] = asdict(run) | asdict(got) | {"limit_mb": limit, "corpus_bytes": size}
    return run.peak_bytes / 1e6


def passages(bench: Bench, limit: int) -> None:
    """Find passages in all of the corpus and in half of it, with fewer workers and less memory."""
    bench.passages(bench.generated(200))  # compiles what is not compiled
    half = bench.half()
    many = f"{bench.workers} workers"
    runs = {
        f"all, {many}": (bench.corpus, bench.passages(bench.corpus)),
        "all, 1 worker": (bench.corpus, bench.passages(bench.corpus, workers=1)),
        f"half, {many}": (half, bench.passages(half)),
        f"all, --memory {limit}MB": (bench.corpus, bench.passages(bench.corpus, memory=f"{limit}MB")),
    }
    table = _table("passages", "corpus", "seconds", "MB/s", "cpu s", "peak MB")
    for name, (corpus, run) in runs.items():
        speed = corpus.stat().st_size / 1e6 / run.seconds
        row = (run.seconds, speed, run.cpu_seconds, run.peak_bytes / 1e6)
        table.add_row(name, *(f"{number:.1f}" for number in row))
    half.unlink()
    console.print(table)
    bench.results["passages"] = {name: asdict(run) for name, (_, run) in runs.items()}


def targets(runs: dict[str, Measurement], factors: dict[str, dict[str, float]]) -> Table:
    """Set what was measured beside what neardup promises for 500 MB of RFCs on two cores."""
    table = _table("targets", "what", "target", "measured", "")

    def add(what: str, sign: str, bound: float, value: float) -> None:
        met = value >= bound if sign == "≥" else value <= bound
        table.add_row(what, f"{sign} {bound:g}", f"{value:.2f}", "met" if met else "MISSED")

    for candidates, bounds in PROMISED.items():
        for tool, bound in bounds.items():
            if tool in runs:
                ratio = runs[tool].seconds / runs[f"neardup {candidates}"].seconds
                add(f"{candidates}: times as fast as {tool}", "≥", bound, ratio)
        if candidates in factors:
            add(f"{candidates}: two workers against one", "≥", 1.7, factors[candidates]["speed-up"])
            add(f"{candidates}: cost of doubling", "≤", 2.05, factors[candidates]["doubling"])
    return table


def machine() -> dict[str, object]:
    """Describe where this runs."""
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": size,
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "load_at_start": os.getloadavg()[0],
    }


def _version(name: str) -> str:
    return RIVALS[name].version if name in RIVALS else version("neardup")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--corpus", type=Path, help="a JSONL file with the fields id and text")
    source.add_argument("--generate", type=int, metavar="N", help="documents; default 100,000")
    parser.add_argument("--tools", nargs="*", choices=list(RIVALS), default=list(RIVALS))
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--threshold", type=float, default=0.7)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3, help="runs of neardup; the median counts")
    parser.add_argument("--memory", type=int, default=64, metavar="MB", help="for that section")
    parser.add_argument("--quick", action="store_true", help="2,000 documents, no memory section")
    parser.add_argument("--cache", type=Path, default=ROOT / ".bench", help="environments, corpora")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results here as well")
    return parser.parse_args()


def main() -> None:
    """Run the chosen sections."""
    options = _options()
    options.cache.mkdir(parents=True, exist_ok=True)
    repeat = 1 if options.quick else options.repeat
    sections = set(options.sections) - ({"memory"} if options.quick else set())
    cache = options.cache.resolve()
    bench = Bench(Path(), cache, options.threshold, options.workers, repeat)
    documents = options.generate or (2_000 if options.quick else 100_000)
    bench.corpus = options.corpus.resolve() if options.corpus else bench.generated(documents)
    size = bench.corpus.stat().st_size
    here = machine()
    bench.results |= {"machine": here, "corpus": bench.corpus.name, "corpus_bytes": size}
    console.print(
        f"{bench.corpus.name}: {size / 1e6:,.0f} MB; {here['cores']} cores, load "
        f"{here['load_at_start']:.1f}; neardup's time is the median of {repeat}"
    )
    try:
        first = [bench.neardup(bench.generated(200), c)[0].seconds for c in CANDIDATES]
        console.print(f"neardup's first start, compiling what is not compiled: {sum(first):.1f} s")
        floor = bench.floor()
        bench.results["floor"] = asdict(floor)
        speed = size / 1e6 / floor.seconds
        console.print(f"floor: DuckDB reads the file in {floor.seconds:.2f} s, {speed:.0f} MB/s")
        runs = compare(bench, options.tools) if "compare" in sections else {}
        factors = scaling(bench, runs) if "scaling" in sections else {}
        if runs or factors:
            console.print(targets(runs, factors))
        if "memory" in sections:
            memory(bench, options.memory)
        if "passages" in sections:
            passages(bench, options.memory)
    except CommandError as error:
        raise SystemExit(str(error)) from error
    finally:  # what was measured before a failure is worth keeping
        if options.json:
            options.json.write_text(json.dumps(bench.results, indent=2) + "\n")


if __name__ == "__main__":
    main()
