"""What Prometheus reads: how many requests were answered and how fast, and what the server holds."""

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from neardup import __version__
from neardup.server.guard import App, Message, Receive, Scope, Send

KIND = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
OTHER = "other"
GONE = 499  # the status of who left before there was an answer, as proxies write it


class Metrics:
    """Counts all requests to an app by the first part of their addresses, of which there are few."""

    def __init__(self, app: App, places: Iterable[str]) -> None:
        self._app = app
        self._places = frozenset(place_of(own) for own in places)
        self._answered: Counter[tuple[str, str, int]] = Counter()
        self._spent: Counter[str] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, begin = GONE, time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._running += 1
        try:
            await self._app(scope, receive, noting)
        finally:
            self._running -= 1
            self._note(scope, status, time.perf_counter() - begin)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        place = place_of(scope["path"])
        place = place if place in self._places else OTHER
        method = scope["method"] if scope["method"] in METHODS else OTHER
        self._answered[place, method, status] += 1
        self._spent[place] += seconds  # type: ignore[assignment]
        buckets = self._buckets.setdefault(place, [0] * (len(BOUNDS) + 1))
        buckets[bisect_left(BOUNDS, seconds)] += 1

    def text(self, held: Mapping[str, float]) -> str:
        """Return all figures, and some of what is held now."""
        return "".join(f"{line}\n" for line in self._lines(held))

    def _lines(self, held: Mapping[str, float]) -> Iterator[str]:
        yield from family("neardup_info", "gauge", "The version.", [({"version": __version__}, 1)])
        requests = [
            ({"path": place, "method": method, "status": status}, count)
            for (place, method, status), count in sorted(self._answered.items())
        ]
        yield from family("neardup_requests_total", "counter", "Requests answered.", requests)
        running = "Requests that are arriving or being answered."
        yield from family("neardup_requests_running", "gauge", running, [({}, self._running)])
        yield from self._histogram()
        for name, value in held.items():
            yield from family(f"neardup_{name}", "gauge", "", [({}, value)])
        yield from process()

    def _histogram(self) -> Iterator[str]:
        name = "neardup_request_seconds"
        yield from family(name, "histogram", "From a request's head to the end of its answer.", [])
        for place, buckets in sorted(self._buckets.items()):
            total = 0
            for bound, count in zip((*BOUNDS, "+Inf"), buckets, strict=True):
                total += count
                yield sample(f"{name}_bucket", {"path": place, "le": bound}, total)
            yield sample(f"{name}_sum", {"path": place}, self._spent[place])
            yield sample(f"{name}_count", {"path": place}, total)


def family(
    name: str, kind: str, about: str, samples: Iterable[tuple[Mapping[str, object], float]]
) -> Iterator[str]:
    """Yield what is said of figures of one name, and these."""
    if about:
        yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        yield sample(name, labels, value)


def sample(name: str, labels: Mapping[str, object], value: float) -> str:
    r"""Write a figure; labels are ours, and have no letter that would have to be written otherwise.

    >>> sample("answers", {"path": "/query"}, 3)
    'answers{path="/query"} 3'
    """
    told = ",".join(f'{key}="{own}"' for key, own in labels.items())
    return f"{name}{{{told}}} {value}" if told else f"{name} {value}"


def place_of(path: str) -> str:
    """Return the first part of an address.

    >>> place_of("/documents/a%2Fb"), place_of("/")
    ('/documents', '/')
    """
    return "/" + path[1:].partition("/")[0]


def process() -> Iterator[str]:
    """Yield what the process takes of the machine, by the names that Prometheus has for that."""
    now = os.times()
    yield from family("process_cpu_seconds_total", "counter", "", [({}, now.user + now.system)])
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:  # only Linux says so
        return
    resident = pages * os.sysconf("SC_PAGE_SIZE")
    yield from family("process_resident_memory_bytes", "gauge", "", [({}, resident)])


def numbers(name: str, told: Mapping[str, Any]) -> dict[str, float]:
    """Return what is a number of something that was told.

    >>> numbers("index", {"documents": 3, "writable": True, "method": "pages"})
    {'index_documents': 3, 'index_writable': 1}
    """
    return {
        f"{name}_{key}": int(value) if isinstance(value, bool) else value
        for key, value in told.items()
        if isinstance(value, int | float)
    }
