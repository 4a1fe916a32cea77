"""The server: what it answers, what it refuses, and its pages in a real browser."""

import http.client
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.test_browser import DEMO, HOSTILE, Opened
from tests.test_passages import prose

import neardup
from neardup.errors import OutputError, SettingsError
from neardup.index.online import Index
from neardup.server.run import Prepared, prepare
from neardup.server.settings import ServerSettings, is_loopback

STRANGE = ["a/b", "100%", "ü ?&#;+", "..", "<b>bold</b>", "a%2Fb", "東京", "tab\there"]


class Client:
    """Asks a server that runs in this process."""

    def __init__(self, prepared: Prepared) -> None:
        self.address = prepared.address
        self.port = int(prepared.address.rpartition(":")[2].strip("/"))
        self._prepared = prepared
        self._thread = threading.Thread(target=prepared.run)
        self._thread.start()

    def stop(self) -> None:
        self._prepared.server.should_exit = True
        self._thread.join(20)

    def send(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        kind = {} if data is None else {"Content-Type": "application/json"}
        connection.request(method, path, data, {**kind, **(headers or {})})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): v for name, v in answer.getheaders()}, content

    def json(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, Any]:
        status, _, content = self.send(method, path, body, **more)
        return status, json.loads(content)


def started(*targets: Path, read_only: bool = False, **limits: Any) -> Client:
    return Client(prepare(targets, ServerSettings(port=0, **limits), read_only))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    """Serve the demo corpus and documents with strange ids, and its result."""
    documents = [{"id": own, "text": prose(60, 40 + n)} for n, own in enumerate(STRANGE)]
    documents.append({"id": "hostile", "text": f"{prose(30, 60)} {HOSTILE} {prose(30, 61)}"})
    with Index.build(folder / "index.duckdb", str(DEMO)) as index:
        index.add(documents)
    neardup.documents(str(DEMO), output=folder / "out", threshold=0.5)
    client = started(folder / "index.duckdb", folder / "out", max_body=2_000_000, max_text=20_000)
    yield client
    client.stop()


def text_of(given: str) -> str:
    rows = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]
    return str(next(row["text"] for row in rows if row["id"] == given))


# Answers


def test_a_text_is_looked_up(client: Client) -> None:
    status, found = client.json("POST", "/query", {"text": text_of("lighthouse-quiz")})
    assert (status, found["total"]) == (200, len(found["matches"]))
    first, second = found["matches"][:2]
    assert (first["id"], first["kind"], first["resemblance"]) == ("lighthouse-quiz", "identical", 1.0)
    assert (second["id"], second["containment_query"]) == ("lighthouse", 1.0)
    [passage] = second["passages"]
    assert (passage["start_document"], passage["end_document"]) == (324, 700)


def test_an_index_and_a_result_can_be_described(client: Client) -> None:
    status, found = client.json("GET", "/healthz")
    assert (status, found["status"]) == (200, "ok")
    assert found["index"]["documents"] == 50
    assert found["result"] == {"method": "documents", "documents": 41, "pairs": 17, "clusters": 10}
    status, described = client.json("GET", "/openapi.json")
    paths = {
        "/query",
        "/documents",
        "/documents/{id}",
        "/clusters",
        "/pairs",
        "/pairs/{a}/{b}",
        "/healthz",
    }
    assert paths <= described["paths"].keys()
    assert described["paths"]["/query"]["post"]["responses"]["200"]["content"]


def test_documents_are_added_found_shown_and_removed(client: Client) -> None:
    new = {"id": "new/1", "text": prose(70, 90), "title": "New"}
    status, found = client.json("POST", "/documents", {"documents": [new]})
    assert (status, found["added"], found["documents"]) == (201, 1, 51)
    status, found = client.json("POST", "/documents", {"documents": [new]})
    assert status == 409
    assert "new/1" in found["error"]
    status, found = client.json("POST", "/documents", {"documents": [new], "replace": True})
    assert (status, found["replaced"]) == (201, 1)
    _, found = client.json("POST", "/query", {"text": new["text"]})
    assert [match["id"] for match in found["matches"]] == ["new/1"]
    status, found = client.json("GET", "/documents/new%2F1")
    assert (status, found["text"], found["title"]) == (200, new["text"], "New")
    assert client.json("DELETE", "/documents/new%2F1") == (200, {"removed": 1, "documents": 50})
    assert client.json("GET", "/documents/new%2F1")[0] == 404


