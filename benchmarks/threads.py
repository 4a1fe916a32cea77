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
import pyarrow as pa
import pyarrow.compute as pc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.corpus import Language
from benchmarks.measure import Measurement, measure

Words = npt.NDArray[np.int64]
FIELDS = {"title": 7, "body": 50, "answer": 40}
COPIED = 1 / 6
BLOCK = 10_000


def threads(count: int, seed: int = 1) -> Iterator[pa.Array]:
    """Yield so many threads, each a line of JSON, in blocks."""
    rng = np.random.default_rng(seed)
    language = Language(rng)
    for first in range(0, count, BLOCK):
        numbers = range(first, min(first + BLOCK, count))
        texts = language.render_all(rng, block(len(numbers), rng, language))
        ids = pa.array([f'{{"id": "q{number}"' for number in numbers])
        fields = [texts.take(pa.array(range(f, len(texts), len(FIELDS)))) for f in range(len(FIELDS))]
        parts = [
            part for name, own in zip(FIELDS, fields, strict=True) for part in (f'", "{name}": "', own)
        ]
        parts[0] = parts[0].removeprefix('"')
        yield pc.binary_join_element_wise(ids, *parts, '"}\n', "")


def block(count: int, rng: np.random.Generator, language: Language) -> list[Words]:
    """Return the words of so many threads, field after field; a copy is of an earlier one."""
    sizes = rng.lognormal(np.log(list(FIELDS.values())), 0.5, (count, len(FIELDS)))
    lengths = np.maximum(sizes.astype(np.int64), 2).ravel()
    texts = np.split(language.draw(rng, int(lengths.sum())), np.cumsum(lengths)[:-1])
    for number in np.flatnonzero(rng.random(count) < COPIED):
        source = int(rng.integers(max(int(number), 1)))
        for field in range(len(FIELDS)):
            original = texts[source * len(FIELDS) + field]
            texts[number * len(FIELDS) + field] = edited(original, rng, language)
    return texts


def edited(words: Words, rng: np.random.Generator, language: Language) -> Words:
    """Return a copy with up to a quarter of the words changed."""
    copy = words.copy()
    changed = rng.integers(0, len(copy), int(len(copy) * rng.random() ** 2 / 4))
    copy[changed] = language.draw(rng, len(changed))
    return copy


def write(path: Path, count: int) -> int:
    """Write so many threads; return the bytes."""
    with path.open("w", encoding="utf-8") as out:
        for lines in threads(count):
            out.writelines(lines.to_pylist())
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
