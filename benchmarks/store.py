"""Measures an index on a disk: building, opening, asking, growing, adding, and its memory and room.

    python -m benchmarks store [CORPUS.jsonl] [--documents 100000] [--queries 500] [--clients 8]
        [--peer] [--folder FOLDER] [--parts PART…]

Without a corpus, one is generated (benchmarks/corpus.py). Each part runs in a process of its own, so
that its memory is its own. Queries are the first bytes of documents of the corpus, one word in thirty
replaced, as in `python -m benchmarks server`; pages are warm. With `--peer`, whole documents that have
planted copies are asked for, of Lance too, and what is found is compared with what was planted.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any

from benchmarks.claims import planted_truth, score
from benchmarks.corpus import Settings, half, truth_path, write_corpus
from benchmarks.environments import interpreter
from benchmarks.measure import ROOT
from benchmarks.server import adding, queries, report, texts

import neardup
from neardup.index.online import Index
from neardup.index.settings import IndexSettings, QuerySettings

THRESHOLD = 0.7
AMONG, LONG = 10_000, 2_000  # documents of which parts are taken, and their characters
Given = argparse.Namespace
Figures = dict[str, Any]


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--added", type=int, default=5_000, help="documents, in each way of adding")
    parser.add_argument("--peer", action="store_true", help="beside Lance, which is installed for it")
    parser.add_argument("--folder", type=Path, help="where corpus and indexes are written, and stay")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    given = parser.parse_args()
    if given.folder and given.corpus and len(given.parts) == 1:
        print(json.dumps(measured(lambda: PARTS[given.parts[0]](given))))
        return
    with tempfile.TemporaryDirectory(prefix="neardup-bench-") as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        corpus = given.corpus or folder / "corpus.jsonl"
        if not corpus.exists():
            write_corpus(corpus, Settings(given.documents))
        report("corpus", {"bytes": corpus.stat().st_size, "load": round(os.getloadavg()[0], 1)})
        for name in given.parts:
            if name != "peer" or given.peer:
                words = ["--parts", name, "--folder", str(folder)]
                for option in ("queries", "clients", "added"):
                    words += [f"--{option}", str(getattr(given, option))]
                command = [sys.executable, "-m", "benchmarks", "store", str(corpus), *words]
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                report(name, json.loads(done.stdout.splitlines()[-1]))


def measured(work: Callable[[], Figures]) -> Figures:
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
        "load": round(os.getloadavg()[0], 1),
    }


def index(given: Given, name: str = "index") -> Path:
    """Name an index of this benchmark."""
    return Path(given.folder, f"{name}.neardup")


def build(given: Given, name: str = "index") -> Figures:
    """Build an index of all, or of every second document."""
    corpus = given.corpus if name == "index" else half(given.corpus, given.folder / "half.jsonl")
    with Index.build(index(given, name), str(corpus), progress=False, overwrite=True) as made:
        size = made.info()["bytes"]
        times = round(size / corpus.stat().st_size, 2)
        return {"documents": len(made), "bytes": size, "times the corpus": times}


def opening(given: Given) -> Figures:
    """Open an index, and ask it for the first time."""
    begin = time.perf_counter()
    with Index(index(given), writable=False) as opened:
        at = time.perf_counter()
        len(opened)
        known = time.perf_counter()
        opened.query("one text of just a few words more")
        asked = time.perf_counter() - known
    return {"open ms": ms(at - begin), "count ms": ms(known - at), "first query ms": ms(asked)}


def asking(given: Given, name: str = "index", clients: int | None = None) -> Figures:
    """Look texts up, by one client or several."""
    clients = clients or given.clients
    asked = [json.loads(body)["text"] for body in queries(given.corpus)]
    with Index(index(given, name), writable=False) as opened, ThreadPoolExecutor(clients) as pool:

        def one(text: str) -> tuple[float, float]:
            begin, processor = time.perf_counter(), time.thread_time()
            opened.query(text).as_dict()
            return time.perf_counter() - begin, time.thread_time() - processor

        list(pool.map(one, asked))  # kernels are loaded, and pages are warm
        taken = list(pool.map(one, islice(cycle(asked), given.queries)))
    processor = statistics.mean(own for _, own in taken)
    return {"clients": clients, **slowness([own for own, _ in taken]), "processor ms": ms(processor)}


def growing(given: Given) -> Figures:
    """Compare a hundredth more of documents with the index, half of them known, and add them."""
    with Index(index(given), writable=False) as opened:
        count = max(len(opened) // 200, 1)
    new = given.folder / "new.jsonl"
    write_corpus(new, Settings(count, seed=9))
    with new.open("a", encoding="utf-8") as file:
        for text in islice(texts(given.corpus), count):
            file.write(json.dumps({"text": replaced(text)}) + "\n")
    found = given.folder / "found"
    begin = time.perf_counter(), sum(os.times()[:2])
    result = neardup.documents(new, against=index(given), add=True, output=found, overwrite=True)
    took = time.perf_counter() - begin[0], sum(os.times()[:2]) - begin[1]
    counts = {"documents": result.counts["documents"], "pairs": result.counts["pairs"]}
    return {**counts, "run s": round(took[0], 2), "run processor s": round(took[1], 2)}


def replaced(text: str) -> str:
    """Replace one word in thirty."""
    words = text.split()
    words[::30] = ["exchanged"] * len(words[::30])
    return " ".join(words)


def beside(given: Given) -> Figures:
    """Ask for documents that have planted copies, here and in Lance."""
    truth = planted_truth(truth_path(given.corpus))
    names = sorted({name for pair, alike in truth.items() if alike >= THRESHOLD for name in pair})
    chosen = set(random.Random(1).sample(names, min(given.queries, len(names))))
    truth = {pair: alike for pair, alike in truth.items() if chosen.intersection(pair)}
    found, taken = [], []
    asked, lance = given.folder / "asked.jsonl", given.folder / "texts.lance"
    with Index(index(given), writable=False) as opened, asked.open("w") as file:
        for name in chosen:
            text = opened.document(name)[1]
            file.write(json.dumps({"id": name, "text": text}) + "\n")
            begin = time.perf_counter()
            answer = opened.query(text, QuerySettings(THRESHOLD, "resemblance", None))
            taken.append(time.perf_counter() - begin)
            found += [[name, own.id] for own in answer.matches if own.resemblance >= THRESHOLD]
    shutil.rmtree(lance, ignore_errors=True)
    words = ["-m", "benchmarks.rivals.lance", given.corpus, asked, str(THRESHOLD), lance]
    command = [interpreter(given.folder, "lance"), *words]
    done = subprocess.run(
        command,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    other = json.loads(done.stdout)
    figures = {}
    for tool, pairs, own in (("ours", found, slowness(taken)), ("Lance", other.pop("found"), other)):
        told = score(
            [[a, b] for a, b in {(min(p), max(p)) for p in pairs if p[0] != p[1]}], truth, THRESHOLD
        )
        figures[tool] = {**own, "recall": round(told.recall, 4), "precision": round(told.precision, 4)}
    return {"asked": len(chosen), **figures}


def compacting(given: Given) -> Figures:
    """Write all again as one segment."""
    with Index(index(given)) as opened:
        opened.compact()
        return {"bytes": opened.info()["bytes"]}


def shrinking(given: Given) -> Figures:
    """Build a compact index, and say of both how often they find the document that a part is from."""
    small, found = index(given, "compact"), Counter[str]()
    Index.build(small, str(given.corpus), IndexSettings(compact=True), overwrite=True).close()
    rows = [json.loads(line) for line in given.corpus.read_text("utf-8").splitlines()[:AMONG]]
    long = [(row["id"], row["text"].split()) for row in rows if len(row["text"]) > LONG]
    for path in (index(given), small):
        chance = random.Random(1)
        with Index(path, writable=False) as opened:
            for size, every in product((0, 200, 100, 50, 25), (0, 15)):
                for name, words in chance.sample(long, given.queries):
                    answer = opened.query(part_of(words, size, every, chance), QuerySettings(limit=None))
                    own = f"{path.stem} {size or 'all'} words, 1 in {every} exchanged"
                    found[own] += any(match.id == name for match in answer.matches)
    return dict(found)


def part_of(words: list[str], size: int, every: int, chance: random.Random) -> str:
    """Return a text, or some words of it between 300 in another order; a few are exchanged."""
    at = chance.randrange(max(len(words) - size, 1)) if size else 0
    part = words[at : at + (size or len(words))]
    if every:
        part[::every] = ["exchanged"] * len(part[::every])
    around = [chance.choices(words, k=150 if size else 0) for _ in range(2)]
    return " ".join([*around[0], *part, *around[1]])


def slowness(taken: list[float]) -> Figures:
    """Return the median of some times, and what one in a hundred is above."""
    return {
        "median ms": ms(statistics.median(taken)),
        "99 % ms": ms(sorted(taken)[int(0.99 * len(taken))]),
    }


def ms(seconds: float) -> float:
    """Return milliseconds."""
    return round(1000 * seconds, 2)


PARTS: dict[str, Callable[[Given], Figures]] = {
    "build half": lambda given: build(given, "half"),
    "ask half": lambda given: asking(given, "half"),
    "build": build,
    "open": opening,
    "ask alone": lambda given: asking(given, clients=1),
    "ask": asking,
    "peer": beside,
    "documents --add": growing,
    "add": lambda given: dict(adding(index(given), given.corpus, given.added)),
    "compact": compacting,
    "build compact": shrinking,
}
