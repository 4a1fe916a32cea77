"""Clients that keep the server waiting: others are answered all the while."""

import json
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import prose
from tests.server.client import Client, started

import neardup
from neardup.index.answers import Match
from neardup.index.online import Index
from neardup.server import result_part, room

HEAD = b"POST /query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Serve an index to few connections, with little patience."""
    path = tmp_path_factory.mktemp("served") / "i.neardup"
    Index.build(path, [{"id": f"d{n}", "text": prose(60, n)} for n in range(5)]).close()
    client = started(path, timeout=1.0, concurrency=2)  # 72 connections
    yield client
    client.stop()


def connected(client: Client, data: bytes) -> socket.socket:
    found = socket.create_connection(("127.0.0.1", client.port), timeout=10)
    found.sendall(data)
    return found


def wait_for_end(connection: socket.socket) -> None:
    with suppress(ConnectionError):
        while connection.recv(10_000):
            pass


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", HEAD + b"Content-Length: 900\r\n\r\n{"],
    ids=["nothing", "half a head", "half a body"],
)
def test_half_a_request_blocks_nobody_and_is_not_waited_for_for_long(
    served: Client, begun: bytes
) -> None:
    held = [connected(served, begun) for _ in range(150)]
    try:
        for _ in range(5):
            assert served.send("GET", "/healthz")[0] == 200
        status, found = served.json("POST", "/query", {"text": prose(60, 1)})
        assert (status, found["matches"][0]["id"]) == (200, "d1")
        began = time.monotonic()
        for one in held:
            wait_for_end(one)
        assert time.monotonic() - began < 5
    finally:
        for one in held:
            one.close()


def test_those_who_leave_half_way_make_no_work(served: Client) -> None:
    held = [connected(served, HEAD + b"Content-Length: 900\r\n\r\n{") for _ in range(60)]
    time.sleep(0.2)
    for one in held:
        one.close()
    for _ in range(10):
        assert served.send("POST", "/query", {"text": prose(60, 1)})[0] == 200


