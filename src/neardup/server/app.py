"""The server as an app: what it serves is put together from parts."""

import json
from collections import ChainMap
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from neardup import __version__
from neardup.errors import (
    InputError,
    LockedError,
    NeardupError,
    SettingsError,
    TakenIdError,
    UnknownDocumentError,
)
from neardup.server.bodies import wants_html
from neardup.server.guard import KNOWN, App, Guard
from neardup.server.metrics import KIND, Metrics, numbers
from neardup.server.models import ErrorAnswer
from neardup.server.pages import Tabs, description_page, error_page, static_file
from neardup.server.settings import ServerSettings
from neardup.server.work import BusyError, GivenUpError, LateError, TooSlowError, Work
from neardup.web.words import say

ABOUT = """
Look texts up in an index, add documents to it, and browse a result. In addresses, ids are written as
browsers encode them (a slash is %2F). Errors have a message and, where there is one, a hint.
"""
STATUS: dict[type[NeardupError], int] = {
    UnknownDocumentError: 404,
    TakenIdError: 409,
    BusyError: 503,
    TooSlowError: 503,
    LateError: 408,
    GivenUpError: 503,  # nobody hears it
    LockedError: 503,
    InputError: 422,
    SettingsError: 422,
}
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
EXPECTED = (NeardupError, RequestValidationError, HTTPException)
ERRORS: dict[int | str, dict[str, Any]] = {"4XX": {"model": ErrorAnswer}, "5XX": {"model": ErrorAnswer}}


class Part:
    """Something to be served: an index, or a result.

    `tabs` are the titles and addresses of its pages. `pair` and `clusters` answer for those addresses
    that all parts share; None says that this part knows nothing of it.
    """

    name: str
    tabs: Tabs

    def router(self, work: Work, tabs: Tabs) -> APIRouter:
        """Return what only this part answers; `tabs` are those of all parts."""
        raise NotImplementedError

    def health(self) -> Mapping[str, Any]:
        """Return some figures."""
        raise NotImplementedError

    def figures(self) -> Mapping[str, Any]:
        """Return more figures, for those who watch the server."""
        return {}

    def pair(self, id_a: str, id_b: str) -> Mapping[str, Any] | None:
        """Return two documents as the viewer shows them."""
        return None

    def clusters(self, offset: int, limit: int) -> Mapping[str, Any] | None:
        """Return some clusters."""
        return None

    def close(self) -> None:
        """Let go of what is open."""


