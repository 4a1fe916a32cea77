"""The server: what it answers, and what it refuses."""

import csv
import errno
import json
import re
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.corpora import DEMO, prose
from tests.server.client import STRANGE, Client, started, text_of

import neardup
from neardup.errors import OutputError, SettingsError
from neardup.index.online import Index
from neardup.server.run import prepare
from neardup.server.settings import ServerSettings, is_loopback

# Answers


def test_a_text_is_looked_up(client: Client) -> None:
    status, found = client.json("POST", "/query", {"text": text_of("lighthouse-quiz")})
    assert (status, found["total"]) == (200, len(found["matches"]))
    first, second = found["matches"][:2]
    assert (first["id"], first["kind"], first["resemblance"]) == ("lighthouse-quiz", "identical", 1.0)
    assert (second["id"], second["containment_query"]) == ("lighthouse", 1.0)
    [passage] = second["passages"]
    assert (passage["start_document"], passage["end_document"]) == (324, 700)


def test_a_part_of_a_short_text_is_found_whatever_stands_beside_it(client: Client) -> None:
    words = "Three keepers lived in the tower for six weeks at a time"
    expected = ["lighthouse-quiz", "lighthouse"]
    for text in (
        words,
        f"{words} <script>alert(1)</script>",
        f"#tower {words} #lighthouse #history",
        f"Did you know this? {words}: so it says on the board beside the door.",
    ):
        asked = {"text": text, "differences": True}
        _, found = client.json("POST", "/query", asked)
        assert [match["id"] for match in found["matches"]] == expected, text
        for match in found["matches"]:
            [passage] = match["passages"]
            assert text[passage["start_query"] : passage["end_query"]] == words
            assert match["words_query"] == pytest.approx(12 / len(re.findall(r"\w+", text)))
            assert match["coverage_query"] == match["words_query"]
    _, found = client.json("POST", "/query", {"text": f"Three keepers lived there. {prose(40, 7)}"})
    assert found["matches"] == []


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


def test_rows_of_a_report_are_shown_and_marked(client: Client, folder: Path) -> None:
    status, view = client.json("GET", "/report/pairs/0")
    assert (status, view["a"]["id"], view["b"]["id"]) == (200, "bridge-wire", "bridge-evening")
    assert client.json("GET", "/report/pairs/999")[0] == 404
    status, whole = client.json("GET", "/report/texts/0")
    assert status == 200 and whole["text"][0][0] == 0 and len(whole["text"][0][1]) > 100
    assert client.json("GET", "/report/texts/999")[0] == 404
    pair = {"left": "bridge-wire", "right": "bridge-evening"}
    assert client.json("POST", "/report/marks", {**pair, "label": "same"}) == (200, {"marks": 1})
    assert client.json("POST", "/report/marks", {**pair, "label": "unsure"}) == (200, {"marks": 1})
    with (folder / "out" / "marks.csv").open(newline="") as file:
        [kept] = csv.DictReader(file)
    assert kept.pop("when").endswith("Z")
    assert kept == {**pair, "label": "unsure", "judge": "", "note": ""}
    status, known = client.json("GET", "/report/marks")
    assert (status, known["read_only"], known["marks"][0]["label"]) == (200, False, "unsure")
    assert client.json("POST", "/report/marks", {**pair, "label": "none"}) == (200, {"marks": 0})
    assert client.json("POST", "/report/marks", {**pair, "label": "maybe"})[0] == 422
    for unknown in ("nobody", "", "x" * 200_000):
        for wrong in ({**pair, "right": unknown}, {**pair, "left": unknown}):
            status, found = client.json("POST", "/report/marks", {**wrong, "label": "same"})
            assert (status, len(found["error"]) < 300) == (404, True)
    assert client.json("GET", "/report/marks")[1]["marks"] == []


