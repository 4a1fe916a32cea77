"""Documents that come a line each: all that can be added are, and each other one is told by its line."""

import asyncio
import http.client
import json
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import prose
from tests.server.client import Client, started

from neardup.index.online import Index
from neardup.server import bulk
from neardup.server.bulk import Bulk, lines

KIND = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(bulk, "TOGETHER", 7)
    with Index.build(tmp_path / "i.neardup", [{"id": "old", "text": prose(20, 1)}]):
        pass
    client = started(tmp_path / "i.neardup", max_body=20_000)
    yield client
    client.stop()


def document(given: str, seed: int, **more: Any) -> bytes:
    return json.dumps({"id": given, "text": prose(20, seed), **more}).encode()


def post(client: Client, body: bytes | Iterable[bytes], path: str = "/documents") -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=30)
    connection.request("POST", path, body, KIND)
    answer = connection.getresponse()
    found = json.loads(answer.read())
    connection.close()
    return answer.status, found


def test_lines_are_added_however_they_are_cut(served: Client) -> None:
    whole = b"\n".join(document(f"d{n}", n, title=f"Ü{n}") for n in range(40))
    cut = (whole[at : at + 997] for at in range(0, len(whole), 997))  # in chunks, of a size not said
    status, told = post(served, cut)
    assert status == 201
    counts = {"added": 40, "replaced": 0, "documents": 41, "lines": 40, "wrong": 0}
    assert told == {**counts, "skipped": {}, "errors": []}
    assert served.json("GET", "/documents/d39")[1]["title"] == "Ü39"
    assert served.json("POST", "/query", {"text": prose(20, 17)})[1]["matches"][0]["id"] == "d17"


def test_each_line_that_is_wrong_is_told_and_all_others_are_added(served: Client) -> None:
    wrong = {
        2: (b'{"id": "half', "this is not JSON"),
        3: (document("", 3), "id: "),
        5: (document("old", 5), "the index has a document with the id 'old'"),
        6: (b'{"id": "none"}', "text: "),
        9: (document("more", 9, author="me"), "author: "),
        11: (document("d1", 11), "the index has a document with the id 'd1'"),
        12: (b'["id", "text"]', "Input should be an object"),
        13: (b'{"id": "\\ud800", "text": "a"}', "Unicode"),
        14: (b"\xff\xfe{}", "this is not JSON"),
        17: (document("long", 1, title="x" * 20_000), "the line is too long: at most 20,000 bytes"),
    }
    sent = [wrong[n][0] if n in wrong else document(f"d{n}", n) for n in range(1, 21)]
    sent[14] = b"  \r"  # blank, as some programs write
    status, told = post(served, b"\r\n".join(sent) + b"\n")
    assert status == 201
    assert {own["line"]: own["error"] for own in told["errors"]}.keys() == wrong.keys()
    for own in told["errors"]:
        assert wrong[own["line"]][1] in own["error"], own
    assert (told["added"], told["wrong"], told["lines"], told["documents"]) == (9, 10, 20, 10)
    right = [f"d{n}" for n in range(1, 21) if n not in (*wrong, 15)]
    assert all(served.send("GET", f"/documents/{given}")[0] == 200 for given in right)


def test_documents_are_replaced_if_that_is_asked_for(served: Client) -> None:
    body = b"\n".join([document("old", 2), document("new", 3), document("old", 4)])
    told = post(served, body, "/documents?replace=true")[1]
    assert (told["added"], told["replaced"], told["documents"], told["wrong"]) == (3, 2, 2, 0)
    assert served.json("GET", "/documents/old")[1]["text"] == prose(20, 4)


def test_only_the_first_errors_are_told_but_all_are_counted(
    served: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "TOLD", 3)
    told = post(served, b"{}\n" * 50 + document("one", 1))[1]
    assert [own["line"] for own in told["errors"]] == [1, 2, 3]
    assert (told["wrong"], told["added"], told["lines"]) == (50, 1, 51)


def test_who_sends_too_slowly_is_told_how_far_it_got(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "TOGETHER", 7)
    Index.build(tmp_path / "i.neardup").close()
    client, end = started(tmp_path / "i.neardup", timeout=1.0), threading.Event()

    def slowly() -> Iterator[bytes]:
        yield b"".join(document(f"d{n}", n) + b"\n" for n in range(10))
        end.wait(1.4)

    try:
        status, told = post(client, slowly())
    finally:
        end.set()
        client.stop()
    assert status == 408 and told["error"] == "the request did not arrive in time"
    assert told["added"] == told["lines"] == 7  # whole portions, and nothing of the one that was begun
    with Index(tmp_path / "i.neardup") as index:
        assert len(index) == 7


