"""What every request passes before it is answered, and every answer before it leaves.

The address that was asked for, the token, the site that sent it, the size of the body and the time it
may take to arrive; then headers by which a browser runs nothing but the server's own scripts.
"""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from neardup.server.bodies import is_bulk, wants_html
from neardup.server.pages import PAGE_STYLES, error_page
from neardup.server.room import Held, Room
from neardup.server.settings import ServerSettings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
LOOPBACK = ("localhost", "127.0.0.1", "::1")
COOKIE = "neardup-token"
OPEN = ("/healthz", *(f"/static/{name}" for name in PAGE_STYLES))  # what may be asked without a token
PAGES = ("/", "/report", "/asked", "/api")  # what a browser may open with the token in the address
READING = ("GET", "HEAD", "OPTIONS")
PART = 64 << 10  # bytes of an answer that must be taken in time
HELD = "neardup.held"  # in a scope: what says how much an answer holds until it is taken
KNOWN = "neardup.known"  # whether who asks has the token, or needs none
BULK = "/documents"  # takes lines without an end
NO_ROOM = (503, "the server is busy with other large requests")
CLOSE = [(b"connection", b"close")]


class LeftError(Exception):
    """The client left before its request was whole."""


class RefusedError(Exception):
    """A body is not taken: the status, what to say, and headers."""