@pytest.mark.parametrize("given", STRANGE)
def test_ids_may_hold_anything(client: Client, given: str) -> None:
    status, found = client.json("GET", f"/documents/{quote(given, safe='')}")
    assert (status, found["id"]) == (200, given)
    status, found = client.json("GET", f"/pairs/{quote(given, safe='')}/lighthouse")
    assert (status, found["a"]["id"], found["b"]["id"]) == (200, given, "lighthouse")


def test_clusters_and_pairs_of_a_result(client: Client) -> None:
    status, found = client.json("GET", "/clusters?limit=2")
    assert (status, found["total"], len(found["clusters"])) == (200, 10, 2)
    first = found["clusters"][0]
    assert (first["size"], first["keeper"], first["members"][0]["id"]) == (4, *["bridge-evening"] * 2)
    assert client.json("GET", "/clusters?offset=9")[1]["clusters"][0]["size"] == 2
    status, found = client.json("GET", "/pairs?limit=3")
    assert (status, found["total"], len(found["pairs"])) == (200, 17, 3)
    status, view = client.json("GET", "/pairs/flower-show-2024/flower-show-2023")
    assert (status, view["a"]["id"], view["note"]) == (200, "flower-show-2023", None)
    assert any(len(part) == 3 for part in view["a"]["parts"] if isinstance(part, list))
    # no pair of the result, but two documents of the index
    assert client.json("GET", "/pairs/lighthouse/plum-cake")[0] == 200


# Refusals


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "message"),
    [
        ("POST", "/query", {"text": ""}, 422, "no words"),
        ("POST", "/query", {"text": " … "}, 422, "no words"),
        ("POST", "/query", b"{", 400, "no JSON"),
        ("POST", "/query", b"\xff\xfe", 400, "JSON"),
        ("POST", "/query", {}, 422, "text"),
        ("POST", "/query", {"text": 5}, 422, "string"),
        ("POST", "/query", {"text": "half \ud800 a character"}, 422, "Unicode"),
        ("POST", "/documents", {"documents": [{"id": "x", "text": "\ud800 x"}]}, 422, "Unicode"),
        ("POST", "/query", {"text": "a b", "thresold": 1}, 422, "thresold"),
        ("POST", "/query", {"text": "a b", "threshold": 0}, 422, "threshold"),
        ("POST", "/query", {"text": "word " * 4_001}, 413, "20,000"),
        ("POST", "/query", b" " * 50_000_000, 413, "at most 2,000,000 bytes"),
        ("POST", "/documents", {"documents": []}, 422, "documents"),
        ("POST", "/documents", {"documents": [{"id": "", "text": "x"}]}, 422, "id"),
        ("GET", "/documents/nobody", None, 404, "'nobody'"),
        ("GET", "/pairs/nobody/lighthouse", None, 404, "'nobody'"),
        ("DELETE", "/documents/nobody", None, 404, "'nobody'"),
        ("GET", "/clusters?offset=x", None, 422, "offset"),
        ("GET", "/static/..%2Fpage.py", None, 404, "nothing here"),
        ("PUT", "/query", None, 405, "not what"),
    ],
)
def test_bad_requests_get_a_plain_answer(
    client: Client, folder: Path, method: str, path: str, body: Any, status: int, message: str
) -> None:
    code, headers, content = client.send(method, path, body)
    assert code == status
    assert message in json.loads(content)["error"]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert str(folder).encode() not in content
    assert client.json("GET", "/healthz")[1]["index"]["documents"] == 50  # nothing lost


def test_nothing_names_a_place_on_this_machine(client: Client, folder: Path) -> None:
    paths = [
        "/",
        "/healthz",
        "/clusters",
        "/pairs",
        "/report",
        "/openapi.json",
        "/pairs/plum-cake/apricot-cake",
    ]
    for path in paths:
        status, _, content = client.send("GET", path)
        assert status == 200
        for place in (str(folder), str(DEMO.parent), str(Path.home()) + "/"):
            assert place.encode() not in content, path


