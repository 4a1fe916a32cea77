"""The journal of an index: what comes a few at a time is whole after a crash, and on the disk soon."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import prose
from tests.index.building import built, ids_of

from neardup.errors import OutputError, SettingsError, TakenIdError
from neardup.index import journal as journal_module
from neardup.index.adding import Row
from neardup.index.journal import Journal, encoded
from neardup.index.memory import About
from neardup.index.online import Index
from neardup.index.store import Store


def new(number: int) -> Row:
    return Row(About(f"n{number}"), prose(60, number).encode())


def journal_of(path: Path) -> Path:
    return path.with_name(path.name + ".journal")


def test_a_log_of_the_database_that_a_crash_cut_off_is_dropped(tmp_path: Path) -> None:
    path, log = tmp_path / "i.duckdb", tmp_path / "i.duckdb.wal"
    built(path, [prose(80, 1)]).close()
    with duckdb.connect(str(path)) as database:
        database.execute("pragma disable_checkpoint_on_shutdown")
        database.execute("insert into documents select 7, 'x', '', '', '', repeat('a', 9000)::blob")
    log.write_bytes(log.read_bytes()[:4000])
    with Index(path) as index:
        assert not log.exists()
        assert len(index) == 1


def test_documents_that_come_one_by_one_survive_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "i.duckdb"
    built(path, [prose(80, 1)]).close()
    script = f"""
import os, signal
from neardup.index.online import Index
from neardup.index.adding import Row
from neardup.index.memory import About

index = Index({str(path)!r})
for text in {[prose(80, 2), prose(80, 3)]!r}:
    index.add_rows([Row(About("new", title=text[:5]), text.encode())], replace_ids=True)
index.add_rows([Row(About("more"), {prose(80, 4)!r}.encode())])
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL
    journal = journal_of(path).read_bytes()
    for writable in (False, True):  # whoever opens it first takes them over, once
        journal_of(path).write_bytes(journal)
        with Index(path, writable=writable) as index:
            assert not journal_of(path).exists()
            assert len(index) == 3
            assert [ids_of(index, prose(80, n)) for n in (1, 2, 3, 4)] == [["d0"], [], ["new"], ["more"]]
            assert index.document("new")[0].title == prose(80, 3)[:5]