def create_app(parts: Sequence[Part], settings: ServerSettings) -> App:
    """Return an app that serves some parts, within limits."""
    work = Work(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        work.close()
        for part in parts:
            part.close()

    app = FastAPI(
        title="neardup",
        description=ABOUT,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        responses=ERRORS,
        lifespan=lifespan,
    )
    add_errors(app)
    tabs = [*(tab for part in parts for tab in part.tabs), (say("server.api"), "/api")]
    routers = [part.router(work, tabs) for part in parts]
    for router in routers:
        app.include_router(router)
    add_shared(app, parts, work)
    add_pages(app, tabs)
    routes = [*app.routes, *(route for router in routers for route in router.routes)]
    places = [path for route in routes if (path := getattr(route, "path", None))]
    metrics = Metrics(Guard(app, settings), [*places, "/metrics"])

    @app.get("/metrics")
    async def figures() -> PlainTextResponse:
        """Return figures for Prometheus: how many requests were answered, how fast, and what is held."""
        held = [await work.run(partial(gauges, part)) for part in parts]
        return PlainTextResponse(metrics.text(dict(ChainMap(*held))), media_type=KIND)

    return metrics


def gauges(part: Part) -> dict[str, float]:
    """Return the figures of a part."""
    return numbers(part.name, {**part.health(), **part.figures()})


def add_shared(app: FastAPI, parts: Sequence[Part], work: Work) -> None:
    """Add what several parts may answer."""

    @app.get("/healthz")
    async def healthz(request: Request) -> JSONResponse:
        """Return that the server is there and, with the token, what it serves."""
        if not request.scope[KNOWN]:
            return JSONResponse({"status": "ok"})
        found = {part.name: part.health() for part in parts}
        return JSONResponse({"status": "ok", "version": __version__, **found})

    @app.get("/pairs/{a}/{b}")
    async def pair(a: str, b: str) -> Response:
        """Return two documents side by side: texts in parts, matches, and the words that differ."""
        id_a, id_b = unquote(a), unquote(b)
        what = f"there is no pair of {id_a!r} and {id_b!r}"
        return await first_answer([partial(part.pair, id_a, id_b) for part in parts], work, what)

    @app.get("/clusters")
    async def clusters(offset: int = 0, limit: int = 100) -> Response:
        """Return the clusters of a result, the largest first."""
        what = "there are no clusters: serve a result of neardup documents"
        offset, limit = max(offset, 0), min(max(limit, 1), 1000)
        answers = [partial(part.clusters, offset, limit) for part in parts]
        return await first_answer(answers, work, what)


async def first_answer(
    answers: Iterable[Callable[[], Mapping[str, Any] | None]], work: Work, missing: str
) -> Response:
    """Return what the first part that knows something says; 404 if none does."""
    unknown: UnknownDocumentError | None = None
    for answer in answers:
        try:
            found = await work.run(partial(made, answer))
        except UnknownDocumentError as error:
            unknown = error
            continue
        if found != b"null":
            return json_response(found)
    raise unknown or UnknownDocumentError(missing)


def made(answer: Callable[[], Any]) -> bytes:
    """Make an answer, and write it as JSON."""
    return to_json(answer())


def add_pages(app: FastAPI, tabs: Tabs) -> None:
    """Add the pages' own files, and one that leads to all others unless a part has it."""

    @app.get("/static/{name}", include_in_schema=False)
    async def static(name: str) -> Response:
        return static_file(name)

    @app.get("/api", include_in_schema=False)
    async def description() -> Response:
        return HTMLResponse(description_page(app.openapi(), tabs))

    if not any(address == "/" for _, address in tabs):

        @app.get("/", include_in_schema=False)
        async def first() -> Response:
            return RedirectResponse(tabs[0][1])


def to_json(content: object) -> bytes:
    """Write JSON; what is not Unicode in a text of the input becomes a question mark."""
    return ENCODER.encode(content).encode("utf-8", "replace")


def json_response(content: object, status: int = 200) -> Response:
    """Return an answer in JSON, which may be written already."""
    body = content if isinstance(content, bytes) else to_json(content)
    return Response(body, status, media_type="application/json")


def add_errors(app: FastAPI) -> None:
    """Answer errors in plain words."""

    async def answered(request: Request, error: Exception) -> Response:
        return error_answer(request, error)

    for kind in (*EXPECTED, Exception):
        app.add_exception_handler(kind, answered)


def error_answer(request: Request, error: Exception) -> Response:
    """Say what went wrong in plain words, without where on this machine it happened."""
    match error:
        case NeardupError():
            status = status_of(error)
            headers = {"Retry-After": "1"} if status == 503 else None
            hint = error.hint and error.hint.replace("replace_ids=True", '"replace": true')
            return error_response(request, status, error.what, hint, headers)
        case RequestValidationError():
            first = error.errors()[0]
            if first["type"] == "json_invalid":
                return error_response(request, 400, f"the body is not JSON: {first['ctx']['error']}")
            place = ".".join(str(part) for part in first["loc"] if part != "body")
            return error_response(request, 422, f"{place}: {first['msg']}" if place else first["msg"])
        case HTTPException():
            what = {404: "there is nothing here", 405: "this address does not answer that method"}
            said = what.get(error.status_code, str(error.detail))
            return error_response(request, error.status_code, said)
    # the log has it; it may name files of this machine
    return error_response(request, 500, "something went wrong; the server's log says what")


def status_of(error: NeardupError) -> int:
    """Return the status of an answer that says what went wrong."""
    return next((code for kind, code in STATUS.items() if isinstance(error, kind)), 500)


def error_response(
    request: Request,
    status: int,
    what: str,
    hint: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error as JSON, or as a page if a browser asks for one."""
    if wants_html(request.headers.get("accept", "")):
        return HTMLResponse(error_page(status, what, hint), status, headers=dict(headers or {}))
    return JSONResponse({"error": what, "hint": hint}, status, headers=dict(headers or {}))
