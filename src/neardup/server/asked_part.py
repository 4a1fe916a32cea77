"""A result of threads, to be asked whether a question was asked before."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from neardup.errors import InputError, LockedError, NeardupError, OutputError
from neardup.index.asked import ThreadIndex
from neardup.reports.pairs import side, view_of_texts
from neardup.result import Result
from neardup.server.app import Part, json_response
from neardup.server.bodies import described, gone, parsed
from neardup.server.models import (
    AddThreadsAnswer,
    AddThreadsRequest,
    AskedAnswer,
    AskedViewRequest,
    AskRequest,
    NewThread,
    RemoveThreadAnswer,
)
from neardup.server.pages import Tabs, asked_page
from neardup.server.work import Wanted, Work
from neardup.showing.alignment import common_matches
from neardup.store.database import Sync
from neardup.web.words import say

CANNOT = "these threads cannot be asked"
YOURS = "your question"
LEAST_WORDS = 3  # of a run that is shown to be the same


class AskedPart(Part):
    """Answers for the threads of a result, by an index that is made in its folder the first time."""

    name = "asked"
    tabs: Tabs = ((say("asked.title"), "/asked"),)

    def __init__(
        self, result: Result, max_text: int, read_only: bool = False, sync: Sync = "soon"
    ) -> None:
        self._max_text = max_text
        self._index: ThreadIndex | None = None
        self._problem: str | None = None
        try:
            self._index = opened(result, read_only, sync)
            words = dict.fromkeys(self._index.settings.fields, "a word or two")
            self._index.ask(words)  # so that kernels are loaded
            self._index.suggest(words)
        except NeardupError as error:
            self._problem = error.what
        except OSError:
            self._problem = "the folder of the result cannot be written to"

    def health(self) -> Mapping[str, Any]:
        """Return how many threads there are and the fields that they have, or what is wrong."""
        if self._index is None:
            return {"threads": 0, "fields": [], "problem": self._problem}
        return {"threads": len(self._index), "fields": list(self._index.settings.fields)}

    def close(self) -> None:
        """Close the files."""
        if self._index is not None:
            self._index.close()

    @property
    def index(self) -> ThreadIndex:
        """Return the index, if it could be made."""
        if self._index is None:
            raise InputError(f"{CANNOT}: {self._problem}", hint="Run neardup threads again.")
        return self._index

    def _writable(self) -> ThreadIndex:
        if not self.index.writable:
            raise HTTPException(403, "this server only answers")
        return self.index

    def add(self, request: AddThreadsRequest) -> Mapping[str, Any]:
        """Add threads, all or none."""
        index = self._writable()
        for new in request.threads:
            self._check(new.thread)
        rows = [index.row(new.id, new.thread, new.url, new.date) for new in request.threads]
        added = index.add_rows(rows, replace_ids=request.replace)
        return {
            "added": added.documents,
            "replaced": added.replaced,
            "skipped": added.skipped,
            "threads": len(index),
        }

    def remove(self, given: str) -> Mapping[str, Any]:
        """Remove a thread."""
        index = self._writable()
        return {"removed": index.remove([given]), "threads": len(index)}

    def ask(self, request: AskRequest) -> Mapping[str, Any]:
        """Return the threads that are most similar to a new one, and others that are near to it."""
        found = self.index.ask(request.thread, request.top, request.least)
        known = {one.id for one in found}
        near = [one for one in self.index.suggest(request.thread, request.top) if one.id not in known]
        return {"found": [one.as_dict() for one in found], "nearest": [one.as_dict() for one in near]}

    def view(self, request: AskedViewRequest) -> Mapping[str, Any]:
        """Return a thread that was asked before and a new one, field below field, side by side."""
        about, thread = self.index.thread(request.id)
        both = joined(thread), joined(request.thread)
        return view_of_texts(
            side(about.id, about.title, about.url, len(both[0])),
            side(YOURS, length=len(both[1])),
            both,
            common_matches(*both, LEAST_WORDS),
            [],
        )

    def _check(self, thread: Mapping[str, str | None]) -> None:
        size = sum(len(text or "") for text in thread.values())
        if size > self._max_text:
            what = f"the thread has {size:,} characters; at most {self._max_text:,} can be looked up"
            raise HTTPException(413, what)

    def router(self, work: Work, tabs: Tabs) -> APIRouter:
        """Return what can be asked."""
        router = APIRouter()

        @router.get("/asked", include_in_schema=False)
        async def page() -> Response:
            return HTMLResponse(asked_page(tabs))

        @router.post("/asked", response_model=AskedAnswer, openapi_extra=described(AskRequest))
        async def asked(request: Request) -> Response:
            """Return the threads that are most similar to a new one."""
            body = await request.body()

            def answer(wanted: Wanted) -> Mapping[str, Any]:
                thread = parsed(AskRequest, body)
                self._check(thread.thread)
                wanted.check()
                return self.ask(thread)

            return json_response(await work.answer(answer, gone(request)))

        @router.post(
            "/asked/threads",
            response_model=AddThreadsAnswer,
            status_code=201,
            openapi_extra=described(AddThreadsRequest, NewThread),
        )
        async def add_threads(request: Request) -> Response:
            """Add threads to the index, all or none; queries find them from then on."""
            body = await request.body()
            asked = await work.run(partial(parsed, AddThreadsRequest, body))
            return json_response(await work.write(partial(self.add, asked)), 201)

        @router.delete("/asked/threads/{id}", response_model=RemoveThreadAnswer)
        async def remove_thread(id: str) -> Response:  # noqa: A002
            """Remove a thread from the index."""
            return json_response(await work.write(lambda: self.remove(unquote(id))))

        @router.post("/asked/view", response_model=dict, openapi_extra=described(AskedViewRequest))
        async def view(request: Request) -> Response:
            """Return a new thread beside one of the result, as the viewer shows them."""
            body = await request.body()

            def compared(wanted: Wanted) -> Mapping[str, Any]:
                asked_view = parsed(AskedViewRequest, body)
                self._check(asked_view.thread)
                wanted.check()
                return self.view(asked_view)

            return json_response(await work.answer(compared, gone(request)))

        return router


def opened(result: Result, read_only: bool, sync: Sync) -> ThreadIndex:
    """Open the index of a result, to be added to if nobody else does that."""
    if not read_only:
        with suppress(LockedError, OutputError):
            return ThreadIndex.build(result, writable=True, sync=sync)
    return ThreadIndex.build(result)


def joined(thread: Mapping[str, str | None]) -> str:
    """Return the fields of a thread as one text."""
    return "\n\n".join(filter(None, thread.values()))
