"""Threads that are compared with an index and added to it, against runs over all of them."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import EGG, FIELDS, TEA, forum, write

import neardup
from neardup.errors import SettingsError
from neardup.index import adding, writing
from neardup.index.asked import ThreadIndex
from neardup.results.places import Place

OWN = ("doc_a", "doc_b", "doc")  # numbers: a run over all has those of more documents


def rows_of(result: neardup.Result, name: str) -> Any:
    found = getattr(result, name)
    return found.drop_columns([own for own in OWN if own in found.column_names]).to_pylist()


def indexed(threads: list[dict[str, Any]], folder: Path, **settings: Any) -> Path:
    with ThreadIndex.build(neardup.threads(threads, **settings), folder):
        return folder


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"threshold": 0.3, "missing": "zero"},
        {"answer_containment": True, "fields": {"title": 0.3, "body": 0.0, "answer": 0.7}},
        {"within": False, "clusters": "components", "index": "doc"},
    ],
)
def test_what_is_found_is_what_a_run_over_all_finds(
    seed: int, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "FEW", 12)
    monkeypatch.setattr(writing, "RECENT", 20)
    monkeypatch.setattr(writing, "LEFT", 9)
    chance = random.Random(seed)
    rows: list[dict[str, Any]] = [{"id": f"t{n}", **t} for n, t in enumerate(forum(90, seed))]
    chance.shuffle(rows)
    store, known = indexed(rows[:20], tmp_path / "store"), rows[:20]
    with ThreadIndex(store, writable=True) as index:
        index.add(rows[20:45])
        index.remove([rows[3]["id"], rows[30]["id"]])
        known = [row for n, row in enumerate(rows[:45]) if n not in (3, 30)]
    for day in range(2):
        new = rows[45 + 20 * day : 65 + 20 * day]
        path = write(tmp_path / f"{day}.jsonl", new)
        old = write(tmp_path / f"old{day}.jsonl", known)
        whole = neardup.threads(path, against=old, **settings)
        part = neardup.threads(path, against=store, add=True, output=tmp_path / f"p{day}", **settings)
        assert rows_of(part, "pairs") == rows_of(whole, "pairs") != []
        assert rows_of(part, "clusters") == rows_of(whole, "clusters")
        assert len(part.documents) < len(new) + len(known)
        known += new
        with ThreadIndex(store) as index:
            assert len(index) == len(known)
            for row in new:
                assert index.thread(row["id"])[1] == {name: row[name] for name in FIELDS}
                [found] = index.ask({n: row[n] for n in FIELDS if row[n]}, top=1, least=0.9)
                assert found.similarity == pytest.approx(1)
            assert not index.damages()


def test_only_what_is_similar_is_read_and_the_result_needs_no_index(
    tmp_path: Path, command: Command
) -> None:
    first = write(tmp_path / "a.jsonl", [{"id": "egg", **EGG}, {"id": "tea", **TEA}])
    out, store = tmp_path / "out", tmp_path / "out" / "asked"
    assert command("threads", first, "-o", out, "-q").code == 0
    assert command("asked", out, "--title", "x", "-q").code == 0
    today = write(tmp_path / "b.jsonl", [{"id": "tea", **EGG}, {"id": "none"}])
    done = command("threads", today, "--against", store, "--add", "-o", tmp_path / "found")
    assert f"1 document added to {store}; of the 2 before, 1 had to be read" in done.said
    result = neardup.Result(tmp_path / "found")
    assert [(r["id_a"], r["id_b"], r["kind"]) for r in result.pairs.to_pylist()] == [
        ("tea", "egg", "identical")
    ]
    for words in (("show",), ("explain", "tea", "egg"), ("report",)):
        assert command(words[0], tmp_path / "found", *words[1:]).code == 0
    asked = command("asked", out, "--title", EGG["title"], "--json").json["found"]
    assert [one["id"] for one in asked] == ["egg", "tea#3"]  # it has another tea already
    whole = neardup.threads(today, against=store)
    assert [(r["id_a"], r["id_b"]) for r in whole.pairs.to_pylist()] == [
        ("tea", "egg"),
        ("tea", "tea#3"),
    ]


class Killed(BaseException):
    """Stands for the end of a process."""


def test_a_run_that_is_killed_when_threads_are_added_gets_its_name_when_it_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, out = indexed([{"id": "egg", **EGG}], tmp_path / "store"), tmp_path / "out"
    new = write(tmp_path / "new.jsonl", [{"id": "again", **EGG}])

    def killed(*_: Any) -> None:
        raise Killed

    for kind, name, there in ((ThreadIndex, "grow", 1), (Place, "take_name", 2)):
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr(kind, name, killed)
            neardup.threads(new, against=store, add=True, output=out)
        assert len(ThreadIndex(store)) == there and not out.exists()
    found = neardup.threads(new, against=store, add=True, output=out)
    assert found.pairs["id_b"].to_pylist() == ["egg"] and len(ThreadIndex(store)) == 2


def test_what_cannot_be_found_by_a_part_of_an_index_is_refused(tmp_path: Path) -> None:
    store = indexed([{"id": "egg", **EGG}], tmp_path / "store")
    new = write(tmp_path / "new.jsonl", [{"id": "again", **EGG}])
    with pytest.raises(SettingsError, match=r"body by shingles:3, .* this run title by shingles:2"):
        neardup.threads(new, against=store, add=True, signature="shingles:2")
    with pytest.raises(SettingsError, match="cannot have max_shared="):
        neardup.threads(new, against=store, add=True, max_shared=3)
    shared = indexed([{"id": "egg", **EGG}], tmp_path / "shared", signature="imatch")
    with pytest.raises(SettingsError, match="all its threads together"):
        neardup.threads(new, against=shared, add=True, signature="imatch")
    assert len(ThreadIndex(store)) == 1
    assert json.loads(new.read_text())["id"] == "again"
