"""Measures what cleaning a training corpus costs: python benchmarks/training.py CORPUS.jsonl.

Two ratios, each of runs that take turns on the same machine: `documents --against` (files, and an index
of them) to a run over both sides, the old one ten times the new one; and `dedup --mode remove` of zstd
Parquet shards to copying them with pyarrow. `benchmarks/corpus.py` makes a corpus; any with id and text
will do. `benchmarks/decontaminate.py --speed` measures decontamination.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.measure import Measurement, measure

EACH = 11  # one of so many documents is new
SHARDS = 8
GROUP = 1000  # rows
NEARDUP: list[str | Path] = [sys.executable, "-m", "neardup"]


def split(corpus: Path, folder: Path) -> None:
    """Write the new and the old side of a corpus."""
    with (
        corpus.open(encoding="utf-8") as source,
        (folder / "new.jsonl").open("w", encoding="utf-8") as new,
        (folder / "old.jsonl").open("w", encoding="utf-8") as old,
    ):
        for number, line in enumerate(source):
            (old if number % EACH else new).write(line)


def rows(corpus: Path, times: int) -> Iterator[dict[str, object]]:
    """Yield the documents of a corpus so many times, with a nested column; copies are duplicates."""
    for time in range(times):
        with corpus.open(encoding="utf-8") as source:
            for number, line in enumerate(source):
                found = json.loads(line)
                about = {"tags": ["a", "b"][: number % 3], "seen": {"times": number % 7}}
                yield {"id": f"{time}-{found['id']}", "text": found["text"], "meta": about}


def shards(corpus: Path, folder: Path, times: int) -> int:
    """Write a corpus as zstd Parquet, and return how many bytes that is."""
    folder.mkdir()
    waiting: list[dict[str, object]] = []
    writers: list[pq.ParquetWriter] = []
    for number, row in enumerate(rows(corpus, times)):
        waiting.append(row)
        if len(waiting) == GROUP:
            write(waiting, folder, writers, number // GROUP % SHARDS)
            waiting = []
    if waiting:
        write(waiting, folder, writers, 0)
    for writer in writers:
        writer.close()
    return sum(path.stat().st_size for path in folder.iterdir())


def write(
    waiting: list[dict[str, object]], folder: Path, writers: list[pq.ParquetWriter], number: int
) -> None:
    """Write a row group to one of the shards."""
    table = pa.Table.from_pylist(waiting).replace_schema_metadata({"origin": "a benchmark"})
    if number == len(writers):
        path = folder / f"shard-{number:05}.parquet"
        writers.append(pq.ParquetWriter(path, table.schema, compression="zstd"))
    writers[min(number, len(writers) - 1)].write_table(table)


def copy(folder: Path, target: Path) -> None:
    """Copy shards as somebody would who leaves nothing out: row group by row group, by pyarrow."""
    target.mkdir()
    for path in sorted(folder.iterdir()):
        source = pq.ParquetFile(path)
        with pq.ParquetWriter(target / path.name, source.schema_arrow, compression="zstd") as out:
            for group in range(source.num_row_groups):
                out.write_table(source.read_row_group(group))


Run = Callable[[], Measurement]


def in_turns(named: dict[str, Run], times: int) -> None:
    """Do what is measured in turns, and print medians and ratios to the first."""
    costs: dict[str, list[Measurement]] = {name: [] for name in named}
    for _ in range(times):
        for name, run in named.items():
            costs[name].append(run())
    first = next(iter(costs.values()))
    print(f"{'':34} {'seconds':>9} {'ratio':>7} {'processor':>10} {'ratio':>7} {'MB':>6}")
    for name, own in costs.items():
        by_clock = [a.seconds / b.seconds for a, b in zip(own, first, strict=True)]
        by_work = [a.cpu_seconds / b.cpu_seconds for a, b in zip(own, first, strict=True)]
        print(
            f"{name:34} {statistics.median(a.seconds for a in own):9.1f} "
            f"{statistics.median(by_clock):7.2f} {statistics.median(a.cpu_seconds for a in own):10.1f} "
            f"{statistics.median(by_work):7.2f} {max(a.peak_bytes for a in own) / 1e6:6.0f}"
        )


def against(corpus: Path, folder: Path, times: int) -> None:
    """Compare new with old, and both as one."""
    split(corpus, folder)
    new, old, index = (folder / name for name in ("new.jsonl", "old.jsonl", "old.neardup"))
    log = folder / "log"
    measure([*NEARDUP, "index", "build", index, old, "--quiet"], log=log)
    end: list[str | Path] = ["--threshold", "0.5", "-o", folder / "out", "--overwrite", "--quiet"]
    end += ["--workers", "2"]
    given: dict[str, list[str | Path]] = {
        "over both": [new, old],
        "--against files": [new, "--against", old],
        "--against an index": [new, "--against", index],
    }
    measure([*NEARDUP, "documents", new, *end], log=log)  # compiles
    in_turns(
        {
            name: partial(measure, [*NEARDUP, "documents", *words, *end], log=log)
            for name, words in given.items()
        },
        times,
    )


def removal(corpus: Path, folder: Path, repeated: int, times: int) -> None:
    """Remove duplicates from shards, and copy these."""
    size = shards(corpus, folder / "shards", repeated)
    log = folder / "log"
    found: list[str | Path] = [
        "documents",
        folder / "shards",
        "-o",
        folder / "found",
        "--overwrite",
        "--quiet",
    ]
    measure([*NEARDUP, *found], log=log)
    print(f"{size / 1e6:,.0f} MB of zstd Parquet in {SHARDS} shards")

    def copied() -> Measurement:
        shutil.rmtree(folder / "copy", ignore_errors=True)
        return measure([sys.executable, __file__, folder / "shards", "--copy", folder / "copy"], log=log)

    def cleaned() -> Measurement:
        shutil.rmtree(folder / "clean", ignore_errors=True)
        words: list[str | Path] = [
            "dedup",
            folder / "found",
            "--mode",
            "remove",
            "-o",
            folder / "clean",
            "--quiet",
        ]
        return measure([*NEARDUP, *words], log=log)

    in_turns({"copying by pyarrow": copied, "dedup --mode remove": cleaned}, times)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sections", default="against,removal")
    parser.add_argument("--times", type=int, default=3, help="how often each run takes its turn")
    parser.add_argument("--repeated", type=int, default=2, help="how often the corpus is in the shards")
    parser.add_argument("--copy", type=Path, help="only copy a folder of shards: a part of the above")
    given = parser.parse_args()
    if given.copy:
        copy(given.corpus, given.copy)
        return
    for name in given.sections.split(","):
        with tempfile.TemporaryDirectory() as folder:
            if name == "against":
                against(given.corpus, Path(folder), given.times)
            else:
                removal(given.corpus, Path(folder), given.repeated, given.times)


if __name__ == "__main__":
    main()
