"""A finished result to be browsed: its report, its clusters, and its pairs side by side."""

import re
import threading
from collections.abc import Mapping
from functools import cached_property
from html import unescape
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from neardup.engines.base import Silent
from neardup.errors import InputError, UnknownDocumentError
from neardup.evaluation import judged
from neardup.reports.build import build
from neardup.reports.packing import LONGEST_REST
from neardup.reports.pairs import pair_row, pair_view
from neardup.reports.texts import texts_of_docs
from neardup.result import Result
from neardup.results.files import MARKS, RUN
from neardup.results.folder import COUNTED
from neardup.server.app import Part, json_response, to_json
from neardup.server.bodies import described as body_of
from neardup.server.bodies import parsed
from neardup.server.marks import MOST, Known, read_marks, with_mark, write_marks
from neardup.server.models import Mark
from neardup.server.pages import Tabs
from neardup.server.work import Work
from neardup.showing.alignment import Piece, pieces
from neardup.showing.kind import LONGEST_NAME, shortened
from neardup.web.words import say

MOST_SHOWN = 200_000  # characters of one side in the viewer
LARGEST = 19 << 20  # bytes of the report
MOST_ASKED = 1000  # documents that are asked for at once
POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')


class ResultPart(Part):
    """Answers for a result."""

    name = "result"
    tabs: Tabs = ((say("server.report"), "/report"),)

    def __init__(self, result: Result, read_only: bool = False) -> None:
        result.check("report")
        self.result = result
        self._read_only = read_only
        self._marking = threading.Lock()

    def health(self) -> Mapping[str, Any]:
        """Return what was compared, and how much was found."""
        counts = self.result.counts
        return {"method": self.result.method} | {str(n): counts[n] for n in COUNTED if n in counts}

    def pair(self, id_a: str, id_b: str) -> Mapping[str, Any] | None:
        """Return a pair as the viewer shows it, None if the result has none of these two."""
        try:
            row = pair_row(self.result, id_a, id_b)
        except InputError as error:
            raise UnknownDocumentError(error.what, hint=error.hint) from None
        return self.view(row)

    def view(self, row: int) -> Mapping[str, Any]:
        """Return one row that the report shows."""
        view = pair_view(self.result, row, MOST_SHOWN)
        # why a text is not there names files of this machine
        return {**view, "note": say("report.texts.gone")} if view["note"] else view

    def whole(self, doc: int) -> list[Piece]:
        """Return the text of a document in one piece, as much as may be shown; none if it is gone."""
        text = texts_of_docs(self.result.own_method.report(self.result), [doc]).by_doc.get(doc)
        return [] if text is None else pieces(text, [(0, min(len(text), LONGEST_REST))])

    def reported(self, ids: list[str]) -> list[str]:
        """Return which of some documents the report has a page for: those in a pair, or just no pair."""
        found = self._reported.filter(pc.is_in(self._reported, pa.array(ids, pa.string())))
        return [str(own) for own in found.to_pylist()]

    @cached_property
    def _reported(self) -> pa.ChunkedArray:
        kind = self.result.own_method.report(self.result)
        docs = np.unique(np.concatenate([kind.rows[f"doc_{side}"].to_numpy() for side in "ab"]))
        return kind.known["id"].take(pa.array(docs))

    def clusters(self, offset: int, limit: int) -> Mapping[str, Any] | None:
        """Return some clusters, the largest first, each with its members, keeper first."""
        self._check_there()
        if not self.result.can("clusters"):
            return None
        chosen = self._largest[offset : offset + limit]
        table = self.result.clusters
        members = table.filter(pc.is_in(table["cluster"], pa.array(chosen, pa.int64()))).to_pylist()
        found: dict[int, list[dict[str, Any]]] = {number: [] for number in chosen}
        for row in members:
            found[row["cluster"]].append(row)
        listed = [described(number, rows) for number, rows in found.items()]
        return {"total": len(self._largest), "clusters": listed}

    @cached_property
    def _largest(self) -> list[int]:
        """Return the numbers of all clusters, the largest first."""
        table = self.result.clusters.group_by("cluster").aggregate([("id", "count")])
        order = table.sort_by([("id_count", "descending"), ("cluster", "ascending")])
        return list(order["cluster"].to_pylist())

    def marks(self) -> Known:
        """Return what was said of pairs so far."""
        self._check_there()
        return read_marks(self.result.folder / MARKS)

    def judged(self) -> Mapping[str, Any]:
        """Return what follows from all marks: how precise the pairs are at each threshold."""
        try:
            scores = judged(self.result, self.result.folder / MARKS) if self.marks() else None
        except InputError:  # of pairs that the run dropped, such as those that just missed being one
            scores = None
        return {"judged": scores and scores.as_dict()}

    def _check_there(self) -> None:
        """Refuse to speak of a folder that was moved or deleted meanwhile as if nothing were in it."""
        if not (self.result.folder / RUN).exists():
            raise HTTPException(503, "the result is no longer where it was; start the server again")

    @cached_property
    def _ids(self) -> pa.ChunkedArray:
        """Return all that can be marked."""
        kind = self.result.own_method.report(self.result)
        keys = np.unique(np.concatenate([kind.keys(side) for side in "ab"]))
        return kind.known["id"] if kind.item_docs(keys) is None else kind.items(keys)["id"]

    def _check_known(self, given: str) -> None:
        """Refuse an id that nothing has; the report has only the beginnings of very long ones."""
        is_cut = len(given) == LONGEST_NAME and given.endswith("…")
        found = pc.starts_with(self._ids, given[:-1]) if is_cut else pc.equal(self._ids, given)
        if not pc.any(found).as_py():
            raise UnknownDocumentError(f"nothing in this result has the id {shortened(given)!r}")

    def mark(self, mark: Mark) -> int:
        """Keep what somebody says of a pair, beside the result; return how many marks there are."""
        with self._marking:
            known = self.marks()
            if (mark.left, mark.right, mark.judge) not in known:
                self._check_known(mark.left)
                self._check_known(mark.right)
                if len(known) >= MOST:
                    raise HTTPException(507, f"there are {MOST:,} marks, and no room for more")
            known = with_mark(known, mark)
            try:
                write_marks(self.result.folder / MARKS, known)
            except OSError as error:
                raise HTTPException(507, f"this could not be kept: {error.strerror}") from error
            return len(known)

    def router(self, work: Work, tabs: Tabs) -> APIRouter:
        """Return what a result answers."""
        router = APIRouter()
        page, policy = report_of(self.result, [tab for tab in tabs if tab not in self.tabs])
        kind = self.result.own_method.report(self.result)
        rows, docs = len(kind.rows), len(kind.known)

        @router.get("/report", include_in_schema=False)
        async def report() -> Response:
            return HTMLResponse(page, headers={"Content-Security-Policy": policy})

        @router.get("/report/pairs/{row}", include_in_schema=False)
        async def shown(row: int) -> Response:
            if not 0 <= row < rows:
                raise UnknownDocumentError(f"there is no row {row}")
            return json_response(await work.run(lambda: to_json(self.view(row))))

        @router.get("/report/texts/{doc}", include_in_schema=False)
        async def whole(doc: int) -> Response:
            if not 0 <= doc < docs:
                raise UnknownDocumentError(f"there is no document {doc}")
            return json_response(await work.run(lambda: to_json({"text": self.whole(doc)})))

        @router.get("/report/documents", include_in_schema=False)
        async def reported(request: Request) -> Response:
            ids = request.query_params.getlist("id")[:MOST_ASKED]
            return json_response({"ids": await work.run(lambda: self.reported(ids))})

        @router.get("/report/marks")
        async def marks() -> Response:
            """Return the marks of pairs."""
            known = await work.run(self.marks)
            listed = [said._asdict() for said in known.values()]
            return json_response({"marks": listed, "read_only": self._read_only})

        @router.get("/report/judged")
        async def scores() -> Response:
            """Return what follows from all marks: precision at each threshold, agreement, advice."""
            return json_response(await work.run(lambda: to_json(self.judged())))

        @router.post("/report/marks", openapi_extra=body_of(Mark))
        async def add_mark(request: Request) -> Response:
            """Keep a person's mark of a pair: same, different or unsure; none removes it."""
            if self._read_only:
                raise HTTPException(403, "this server only answers")
            body = await request.body()
            return json_response({"marks": await work.write(lambda: self.mark(parsed(Mark, body)))})

        @router.get("/pairs")
        async def pairs(offset: int = 0, limit: int = 100) -> Response:
            """Return the pairs of a result in the order of its table."""
            table = self.result.pairs
            first, most = max(offset, 0), min(max(limit, 1), 1000)
            rows = await work.run(lambda: table.slice(first, most).to_pylist())
            return json_response({"total": table.num_rows, "pairs": rows})

        return router


def described(number: int, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a cluster for programs."""
    members = [{"id": row["id"], "similarity": row["similarity"]} for row in rows]
    keeper = rows[0]["keeper_id"]
    members.sort(key=lambda member: member["id"] != keeper)
    return {"cluster": number, "size": len(rows), "keeper": keeper, "members": members}


def report_of(result: Result, links: Tabs) -> tuple[bytes, str]:
    """Return the report of a result, and the policy that it brings along."""
    page, _ = build(result, None, LARGEST, Silent(), links)
    own = POLICY.search(page)
    policy = unescape(own[1]) if own else "default-src 'none'"
    return page.encode("utf-8", "replace"), f"{policy}; frame-ancestors 'none'"
