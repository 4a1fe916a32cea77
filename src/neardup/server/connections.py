"""Connections: how many there may be, and how long each may keep the server waiting.

A request that arrives too slowly, or an answer that nobody takes, ends its connection. When there are
too many, the one that has been arriving for longest makes room: who sends a whole request is answered.
"""

import asyncio
import time
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Connection(HttpToolsProtocol):
    """A connection that keeps nobody waiting; `bounded` says for how long."""

    patience: float  # seconds for the head of a request, and for an answer to be taken
    most: int

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._timer: asyncio.TimerHandle | None = None
        self.since = time.monotonic()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the head of a request, and make room if there are too many."""
        super().connection_made(transport)
        self._wait()
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self]
        if len(others) >= self.most:
            least_useful(others, self).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take data; the first of another request begins its time."""
        if self._timer is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Begin to answer: the guard sees to it that the body arrives in time."""
        self._stop_waiting()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Wait for somebody to take the answer."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """Go on: some of the answer was taken."""
        self._stop_waiting()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def usefulness(self) -> int:
        """Return 0 while a request arrives, 1 between two of them, 2 while one is answered."""
        if self.cycle is None or (self._timer is not None and self.cycle.response_complete):
            return 0
        if self.cycle.response_complete:
            return 1
        return 0 if self.cycle.more_body else 2

    def _wait(self) -> None:
        self._stop_waiting()
        self.since = time.monotonic()
        self._timer = self.loop.call_later(self.patience, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def least_useful(others: list[Connection], new: Connection) -> Connection:
    """Return the connection that has to go: the new one if all others are being answered."""
    first = min(others, key=lambda one: (one.usefulness, one.since))
    return first if first.usefulness < 2 else new


def bounded(patience: float, most: int) -> type[Connection]:
    """Return the class of connections of one server."""
    return type("BoundedConnection", (Connection,), {"patience": patience, "most": most})
