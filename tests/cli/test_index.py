"""`neardup index` and its sisters on the command line."""

import json
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.corpora import prose, replaced
from tests.index.building import built, named


def test_the_commands_build_add_query_remove_and_describe(command: Command, tmp_path: Path) -> None:
    path, text = tmp_path / "i.neardup", tmp_path / "text.txt"
    text.write_text(replaced(prose(80, 2), 30))
    lines = [json.dumps(document) for document in named([prose(80, 1), prose(80, 2)])]
    (tmp_path / "old.jsonl").write_text("\n".join(lines))
    done = command("index", "build", path, tmp_path / "old.jsonl", "--min-length", 100)
    assert done.code == 0
    assert "2 documents added" in done.said
    more = command("index", "build", tmp_path / "more", tmp_path / "old.jsonl", "--json")
    assert json.loads(more.said)["added"] == {"documents": 2, "replaced": 0, "skipped": {}}
    assert command("index", "compact", tmp_path / "more").code == 0
    assert json.loads(command("index", "check", tmp_path / "more", "--json").said)["readable"] == 2
    done = command("index", "add", path, tmp_path / "old.jsonl")
    assert done.code == 1
    assert "--replace" in done.said
    assert command("index", "add", path, tmp_path / "old.jsonl", "--replace").code == 0
    done = command("query", path, text)
    assert done.code == 0
    assert "d1 near-duplicate" in done.said
    assert "{+ Other29 +}" in done.said or "Other29" in done.said
    done = command("query", path, prose(80, 1), "--json")
    assert json.loads(done.said)["matches"][0]["kind"] == "identical"
    assert "Nothing in the index" in command("query", path, "none of this is there").said
    done = command("query", path, " ".join(prose(80, 1).split()[5:8]))
    assert "The text is short: it has 3 words" in done.said and "d0 contained" in done.said
    done = command("query", path, "--corpus", tmp_path / "old.jsonl", "-o", tmp_path / "known")
    assert "2 of 2 documents share text with the index" in done.said
    assert "d0 identical d0" in command("show", tmp_path / "known").said
    assert "Report of 2 pairs, 2 of them with their texts" in command("report", tmp_path / "known").said
    assert command("index", "remove", path, "d0").said == "1 document removed, 1 left"
    assert json.loads(command("index", "info", path, "--json").said)["documents"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["query", "i.neardup", ""], 1, "no words"),
        (["query", "i.neardup", "one", "two"], 2, "one text"),
        (["query", "i.neardup", "no/such/file.txt"], 1, "no such file"),
        (["query", "i.neardup", "notice.txt"], 1, "no such file"),
        (["query", "i.neardup", "several.jsonl"], 1, "several documents"),
        (["query", "i.neardup", "text", "--corpus"], 2, "-o"),
        (["query", "i.neardup", "some text", "--limit", "0"], 2, "limit"),
        (["query", "missing.neardup", "some text"], 1, "no such index"),
        (["query", "i.neardup", "some text", "--threshold", "2"], 2, "threshold"),
        (["index", "remove", "i.neardup", "nobody"], 1, "'nobody'"),
        (["index", "build", "i.neardup", "several.jsonl"], 1, "already"),
        (["index", "build", "new.neardup", "several.jsonl", "--signature", "imatch"], 2, "imatch"),
        (["serve", "missing.neardup"], 1, "no such index or result"),
        (["serve", "i.neardup", "i.neardup"], 1, "open"),
    ],
)
def test_wrong_usage_is_told(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    built(tmp_path / "i.neardup", ["some text or other"]).close()
    (tmp_path / "several.jsonl").write_text("\n".join(json.dumps({"text": t}) for t in ("a b", "c d")))
    done = command(*arguments)
    assert done.code == code
    assert message in done.said
