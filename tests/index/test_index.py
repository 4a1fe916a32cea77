"""The index: added to and taken from at any time, whole after a crash."""

import gc
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from tests.corpora import prose, replaced
from tests.index.building import built, ids_of

import neardup
from neardup.errors import (
    InputError,
    LockedError,
    OutputError,
    SettingsError,
    TakenIdError,
    UnknownDocumentError,
)
from neardup.index import writing as writing_module
from neardup.index.adding import Row
from neardup.index.online import Index
from neardup.index.settings import IndexSettings, QuerySettings
from neardup.store.files import MANIFEST
from neardup.store.manifest import About, sum_of


def test_what_is_added_is_found_and_what_is_removed_is_not(index: Index) -> None:
    assert ids_of(index, prose(80, 3)) == []
    added = index.add([{"id": "new", "text": prose(80, 3), "title": "A title", "url": "u", "date": "d"}])
    assert (added.documents, added.replaced, added.skipped) == (1, 0, {})
    [match] = index.query(prose(80, 3)).matches
    assert (match.id, match.kind, match.about.title) == ("new", "identical", "A title")
    assert index.remove(["new", "new"]) == 1
    assert ids_of(index, prose(80, 3)) == []
    index.close()
    with Index(index.path) as again:
        assert ids_of(again, prose(80, 3)) == []
        assert ids_of(again, prose(80, 1)) == ["d0"]


def test_an_id_that_is_there_is_an_error_or_replaced(index: Index) -> None:
    new = [{"id": "x", "text": prose(30, 8)}, {"id": "d1", "text": prose(80, 9)}]
    with pytest.raises(TakenIdError, match="'d1'"):
        index.add(new)
    assert "x" not in index  # all or none
    assert index.add(new, replace_ids=True).replaced == 1
    assert (ids_of(index, prose(80, 2)), ids_of(index, prose(80, 9))) == ([], ["d1"])
    with pytest.raises(TakenIdError, match="given twice"):
        index.add([{"id": "y", "text": "one text"}, {"id": "y", "text": "two texts"}], replace_ids=True)


def test_what_is_added_one_by_one_is_found_whoever_asks_first(index: Index) -> None:
    texts = [prose(60, 900 + number) for number in range(4)]
    index.query(texts[0])  # it is in memory from here on
    for number, text in enumerate(texts[:3]):
        index.add([{"id": f"new {number}", "text": text}])
    index.add([{"id": "new 1", "text": texts[3]}], replace_ids=True)
    index.remove(["new 2"])
    found = [{match.id for match in index.query(text).matches} for text in texts]
    assert found == [{"new 0"}, set(), set(), {"new 1"}]
    index.add([{"id": "last", "text": texts[1]}])
    assert [match.id for match in index.query(texts[1]).matches] == ["last"]
    index.close()
    with pytest.raises(InputError, match="closed"):
        index.query(texts[1])


def test_documents_without_ids_or_words_and_bad_records_are_told(index: Index, tmp_path: Path) -> None:
    lines = [json.dumps({"text": prose(30, 5)}), "no json", json.dumps({"text": "…"}), '{"text": null}']
    (tmp_path / "new.jsonl").write_text("\n".join(lines))
    added = index.add(str(tmp_path / "new.jsonl"))
    assert added.documents == 1
    assert added.skipped["no words"] == 1
    assert sum(added.skipped.values()) == 3
    assert ids_of(index, prose(30, 5)) == ["new.jsonl#1"]  # no folder of this machine in it


def test_unknown_ids_are_told_and_nothing_is_removed(index: Index) -> None:
    with pytest.raises(UnknownDocumentError, match="no document has the id 'nobody'"):
        index.remove(["d0", "nobody"])
    with pytest.raises(UnknownDocumentError):
        index.document("nobody")
    assert len(index) == 2


@pytest.mark.parametrize("step", range(3))
def test_a_look_up_ends_at_any_step_when_nobody_waits_for_it(index: Index, step: int) -> None:
    steps = iter(range(step + 1))

    def going_on() -> None:
        if next(steps) == step:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        index.query(prose(80, 1), going_on=going_on)
    assert index.query(prose(80, 1)).matches  # what was counted half is not left behind


def test_a_query_without_words_is_refused(index: Index) -> None:
    for text in ("", " \n", "…!"):
        with pytest.raises(InputError, match="no words"):
            index.query(text)


def test_a_match_says_where_and_in_which_words_it_differs(index: Index) -> None:
    text = replaced(prose(80, 1), 20)
    [match] = index.query(text).matches
    [passage] = match.passages
    common = passage.difference.passages
    assert all(
        match.text[passage.start_a + run.start_a : passage.start_a + run.end_a].lower()
        == text[passage.start_b + run.start_b : passage.start_b + run.end_b].lower()
        for run in common
    )
    assert len(common) >= 3
    found = match.as_dict()
    assert found["passages"][0]["common"][0]["end_query"] <= len(text)
    json.dumps(found)