def test_texts_that_are_gone_are_told_without_naming_files(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text(
        "\n".join(json.dumps({"id": f"d{n}", "text": prose(60, 1)}) for n in (1, 2))
    )
    neardup.documents(str(tmp_path / "c.jsonl"), output=tmp_path / "out")
    (tmp_path / "c.jsonl").unlink()
    client = started(tmp_path / "out")
    try:
        status, _, content = client.send("GET", "/pairs/d1/d2")
        assert (status, json.loads(content)["a"]["parts"]) == (200, None)
        assert str(tmp_path).encode() not in content
        assert client.send("GET", "/")[0] == 200  # leads to the report
    finally:
        client.stop()


def test_other_sites_cannot_ask(client: Client) -> None:
    asked = ("POST", "/query", {"text": "one two"})
    assert client.send(*asked, headers={"Host": "evil.example"})[0] == 421
    assert client.send(*asked, headers={"Content-Type": "text/plain"})[0] == 415
    assert client.send(*asked, headers={"Host": f"localhost:{client.port}"})[0] == 200


def test_a_token_is_needed_where_others_can_ask(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="token"):
        ServerSettings(host="0.0.0.0")
    assert not is_loopback("0.0.0.0") and is_loopback("127.3.2.1") and is_loopback("::1")
    Index.build(tmp_path / "i.duckdb", ["one two three four five six"]).close()
    client = started(tmp_path / "i.duckdb", host="0.0.0.0", token="sesame")
    try:
        assert client.send("GET", "/healthz")[0] == 200
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "neardup-token=wrong"}):
            assert client.send("GET", "/", headers=headers)[0] == 401
        assert client.send("GET", "/", headers={"Authorization": "Bearer sesame"})[0] == 200
        status, headers, _ = client.send("GET", "/?token=sesame")
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert client.send("GET", "/", headers={"Cookie": cookie.partition(";")[0]})[0] == 200
    finally:
        client.stop()


def test_what_takes_too_long_or_is_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index.build(tmp_path / "i.duckdb", ["one two three four five six"]).close()
    client = started(tmp_path / "i.duckdb", timeout=0.3, concurrency=2)
    answer = Index.query

    def slow(self: Index, text: str, settings: Any = None) -> Any:
        time.sleep(1.0)
        return answer(self, text, settings)

    monkeypatch.setattr(Index, "query", slow)
    try:
        found: list[tuple[int, str]] = []

        def ask() -> None:
            status, content = client.json("POST", "/query", {"text": "one two three"})
            found.append((status, content["error"]))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {status for status, _ in found} == {503}
        assert {"the server is busy", "this took longer than 0.3 s"} == {what for _, what in found}
        monkeypatch.undo()
        time.sleep(1.2)
        assert client.send("POST", "/query", {"text": "one two three"})[0] == 200
    finally:
        client.stop()


def test_a_server_that_only_answers(tmp_path: Path) -> None:
    Index.build(tmp_path / "i.duckdb", ["one two three four five six"]).close()
    client = started(tmp_path / "i.duckdb", read_only=True)
    try:
        status, found = client.json("POST", "/documents", {"documents": [{"id": "x", "text": "a b"}]})
        assert (status, found["error"]) == (403, "this server only answers")
        with Index(tmp_path / "i.duckdb", writable=False) as index:  # others may read it
            assert len(index) == 1
        with pytest.raises(OutputError, match="listen"):
            prepare([tmp_path / "i.duckdb"], ServerSettings(port=client.port), True)
    finally:
        client.stop()


def test_many_clients_ask_and_add_at_once(tmp_path: Path) -> None:
    Index.build(tmp_path / "i.duckdb", [{"id": "first", "text": prose(80, 1)}]).close()
    client = started(tmp_path / "i.duckdb")
    wrong: list[Any] = []

    def work(number: int) -> None:
        for turn in range(6):
            new = {"id": f"{number}-{turn}", "text": prose(40, 100 * number + turn)}
            wrong.append(client.send("POST", "/documents", {"documents": [new]})[0] != 201)
            _, found = client.json("POST", "/query", {"text": new["text"]})
            wrong.append([match["id"] for match in found["matches"]] != [new["id"]])

    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not any(wrong)
    finally:
        client.stop()
    with Index(tmp_path / "i.duckdb") as index:
        assert len(index) == 31