class Guard:
    """Lets requests through to an app that may pass."""

    def __init__(self, app: App, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings
        self._bodies, self._answers = Room(settings.max_body), Room(settings.max_body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        send = outgoing(send, self._answers)
        headers = {name.decode("latin-1").lower(): v.decode("latin-1") for name, v in scope["headers"]}
        # as it was sent, so that an id may hold a slash; those who take ids decode them
        scope["path"] = scope["raw_path"].decode("ascii", "replace").partition("?")[0]
        refusing = Refusing(send, wants_html(headers.get("accept", "")))
        if not self._is_ours(headers.get("host", "")):
            await refusing(421, "this server does not go by that name")
        elif scope["method"] not in READING and from_elsewhere(headers):
            await refusing(403, "another site may not write here")
        elif self._brings_token(scope):
            await self._hand_out_cookie(scope["path"], send)
        else:
            await self._known(scope, headers, receive, send, refusing)

    async def _known(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send, refusing: "Refusing"
    ) -> None:
        """Ask for the token where it is needed, and let a request through."""
        scope[KNOWN] = not self._settings.token or self._has_token(headers)
        if not scope[KNOWN] and scope["path"] not in OPEN:
            more = [(b"www-authenticate", b"Bearer")]
            await refusing(401, "a token is needed: Authorization: Bearer TOKEN", more)
        elif is_bulk(headers.get("content-type", "")) and scope["path"] == BULK:
            await self._answered(scope, receive, send)  # who reads it sees to how much it is
        else:
            await self._with_body(scope, headers, receive, send)

    def _is_ours(self, host: str) -> bool:
        """Return whether a request is for this server by name: another site's may lead here, too."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        allowed = {*LOOPBACK, self._settings.host.lower()}
        return not self._settings.is_local or name.strip("[]").lower() in allowed

    def _has_token(self, headers: dict[str, str]) -> bool:
        """Look for the token where no log has it; one in an address ends up in those of proxies."""
        given = headers.get("authorization", "").removeprefix("Bearer ").strip()
        return self._is_token(given) or self._is_token(cookie(headers.get("cookie", ""), COOKIE))

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), str(self._settings.token).encode())

    def _brings_token(self, scope: Scope) -> bool:
        if not self._settings.token or scope["path"] not in PAGES:
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return self._is_token(given.replace(" ", "+"))  # a plus that nobody encoded

    async def _hand_out_cookie(self, path: str, send: Send) -> None:
        """Take the token out of the address: what follows is asked with a cookie."""
        cookie = f"{COOKIE}={self._settings.token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", path.encode()), (b"set-cookie", cookie.encode("latin-1"))]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _with_body(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> None:
        """Read the body, as far as it may be long, before the app begins."""
        refusing = Refusing(send, False)
        held = self._bodies.hold()
        try:
            body = await self._body(receive, held)
        except RefusedError as error:
            await refusing(*error.args)
        except LeftError:
            return  # nobody waits for an answer
        else:
            if body and not headers.get("content-type", "").startswith("application/json"):
                # a form of another site can send anything but this
                await refusing(415, "send JSON, with Content-Type: application/json")
            else:
                # what is sent for HEAD is left out below
                asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
                await self._answered(asked, replay(body, receive), send)
        finally:
            held.release()

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer; what it holds until it is taken has room as all answers have."""
        held = scope[HELD] = self._answers.hold()
        try:
            async with asyncio.timeout(None) as held.timer:
                await self._app(scope, receive, send)
        except TimeoutError:
            if not held.is_given_up:
                raise
        finally:
            held.release()

    async def _body(self, receive: Receive, held: Held) -> bytes:
        try:
            async with asyncio.timeout(self._settings.timeout) as held.timer:
                body = await read_body(receive, self._settings.max_body, held)
        except TimeoutError:
            late = (408, "the request did not arrive in time")
            raise RefusedError(*(NO_ROOM if held.is_given_up else late), CLOSE) from None
        held.timer = None  # it is worked on
        return body


async def read_body(receive: Receive, limit: int, held: Held) -> bytes:
    """Return the body; it is read to its end even if it is refused, so that the answer is heard."""
    parts: list[bytes] = []
    refused: tuple[Any, ...] = ()
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise LeftError
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            refused = 413, f"the request is too large: at most {limit:,} bytes may be sent"
        elif not refused and not held.grow(len(part)):
            refused = *NO_ROOM, [(b"retry-after", b"1")]
        if refused:
            parts.clear()
            held.release()
        else:
            parts.append(part)
        if not message.get("more_body"):
            if refused:
                raise RefusedError(*refused)
            return b"".join(parts)


def replay(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read already to an app."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def outgoing(send: Send, room: Room) -> Send:
    """Add the headers that every answer has, unless it has its own; send it as it is taken."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", [])}
            more = [header for header in ENCODED if header[0] not in own]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        if len(message.get("body", b"")) > PART:
            await in_parts(message, send, room)
        else:
            await send(message)

    return sending


async def in_parts(message: Message, send: Send, room: Room) -> None:
    """Send a large answer part by part: each has its time, and the last is as patient as the first."""
    body = message["body"]
    held = room.hold(body)
    try:
        async with asyncio.timeout(None) as held.timer:
            held.grow(len(body))
            for at in range(0, len(body), PART):
                more = at + PART < len(body) or message.get("more_body", False)
                await send({**message, "body": body[at : at + PART], "more_body": more})
    except TimeoutError:
        return  # it was given up for others, and its connection is closed
    finally:
        held.release()


def cookie(header: str, name: str) -> str:
    """Return a cookie of a header, nothing if it is not there; the library's parser may take forever.

    >>> cookie("theme=dark; neardup-token=sesame", "neardup-token")
    'sesame'
    """
    parts = (part.strip().partition("=") for part in header.split(";"))
    return next((value for own, _, value in parts if own == name), "")


def from_elsewhere(headers: dict[str, str]) -> bool:
    """Return whether a page of another site sent a request; programs say nothing of where they are.

    >>> from_elsewhere({"origin": "http://evil.example", "host": "127.0.0.1:8765"})
    True
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower()


class Refusing:
    """Answers with an error: as a page for browsers, as JSON for programs."""

    def __init__(self, send: Send, html: bool) -> None:
        self._send = send
        self._html = html

    async def __call__(
        self, status: int, what: str, headers: Iterable[tuple[bytes, bytes]] = ()
    ) -> None:
        """Send the error."""
        page = error_page(status, what) if self._html else json.dumps({"error": what})
        body, kind = page.encode(), b"text/html; charset=utf-8" if self._html else b"application/json"
        head = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        await self._send({"type": "http.response.start", "status": status, "headers": [*head, *headers]})
        await self._send({"type": "http.response.body", "body": body})
