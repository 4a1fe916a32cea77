"""An index to be served: asked, added to, taken from."""

import asyncio
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from neardup.errors import NeardupError
from neardup.index.answers import QUERY
from neardup.index.online import Index
from neardup.index.settings import QuerySettings
from neardup.reports.pairs import side, view_of_texts
from neardup.server import models
from neardup.server.app import Part, json_response, status_of, to_json
from neardup.server.bodies import described, gone, is_bulk, parsed
from neardup.server.bulk import STREAMS, Bulk, Coming, row_of
from neardup.server.guard import HELD, PART
from neardup.server.pages import Tabs, search_page
from neardup.server.work import BusyError, Wanted, Work
from neardup.showing.alignment import Match, common_matches
from neardup.showing.console import share_text, similarity_text
from neardup.showing.explaining import least_words
from neardup.store.manifest import About
from neardup.web.words import say

MOST_SHOWN = 200_000  # characters of one side in the viewer


class IndexPart(Part):
    """Answers for an index, from memory; writes go to its file."""

    name = "index"
    tabs: Tabs = ((say("server.search"), "/"),)

    def __init__(self, index: Index, max_text: int) -> None:
        self.index = index
        self._max_text = max_text
        self._streams = asyncio.Semaphore(STREAMS)
        index.warm_up()

    def health(self) -> Mapping[str, Any]:
        """Return how many documents there are, and whether more can be added."""
        return {"documents": len(self.index), "writable": self.index.writable}

    def figures(self) -> Mapping[str, Any]:
        """Return the size on the disk."""
        return {"bytes": self.index.info()["bytes"]}

    def close(self) -> None:
        """Close the file."""
        self.index.close()

    def pair(self, id_a: str, id_b: str) -> Mapping[str, Any]:
        """Return two documents of the index side by side."""
        (about_a, text_a), (about_b, text_b) = self.index.document(id_a), self.index.document(id_b)
        return self._view(about_a, text_a, about_b, text_b)

    def _view(self, about_a: About, text_a: str, about_b: About, text_b: str) -> Mapping[str, Any]:
        found = self.index.between(text_a, text_b)
        matches = [
            Match(p["start_a"], p["end_a"], p["start_b"], p["end_b"], p["kind"], p["similarity"])
            for p in found.passages
        ]
        facts = [
            (say("column.resemblance"), similarity_text(found.resemblance)),
            (say("column.containment_a"), share_text(found.containment_a)),
            (say("column.containment_b"), share_text(found.containment_b)),
        ]
        return view_of_texts(
            side(about_a.id, about_a.title, about_a.url, len(text_a)),
            side(about_b.id, about_b.title, about_b.url, len(text_b)),
            (text_a, text_b),
            matches or common_matches(text_a, text_b, least_words(self.index.analysis.shingles)),
            facts,
            MOST_SHOWN,
        )

    def _answer(self, body: bytes, wanted: Wanted) -> bytes:
        """Look a text up; the words of each match are compared as long as somebody waits for it."""
        asked = parsed(models.QueryRequest, body)
        text = self._checked(asked.text)
        wanted.check()
        settings = QuerySettings(asked.threshold, asked.measure, asked.limit)
        found = self.index.query(text, settings, wanted.check)
        matches = []
        for match in found.matches:
            wanted.check()
            matches.append(match.as_dict(asked.differences))
        note = {"note": found.note} if found.note else {}
        return to_json({"total": found.total, **note, "matches": matches})

    def _document(self, given: str) -> tuple[dict[str, Any], bytes]:
        about, text = self.index.stored(given)
        return {**about._asdict(), "length": len(text.decode("utf-8", "replace"))}, text

    def _checked(self, text: str) -> str:
        if len(text) > self._max_text:
            what = f"the text has {len(text):,} characters; at most {self._max_text:,} can be looked up"
            raise HTTPException(413, what)
        return text

    def router(self, work: Work, tabs: Tabs) -> APIRouter:
        """Return what an index answers."""
        router, index = APIRouter(), self.index

        @router.get("/", include_in_schema=False)
        async def page() -> Response:
            return HTMLResponse(search_page(tabs))

        @router.post(
            "/query", response_model=models.QueryAnswer, openapi_extra=described(models.QueryRequest)
        )
        async def query(request: Request) -> Response:
            """Find documents that are similar to a text, and the passages that they share with it."""
            answer = partial(self._answer, await request.body())
            return json_response(await work.answer(answer, gone(request)))

        @router.post("/view", response_model=dict, openapi_extra=described(models.ViewRequest))
        async def view(request: Request) -> Response:
            """Return a text beside a document of the index, as the viewer shows them."""
            body = await request.body()

            def compared(wanted: Wanted) -> bytes:
                asked = parsed(models.ViewRequest, body)
                text = self._checked(asked.text)
                about, own = index.document(asked.id)
                wanted.check()
                return to_json(self._view(about, own, About(QUERY), text))

            return json_response(await work.answer(compared, gone(request)))

        @router.post(
            "/documents",
            response_model=models.AddAnswer,
            status_code=201,
            openapi_extra=described(models.AddRequest, models.NewDocument),
        )
        async def add_documents(request: Request) -> Response:
            """Add documents, all or none; queries find them from then on.

            Or add any number, one a line (application/x-ndjson): a wrong line does not stop the others.
            """
            return await self._add(request, work)

        @router.get("/documents/{id}", response_model=models.TextAnswer)
        async def document(id: str, request: Request) -> Response:  # noqa: A002
            """Return a document and its text."""
            return await document_response(request, *await work.run(lambda: self._document(unquote(id))))

        @router.delete("/documents/{id}", response_model=models.RemoveAnswer)
        async def remove(id: str) -> Response:  # noqa: A002
            """Remove a document."""
            self._check_writable()
            removed = await work.write(lambda: index.remove([unquote(id)]))
            return json_response({"removed": removed, "documents": len(index)})

        return router

    async def _add(self, request: Request, work: Work) -> Response:
        """Add documents of a body, which is one of JSON or of lines."""
        self._check_writable()
        if is_bulk(request.headers.get("content-type", "")):
            return await self._add_lines(request, work)
        body = await request.body()
        asked = await work.run(partial(parsed, models.AddRequest, body))
        add = partial(self.index.add_rows, map(row_of, asked.documents), replace_ids=asked.replace)
        added = await work.write(add)
        answer = {"added": added.documents, "replaced": added.replaced, "skipped": added.skipped}
        return json_response({**answer, "documents": len(self.index)}, 201)

    async def _add_lines(self, request: Request, work: Work) -> Response:
        """Add documents as they come; whatever ends that, the answer says how far it got."""
        if self._streams.locked():
            raise BusyError(
                "the server is already taking lines from others", hint="Try again in a moment."
            )
        replace = request.query_params.get("replace", "").lower() in ("true", "1")
        bulk, coming = Bulk(self.index, replace, work.settings.max_body), Coming(request, work.settings)
        async with self._streams:
            try:
                async with aclosing(coming.portions()) as portions:
                    async for lines in portions:
                        await work.write(partial(bulk.take, lines))
            except NeardupError as error:
                await coming.pass_over()
                said = {"error": error.what, "hint": error.hint, **bulk.answer()}
                return json_response(said, status_of(error))
        return json_response(bulk.answer(), 201)

    def _check_writable(self) -> None:
        if not self.index.writable:
            raise HTTPException(403, "this server only answers")


async def document_response(request: Request, head: dict[str, Any], text: bytes) -> Response:
    """Return a document as an answer, which holds its text until it is taken."""
    request.scope[HELD].grow(len(text), text)
    parts = document_parts(head, text)
    if len(text) > PART:
        return StreamingResponse(parts, media_type="application/json")
    return json_response(b"".join([part async for part in parts]))


async def document_parts(head: dict[str, Any], text: bytes) -> AsyncIterator[bytes]:
    """Yield a document as JSON as it is taken: of a long one, a copy for each who asks is too much."""
    yield to_json({**head, "text": ""})[: -len('"}')]
    decoder = getincrementaldecoder("utf-8")("replace")
    for at in range(0, len(text), PART):
        part = decoder.decode(text[at : at + PART], at + PART >= len(text))
        yield to_json(part)[1:-1]
        await asyncio.sleep(0)  # others have their turn, and who has left is noticed
    yield b'"}'