@pytest.mark.parametrize("gone", [["n1"], ["n2"], ["n1", "n2"], ["n1", "n2", "d0"]])
def test_what_was_removed_stays_so_if_the_journal_outlives_the_transaction(
    tmp_path: Path, gone: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "i.duckdb"
    with built(path, [prose(80, 1)]) as index:
        for number in (1, 2):
            index.add_rows([new(number)])
        with monkeypatch.context() as killed:
            killed.setattr(Journal, "clear", lambda _: None)
            index.remove(gone)
        journal = journal_of(path).read_bytes()
    left = {"d0", "n1", "n2"} - set(gone)
    journal_of(path).write_bytes(journal)
    with Index(path) as again:
        assert {given for given in ("d0", "n1", "n2") if given in again} == left
        again.add_rows([new(3)])  # whose number must not be taken for one that was taken over
        journal = journal_of(path).read_bytes()
    with duckdb.connect(str(path)) as database:  # as if it had crashed before the transaction
        database.execute("delete from documents where id = 'n3'")
        database.execute("update meta set value = (value::bigint - 1)::varchar where name = 'taken'")
    journal_of(path).write_bytes(journal)
    with Index(path) as last:
        assert len(last) == len(left) + 1


def test_a_torn_record_was_never_added(index: Index) -> None:
    index.close()
    before = index.path.read_bytes()
    with Index(index.path) as adding:
        adding.add_rows([Row(About("whole"), prose(80, 5).encode())])
        adding.add_rows([Row(About("torn"), prose(80, 6).encode())])
        journal = journal_of(index.path).read_bytes()
    assert not journal_of(index.path).exists()
    for end in (len(journal) - 1, len(journal) // 2 + 9, 3):
        index.path.write_bytes(before)
        journal_of(index.path).write_bytes(journal[:end])
        with Index(index.path) as again:
            assert len(again) == (2 if end == 3 else 3)
            assert "torn" not in again
    index.path.write_bytes(before)
    journal_of(index.path).write_bytes(journal[:30] + b"?" + journal[31:])
    with Index(index.path) as again:
        assert len(again) == 2
    journal_of(index.path).write_bytes(journal)
    with Index.build(index.path, overwrite=True) as another:
        assert len(another) == 0  # what was left over belongs to the old one


def test_those_who_wait_are_written_together_and_fail_alone(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.search  # noqa: B018  (in memory)
    appended: list[int] = []
    append = Journal.append

    def counted(own: Journal, records: bytes) -> None:
        appended.append(len(records))
        append(own, records)

    monkeypatch.setattr(Journal, "append", counted)
    outcomes: dict[int, object] = {}

    def add(number: int) -> None:
        try:
            row = Row(About("same" if number % 4 == 0 else f"n{number}"), prose(60, number).encode())
            outcomes[number] = index.add_rows([row], replace_ids=False).documents
        except TakenIdError as error:
            outcomes[number] = error

    threads = [threading.Thread(target=add, args=(number,)) for number in range(20, 32)]
    with index._writing:
        for thread in threads:
            thread.start()
        while len(index._waiting) < len(threads):
            time.sleep(0.01)
    for thread in threads:
        thread.join()
    assert len(appended) == 1
    taken = [number for number, outcome in outcomes.items() if isinstance(outcome, TakenIdError)]
    assert len(taken) == 2
    assert all(number % 4 == 0 for number in taken)
    assert len(index) == 2 + 10
    assert all((f"n{n}" in ids_of(index, prose(60, n))) == (n % 4 > 0) for n in range(20, 32))


# When it is on the disk


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the sizes that the journal had whenever it was synced."""
    sizes: list[int] = []
    monkeypatch.setattr(journal_module, "sync", lambda file: sizes.append(os.fstat(file).st_size))
    return sizes


def wait_for(sizes: list[int], size: int) -> None:
    until = time.monotonic() + 20
    while sizes[-1:] != [size]:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_what_comes_one_by_one_is_synced_together_soon(index: Index, synced: list[int]) -> None:
    for number in range(10):
        index.add_rows([new(number)])
    size = journal_of(index.path).stat().st_size
    wait_for(synced, size)
    assert len(synced) < 10
    index.add_rows([new(10)])  # somebody syncs again
    wait_for(synced, journal_of(index.path).stat().st_size)
    assert synced[-1] > size


def test_flush_returns_when_all_is_on_the_disk(
    index: Index, synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "SOON", 3600)
    index.flush()  # nothing to do
    index.add_rows([new(1)])
    assert synced == []
    index.flush()
    index.flush()
    assert synced == [journal_of(index.path).stat().st_size]


def test_each_can_be_synced_before_it_is_confirmed(tmp_path: Path, synced: list[int]) -> None:
    with Index.build(tmp_path / "i.duckdb", sync="each") as index:
        for number in range(3):
            index.add_rows([new(number)])
            assert synced[number:] == [journal_of(index.path).stat().st_size]
    with pytest.raises(SettingsError, match="soon, each"):
        Index(tmp_path / "i.duckdb", sync="never")  # type: ignore[arg-type]


def test_a_process_that_ends_without_closing_the_index_syncs_first(tmp_path: Path) -> None:
    script = f"""
from neardup.index import journal
from neardup.index.online import Index
sync = journal.sync
journal.sync = lambda file: (sync(file), print("synced"))
index = Index.build({str(tmp_path / "i.duckdb")!r})
index.add([{{"id": "new", "text": "one text of a few words"}}])
print("end")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["end", "synced"]
    with Index(tmp_path / "i.duckdb") as index:
        assert "new" in index


# When it cannot be


def full(*_: object) -> None:
    raise OSError("no space left")


def test_a_journal_that_cannot_be_written_adds_nothing(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.add_rows([Row(About("before"), prose(80, 5).encode())])
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(OutputError, match="no space left"):
            index.add_rows([Row(About("lost"), prose(80, 6).encode())])
        patched.setattr(os, "write", lambda *_: 7)
        with pytest.raises(OutputError, match="the disk is full"):
            index.add_rows([Row(About("lost"), prose(80, 6).encode())])
    index.add_rows([Row(About("after"), prose(80, 7).encode())])
    assert ids_of(index, prose(80, 6)) == []
    index.close()
    with pytest.raises(OutputError, match="not open for writing"):
        index.add_rows([Row(About("late"), prose(80, 6).encode())])
    with Index(index.path) as again:
        assert [given in again for given in ("before", "lost", "after", "late")] == [1, 0, 1, 0]


def test_what_was_to_be_synced_at_once_and_could_not_be_is_not_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index.build(tmp_path / "i.duckdb", sync="each") as index:
        for number in (1, 3):
            with monkeypatch.context() as patched:
                patched.setattr(journal_module, "sync", full)
                with pytest.raises(OutputError, match="no space left"):
                    index.add_rows([new(number)])
            index.add_rows([new(number + 1)])
    with Index(tmp_path / "i.duckdb") as index:
        assert [f"n{number}" in index for number in range(1, 5)] == [0, 1, 0, 1]


def test_what_could_not_be_synced_is_written_to_the_database_before_more_is_added(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "SOON", 0.01)
    monkeypatch.setattr(journal_module, "sync", full)
    index.add_rows([new(11)])
    while not index._store.is_full:
        time.sleep(0.01)
    with monkeypatch.context() as patched:  # the disk cannot be written at all
        patched.setattr(Store, "insert", lambda *_: raised(duckdb.IOException("disk error")))
        for refused in (lambda: index.add_rows([new(12)]), index.flush):
            with pytest.raises(OutputError, match="disk error"):
                refused()
    assert ids_of(index, prose(60, 11)) == ["n11"]
    index.add_rows([new(12)])
    with duckdb.connect(str(index.path)) as other:  # a connection of this process may read along
        assert other.execute("select id from documents where id like 'n%'").fetchall() == [("n11",)]
    index.flush()  # fails in the journal, and writes to the database
    assert not journal_of(index.path).exists()
    index.close()
    with Index(index.path) as again:
        assert len(again) == 4


def raised(error: Exception) -> None:
    raise error


# After a power cut


@given(
    sizes=st.lists(st.integers(0, 40), min_size=1, max_size=6),
    cut=st.integers(0, 600),
    zeros=st.lists(st.integers(0, 20), max_size=3),
    more=st.integers(0, 64),
)
def test_the_first_records_come_back_whatever_a_power_cut_left(
    sizes: list[int], cut: int, zeros: list[int], more: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The end may be missing or zeros, and so may any block that was not synced."""
    journal = Journal(tmp_path_factory.getbasetemp() / "power.duckdb")
    records = [{"number": number, "text": "é" * size} for number, size in enumerate(sizes)]
    whole = b"".join(map(encoded, records))
    left = bytearray(whole[:cut])
    for block in zeros:
        left[block * 32 : (block + 1) * 32] = bytes(len(left[block * 32 : (block + 1) * 32]))
    journal.path.write_bytes(left + bytes(more))
    found = list(journal.records())
    assert found == records[: len(found)]
    if not zeros:
        ends = [len(b"".join(map(encoded, records[: n + 1]))) for n in range(len(records))]
        assert len(found) == sum(end <= cut for end in ends)
