"""A result of threads, to be asked whether a question was asked before."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from neardup.errors import InputError, NeardupError
from neardup.methods.threads.index import ThreadIndex
from neardup.reports.pairs import side, view_of_texts
from neardup.reports.texts import texts_of_docs
from neardup.result import Result
from neardup.server.app import Part, json_response
from neardup.server.bodies import described, gone, parsed
from neardup.server.models import AskedAnswer, AskedViewRequest, AskRequest
from neardup.server.pages import Tabs, asked_page
from neardup.server.work import Wanted, Work
from neardup.showing.alignment import common_matches
from neardup.showing.kind import doc_of
from neardup.web.words import say

CANNOT = "these threads cannot be asked"
GONE = "The thread cannot be shown: the input of the run is gone or has changed."
YOURS = "your question"
LEAST_WORDS = 3  # of a run that is shown to be the same


class AskedPart(Part):
    """Answers for the threads of a result, by an index that is made in its folder the first time."""

    name = "asked"
    tabs: Tabs = ((say("asked.title"), "/asked"),)

    def __init__(self, result: Result, max_text: int) -> None:
        self._max_text = max_text
        self._result = result
        self._index: ThreadIndex | None = None
        self._problem: str | None = None
        try:
            self._index = ThreadIndex.build(result)
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

    def ask(self, request: AskRequest) -> Mapping[str, Any]:
        """Return the threads that are most similar to a new one, and others that are near to it."""
        if self._index is None:
            raise InputError(f"{CANNOT}: {self._problem}", hint="Run neardup threads again.")
        found = self._index.ask(request.thread, request.top, request.least)
        known = {one.id for one in found}
        near = [one for one in self._index.suggest(request.thread, request.top) if one.id not in known]
        return {"found": [one.as_dict() for one in found], "nearest": [one.as_dict() for one in near]}

    def view(self, request: AskedViewRequest) -> Mapping[str, Any]:
        """Return a thread of the result and a new one, field below field, side by side."""
        kind = self._result.own_method.report(self._result)
        doc = doc_of(self._result, request.id)
        about = kind.documents(np.array([doc])).to_pylist()[0]
        text = texts_of_docs(kind, [doc]).by_doc.get(doc)
        own = "\n\n".join(filter(None, request.thread.values()))
        both = None if text is None else (text, own)
        return view_of_texts(
            side(about["id"], about["title"], about["source"], about["length"], about.get("url")),
            side(YOURS, length=len(own)),
            both,
            [] if both is None else common_matches(*both, LEAST_WORDS),
            [],
            note=None if both else GONE,
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
            """Return whether a new thread was asked before: the threads that are most similar to it."""
            body = await request.body()

            def answer(wanted: Wanted) -> Mapping[str, Any]:
                thread = parsed(AskRequest, body)
                self._check(thread.thread)
                wanted.check()
                return self.ask(thread)

            return json_response(await work.answer(answer, gone(request)))

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
