"""Connections: how many there may be, and how long each may keep the server waiting.

A request that arrives too slowly, or an answer that nobody takes, ends its connection. When there are
too many, the one that has been arriving for longest makes room: who sends a whole request is answered.
All but the body of a request is parsed as it arrives, so there may not be much of it.
"""

import asyncio
import json
import sys
import time
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEADERS = 100
MOST_HEAD = 64 << 10  # bytes of a request that are not of its body
FRAME = 16  # bytes that a part of a body may have around it
FEW = 1_000  # parts of a body that may be of any size,
LEAST_PART = 64  # and bytes that those of more have on average
MOST_WAITING = 16  # requests behind one that is being answered
TOO_MUCH = (
    f"there is too much around the body of the request: it may have {MOST_HEADERS} headers and "
    f"{MOST_HEAD:,} bytes, and parts of {LEAST_PART} bytes or more"
)
SAID = json.dumps({"error": TOO_MUCH}).encode()
REFUSAL = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(SAID), SAID)
)


class TooMuchError(Exception):
    """There is more to parse than there may be."""


class Connection(HttpToolsProtocol):
    """A connection that keeps nobody waiting; `bounded` says for how long."""

    patience: float  # seconds for the head of a request, and for a part of an answer to be taken
    most: int

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._head = 0  # bytes of this request that were not of its body
        self._parts = self._body = 0  # parts of its body, and their bytes
        self._refused = False
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
        if self._refused:
            return
        if self._timer is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()
        self._head += len(data)
        super().data_received(data)
        if self._head > MOST_HEAD and not self._refused:
            self._refuse()

    def send_400_response(self, msg: str) -> None:
        """Say that a request cannot be parsed, or that there is too much of it."""
        if isinstance(getattr(sys.exception(), "__context__", None), TooMuchError):
            self._refuse()
        else:
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        """Begin a request, if not too many wait for their answers."""
        if len(self.pipeline) >= MOST_WAITING:
            raise TooMuchError
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, before the body or behind it."""
        if len(self.headers) >= MOST_HEADERS:
            raise TooMuchError
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Take a part of the body; many small ones cost far more than they bring."""
        self._head = max(self._head - len(body) - FRAME, 0)
        self._parts += 1
        self._body += len(body)
        if self._parts > FEW + self._body // LEAST_PART:
            raise TooMuchError
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        self._head = self._parts = self._body = 0
        super().on_message_complete()

    def _refuse(self) -> None:
        """Say that there is too much, and read on without parsing, so that the answer is heard."""
        self._refused = True
        if self.cycle is not None and not self.cycle.response_complete:
            if self.cycle.response_started or self.pipeline:
                self.transport.abort()  # others are answered first
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.flow.resume_reading()
        self.transport.write(REFUSAL)
        self.transport.write_eof()
        self._wait()

    def on_headers_complete(self) -> None:
        """Begin to answer: the guard sees to it that the body arrives in time."""
        self._stop_waiting()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Wait for somebody to take this part of the answer."""
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
        """Return 0 while a request arrives, 1 between two, 2 while an answer is taken, 3 before that."""
        if self.cycle is None or (self._timer is not None and self.cycle.response_complete):
            return 0
        if self.cycle.response_complete:
            return 1
        if self.cycle.more_body:
            return 0
        return 2 if self.flow.write_paused else 3

    def _wait(self) -> None:
        self._stop_waiting()
        self.since = time.monotonic()
        self._timer = self.loop.call_later(self.patience, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def least_useful(others: list[Connection], new: Connection) -> Connection:
    """Return the connection that has to go: the new one if the answers of all others are being made."""
    first = min(others, key=lambda one: (one.usefulness, one.since))
    return first if first.usefulness < 3 else new


def bounded(patience: float, most: int) -> type[Connection]:
    """Return the class of connections of one server."""
    return type("BoundedConnection", (Connection,), {"patience": patience, "most": most})