def test_several_people_mark_the_same_pair_and_it_is_told_what_follows(
    client: Client, folder: Path
) -> None:
    pair = {"left": "bridge-wire", "right": "bridge-evening"}
    assert client.json("GET", "/report/judged") == (200, {"judged": None})
    note = '=HYPERLINK("x")\n<script>alert(1)</script>\u202e'
    for judge, label in (("Anna", "same"), ("Ben", "different"), ("Anna", "different")):
        mark = {**pair, "label": label, "judge": judge, "note": note}
        assert client.json("POST", "/report/marks", mark)[0] == 200
    marks = client.json("GET", "/report/marks")[1]["marks"]
    assert [(own["judge"], own["label"], own["note"]) for own in marks] == [
        ("Ben", "different", note),
        ("Anna", "different", note),
    ]
    assert ",'=HYPERLINK" in (folder / "out" / "marks.csv").read_text().replace('"', "")
    found = client.json("GET", "/report/judged")[1]["judged"]
    assert (found["judges"], found["all"]["different"]) == (["Anna", "Ben"], 1)
    assert found["steps"][0]["found"]["precision"] == 0
    for judge, long in (("x" * 101, ""), ("", "x" * 2001)):
        mark = {**pair, "label": "same", "judge": judge, "note": long}
        assert client.json("POST", "/report/marks", mark)[0] == 422
    for judge in ("Anna", "Ben"):
        client.json("POST", "/report/marks", {**pair, "label": "none", "judge": judge})
    assert client.json("GET", "/report/marks")[1]["marks"] == []


def test_marks_keep_ids_of_any_kind_and_sentences_by_what_they_say(tmp_path: Path) -> None:
    strange, long = 'a,\n"b"', "very " * 100
    texts = {strange: prose(60, 1), long: prose(60, 1), "third": prose(60, 1)}
    documents = [{"id": own, "text": text} for own, text in texts.items()]
    neardup.documents(documents, output=tmp_path / "out")
    neardup.sentences(
        [
            {"id": n, "text": f"The {n} boat leaves the old harbour at seven."}
            for n in ("first", "fifth")
        ],
        output=tmp_path / "sentences",
    )
    client = started(tmp_path / "out")
    cut = f"{long[:199]}…"  # as the report has it
    try:
        for left, right in ((strange, long), (strange, cut), (cut, "third")):
            mark = {"left": left, "right": right, "label": "same"}
            assert client.send("POST", "/report/marks", mark)[0] == 200
            with (tmp_path / "out" / "marks.csv").open(newline="") as file:
                assert mark.items() <= list(csv.DictReader(file))[-1].items()
    finally:
        client.stop()
    client = started(tmp_path / "sentences")
    try:
        said = [f"The {n} boat leaves the old harbour at seven." for n in ("first", "fifth")]
        mark = {"left": said[0], "right": said[1], "label": "different"}
        assert client.send("POST", "/report/marks", mark)[0] == 200
        assert client.send("POST", "/report/marks", {**mark, "left": "first"})[0] == 404
    finally:
        client.stop()


def test_a_result_that_is_gone_or_cannot_be_written_to_is_told(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = {"left": "bridge-wire", "right": "bridge-evening", "label": "same"}
    (folder / "out").rename(folder / "moved")
    try:
        for method, path, body in [
            ("GET", "/clusters", None),
            ("GET", "/report/marks", None),
            ("POST", "/report/marks", mark),
        ]:
            status, found = client.json(method, path, body)
            assert (status, "no longer where it was" in found["error"]) == (503, True)
    finally:
        (folder / "moved").rename(folder / "out")

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("neardup.durable.sync", full)
    status, found = client.json("POST", "/report/marks", mark)
    assert (status, found["error"]) == (507, "this could not be kept: No space left on device")
    assert not list((folder / "out").glob("*.partial"))


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
    assert view["matches"][0][7] and view["a"]["text"][0][0] == 0
    # no pair of the result, but two documents of the index
    assert client.json("GET", "/pairs/lighthouse/plum-cake")[0] == 200


# Refusals


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "message"),
    [
        ("POST", "/query", {"text": ""}, 422, "no words"),
        ("POST", "/query", {"text": " … "}, 422, "no words"),
        ("POST", "/query", b"{", 400, "not JSON"),
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
        ("PUT", "/query", None, 405, "does not answer"),
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
        assert (status, json.loads(content)["a"]["text"]) == (200, None)
        assert str(tmp_path).encode() not in content
        status, headers, _ = client.send("GET", "/")
        assert (status, headers["location"]) == (307, "/report")
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
    Index.build(tmp_path / "i.neardup", ["one two three four five six"]).close()
    client = started(tmp_path / "i.neardup", host="0.0.0.0", token="sesame")
    try:
        assert client.send("GET", "/healthz")[0] == 200
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "neardup-token=wrong"}):
            assert client.send("GET", "/", headers=headers)[0] == 401
        assert client.send("GET", "/", headers={"Authorization": "Bearer sesame"})[0] == 200
        assert client.send("GET", "/openapi.json?token=sesame")[0] == 401  # proxies log addresses
        status, headers, _ = client.send("GET", "/report?token=sesame")
        assert (status, headers["location"]) == (303, "/report")
        status, headers, _ = client.send("GET", "/?token=sesame")
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        own = cookie.partition(";")[0]
        for sent in (own, f"{own}; theme=dark", f'theme="a;b; {own}', f"theme=dark;{own}"):
            assert client.send("GET", "/", headers={"Cookie": sent})[0] == 200
        began = time.monotonic()
        endless = 'neardup-token="' + "\\" * 60_000
        assert client.send("GET", "/pairs", headers={"Cookie": endless})[0] == 401
        assert time.monotonic() - began < 2
    finally:
        client.stop()