def test_who_leaves_has_added_whole_portions(served: Client) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port)
    connection.putrequest("POST", "/documents")
    connection.putheader("Content-Type", KIND["Content-Type"])
    connection.putheader("Content-Length", "1000000")
    connection.endheaders(b"".join(document(f"d{n}", n) + b"\n" for n in range(10)))
    until = time.monotonic() + 10
    while served.json("GET", "/healthz")[1]["index"]["documents"] < 8:
        assert time.monotonic() < until
    connection.close()
    assert post(served, document("after", 1))[1]["documents"] == 9


def test_what_cannot_be_written_is_told_with_what_was(
    served: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from neardup.errors import OutputError

    first = Index.add_rows

    def full(index: Index, rows: Any, **more: Any) -> Any:
        if any(row.about.id == "d9" for row in rows):
            raise OutputError("cannot be written: the disk is full", hint="Free some space.")
        return first(index, rows, **more)

    monkeypatch.setattr(Index, "add_rows", full)
    status, told = post(served, b"\n".join(document(f"d{n}", n) for n in range(400)))
    assert status == 500 and "full" in told["error"] and told["hint"]
    assert (told["added"], told["lines"]) == (7, 7)  # so the eighth is the next


def test_few_are_taken_at_a_time_and_none_by_a_server_that_only_answers(
    served: Client, tmp_path: Path
) -> None:
    begun, end = threading.Barrier(bulk.STREAMS + 1), threading.Event()

    def waiting(number: int) -> Iterator[bytes]:
        yield document(f"w{number}", number) + b"\n"
        begun.wait()
        end.wait(8)

    threads = [threading.Thread(target=post, args=[served, waiting(n)]) for n in range(bulk.STREAMS)]
    for thread in threads:
        thread.start()
    begun.wait()
    running = f"neardup_requests_running {bulk.STREAMS + 1}".encode()
    until = time.monotonic() + 10
    while running not in served.send("GET", "/metrics")[2]:
        assert time.monotonic() < until
    time.sleep(0.1)
    assert post(served, document("one more", 1))[0] == 503
    end.set()
    for thread in threads:
        thread.join()
    assert post(served, document("now", 1))[1]["documents"] == 2 + bulk.STREAMS
    assert post(served, b"{}", "/query")[0] == 415  # lines are for one address only


def test_an_id_that_somebody_adds_meanwhile_keeps_no_other_out(tmp_path: Path) -> None:
    with Index.build(tmp_path / "i.neardup") as index:
        adding = Bulk(index, replace=False, most=1_000)
        index.__class__.__contains__, known = (lambda self, given: False), Index.__contains__  # type: ignore[method-assign]
        try:
            index.add([{"id": "b", "text": "of somebody else"}])
            adding.take([(n, document(own, n)) for n, own in enumerate("abc", 1)])
        finally:
            Index.__contains__ = known  # type: ignore[method-assign]
        told = adding.answer()
    assert (told["added"], told["documents"], told["lines"]) == (2, 3, 3)
    assert told["errors"] == [{"line": 2, "error": "the index has a document with the id 'b'"}]


@given(
    text=st.binary(max_size=60).map(lambda own: own.replace(b"\xff", b"\n")),
    cuts=st.lists(st.integers(0, 60), max_size=6),
    most=st.integers(1, 12),
)
def test_lines_are_those_of_the_whole_text(text: bytes, cuts: list[int], most: int) -> None:
    bounds = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]

    async def coming() -> AsyncIterator[bytes]:
        for begin, end in pairwise(bounds):
            yield text[begin:end]

    async def collected() -> list[bytes | None]:
        return [line async for line in lines(coming(), most)]

    expected = text.split(b"\n")
    expected = expected[:-1] if expected[-1] == b"" else expected
    short = [line if len(line) <= most else None for line in expected]
    with ThreadPoolExecutor(1) as other:  # here, a browser of other tests may have a loop that runs
        assert other.submit(asyncio.run, collected()).result() == short
