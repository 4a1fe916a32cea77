"""What every request passes before it is answered, and every answer before it leaves.

The address that was asked for, the token, the size of the body and the time it may take to arrive;
then headers by which a browser runs nothing but the server's own scripts.
"""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

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
LOOPBACK = ("localhost", "127.0.0.1", "::1")
COOKIE = "neardup-token"
OPEN = ("/healthz",)  # what may be asked without a token


class Guard:
    """Lets requests through to an app that may pass."""

    def __init__(self, app: App, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        send = with_headers(send)
        headers = {name.decode("latin-1").lower(): v.decode("latin-1") for name, v in scope["headers"]}
        # as it was sent, so that an id may hold a slash; those who take ids decode them
        scope["path"] = scope["raw_path"].decode("ascii", "replace").partition("?")[0]
        if not self._is_ours(headers.get("host", "")):
            await refuse(send, 421, "this server does not go by that name")
        elif self._settings.token and scope["path"] not in OPEN and not self._has_token(scope, headers):
            more = [(b"www-authenticate", b"Bearer")]
            await refuse(send, 401, "a token is needed: Authorization: Bearer TOKEN", more)
        elif self._comes_with_token(scope):
            await self._hand_out_cookie(send)
        else:
            await self._with_body(scope, headers, receive, send)

    def _is_ours(self, host: str) -> bool:
        """Say whether a request is for this server by name: another site's name may lead here, too."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        allowed = {*LOOPBACK, self._settings.host.lower()}
        return not self._settings.is_local or name.strip("[]").lower() in allowed

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = [headers.get("authorization", "").removeprefix("Bearer ").strip()]
        given += parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        given += [cookie.value] if cookie else []
        expected = str(self._settings.token).encode()
        return any(hmac.compare_digest(token.encode(), expected) for token in given)

    def _comes_with_token(self, scope: Scope) -> bool:
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        return bool(self._settings.token) and scope["path"] == "/" and "token" in asked

    async def _hand_out_cookie(self, send: Send) -> None:
        """Take the token out of the address: what follows is asked with a cookie."""
        cookie = f"{COOKIE}={self._settings.token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode("latin-1"))]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _with_body(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> None:
        """Read the body, as far as it may be long, before the app begins."""
        limit = self._settings.max_body
        try:
            async with asyncio.timeout(self._settings.timeout):
                body = await read_body(receive, limit)
        except TimeoutError:
            await refuse(send, 408, "the request did not arrive in time")
            return
        if body is None:
            await refuse(send, 413, f"the request is too large: at most {limit:,} bytes may be sent")
        elif body and not headers.get("content-type", "").startswith("application/json"):
            # a form of another site can send anything but this
            await refuse(send, 415, "send JSON, with Content-Type: application/json")
        else:
            await self._app(scope, replay(body, receive), send)


async def read_body(receive: Receive, limit: int) -> bytes | None:
    """Return the body, None if it is too long; it is read to its end, so that the answer is heard."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        size += len(message.get("body", b""))
        if size <= limit:
            parts.append(message.get("body", b""))
        else:
            parts.clear()
        if not message.get("more_body"):
            return b"".join(parts) if size <= limit else None


def replay(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read already to an app."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def with_headers(send: Send) -> Send:
    """Add the headers that every answer has, unless it has its own."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", [])}
            more = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in own]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending


async def refuse(
    send: Send, status: int, what: str, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Answer with an error."""
    body = json.dumps({"error": what}).encode()
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*head, *headers]})
    await send({"type": "http.response.body", "body": body})