@pytest.mark.parametrize("token", ["tök;en", "tök", "a b", "a;b", 'a"b', "", "x" * 201])
def test_a_token_that_cannot_be_sent_is_refused(token: str) -> None:
    with pytest.raises(SettingsError, match="such a token") as refused:
        ServerSettings(token=token)
    assert "digits" in str(refused.value)


@pytest.mark.parametrize("token", ["aB3-_~.", "q+/w==", "x" * 200])
def test_a_token_works_in_header_cookie_and_address(tmp_path: Path, token: str) -> None:
    Index.build(tmp_path / "i.neardup", ["one two three four five six"]).close()
    client = started(tmp_path / "i.neardup", token=token)
    try:
        assert client.send("GET", "/", headers={"Authorization": f"Bearer {token}"})[0] == 200
        for given in (token, quote(token, safe="")):
            status, headers, _ = client.send("GET", f"/?token={given}")
            assert status == 303
            cookie = headers["set-cookie"].partition(";")[0]
            assert client.send("GET", "/", headers={"Cookie": cookie})[0] == 200
        status, _, page = client.send("GET", "/", headers={"Accept": "text/html"})
        styles = re.findall(r'href="(/static/[^"]*)"', page.decode())
        assert status == 401 and len(styles) > 1
        for style in styles:  # the page looks like all others
            assert client.send("GET", style)[0] == 200
        assert client.send("GET", "/static/search.js")[0] == 401
    finally:
        client.stop()


def test_head_is_answered_as_get_is_without_the_body(client: Client) -> None:
    for path in ("/", "/healthz", "/report", "/static/base.css", "/documents/lighthouse", "/nowhere"):
        status, headers, body = client.send("GET", path)
        found, own, nothing = client.send("HEAD", path)
        assert (found, nothing) == (status, b"") and body
        assert own["content-length"] == headers["content-length"] == str(len(body))
    assert client.send("HEAD", "/query")[0] == 405


def test_a_browser_gets_errors_as_pages_and_a_page_for_the_api(client: Client) -> None:
    asks = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path, status in (
        ("/nowhere", 404),
        ("/documents/%3Cb%3Enobody", 404),
        ("/clusters?limit=x", 422),
    ):
        found, headers, content = client.send("GET", path, headers=asks)
        assert (found, headers["content-type"]) == (status, "text/html; charset=utf-8")
        assert b"<h1>" in content and b"<b>nobody" not in content
    status, _, content = client.send("GET", "/api")
    page = content.decode()
    assert status == 200 and "POST /documents" in page and "documents[].title" in page
    assert "How many matches to return at most" in page and 'href="/openapi.json"' in page


def test_what_takes_too_long_or_is_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index.build(tmp_path / "i.neardup", ["one two three four five six"]).close()
    client = started(tmp_path / "i.neardup", timeout=0.3, concurrency=2)
    answer = Index.query

    def slow(self: Index, *arguments: Any) -> Any:
        time.sleep(1.0)
        return answer(self, *arguments)

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
    Index.build(tmp_path / "i.neardup", ["one two three four five six"]).close()
    client = started(tmp_path / "i.neardup", read_only=True)
    try:
        status, found = client.json("POST", "/documents", {"documents": [{"id": "x", "text": "a b"}]})
        assert (status, found["error"]) == (403, "this server only answers")
        with Index(tmp_path / "i.neardup", writable=False) as index:  # others may read it
            assert len(index) == 1
        with pytest.raises(OutputError, match="listen"):
            prepare([tmp_path / "i.neardup"], ServerSettings(port=client.port), True)
    finally:
        client.stop()


def test_many_clients_ask_and_add_at_once(tmp_path: Path) -> None:
    Index.build(tmp_path / "i.neardup", [{"id": "first", "text": prose(80, 1)}]).close()
    client = started(tmp_path / "i.neardup")
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
    with Index(tmp_path / "i.neardup") as index:
        assert len(index) == 31