FORUM: list[dict[str, Any]] = [
    {
        "id": "egg",
        "title": "How do I boil an egg for breakfast?",
        "body": "I have water, a pot and a stove. How long does it take?",
        "answer": "Six minutes for a soft one.",
        "url": "https://forum.example/egg",
    },
    {
        "id": "<img src=x onerror=alert(1)>",
        "title": "Which tea is best with <b>milk</b> in it?",
        "body": "I have tried three kinds of it and liked none.",
        "answer": None,
        "url": "javascript:alert(2)",
    },
]


@pytest.fixture(scope="module")
def forum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Serve a result of threads."""
    folder = tmp_path_factory.mktemp("forum")
    (folder / "forum.jsonl").write_text("\n".join(map(json.dumps, FORUM)))
    neardup.threads(str(folder / "forum.jsonl"), output=folder / "out")
    client = started(folder / "out", max_text=1_000)
    yield client
    client.stop()


def test_threads_can_be_asked(forum: Client) -> None:
    status, found = forum.json("GET", "/healthz")
    assert (status, found["asked"]) == (200, {"threads": 2, "fields": ["title", "body", "answer"]})
    thread = {"title": "how do i boil an egg for breakfast"}
    status, found = forum.json("POST", "/asked", {"thread": thread, "top": 1})
    assert status == 200
    [egg] = found["found"]
    assert (egg["id"], egg["similarity"], egg["fields"]["body"]) == ("egg", 1.0, None)
    assert forum.json("POST", "/asked", {"thread": {"title": "nothing of this kind"}})[1] == {
        "found": []
    }
    assert "/asked" in forum.json("GET", "/openapi.json")[1]["paths"]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"thread": {"colour": "red"}}, 422, "colour"),
        ({"thread": {"title": "\ud800 x"}}, 422, "Unicode"),
        ({"thread": {}}, 422, "no text"),
        ({"thread": {"title": "x" * 2_000}}, 413, "2,000 characters"),
        ({"thread": {"title": "an egg"}, "least": 0}, 422, "least"),
        ({}, 422, "thread"),
    ],
)
def test_what_cannot_be_asked_is_told(forum: Client, body: Any, status: int, message: str) -> None:
    found, answer = forum.json("POST", "/asked", body)
    assert found == status
    assert message in answer["error"]


def test_threads_whose_input_is_gone_are_still_served(tmp_path: Path) -> None:
    (tmp_path / "forum.jsonl").write_text("\n".join(map(json.dumps, FORUM)))
    neardup.threads(str(tmp_path / "forum.jsonl"), output=tmp_path / "out")
    (tmp_path / "forum.jsonl").unlink()
    client = started(tmp_path / "out")
    try:
        status, found = client.json("POST", "/asked", {"thread": {"title": "an egg"}})
        assert status == 422
        assert "cannot be asked" in found["error"]
        assert str(tmp_path) not in json.dumps([found, client.json("GET", "/healthz")])
    finally:
        client.stop()


# In a browser


class Site(Opened):
    """A page of the server."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        class Address:
            def as_uri(self) -> str:
                return address

        super().__init__(browser, Address(), **context)  # type: ignore[arg-type]


@pytest.fixture
def site(browser: Any, client: Client) -> Iterator[Site]:
    found = Site(browser, client.address)
    yield found
    found.context.close()
    assert not found.wrong
    assert all(url.startswith(client.address) for url in found.asked)


def wait_for_status(page: Any, text: str) -> None:
    page.wait_for_function(
        "text => document.getElementById('status').textContent.startsWith(text)", arg=text
    )


