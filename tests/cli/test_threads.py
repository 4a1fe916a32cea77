"""`neardup threads`, `neardup asked` and `neardup explain` on the command line."""

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.corpora import EGG, TEA, write


def test_the_command_line_finds_asks_and_explains(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = {**EGG, "title": "How do I boil an egg please"}
    threads = [{"id": "egg", **EGG}, {"id": "tea", **TEA}, {"id": "again", **again}]
    path, out = write(tmp_path / "a.jsonl", threads), tmp_path / "out"
    assert command("threads", path, "-o", out, "--quiet").code == 0
    asked = command("asked", out, "--title", "tea or coffee?")
    assert asked.code == 0
    assert "1.000  1.000     –       –  tea  Tea or coffee" in asked.out
    monkeypatch.setattr(sys, "stdin", StringIO(json.dumps({"body": EGG["body"]})))
    asked = command("asked", out, "--json")
    assert [one["id"] for one in asked.json["found"]] == ["egg", "again"]
    shown = command("show", out)
    assert shown.code == 0
    assert "keeper again How do I boil an egg please" in shown.said
    shown = command("explain", out, "egg", "again")
    assert shown.code == 0
    assert "title 0.4 shingles:3 0.800" in shown.said
    assert "{+ please+}" in shown.out
    assert command("explain", out, "egg", "tea", "--json").json["fields"][0]["similarity"] == 0.0
    assert command("dedup", out, "--mode", "remove", "-o", tmp_path / "clean").code == 0
    kept = (tmp_path / "clean" / "a.jsonl").read_text()
    assert [json.loads(line)["id"] for line in kept.splitlines()] == ["tea", "again"]
    monkeypatch.setattr(sys, "stdin", StringIO("nonsense"))
    assert command("asked", out).code == 1


def test_threads_that_come_later_are_asked(tmp_path: Path, command: Command) -> None:
    out, first = tmp_path / "out", write(tmp_path / "a.jsonl", [{"id": "egg", **EGG}])
    assert command("threads", first, "-o", out, "--quiet").code == 0
    today = write(tmp_path / "b.jsonl", [{"id": "tea", **TEA}, {"id": "none", "title": "¿?"}])
    added = command("asked", out, "--add", today, "--title", "tea or coffee?")
    assert added.said.startswith("1 thread added skipped 1: no words 2 threads can be asked")
    assert "1.000  1.000     –       –  tea  Tea or coffee" in added.out
    again = command("asked", out, "--add", today)
    assert again.code == 1 and "the index has a document with the id 'tea'" in again.said
    done = command("asked", out, "--add", today, "--replace", "--remove", "egg", "--json").json
    assert (done["added"]["replaced"], done["removed"], done["threads"]) == (1, 1, 1)
    assert command("asked", out / "asked", "--title", EGG["title"], "--json").json["found"] == []
    refused = command("query", out / "asked", "tea")
    assert refused.code == 1 and "this index keeps threads, not texts" in refused.said
    assert "1 document, " in command("index", "info", out / "asked").said
    assert command("index", "compact", out / "asked").code == 0
    assert command("check", out / "asked").said.strip().endswith("is whole")
    assert command("index", "copy", out / "asked", tmp_path / "copy").code == 0
    asked = command("asked", tmp_path / "copy", "--title", TEA["title"], "--json").json
    assert [one["id"] for one in asked["found"]] == ["tea"]
    assert command("index", "check", out / "asked", "--save", tmp_path / "saved").code == 0
    assert command("index", "export", out / "asked", tmp_path / "all.jsonl").code == 0
    [row] = map(json.loads, (tmp_path / "all.jsonl").read_text().splitlines())
    assert row == {"id": "tea", "url": None, "date": None, **TEA}


def test_settings_for_another_command_are_refused(tmp_path: Path, command: Command) -> None:
    source = write(tmp_path / "a.jsonl", [EGG])
    path = tmp_path / "s.json"
    for content, said in [
        ({"method": "documents", "settings": {}}, "these settings are for neardup documents"),
        ({"settings": {"beauty": 1, "truth": 2}}, "no setting beauty, truth"),
        ([], "this is not a file of settings"),
    ]:
        path.write_text(json.dumps(content))
        done = command("threads", source, "-o", tmp_path / "o", "--settings", path)
        assert done.code > 0
        assert said in done.said
