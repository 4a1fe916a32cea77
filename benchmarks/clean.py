"""Measures `neardup clean`: python -m benchmarks clean CORPUS.jsonl.

The corpus is cut into shards of zstd JSON Lines, with `--copies` of it in which a twentieth of the words
differ. Then come the default recipe, each of its stages alone,
and the runs that it replaces: `documents`, `passages` and `sentences`, each with a `dedup` that
writes the corpus again. Each stage alone reads the corpus, too.
"""

import argparse
import json
import shutil
import tempfile
import tomllib
from contextlib import ExitStack
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from benchmarks.measure import NEARDUP, Measurement, measure

from neardup.cleaning.recipe import DEFAULT

SHARDS = 8  # of each copy
CHANGED = 0.05
OLD = (
    ("documents", ("documents",), ()),
    ("passages", ("passages", "--min-length", "50"), ()),
    ("paragraphs", ("sentences", "--split", "paragraphs", "--min-length", "100"), ()),
)


def cut(corpus: Path, folder: Path, copy: int) -> None:
    """Write the corpus, or a copy of it with changes, as shards."""
    import pyarrow as pa

    size = corpus.stat().st_size // SHARDS + 1
    paths = [folder / f"part-{copy:02}-{number}.jsonl.zst" for number in range(SHARDS)]
    done, chance = 0, np.random.default_rng(copy)
    with ExitStack() as stack, corpus.open("rb") as lines:
        files = [stack.enter_context(pa.CompressedOutputStream(str(path), "zstd")) for path in paths]
        for line in lines:
            files[done // size].write(changed(line, copy, chance) if copy else line)
            done += len(line)


def changed(line: bytes, copy: int, chance: np.random.Generator) -> bytes:
    """Give a twentieth of the words of a record another first letter, and the record another id."""
    data = np.frombuffer(line, np.uint8).copy()
    small = (data[2:] >= 97) & (data[2:] <= 122)
    heads = np.flatnonzero((data[:-2] != ord(":")) & (data[1:-1] == ord(" ")) & small) + 2
    chosen = heads[chance.random(len(heads)) < CHANGED]
    data[chosen] = 97 + (data[chosen] - 97 + chance.integers(1, 26, len(chosen))) % 26
    return data.tobytes().replace(b'"id": "', b'"id": "%d-' % copy, 1)


def told(name: str, cost: Measurement, size: int) -> None:
    """Print what a run cost."""
    rate = f"{size / 1e6 / cost.seconds:6.1f} MB/s"
    spent = f"{cost.seconds:8.1f} s {cost.cpu_seconds:8.1f} processor s"
    print(f"{name:22} {spent} {cost.peak_bytes / 1e6:7.0f} MB {rate}", flush=True)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", help="a stage, `all`, or `old`")
    parser.add_argument("--copies", type=int, default=1, help="so often the corpus, with changes")
    parser.add_argument("--memory", default="8GB", help="as for neardup clean")
    parser.add_argument("--master", help="run all of it on this Spark too, such as local[2]")
    given = parser.parse_args()
    size = given.corpus.stat().st_size * given.copies
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "shards").mkdir()
        with Pool(2) as pool:
            pool.map(partial(cut, given.corpus, folder / "shards"), range(given.copies), chunksize=1)
        recipe = tomllib.loads(DEFAULT)
        recipes = {"all": recipe} | {one["name"]: recipe | {"stage": [one]} for one in recipe["stage"]}
        for label, own in recipes.items():
            if given.only in (None, label):
                (folder / f"{label}.json").write_text(json.dumps(own))
                more = () if label == "all" or given.copies > 1 else ("--dry-run",)
                command = ("clean", folder / "shards", "--recipe", folder / f"{label}.json", *more)
                spark = [("--engine", "spark", "--master", given.master)] if given.master else []
                for engine in (("--workers", "2", "--memory", given.memory), *spark):
                    run = [*NEARDUP, *command, "-o", folder / "out" / label, *engine]
                    told(label, measure(run, log=folder / f"{label}.log"), size)
                    shutil.rmtree(folder / "out")
        data = folder / "shards"
        for label, command, more in OLD if given.only in (None, "old") else ():
            run = [*NEARDUP, *command, data, "-o", folder / "found", "--workers", "2", *more]
            told(label, measure(run, log=folder / "log"), size)
            data = folder / f"after-{label}"
            clean = [*NEARDUP, "dedup", folder / "found", "--mode", "remove", "-o", data]
            told(f"{label}: dedup", measure(clean, log=folder / "log"), size)
            shutil.rmtree(folder / "found")
