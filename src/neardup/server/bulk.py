"""Documents that come a line each, as many as there are: what is wrong with one keeps no other out."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import suppress
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError

from neardup.errors import NeardupError, TakenIdError
from neardup.index.adding import PORTION_BYTES, Row
from neardup.index.online import Index
from neardup.server.bodies import parsed
from neardup.server.models import NewDocument
from neardup.server.settings import ServerSettings
from neardup.server.work import GivenUpError, LateError
from neardup.store.manifest import About

TOGETHER = 1_000  # lines that are added at once
STREAMS = 4  # bodies that may come at a time
TOLD = 100  # lines of which it is told what is wrong
Line = tuple[int, bytes | None]  # its number from 1, None for one that is too long


class Bulk:
    """Adds lines to an index, and counts what became of them."""

    def __init__(self, index: Index, replace: bool, most: int) -> None:
        self._index, self._replace, self._most = index, replace, most
        self._lines = self._added = self._replaced = self._wrong = 0
        self._skipped: Counter[str] = Counter()
        self._errors: list[dict[str, Any]] = []

    def take(self, lines: Iterable[Line]) -> None:
        """Add the documents of some lines; each of these is added then, or it is told what is wrong."""
        lines = list(lines)
        waiting: dict[str, tuple[int, Row]] = {}
        for number, document in self._documents(lines):
            if document.id in waiting:
                self._add(waiting)
                waiting = {}
            waiting[document.id] = number, row_of(document)
        self._add(waiting)
        self._lines = lines[-1][0] if lines else self._lines

    def _documents(self, lines: Iterable[Line]) -> Iterator[tuple[int, NewDocument]]:
        """Yield what is a document."""
        for number, line in lines:
            if line is None:
                self._refuse(number, f"the line is too long: at most {self._most:,} bytes may be sent")
            elif line.strip():
                try:
                    yield number, parsed(NewDocument, line)
                except RequestValidationError as error:
                    self._refuse(number, problem_of(error))

    def _add(self, waiting: dict[str, tuple[int, Row]]) -> None:
        """Add documents of different ids, but those whose ids the index has."""
        if not self._replace:
            known = [given for given in waiting if given in self._index]
            for given in known:
                self._refuse(waiting.pop(given)[0], taken(given))
        try:
            self._write([row for _, row in waiting.values()])
        except TakenIdError:  # somebody was faster: which it is shows one by one
            for number, row in waiting.values():
                try:
                    self._write([row])
                except TakenIdError:
                    self._refuse(number, taken(row.about.id))

    def _write(self, rows: list[Row]) -> None:
        if rows:
            added = self._index.add_rows(rows, replace_ids=self._replace)
            self._added += added.documents
            self._replaced += added.replaced
            self._skipped.update(added.skipped)

    def _refuse(self, number: int, problem: str) -> None:
        self._wrong += 1
        if len(self._errors) < TOLD:
            self._errors.append({"line": number, "error": problem})

    def answer(self) -> dict[str, Any]:
        """Return what was done so far."""
        return {
            "added": self._added,
            "replaced": self._replaced,
            "skipped": dict(self._skipped),
            "documents": len(self._index),
            "lines": self._lines,
            "wrong": self._wrong,
            "errors": sorted(self._errors, key=lambda own: int(own["line"])),
        }


def row_of(new: NewDocument) -> Row:
    """Return a document as the index takes it."""
    return Row(About(new.id, new.title, new.url, new.date), new.text.encode("utf-8", "replace"))


def taken(given: str) -> str:
    """Say that an id is taken."""
    return f"the index has a document with the id {given!r}"


def problem_of(error: RequestValidationError) -> str:
    """Say what is wrong with a line."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return f"this is not JSON: {first['ctx']['error']}"
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else str(first["msg"])


class Coming:
    """A body as it comes; each part of it has its time."""

    def __init__(self, request: Request, settings: ServerSettings) -> None:
        self._request, self._settings = request, settings
        self._is_over = False

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield what comes."""
        while not self._is_over:
            try:
                async with asyncio.timeout(self._settings.timeout):
                    message = await self._request.receive()
            except TimeoutError:
                self._is_over = True
                raise LateError("the request did not arrive in time") from None
            self._is_over = not message.get("more_body", False)
            if message["type"] == "http.disconnect":
                raise GivenUpError("the client has gone")
            yield message.get("body", b"")

    async def portions(self) -> AsyncGenerator[list[Line], None]:
        """Yield the lines, some at a time."""
        number, size, waiting = 0, 0, list[Line]()
        async for line in lines(self.parts(), self._settings.max_body):
            number += 1
            waiting.append((number, line))
            size += len(line or b"")
            if len(waiting) >= TOGETHER or size >= PORTION_BYTES:
                yield waiting
                size, waiting = 0, []
        if waiting:
            yield waiting

    async def pass_over(self) -> None:
        """Read some of what is left, so that an answer is heard by who is still sending."""
        left = self._settings.max_body
        with suppress(NeardupError):
            async for part in self.parts():
                left -= len(part)
                if left < 0:
                    return


async def lines(parts: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes | None]:
    """Yield the lines of a text in parts; None for one that is longer than it may be."""
    begun: list[bytes] = []  # of a line that has not ended
    size = 0
    async for part in parts:
        *whole, rest = part.split(b"\n")
        for end in whole:
            yield b"".join([*begun, end]) if size + len(end) <= most else None
            begun, size = [], 0
        size += len(rest)
        if size <= most:
            begun.append(rest)
        else:
            begun = []
    if size:
        yield b"".join(begun) if size <= most else None
