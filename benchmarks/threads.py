"""Measures `neardup threads` and look-ups on generated threads: python benchmarks/threads.py.

Threads have a title of some 7 words, a body of some 50 and an answer of some 40, made-up words with the
frequencies of natural text. One thread in six is a copy of another with some words changed, as in the
paper's corpus, where 15.8 % had a near-duplicate. Same seed, same bytes.

    python benchmarks/threads.py --threads 1000000            speed, memory and look-ups
    python benchmarks/threads.py --sizes 50000 100000 200000  the paper's figures 8 and 9
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.corpus import Language
from benchmarks.measure import Measurement, measure

Words = npt.NDArray[np.int64]
FIELDS = {"title": 7, "body": 50, "answer": 40}
COPIED = 1 / 6
BLOCK = 10_000


def threads(count: int, seed: int = 1) -> Iterator[str]:
    """Yield so many threads, each a line of JSON."""
    rng = np.random.default_rng(seed)
    language = Language(rng)
    for first in range(0, count, BLOCK):
        block: list[dict[str, Words]] = []
        for number in range(first, min(first + BLOCK, count)):
            if block and rng.random() < COPIED:
                own = edited(block[rng.integers(len(block))], rng, language)
            else:
                sizes = {n: max(int(rng.lognormal(np.log(size), 0.5)), 2) for n, size in FIELDS.items()}
                own = {name: language.draw(rng, size) for name, size in sizes.items()}
            block.append(own)
            texts = ", ".join(f'"{n}": "{language.render(rng, w)}"' for n, w in own.items())
            yield f'{{"id": "q{number}", {texts}}}\n'


def edited(thread: dict[str, Words], rng: np.random.Generator, language: Language) -> dict[str, Words]:
    """Return a copy with up to a quarter of the words of each field changed."""
    copy = {name: words.copy() for name, words in thread.items()}
    for words in copy.values():
        changed = rng.integers(0, len(words), int(len(words) * rng.random() ** 2 / 4))
        words[changed] = language.draw(rng, len(changed))
    return copy


def write(path: Path, count: int) -> int:
    """Write so many threads; return the bytes."""
    with path.open("w", encoding="utf-8") as out:
        out.writelines(threads(count))
    return path.stat().st_size


def run(path: Path, work: Path, options: list[str]) -> tuple[Measurement, dict[str, int]]:
    """Measure one run, and return its counts."""
    out = work / "out"
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "neardup",
        "threads",
        path,
        "-o",
        out,
        "--overwrite",
    ]
    found = measure([*command, *options], log=work / "log")
    return found, json.loads((out / "run.json").read_text())["counts"]


def speed(path: Path, work: Path, count: int, workers: int, memory: str) -> None:
    """Print the speed of a whole run."""
    found, counts = run(path, work, ["--workers", str(workers), "--memory", memory])
    size = path.stat().st_size
    print(
        f"{count:,} threads, {size / 1e6:.0f} MB: {found.seconds:.1f} s, {count / found.seconds:,.0f} a "
        f"second; {found.cpu_seconds:.1f} processor seconds = "
        f"{count / found.cpu_seconds * workers:,.0f} a second of {workers} cores; "
        f"peak {found.peak_bytes / 1e6:.0f} MB with --memory {memory}; {counts['pairs']:,} pairs of "
        f"{counts['candidates']:,} candidates, {counts['duplicates']:,} threads asked before",
        flush=True,
    )


def compare(work: Path, sizes: list[int], cap: int) -> None:
    """Print the two indexes side by side: seconds, and threads found."""
    print("threads     term             term, capped     doc              (processor s, asked before)")
    for size in sizes:
        path = work / "threads.jsonl"
        write(path, size)
        cells = []
        for options in (["--max-postings", "0"], ["--max-postings", str(cap)], ["--index", "doc"]):
            found, counts = run(path, work, options)
            cells.append(f"{found.cpu_seconds:6.1f} {counts['duplicates']:8,}")
        print(f"{size:<11,} {'  '.join(cells)}", flush=True)


def look_ups(path: Path, work: Path, count: int) -> None:
    """Print how long look-ups of threads like those in the index take."""
    import neardup

    begun = time.perf_counter()
    index = neardup.ThreadIndex.build(neardup.Result(work / "out"))
    built = time.perf_counter() - begun
    size = sum(part.stat().st_size for part in index.folder.iterdir())
    with path.open(encoding="utf-8") as lines:
        asked = [json.loads(line) for number, line in enumerate(lines) if number % (count // 500) == 0]
    seconds = []
    for thread in asked:
        question = {name: thread[name] for name in ("title", "body")}
        begun = time.perf_counter()
        index.ask(question)
        seconds.append(time.perf_counter() - begun)
    seconds = sorted(seconds[10:])
    print(
        f"look-ups among {count:,}: index built in {built:.1f} s, {size / 1e9:.2f} GB; "
        f"median {1000 * statistics.median(seconds):.2f} ms, "
        f"99 % within {1000 * seconds[len(seconds) * 99 // 100]:.2f} ms"
    )


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=0, help="measure a run, and look-ups")
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="compare the two indexes")
    parser.add_argument("--cap", type=int, default=3, help="threads of one signature, capped")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="4GB")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
        work = Path(folder)
        if given.threads:
            path = work / "threads.jsonl"
            write(path, given.threads)
            speed(path, work, given.threads, given.workers, given.memory)
            look_ups(path, work, given.threads)
        compare(work, given.sizes, given.cap) if given.sizes else None


if __name__ == "__main__":
    main()
