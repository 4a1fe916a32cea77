"""Measures `neardup threads`, its memory and look-ups: python -m benchmarks threads --threads 1000000.

Threads have a title of some 7 words, a body of some 50 and an answer of some 40, made-up words with the
frequencies of natural text. One thread in six is a copy of another with some words changed, as in the
paper's corpus, where 15.8 % had a near-duplicate. Same seed, same bytes.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from benchmarks.corpus import Language, Words
from benchmarks.measure import NEARDUP, measure

import neardup

FIELDS = {"title": 7, "body": 50, "answer": 40}
COPIED = 1 / 6
BLOCK = 10_000
ASKED = 500


def threads(count: int, seed: int = 1) -> Iterator[pa.Array]:
    """Yield so many threads, each a line of JSON, in blocks."""
    rng = np.random.default_rng(seed)
    language = Language(rng)
    for first in range(0, count, BLOCK):
        numbers = range(first, min(first + BLOCK, count))
        texts = language.render(rng, block(len(numbers), rng, language))
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
            copy = texts[source * len(FIELDS) + field].copy()
            changed = rng.integers(0, len(copy), int(len(copy) * rng.random() ** 2 / 4))
            copy[changed] = language.draw(rng, len(changed))
            texts[number * len(FIELDS) + field] = copy
    return texts


def speed(path: Path, work: Path, count: int, options: list[str]) -> None:
    """Print what one run over all threads costs, and what it finds."""
    command = [*NEARDUP, "threads", path, "-o", work / "out", "--overwrite", *options]
    found = measure(command, log=work / "log")
    counts = neardup.Result(work / "out").counts
    print(
        f"{count:,} threads, {path.stat().st_size / 1e6:.0f} MB: {found.seconds:.1f} s = "
        f"{count / found.seconds:,.0f} a second; {found.cpu_seconds:.1f} processor seconds; "
        f"peak {found.peak_bytes / 1e6:.0f} MB with {' '.join(options)}; {counts['pairs']:,} pairs of "
        f"{counts['candidates']:,} candidates, {counts['duplicates']:,} threads asked before",
        flush=True,
    )


def look_ups(path: Path, work: Path, count: int) -> None:
    """Print how long look-ups of threads like those in the index take."""
    begun = time.perf_counter()
    index = neardup.ThreadIndex.build(neardup.Result(work / "out"))
    built = time.perf_counter() - begun
    size = sum(part.stat().st_size for part in index.path.iterdir())
    each = max(count // ASKED, 1)
    with path.open(encoding="utf-8") as lines:
        asked = [json.loads(line) for number, line in enumerate(lines) if number % each == 0]
    seconds = []
    for thread in asked:
        begun = time.perf_counter()
        index.ask({name: thread[name] for name in ("title", "body")})
        seconds.append(time.perf_counter() - begun)
    seconds = sorted(seconds[10:])  # the first ones load what is needed
    print(
        f"look-ups among {count:,}: index built in {built:.1f} s, {size / 1e9:.2f} GB; "
        f"median {1000 * statistics.median(seconds):.2f} ms, "
        f"99 % within {1000 * seconds[len(seconds) * 99 // 100]:.2f} ms"
    )


def main() -> None:
    """Write threads, find who asked before, and look some up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=1_000_000)
    parser.add_argument("--workers", default="2")
    parser.add_argument("--memory", default="4GB")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
        path = Path(folder, "threads.jsonl")
        with path.open("w", encoding="utf-8") as out:
            for lines in threads(given.threads):
                out.writelines(lines.to_pylist())
        options = ["--workers", given.workers, "--memory", given.memory]
        speed(path, Path(folder), given.threads, options)
        look_ups(path, Path(folder), given.threads)
