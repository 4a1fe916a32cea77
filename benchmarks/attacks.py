"""Measures how a server answers while one client attacks it, in one way at a time.

    python -m benchmarks attacks [CORPUS.jsonl] [--clients 8] [--seconds 20]

Prints the times of answers and the server's memory: before, during each attack, and after all of them.
Only this machine is attacked, a server that is started for it (Linux).
"""

import argparse
import http.client
import json
import multiprocessing
import os
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks import server
from benchmarks.corpus import Settings, write_corpus

from neardup.index.online import Index

TOKEN = "sesame"
BEARER = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
LARGE = "attacked"  # the id of a document of 12 MB
HOST = "HTTP/1.1\r\nHost: 127.0.0.1\r\n"
WITH = "".join(f"{name}: {value}\r\n" for name, value in BEARER.items())


class Attack:
    """Sends parts on some connections at a time, and holds these for some seconds."""

    def __init__(self, parts: list[str], connections: int = 1, wait: float = 0.0) -> None:
        self._parts = [part.encode() for part in parts]
        self._connections, self._wait = connections, wait

    def __call__(self, port: int, end: float) -> int:
        """Attack until the end; return how often."""
        tries = 0
        while time.perf_counter() < end:
            held = [self._sent(port) for _ in range(self._connections)]
            tries += self._connections
            if self._wait:
                time.sleep(min(self._wait, max(end - time.perf_counter(), 0)))
            for one in held:
                with suppress(OSError):
                    one.settimeout(0 if self._wait else 5)
                    one.recv(1_000)
                one.close()
        return tries

    def _sent(self, port: int) -> socket.socket:
        one = socket.socket()
        try:
            one.settimeout(5)
            one.connect(("127.0.0.1", port))
            for part in self._parts:
                one.sendall(part)
        except OSError:  # the server has had enough of it
            pass
        return one


POST = f"POST /query {HOST}{WITH}"
ATTACKS: dict[str, Attack | None] = {
    "nobody attacks": None,
    "a cookie of 60 kB": Attack(
        [f'GET /pairs {HOST}Cookie: neardup-token="' + "\\" * 60_000 + "\r\n\r\n"]
    ),
    "3,000,000 headers": Attack([f"GET / {HOST}", *["a:b\r\n" * 30_000] * 100]),
    "60 bodies of 15 MB, half sent": Attack(
        [f"{POST}Content-Length: 16000000\r\n\r\n", *[" " * 1_000_000] * 15], 60, 5
    ),
    "a body in single bytes": Attack(
        [f"{POST}Transfer-Encoding: chunked\r\n\r\n", *["1\r\n \r\n" * 30_000] * 20]
    ),
    "300 answers of 12 MB, not taken": Attack([f"GET /documents/{LARGE} {HOST}{WITH}\r\n"], 300, 5),
    "400 half-sent heads": Attack([f"GET / {HOST}X-Slow: "], 400, 5),
    "nobody attacks any more": None,
}


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-bench-") as folder:
        corpus, index = given.corpus or Path(folder, "corpus.jsonl"), Path(folder, "index.neardup")
        if not given.corpus:
            write_corpus(corpus, Settings(given.documents))
        Index.build(index, str(corpus)).close()
        bodies = server.queries(corpus)
        with server.served(index, "--token", TOKEN) as (process, port):
            large = {"id": LARGE, "text": "a b" + " " * 12_000_000}
            send(port, "POST", "/documents", {"documents": [large], "replace": True})
            server.ask(port, bodies[:50], time.perf_counter() + 5, BEARER)  # kernels are loaded
            for name, attack in ATTACKS.items():
                who = (process, port)
                server.report(name, measured(who, bodies, given.clients, given.seconds, attack))
            send(port, "DELETE", f"/documents/{LARGE}")
            server.report("after", {"MB": memory(process)})


def measured(
    served: tuple[int, int], bodies: list[bytes], clients: int, seconds: float, attack: Attack | None
) -> dict[str, object]:
    """Return how fast a server answers, and its memory, while somebody attacks it."""
    process, port = served
    with multiprocessing.Pool(clients + 1) as pool, watched(process) as most:
        before, end = server.processor_seconds(process), time.perf_counter() + seconds
        attacking = pool.apply_async(attack, (port, end)) if attack else None
        found = pool.starmap(
            server.ask, [(port, bodies[n::clients], end, BEARER) for n in range(clients)]
        )
        spent = server.processor_seconds(process) - before
        times = sorted(time for own, _, _ in found for time in own)
        tries = attacking.get(30) if attacking else 0
    return {
        "queries": f"{len(times):,}",
        "median ms": f"{1e3 * statistics.median(times):.1f}",
        "95 % ms": f"{1e3 * times[int(0.95 * len(times))]:.1f}",
        "slowest ms": f"{1e3 * times[-1]:.0f}",
        "failed": sum(failed for _, _, failed in found),
        "attacks": tries,
        "server's processor s": f"{spent:.1f}",
        "MB at most": max(most),
        "load": f"{os.getloadavg()[0]:.0f}",
    }


def memory(process: int) -> int:
    """Return the MB that a process holds."""
    fields = Path(f"/proc/{process}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


@contextmanager
def watched(process: int) -> Iterator[list[int]]:
    """Note the memory of a process twenty times a second."""
    found, done = [memory(process)], threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            found.append(memory(process))

    watching = threading.Thread(target=watch)
    watching.start()
    yield found
    done.set()
    watching.join()


def send(port: int, method: str, path: str, body: object = None) -> None:
    """Send a request that must be answered well."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, None if body is None else json.dumps(body), BEARER)
    answer = connection.getresponse()
    if answer.status >= 300:
        raise SystemExit(f"{method} {path}: {answer.status} {answer.read()!r}")