def test_the_best_matches_come_first_and_the_others_are_counted(tmp_path: Path) -> None:
    text = prose(100, 1)
    copies = [replaced(text, every) for every in (50, 30, 10)]
    with built(tmp_path / "i.neardup", [*copies, text]) as index:
        answer = index.query(text, QuerySettings(threshold=0.2, limit=2))
    assert ([match.id for match in answer.matches], answer.total) == (["d3", "d0"], 4)


@pytest.mark.parametrize("when", ["while documents come", "before the end"])
def test_an_add_that_is_killed_leaves_the_index_as_it_was(tmp_path: Path, when: str) -> None:
    with built(tmp_path / "i.neardup", [prose(80, 1)]) as index:
        assert len(index) == 1
    script = f"""
import os, signal
from neardup.index.online import Index
from neardup.index.adding import Row
from neardup.store.manifest import About, Change

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def rows():
    for number in range(9000):
        yield Row(About(f"new{{number}}"), (f"alpha beta gamma delta {{number}} " * 9).encode())
    if {when == "while documents come"!r}:
        die()

index = Index({str(tmp_path / "i.neardup")!r})
finish = Change.write_words
Change.write_words = lambda self, words: (finish(self, words), die())
index.add_rows(rows())
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL
    with Index(tmp_path / "i.neardup") as index:
        assert (len(index), ids_of(index, prose(80, 1))) == (1, ["d0"])
        index.add([{"id": "after", "text": prose(80, 2)}])
        assert ids_of(index, prose(80, 2)) == ["after"]


def test_nothing_may_be_added(index: Index) -> None:
    assert index.add_rows([]).documents == 0
    with index.adding() as add:
        add(Row(About("one"), prose(50, 1).encode()))
    assert len(index) == 3


def test_documents_that_were_removed_before_they_had_a_segment_do_no_harm(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        index.add_rows([Row(About(f"n{number}"), prose(50, number).encode())])
    index.remove(["d0", "d1", "n0", "n1", "n2"])
    index.close()
    monkeypatch.setattr(writing_module, "RECENT", 3)
    with Index(index.path) as again:
        for number in range(4):
            again.add_rows([Row(About(f"m{number}"), prose(50, 10 + number).encode())])
        assert ids_of(again, prose(50, 12)) == ["m2"]
    with Index(index.path) as again:
        assert [ids_of(again, prose(50, n)) for n in (1, 10, 13)] == [[], ["m0"], ["m3"]]
        assert not again.damages()


def test_segments_are_made_and_merged_and_the_answers_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing_module, "RECENT", 5)
    monkeypatch.setattr(writing_module, "TOGETHER", 3)
    path = tmp_path / "i.neardup"
    rows = [Row(About(f"n{number}"), prose(50, number).encode()) for number in range(40)]
    Index.build(path).close()
    for begin in range(0, 40, 8):
        with Index(path) as index, Index(path, writable=False) as reader:
            for row in rows[begin : begin + 8]:
                index.add_rows([row])
            if begin == 24:
                index.remove(["n7", "n9"])
            there = [bool(ids_of(reader, prose(50, n))) for n in range(40)]
            assert there == [n < begin + 8 and (begin < 24 or n not in (7, 9)) for n in range(40)]
        assert len(list(path.glob("*.texts"))) < 5
    with Index(path) as index:
        index.compact()
        assert len(list(path.glob("*.texts"))) == 1
        assert index._manifest.deleted() == []
        assert [bool(ids_of(index, prose(50, n))) for n in range(40)] == [
            n not in (7, 9) for n in range(40)
        ]
        assert not index.damages()
        assert prose(50, 7).encode()[:40] not in b"".join(
            index.search.contents.view.parts[0].texts.of(n) for n in range(40)
        )


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    twice = [{"id": "x", "text": "one text"}, {"id": "x", "text": "two texts"}]
    with pytest.raises(TakenIdError):
        Index.build(tmp_path / "i.neardup", twice)
    assert list(tmp_path.iterdir()) == []
    built(tmp_path / "i.neardup", ["some text or other"]).close()
    with pytest.raises(OutputError, match="already"):
        Index.build(tmp_path / "i.neardup", twice)
    Index.build(tmp_path / "i.neardup", overwrite=True).close()
    with Index(tmp_path / "i.neardup") as index:
        assert len(index) == 0


def test_an_index_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "i.neardup"
    built(path, ["some text or other"]).close()
    for name, value in (("format", "99"), ("hash", "0")):
        before = changed_fact(path, name, value)
        with pytest.raises(InputError, match=value) as error:
            Index(path)
        assert "build" in str(error.value.hint)
        changed_fact(path, name, before)
    with Index(path) as index:
        assert len(index) == 1
    changed_fact(path, "settings", json.dumps(vars(index.settings) | {"unheard_of": 1}))
    with pytest.raises(InputError, match="a later version of neardup made this index"):
        Index(path)


def changed_fact(path: Path, name: str, value: str) -> str:
    with closing(sqlite3.connect(path / MANIFEST)) as database:
        [(before,)] = database.execute("select value from facts where name = ?", [name]).fetchall()
        row = [value, sum_of(name, value), name]
        database.execute("update facts set value = ?, sum = ? where name = ?", row)
        database.commit()
    return str(before)


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("no database at all, just some text")
    (tmp_path / "folder").mkdir()
    for name in ("text.txt", "folder", "missing"):
        with pytest.raises(InputError, match="index"):
            Index(tmp_path / name)
    with duckdb.connect(str(tmp_path / "old.neardup")) as database:
        database.execute("create table t (x integer)")
    with pytest.raises(InputError, match="earlier version") as error:
        Index(tmp_path / "old.neardup")
    assert "neardup index upgrade" in str(error.value.hint)
    with pytest.raises(SettingsError, match="imatch"):
        IndexSettings(signature="imatch")
    built(tmp_path / "i.neardup", ["some text or other"]).close()
    address = (tmp_path / "i.neardup").as_uri()
    for ask in (lambda: Index.to_ask(address), lambda: neardup.documents(address)):
        with pytest.raises(InputError, match=r"i\.neardup: an index is only read on a disk") as error:
            ask()
        assert "neardup index export" in str(error.value.hint)


def test_only_an_index_is_replaced_by_another(tmp_path: Path) -> None:
    precious = tmp_path / "ducks.txt"
    precious.write_text("DUCK DUCK DUCK: all my work")
    with pytest.raises(OutputError, match="not an index"):
        Index.build(precious, ["some text"], overwrite=True)
    assert precious.read_text() == "DUCK DUCK DUCK: all my work"
    built(tmp_path / "i.neardup", ["some text or other"]).close()
    with Index.build(tmp_path / "i.neardup", ["one", "two"], overwrite=True) as index:
        assert len(index) == 2


@pytest.mark.parametrize("writable", [True, False])
def test_a_damaged_index_is_told(tmp_path: Path, writable: bool) -> None:
    path = tmp_path / "i.neardup"
    built(path, [prose(200, seed) for seed in range(50)]).close()
    whole = (path / MANIFEST).read_bytes()
    for bad in (b"no database", whole[:100] + bytes(len(whole) - 100)):
        (path / MANIFEST).write_bytes(bad)
        with pytest.raises(InputError, match="damaged"):
            Index(path, writable)


def test_one_process_writes_while_several_read(tmp_path: Path) -> None:
    path = tmp_path / "i.neardup"
    script = f"from neardup.index.online import Index; print(len(Index({str(path)!r}, WRITABLE)))"

    def elsewhere(writable: bool) -> str:
        code = script.replace("WRITABLE", str(writable))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    with built(path, ["some text or other"]) as index:
        assert f"another process ({os.getpid()}) has this index open for writing" in elsewhere(True)
        assert elsewhere(False) == "1\n"
        index.add(["another text"])
        assert elsewhere(False) == "2\n"
        with pytest.raises(LockedError, match="this process has this index open"):
            Index(path)
    with Index(path, writable=False), Index(path, writable=False):
        assert elsewhere(True) == "2\n"


def test_an_index_is_asked_by_its_path_while_this_process_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "i.neardup"
    first, second = ([{"name": name, "body": prose(80, n)}] for n, name in ((1, "a"), (2, "b")))
    index = Index.build(path, first, text_column="body", id_column="name")
    index.add(second, text_column="body", id_column="name")
    for source in (prose(80, 2), [prose(80, 2)]):  # one text is as good as a list of one
        assert neardup.query(path, source).pairs["id_b"].to_pylist() == ["b"]
    assert neardup.query(index, prose(80, 1)).pairs["id_b"].to_pylist() == ["a"]
    with pytest.raises(InputError, match="no such file"):
        neardup.query(path, "letters/missing.txt")
    index.add([{"id": "c", "text": prose(80, 3)}])
    del index  # nobody can close it any more, and nothing is lost
    gc.collect()
    assert neardup.query(path, prose(80, 3)).pairs["id_b"].to_pylist() == ["c"]
    with Index(path) as again:
        assert len(again) == 3


def test_many_threads_ask_while_one_adds_and_removes(tmp_path: Path) -> None:
    with built(tmp_path / "i.neardup", [prose(80, 1)], signature="winnowing:3,1", soft=True) as index:
        expected = index.query(prose(80, 1)).as_dict()
        problems: list[object] = []
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                try:
                    if index.query(prose(80, 1)).as_dict() != expected:
                        problems.append("another answer")
                except Exception as error:
                    problems.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(60):
            index.add_rows([Row(About(f"n{number}"), prose(50, 100 + number).encode())])
            if number % 3 == 0:
                index.remove([f"n{number}"])
        done.set()
        for thread in threads:
            thread.join()
        assert problems == []
        assert len(index) == 41
        assert ids_of(index, prose(50, 101)) == ["n1"]
