"""Measures an index on a disk: building, opening, asking, adding, and what its memory and room are.

    python -m benchmarks store [CORPUS.jsonl] [--documents 100000] [--queries 500] [--clients 8]

Without a corpus, one is generated (benchmarks/corpus.py). Each part runs in a process of its own, so
that its memory is its own. Queries are the first bytes of documents of the corpus, one word in thirty
replaced, as in `python -m benchmarks server`; pages are warm.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.corpus import Settings, write_corpus
from benchmarks.server import queries, report, texts

import neardup
from neardup.index.adding import Row
from neardup.index.online import Index
from neardup.store.manifest import About

BATCH = 1_000
GROW = "documents --add"
PARTS = ("build", "open", "ask", "ask together", GROW, "add in batches", "add one by one", "compact")


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--added", type=int, default=20_000)
    parser.add_argument("--folder", type=Path, help="where index and corpus are written")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(measured(lambda: part(given))))
        return
    with tempfile.TemporaryDirectory(prefix="neardup-bench-") as temporary:
        folder = given.folder or Path(temporary)
        corpus = given.corpus or folder / "corpus.jsonl"
        if not corpus.exists():
            write_corpus(corpus, Settings(given.documents))
        report("corpus", {"bytes": corpus.stat().st_size})
        shutil.rmtree(folder / "index.neardup", ignore_errors=True)
        for name in PARTS:
            words = [str(corpus), "--folder", str(folder), "--part", name]
            for option in ("queries", "clients", "added"):
                words += [f"--{option}", str(getattr(given, option))]
            command = [sys.executable, "-m", "benchmarks", "store", *words]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            report(name, json.loads(done.stdout.splitlines()[-1]))


def measured(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Do some work, and say what it took of the machine beside what it found."""
    begin, processor = time.perf_counter(), os.times()
    found = work()
    now = os.times()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        **found,
        "seconds": round(time.perf_counter() - begin, 2),
        "processor": round(now.user + now.system - processor.user - processor.system, 2),
        "most MB": round(used / 1024),
    }


def part(given: argparse.Namespace) -> dict[str, Any]:
    """Measure one part."""
    index = given.folder / "index.neardup"
    if given.part == "build":
        with Index.build(index, str(given.corpus), progress=False) as made:
            return {"documents": len(made), "bytes": made.info()["bytes"]}
    if given.part == "open":
        begin = time.perf_counter()
        with Index(index, writable=False) as opened:
            at = time.perf_counter()
            len(opened)
            known = time.perf_counter()
            opened.query("one text of just a few words more")
            asked = time.perf_counter() - known
        return {"open ms": ms(at - begin), "count ms": ms(known - at), "first query ms": ms(asked)}
    if given.part.startswith("ask"):
        return asking(index, given)
    if given.part == GROW:
        return growing(index, given)
    if given.part == "compact":
        with Index(index) as opened:
            opened.compact()
            return {"bytes": opened.info()["bytes"]}
    return adding(index, given)


def asking(index: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Look texts up, by one client or several."""
    clients = given.clients if given.part == "ask together" else 1
    asked = [json.loads(body)["text"] for body in queries(given.corpus)]
    with Index(index, writable=False) as opened, ThreadPoolExecutor(clients) as pool:

        def one(text: str) -> tuple[float, float]:
            begin, processor = time.perf_counter(), time.thread_time()
            opened.query(text).as_dict()
            return time.perf_counter() - begin, time.thread_time() - processor

        list(pool.map(one, asked))  # kernels are loaded, and pages are warm
        taken = list(pool.map(one, islice(cycle(asked), given.queries)))
    wall = sorted(own for own, _ in taken)
    processor = [own for _, own in taken]
    return {
        "clients": clients,
        "median ms": ms(statistics.median(wall)),
        "99 % ms": ms(wall[int(0.99 * len(wall))]),
        "processor ms": ms(statistics.mean(processor)),
    }


def growing(index: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Compare a hundredth more of documents with the index, half of them known, and add them."""
    with Index(index, writable=False) as opened:
        count = max(len(opened) // 200, 1)
    new = given.folder / "new.jsonl"
    write_corpus(new, Settings(count, seed=9))
    with new.open("a", encoding="utf-8") as file:
        for text in islice(texts(given.corpus), count):
            file.write(json.dumps({"text": replaced(text)}) + "\n")
    found = given.folder / "found"
    begin = time.perf_counter(), sum(os.times()[:2])
    result = neardup.documents(new, against=index, add=True, output=found, overwrite=True)
    took = time.perf_counter() - begin[0], sum(os.times()[:2]) - begin[1]
    counts = {"documents": result.counts["documents"], "pairs": result.counts["pairs"]}
    return {**counts, "run s": round(took[0], 2), "run processor s": round(took[1], 2)}


def replaced(text: str) -> str:
    """Replace one word in thirty."""
    words = text.split()
    words[::30] = ["exchanged"] * len(words[::30])
    return " ".join(words)


def adding(index: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Add documents in batches, or one by one."""
    single = given.part == "add one by one"
    rows = [
        Row(About(f"{given.part} {number}"), text.encode())
        for number, text in enumerate(islice(texts(given.corpus), given.added))
    ]
    with Index(index) as opened:
        begin = time.perf_counter()
        for some in portions(rows, 1 if single else BATCH):
            opened.add_rows(some)
        added = time.perf_counter() - begin
        opened.flush()
    closed = time.perf_counter() - begin
    return {"a second": round(given.added / added), "until closed": round(given.added / closed)}


def portions(rows: list[Row], size: int) -> Iterator[list[Row]]:
    """Cut rows into lists of a size."""
    rest = iter(rows)
    while some := list(islice(rest, size)):
        yield some


def ms(seconds: float) -> float:
    """Return milliseconds."""
    return round(1000 * seconds, 2)


if __name__ == "__main__":
    main()