def test_the_second_request_of_a_connection_has_no_longer(served: Client) -> None:
    one = connected(served, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert one.recv(10_000).startswith(b"HTTP/1.1 200")
    one.sendall(b"GET /healthz HTTP/1.1\r\nHost")
    began = time.monotonic()
    wait_for_end(one)
    assert time.monotonic() - began < 5
    one.close()


def test_what_is_written_is_said_to_be_written_however_long_it_takes(
    served: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Index.add_rows

    def slow(self: Index, *arguments: Any, **named: Any) -> Any:
        time.sleep(1.6)  # longer than the server's patience
        return add(self, *arguments, **named)

    monkeypatch.setattr(Index, "add_rows", slow)
    new = {"documents": [{"id": "late", "text": prose(50, 77)}]}
    assert served.json("POST", "/documents", new)[0] == 201
    assert served.send("GET", "/documents/late")[0] == 200
    monkeypatch.undo()
    assert served.send("DELETE", "/documents/late")[0] == 200


def test_a_query_that_nobody_waits_for_is_given_up(
    served: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    as_dict = Match.as_dict

    def slow(self: Match, differences: bool = True) -> dict[str, Any]:
        compared.append(self.id)
        time.sleep(0.4)
        return as_dict(self, differences)

    monkeypatch.setattr(Match, "as_dict", slow)
    body = json.dumps({"text": " ".join(prose(60, n) for n in range(5)), "differences": True}).encode()
    one = connected(served, HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    while not compared:
        time.sleep(0.02)
    one.close()
    time.sleep(1.2)
    assert len(compared) < 3  # of five


def test_a_large_request_stalls_nobody(served: Client) -> None:
    many = {"documents": [{"id": str(n), "text": 5} for n in range(300_000)]}
    body = json.dumps(many).encode()
    waited: list[float] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            began = time.monotonic()
            served.send("GET", "/healthz")
            waited.append(time.monotonic() - began)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        status, found = served.json("POST", "/documents", body)
    finally:
        done.set()
        asking.join()
    assert (status, found["error"].split(":")[0]) == (422, "documents.0.text")
    assert max(waited) < 2, "a slow and busy machine is allowed for"
    few = {"documents": [{"id": str(n), "text": "a b"} for n in range(10_001)]}
    for _ in range(5):  # on a busy machine, it may take longer than the server's patience
        status, found = served.json("POST", "/documents", few)
        if status != 503:
            break
    assert (status, "at most 10000" in found["error"]) == (422, True)


def refusal(client: Client, data: Iterable[bytes]) -> bytes:
    """Send what a server may refuse before it has all of it; return the answer."""
    with socket.create_connection(("127.0.0.1", client.port), timeout=20) as one:
        with suppress(ConnectionError):
            for part in data:
                one.sendall(part)
        answer = b""
        with suppress(ConnectionError):
            while part := one.recv(10_000):
                answer += part
    return answer


GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "data",
    [
        [GET, *[b"a:b\r\n" * 10_000] * 300],
        [GET, b"X: ", *[b"a" * 10_000] * 500],
        [b"GET /", *[b"a" * 10_000] * 500],
    ],
    ids=["three million headers", "an endless header", "an endless address"],
)
def test_a_head_without_end_is_refused_early_and_in_words(served: Client, data: list[bytes]) -> None:
    used = time.process_time()
    answer = refusal(served, data)
    assert answer.startswith(b"HTTP/1.1 431 ") and b"it may have 100 headers" in answer
    assert time.process_time() - used < 1.5  # three million headers are not even looked at
    assert served.send("GET", "/healthz", headers={f"X-{n}": "x" * 600 for n in range(90)})[0] == 200


@pytest.mark.parametrize(
    "data",
    [
        [CHUNKED, b"0\r\n", *[b"a:b\r\n" * 10_000] * 100],
        [CHUNKED, b"2\r\n{}\r\n0\r\nX: ", *[b"a" * 10_000] * 500],
        [CHUNKED, *[b"1\r\n \r\n" * 10_000] * 100],
        [CHUNKED, *[b"10\r\n                \r\n" * 10_000] * 100],
    ],
    ids=["headers behind it", "an endless one behind it", "in single bytes", "in few bytes"],
)
def test_what_surrounds_bodies_is_bounded_as_well(served: Client, data: list[bytes]) -> None:
    used = time.process_time()
    assert refusal(served, data).startswith(b"HTTP/1.1 431 ")
    assert time.process_time() - used < 1
    assert served.send("GET", "/healthz")[0] == 200


def test_not_too_many_requests_wait_on_one_connection(served: Client) -> None:
    one = GET + b"\r\n"
    last = GET + b"Connection: close\r\n\r\n"
    assert refusal(served, [one * 9 + last]).count(b"HTTP/1.1 200") == 10
    assert refusal(served, [one * 1_000] * 100).count(b"HTTP/1.1 ") < 30


def test_a_body_in_parts_of_any_usual_size_is_taken(served: Client) -> None:
    body = json.dumps({"text": prose(60, 1) + " " * 200_000}).encode()
    for size in (64, 100, 5_000):
        parts = (body[at : at + size] for at in range(0, len(body), size))
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
        one = connected(served, CHUNKED + chunks + b"0\r\n\r\n")
        assert one.recv(100).startswith(b"HTTP/1.1 200"), size
        one.close()


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Client]:
    """Serve answers of 8 MB; there is room for bodies, and for answers, of 4 MB."""
    monkeypatch.setattr(room, "LEAST_ROOM", 1_000_000)
    text = "one two three" + " " * 8_000_000  # the system alone holds 4 MB
    monkeypatch.setattr(result_part, "report_of", lambda *_: (text.encode(), "default-src 'none'"))
    monkeypatch.setattr(result_part.ResultPart, "view", lambda *_: {"text": text})
    large = [{"id": given, "text": text} for given in ("large", "larger")]
    Index.build(tmp_path / "i.neardup", large).close()
    neardup.documents([{"id": f"d{n}", "text": prose(60, 1)} for n in range(2)], output=tmp_path / "out")
    limits: dict[str, Any] = {"max_body": 1_000_000, "timeout": 2.0, "token": "sesame"}
    client = started(tmp_path / "i.neardup", tmp_path / "out", **limits)
    yield client
    client.stop()


BEARER = b"Authorization: Bearer sesame\r\n"


def half_sent(client: Client, size: int = 900_000) -> socket.socket:
    head = HEAD + BEARER + b"Content-Length: 1000000\r\n\r\n"
    return connected(client, head + b" " * size)


def test_half_sent_bodies_make_room_for_new_ones(little_room: Client) -> None:
    token = {"Authorization": "Bearer sesame"}
    began = time.monotonic()
    held = [half_sent(little_room) for _ in range(12)]
    for one in held[:8]:
        assert one.recv(1_000).startswith(b"HTTP/1.1 503 ")
    assert time.monotonic() - began < 1.5, "their time is not over"
    body = b" " * 900_000 + b'{"text": "one two"}'
    assert little_room.send("POST", "/query", body, token)[0] == 200
    assert little_room.send("POST", "/query", {"text": "one two"}, token)[0] == 200
    held[-1].sendall(b" " * 99_981 + b'{"text": "one two"}')
    assert held[-1].recv(1_000).startswith(b"HTTP/1.1 200 ")
    for one in held:
        one.close()


def test_bodies_that_are_worked_on_keep_their_room(
    little_room: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work, done = threading.Semaphore(0), threading.Event()
    query = Index.query

    def slow(self: Index, *arguments: Any) -> Any:
        at_work.release()
        done.wait(10)
        return query(self, *arguments)

    monkeypatch.setattr(Index, "query", slow)
    body = b" " * 999_981 + b'{"text": "one two"}'
    found: list[int] = []
    token = {"Authorization": "Bearer sesame"}

    def ask() -> None:
        found.append(little_room.send("POST", "/query", body, token)[0])

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for one in asking:
        one.start()
    at_work.acquire(timeout=5)
    time.sleep(0.3)
    status, headers, content = little_room.send("POST", "/query", body, token)
    done.set()
    for one in asking:
        one.join()
    assert (status, headers["retry-after"], b"busy" in content) == (503, "1", True)
    assert found == [200] * 4
    assert little_room.send("POST", "/query", body, token)[0] == 200


def test_a_token_is_asked_for_before_a_body_is_taken(little_room: Client) -> None:
    held = [
        connected(little_room, HEAD + b"Content-Length: 1000000\r\n\r\n" + b" " * 900_000)
        for _ in range(3)
    ]
    for one in held:
        assert one.recv(1_000).startswith(b"HTTP/1.1 401 ")
        one.close()


def taken(connection: socket.socket, rate: int) -> int:
    """Take an answer at some bytes a second; return how many came."""
    size = 0
    with suppress(ConnectionError):
        while part := connection.recv(rate // 20):
            size += len(part)
            time.sleep(len(part) / rate)
    return size


def slowly(client: Client, path: str) -> socket.socket:
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 20_000)
    found.settimeout(10)
    found.connect(("127.0.0.1", client.port))
    found.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n".encode() + BEARER + b"\r\n")
    return found


@pytest.mark.parametrize("path", ["/report", "/report/pairs/0", "/documents/large"])
def test_an_answer_that_is_taken_slowly_is_sent_to_its_end(little_room: Client, path: str) -> None:
    began = time.monotonic()
    with slowly(little_room, path) as one:
        assert taken(one, 1_600_000) > 8_000_000
    assert time.monotonic() - began > 2 * 2.0  # twice the server's patience


@pytest.mark.parametrize(
    ("path", "whole"), [("/report", 5), ("/report/pairs/0", 1), ("/documents/large", 5)]
)
def test_answers_that_nobody_takes_make_room_for_others(
    little_room: Client, path: str, whole: int
) -> None:
    held = [slowly(little_room, path) for _ in range(5)]
    time.sleep(0.7)
    # what everybody gets is held once, and there is always room for one answer
    with ThreadPoolExecutor(5) as pool:
        assert sum(size > 8_000_000 for size in pool.map(lambda one: taken(one, 10**9), held)) == whole
    for one in held:
        one.close()


def test_long_documents_that_nobody_takes_make_room_for_others(little_room: Client) -> None:
    held = [slowly(little_room, f"/documents/{given}") for given in ("large", "larger")]
    time.sleep(0.7)
    with ThreadPoolExecutor(2) as pool:
        sizes = list(pool.map(lambda one: taken(one, 10**9), held))
    assert sorted(size > 8_000_000 for size in sizes) == [False, True]
    for one in held:
        one.close()


def test_queries_do_not_wait_for_all_who_want_large_answers(
    served: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = Index.stored

    def slow(self: Index, given: str) -> Any:
        time.sleep(0.05)
        return stored(self, given)

    monkeypatch.setattr(Index, "stored", slow)
    asked = b"GET /documents/d1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    held = [connected(served, asked) for _ in range(30)]  # the server works on two requests at a time
    found = [served.send("POST", "/query", {"text": prose(60, 1)})[0] for _ in range(5)]
    said = [one.recv(1_000)[:12] for one in held]
    for one in held:
        one.close()
    assert found == [200] * 5
    assert set(said) <= {b"HTTP/1.1 200", b"HTTP/1.1 503"}
    assert b"HTTP/1.1 200" in said


def test_a_long_document_is_the_same_as_a_short_one(tmp_path: Path) -> None:
    text = 'a "quoted" \\ word\n\x00 é 東京 😀 ' * 9_000
    Index.build(tmp_path / "i.neardup", [{"id": "long", "text": text, "title": "T"}]).close()
    client = started(tmp_path / "i.neardup")
    try:
        status, found = client.json("GET", "/documents/long")
        assert (status, found["text"], found["length"]) == (200, text, len(text))
        assert (found["id"], found["title"], found["url"]) == ("long", "T", None)
        assert client.send("HEAD", "/documents/long")[::2] == (200, b"")
    finally:
        client.stop()


def test_other_sites_cannot_write(served: Client) -> None:
    new = {"documents": [{"id": "evil", "text": "one two three"}]}
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert served.send("POST", "/documents", new, headers)[0] == 403
        assert served.send("DELETE", "/documents/d1", None, headers)[0] == 403
    own = {"Origin": f"http://127.0.0.1:{served.port}", "Sec-Fetch-Site": "same-origin"}
    assert served.send("POST", "/query", {"text": "one two"}, own)[0] == 200
