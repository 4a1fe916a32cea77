"""A result of threads, to be asked whether a question was asked before."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from neardup.errors import InputError, NeardupError
from neardup.methods.threads.index import ThreadIndex
from neardup.result import Result
from neardup.server.app import Part, json_response
from neardup.server.bodies import described, gone, parsed
from neardup.server.models import AskedAnswer, AskRequest
from neardup.server.pages import Tabs, asked_page
from neardup.server.work import Wanted, Work

CANNOT = "these threads cannot be asked"


class AskedPart(Part):
    """Answers for the threads of a result, by an index that is made in its folder the first time."""

    name = "asked"
    tabs: Tabs = (("Was it asked before?", "/asked"),)

    def __init__(self, result: Result, max_text: int) -> None:
        self._max_text = max_text
        self._index: ThreadIndex | None = None
        self._problem: str | None = None
        try:
            self._index = ThreadIndex.build(result)
            self._index.ask(dict.fromkeys(self._index.settings.fields, "a word or two"))  # kernels load
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
        """Return the threads that are most similar to a new one."""
        if self._index is None:
            raise InputError(f"{CANNOT}: {self._problem}", hint="Run neardup threads again.")
        found = self._index.ask(request.thread, request.top, request.least)
        return {"found": [one.as_dict() for one in found]}

    def _check(self, request: AskRequest) -> None:
        size = sum(len(text or "") for text in request.thread.values())
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
            """Say whether a new thread was asked before: the threads that are most similar to it."""
            body = await request.body()

            def answer(wanted: Wanted) -> Mapping[str, Any]:
                thread = parsed(AskRequest, body)
                self._check(thread)
                wanted.check()
                return self.ask(thread)

            return json_response(await work.answer(answer, gone(request)))

        return router
