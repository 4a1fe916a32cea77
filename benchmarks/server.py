"""Measures an index and its server: building, adding, and queries of many clients over HTTP.

    python -m benchmarks server [CORPUS.jsonl] [--documents 100000] [--clients 8] [--seconds 60]

Without a corpus, one is generated (benchmarks/corpus.py). Queries are the first bytes of documents of
the corpus, one word in thirty replaced, so that each has something to be found. Clients are processes of
their own on the same machine; each asks again as soon as it has its answer.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.corpus import Settings, write_corpus
from benchmarks.measure import NEARDUP

from neardup.index.adding import Row
from neardup.index.online import Index
from neardup.store.manifest import About

QUERY_BYTES = 2_000
QUERIES = 500
BATCH = 1_000
JSON = {"Content-Type": "application/json"}


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--added", type=int, default=3_000, help="documents to add one by one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-bench-") as folder:
        corpus = given.corpus or Path(folder) / "corpus.jsonl"
        if not given.corpus:
            write_corpus(corpus, Settings(given.documents))
        index = Path(folder) / "index.neardup"
        report("build", timed(lambda: Index.build(index, str(corpus)).close()))
        made = Path(folder) / "adding.neardup"
        Index.build(made).close()
        report("adding", adding(made, corpus, given.added))
        bodies = documents(corpus, given.added)
        for clients in (1, given.clients):
            report("adding over HTTP", adding_over_http(Path(folder), bodies, clients, given.added))
        report("queries over HTTP", over_http(index, queries(corpus), given.clients, given.seconds))


def report(name: str, figures: dict[str, Any]) -> None:
    """Print some figures on one line."""
    print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in figures.items()), flush=True)


def texts(corpus: Path) -> Iterator[str]:
    """Yield the texts of a corpus."""
    with corpus.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def queries(corpus: Path) -> list[bytes]:
    """Return bodies of requests that ask for texts of the corpus, somewhat changed."""
    rng = random.Random(1)
    long = [text for text in islice(texts(corpus), 20_000) if len(text) >= QUERY_BYTES]
    found = []
    for text in rng.sample(long, min(QUERIES, len(long))):
        words = text[:QUERY_BYTES].split(" ")
        for at in range(rng.randrange(30), len(words), 30):
            words[at] = rng.choice(words)
        found.append(json.dumps({"text": " ".join(words)[:QUERY_BYTES]}).encode())
    return found


def timed(work: Any) -> dict[str, str]:
    """Run something; return the seconds that it took and those of the processor."""
    before, begun = os.times(), time.perf_counter()
    work()
    spent = time.perf_counter() - begun
    after = os.times()
    processor = after.user + after.system - before.user - before.system
    return {"seconds": f"{spent:.2f}", "processor": f"{processor:.2f}"}


def adding(path: Path, corpus: Path, count: int) -> dict[str, str]:
    """Return how many documents a second are added to an index in batches, and one by one."""
    new = documents(corpus, 6 * count)
    parts = [new[first : first + count] for first in range(0, 6 * count, count)]
    rows = [[Row(About(own["id"]), own["text"].encode()) for own in part] for part in parts]
    found = {}
    with Index(path) as index:
        index.search  # noqa: B018  (in memory, as a server has it)
        index.add(new[6 * count :])
        for batch in (parts[0], parts[1]):  # kernels are loaded in the first
            found["batches of 1,000"] = timed(
                lambda batch=batch: [index.add(batch[n : n + BATCH]) for n in range(0, count, BATCH)]
            )
        found["one by one"] = timed(lambda: [index.add([document]) for document in parts[2]])
        found["one by one, rows"] = timed(lambda: [index.add_rows([row]) for row in rows[3]])
        found["one by one, together"] = timed(lambda: add_together(index, rows[4]))
    with Index(path, sync="each") as index:
        index.search  # noqa: B018
        found["one by one, synced each"] = timed(lambda: [index.add([own]) for own in parts[5]])
    return {name: speed(figures, count) for name, figures in found.items()}


def add_together(index: Index, rows: list[Row]) -> None:
    """Add documents as they come, some at a time."""
    with index.adding() as add:
        deque(map(add, rows), maxlen=0)


def speed(figures: dict[str, str], count: int) -> str:
    """Return documents a second, and the milliseconds of the processor that each took."""
    seconds, processor = float(figures["seconds"]), float(figures["processor"])
    return f"{count / seconds:,.0f}/s ({1e3 * processor / count:.2f} ms)"


@contextmanager
def served(index: Path, *options: str) -> Iterator[tuple[int, int]]:
    """Serve an index; gives the number of the process and the port."""
    command = [*NEARDUP, "serve", index, "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline() if server.stdout else ""
            yield server.pid, int(line.rpartition(":")[2].partition("/")[0])
        finally:
            server.terminate()


def over_http(index: Path, bodies: list[bytes], clients: int, seconds: float) -> dict[str, str]:
    """Return how fast a server answers many clients."""
    with served(index) as (process, port):
        ask(port, bodies[:50], time.perf_counter() + 5)  # kernels are loaded
        with multiprocessing.Pool(clients) as pool:
            before, end = processor_seconds(process), time.perf_counter() + seconds
            found = pool.starmap(ask, [(port, bodies[n::clients], end) for n in range(clients)])
            spent = processor_seconds(process) - before
    times = sorted(t for own, _, _ in found for t in own)
    return {
        "clients": str(clients),
        "queries": f"{len(times):,}",
        "a second": f"{len(times) / seconds:,.0f}",
        "median ms": f"{1e3 * statistics.median(times):.1f}",
        "95 % ms": f"{1e3 * times[int(0.95 * len(times))]:.1f}",
        "slowest ms": f"{1e3 * times[-1]:.0f}",
        "server's processor ms a query": f"{1e3 * spent / len(times):.1f}",
        "without a match": str(sum(empty for _, empty, _ in found)),
        "failed": str(sum(failed for _, _, failed in found)),
    }


def documents(corpus: Path, count: int) -> list[dict[str, str]]:
    """Return documents to send, as many and a batch more."""
    found = islice(texts(corpus), count + 2 * BATCH)
    return [{"id": f"new-{number}", "text": text} for number, text in enumerate(found)]


def adding_over_http(
    folder: Path, new: list[dict[str, str]], clients: int, count: int
) -> dict[str, str]:
    """Return how many documents a second clients add, one a request; and one client, in batches."""
    index = folder / f"adding-{clients}.neardup"
    Index.build(index).close()
    single = [json.dumps({"documents": [document]}).encode() for document in new[:count]]
    batches = [
        json.dumps({"documents": new[first : first + BATCH]}).encode()
        for first in (count, count + BATCH)
    ]
    with served(index) as (process, port), multiprocessing.Pool(clients) as pool:
        begun = time.perf_counter()
        failed = send(port, batches)
        together = 2 * BATCH / (time.perf_counter() - begun)
        before, begun = processor_seconds(process), time.perf_counter()
        failed += sum(pool.starmap(send, [(port, single[n::clients]) for n in range(clients)]))
        alone = count / (time.perf_counter() - begun)
        spent = processor_seconds(process) - before
    return {
        "clients": str(clients),
        "batches of 1,000 (documents/s)": f"{together:,.0f}",
        "one a request (documents/s)": f"{alone:,.0f}",
        "server's processor ms a document": f"{1e3 * spent / count:.2f}",
        "failed": str(failed),
    }


def post(
    connection: http.client.HTTPConnection, path: str, body: bytes, headers: Mapping[str, str] = JSON
) -> tuple[bool, bytes]:
    """Send a request; return whether it was answered well, and the answer."""
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    return answer.status in (200, 201), answer.read()


def send(port: int, bodies: list[bytes]) -> int:
    """Send documents; return how many requests failed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    return sum(not post(connection, "/documents", body)[0] for body in bodies)


def processor_seconds(process: int) -> float:
    """Return the seconds of the processor that a process took so far (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(
    port: int, bodies: list[bytes], end: float, headers: Mapping[str, str] = JSON
) -> tuple[list[float], int, int]:
    """Ask until the end; return the seconds of each answer, and how many were empty or failed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    spent, empty, failed = [], 0, 0
    for body in cycle(bodies):
        begun = time.perf_counter()
        if begun >= end:
            break
        is_well, content = post(connection, "/query", body, headers)
        spent.append(time.perf_counter() - begun)
        failed += not is_well
        empty += b'"matches":[]' in content
    return spent, empty, failed