def test_a_text_is_looked_up_while_it_is_typed(site: Site) -> None:
    page = site.page
    page.wait_for_function(
        "() => document.getElementById('about').textContent.startsWith('50 documents')"
    )
    page.fill("#text", text_of("flower-show-2023"))
    wait_for_status(page, "Yes: 2 documents share text with it")
    names = page.locator(".match h2").all_text_contents()
    assert names == ["flower-show-2023", "flower-show-2024"]
    differing = page.locator(".match:nth-child(2) ins").all_text_contents()
    assert any("15 July 2023" in words for words in differing)
    page.fill("#text", "nothing of this kind was ever written about anything at all")
    wait_for_status(page, "No: nothing in the index")
    assert page.locator(".match").count() == 0
    page.fill("#text", "…")
    wait_for_status(page, "Type at least one word")
    page.fill("#text", "")
    wait_for_status(page, "")


def test_a_match_is_shown_side_by_side_with_keys_only(site: Site) -> None:
    page = site.page
    page.fill("#text", text_of("flower-show-2023"))
    wait_for_status(page, "Yes")
    page.locator("#live").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "compare"
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .panes")
    assert page.locator("dialog #viewer-title").text_content() == "flower-show-2024 and your text"
    marks = page.locator("dialog mark")
    assert marks.count() == 2  # one match on both sides
    texts = page.locator("dialog .text").all_text_contents()
    assert "Miss Olwen Hughes" in texts[0] and "Mr Tom Beddoes" in texts[1]
    assert page.locator("dialog ins").all_text_contents() == ["15", "2023"]
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")
    assert page.evaluate("document.activeElement.className") == "compare"


def test_hostile_text_is_shown_as_text(site: Site) -> None:
    page = site.page
    page.fill("#text", f"{HOSTILE} {prose(30, 61)}")
    wait_for_status(page, "Yes")
    page.locator(".compare").first.click()
    page.wait_for_selector("dialog .panes")
    shown = page.locator("dialog .text").first.text_content()
    assert "<img src=x onerror='window.hacked = 3'>" in shown
    assert "</script>" in shown
    assert page.evaluate("window.hacked") is None
    assert page.locator("dialog .sign").count() >= 4
    assert page.locator("main img, main svg, dialog img").count() == 0
    page.keyboard.press("Escape")
    page.fill("#text", prose(60, 44))
    page.wait_for_function("() => document.querySelector('.match h2').textContent === '<b>bold</b>'")


def test_scripts_that_are_not_the_servers_own_do_not_run(browser: Any, client: Client) -> None:
    site = Site(browser, client.address)
    ran = site.page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.hacked = 9";
          document.body.append(script);
          return window.hacked;
        }"""
    )
    site.context.close()
    assert ran is None
    assert any("Content Security Policy" in what for what in site.wrong)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_page_fits_laptop_and_phone(
    browser: Any, client: Client, tmp_path: Path, width: int, scheme: str
) -> None:
    site = Site(browser, client.address, viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = site.page
    page.fill("#text", text_of("bridge-parish"))
    wait_for_status(page, "Yes")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / "search.png", full_page=True)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = int(re.findall(r"\d+", background)[0]) > 128
    assert light == (scheme == "light")
    page.locator(".compare").nth(1).click()
    page.wait_for_selector("dialog .panes")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / "pair.png")
    assert not site.wrong
    site.context.close()


def test_the_report_of_a_result_is_served(browser: Any, client: Client) -> None:
    site = Site(browser, f"{client.address}report")
    assert site.page.locator("#pairs .total").text_content() == "17 pairs"
    assert not site.wrong
    site.context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_question_is_looked_up_while_it_is_typed(browser: Any, forum: Client, width: int) -> None:
    site = Site(browser, f"{forum.address}asked", viewport={"width": width, "height": 844})
    page = site.page
    page.wait_for_function("() => document.documentElement.dataset.ready")
    assert page.text_content("#about") == "2 threads to look in"
    page.get_by_label("title").fill("How do I boil an egg for breakfast, please?")
    wait_for_status(page, "Yes: 1 thread is worded like it")
    assert page.locator(".match a").get_attribute("href") == "https://forum.example/egg"
    page.get_by_label("title").fill(FORUM[1]["title"])
    page.wait_for_function("() => document.querySelector('.match').textContent.includes('<b>milk</b>')")
    assert page.locator(".match a, .match b, .match img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("title").fill("Something else that nobody ever wanted to know")
    wait_for_status(page, "No: no thread")
    site.context.close()
    assert not site.wrong
