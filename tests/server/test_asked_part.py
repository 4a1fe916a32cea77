"""Threads can be asked whether a question was asked before."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.client import FORUM, Client, started

import neardup


def test_threads_can_be_asked(forum: Client) -> None:
    status, found = forum.json("GET", "/healthz")
    assert (status, found["asked"]) == (200, {"threads": 2, "fields": ["title", "body", "answer"]})
    thread = {"title": "how do i boil an egg for breakfast"}
    status, found = forum.json("POST", "/asked", {"thread": thread, "top": 1})
    assert status == 200
    [egg] = found["found"]
    assert (egg["id"], egg["similarity"], egg["fields"]["body"]) == ("egg", 1.0, None)
    assert found["nearest"] == [], "it was found already"
    _, other = forum.json("POST", "/asked", {"thread": {"title": "eggs, boiled"}})
    assert other["found"] == []
    first = other["nearest"][0]
    assert (first["id"], first["words"]) == ("egg", []) and 0 < first["nearness"] < 1
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


def test_threads_are_added_and_removed(tmp_path: Path) -> None:
    (tmp_path / "forum.jsonl").write_text("\n".join(map(json.dumps, FORUM)))
    neardup.threads(str(tmp_path / "forum.jsonl"), output=tmp_path / "out")
    ferry = {"id": "ferry", "thread": {"title": "Does the ferry sail in a storm?"}, "url": "/f"}
    for read_only in (False, False, True):  # the second one knows what the first one was given
        client = started(tmp_path / "out", read_only=read_only)
        try:
            status, found = client.json("POST", "/asked/threads", {"threads": [ferry], "replace": True})
            assert status == (403 if read_only else 201)
            if not read_only:
                assert (found["added"], found["threads"]) == (1, 3)
                again = client.json("POST", "/asked/threads", {"threads": [ferry]})
                assert again[0] == 409 and "ferry" in again[1]["error"]
                bad = {"threads": [{"id": "x", "thread": {"colour": "red"}}]}
                assert client.json("POST", "/asked/threads", bad)[0] == 422
            _, found = client.json(
                "POST", "/asked", {"thread": {"title": "does the ferry sail in a storm"}}
            )
            assert [(one["id"], one["url"]) for one in found["found"]] == [("ferry", "/f")]
            asked = {"thread": {"title": "a ferry sails"}, "id": "ferry"}
            view = client.json("POST", "/asked/view", asked)[1]
            assert "ferry" in view["a"]["text"][0][1]
        finally:
            client.stop()
    client = started(tmp_path / "out")
    try:
        assert client.json("DELETE", "/asked/threads/ferry") == (200, {"removed": 1, "threads": 2})
        assert client.json("DELETE", "/asked/threads/ferry")[0] == 404
        assert client.json("POST", "/asked", {"thread": ferry["thread"]})[1]["found"] == []
    finally:
        client.stop()
