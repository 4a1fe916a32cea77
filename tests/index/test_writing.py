"""Who writes an index: what comes a few at a time is there after a crash, and on the disk soon."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.corpora import prose
from tests.index.building import built, ids_of

from neardup.errors import OutputError, SettingsError, TakenIdError
from neardup.index.adding import Row
from neardup.index.online import Index
from neardup.store import database as database_module
from neardup.store.manifest import About
from neardup.store.segments import New


def new(number: int) -> Row:
    return Row(About(f"n{number}"), prose(60, number).encode())


def killed(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL


def test_documents_that_come_one_by_one_survive_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "i.neardup"
    built(path, [prose(80, 1)]).close()
    killed(f"""
import os, signal
from neardup.index.online import Index
from neardup.index.adding import Row
from neardup.store.manifest import About

index = Index({str(path)!r})
for text in {[prose(80, 2), prose(80, 3)]!r}:
    index.add_rows([Row(About("new", title=text[:5]), text.encode())], replace_ids=True)
index.add_rows([Row(About("more"), {prose(80, 4)!r}.encode())])
os.kill(os.getpid(), signal.SIGKILL)
""")
    for writable in (False, True):
        with Index(path, writable=writable) as index:
            assert len(index) == 3
            assert [ids_of(index, prose(80, n)) for n in (1, 2, 3, 4)] == [["d0"], [], ["new"], ["more"]]
            assert index.document("new")[0].title == prose(80, 3)[:5]


@pytest.mark.parametrize("gone", [["n1"], ["n2"], ["n1", "n2"], ["n1", "n2", "d0"]])
@pytest.mark.parametrize("when", ["before", "after"])
def test_what_was_removed_stays_so_and_is_never_half_removed(
    tmp_path: Path, gone: list[str], when: str
) -> None:
    """A kill just before the commit takes all back; one just after it takes nothing back."""
    path = tmp_path / "i.neardup"
    with built(path, [prose(80, 1)]) as index:
        index.add_rows([new(1), new(2)])
    killed(f"""
import os, signal
from neardup.index.online import Index
from neardup.store.database import Database

index, execute = Index({str(path)!r}), Database.execute

def dying(self, statement, values=()):
    if statement == "commit" and {when == "after"}:
        execute(self, statement)
    if statement == "commit":
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(self, statement, values)

Database.execute = dying
index.remove({gone!r})
""")
    left = {"d0", "n1", "n2"} - (set(gone) if when == "after" else set())
    for number in (3, 4):  # whose numbers must not be those of what went
        with Index(path) as again:
            assert {given for given in ("d0", "n1", "n2") if given in again} == left
            again.add_rows([new(number)])
            assert ids_of(again, prose(60, number)) == [f"n{number}"]
            assert not again.damages()


def test_those_who_wait_are_written_together_and_fail_alone(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[int] = []
    execute = database_module.Database.execute

    def counted(own: database_module.Database, statement: str, values: object = ()) -> object:
        commits.extend([1] * (statement == "commit"))
        return execute(own, statement, values)  # type: ignore[arg-type]

    monkeypatch.setattr(database_module.Database, "execute", counted)
    outcomes: dict[int, object] = {}

    def add(number: int) -> None:
        try:
            row = Row(About("same" if number % 4 == 0 else f"n{number}"), prose(60, number).encode())
            outcomes[number] = index.add_rows([row], replace_ids=False).documents
        except TakenIdError as error:
            outcomes[number] = error

    threads = [threading.Thread(target=add, args=(number,)) for number in range(20, 32)]
    with index._writes.lock:
        for thread in threads:
            thread.start()
        while len(index._waiting) < len(threads):
            time.sleep(0.01)
    for thread in threads:
        thread.join()
    assert len(commits) == 1
    taken = [number for number, outcome in outcomes.items() if isinstance(outcome, TakenIdError)]
    assert len(taken) == 2
    assert all(number % 4 == 0 for number in taken)
    assert len(index) == 2 + 10
    assert all((f"n{n}" in ids_of(index, prose(60, n))) == (n % 4 > 0) for n in range(20, 32))


# When it is on the disk


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the sizes that the log had whenever it was synced by us."""
    sizes: list[int] = []
    monkeypatch.setattr(database_module, "sync", lambda file: sizes.append(os.fstat(file).st_size))
    return sizes


def log_of(index: Index) -> int:
    return (index.path / "manifest.sqlite-wal").stat().st_size


def test_what_comes_one_by_one_is_synced_together_soon(index: Index, synced: list[int]) -> None:
    for number in range(10):
        index.add_rows([new(number)])
    until = time.monotonic() + 20
    while not synced:
        assert time.monotonic() < until
        time.sleep(0.01)
    index.flush()
    assert synced[-1] == log_of(index)


def test_flush_returns_when_all_is_on_the_disk(
    index: Index, synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "SOON", 3600)
    index.add_rows([new(1)])
    assert synced == []
    index.flush()
    index.flush()
    assert synced == [log_of(index)]


def test_each_can_be_synced_before_it_is_confirmed(tmp_path: Path) -> None:
    with Index.build(tmp_path / "i.neardup", sync="each") as index:
        assert index._manifest.database.execute("pragma synchronous") == [(2,)]  # full
        index.add_rows([new(1)])
        index.add_rows([new(n) for n in range(2, 200)])
        assert index._manifest.database.execute("pragma synchronous") == [(2,)]
    with pytest.raises(SettingsError, match="soon, each"):
        Index(tmp_path / "i.neardup", sync="never")  # type: ignore[arg-type]


def test_what_could_not_be_synced_is_written_to_the_database_before_more_is_added(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "SOON", 3600)
    index.add_rows([new(11)])
    with monkeypatch.context() as patched:
        patched.setattr(database_module, "sync", full)
        index.flush()  # fails, and takes the log over
    taken_over: list[object] = []
    take_over = database_module.Database._take_over

    def noted(own: database_module.Database) -> None:
        taken_over.append(own)
        take_over(own)

    monkeypatch.setattr(database_module.Database, "_take_over", noted)
    with monkeypatch.context() as patched:
        patched.setattr(database_module, "sync", full)
        index.add_rows([new(12)])
        index._manifest.database._sync_unheard()
        assert not taken_over
    index.add_rows([new(13)])
    assert len(taken_over) == 1
    assert len(index) == 5


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_what_cannot_be_written_is_not_added_and_nothing_else_is_lost(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.add_rows([new(1)])
    with monkeypatch.context() as patched:
        execute = database_module.Database.execute_many

        def failing(own: database_module.Database, statement: str, rows: object) -> None:
            if "into recent" in statement:
                with database_module.failures_told(own.path):
                    raise sqlite3.OperationalError("database or disk is full")
            execute(own, statement, rows)  # type: ignore[arg-type]

        patched.setattr(database_module.Database, "execute_many", failing)
        with pytest.raises(OutputError, match="disk is full") as error:
            index.add_rows([new(2)])
        assert "nothing" in str(error.value.hint) or "safe" in str(error.value.hint)
    with monkeypatch.context() as patched:
        patched.setattr(New, "write", full)
        with pytest.raises(OutputError, match="No space left"):
            index.add_rows([new(number) for number in range(10, 4200)])
        with pytest.raises(OutputError, match="No space left"):
            index.compact()
    index.add_rows([new(3)])
    assert [f"n{n}" in index for n in (1, 2, 3, 10)] == [1, 0, 1, 0]
    files = {int(path.stem) for path in index.path.glob("0*")}
    assert files == {facts.number for facts in index._manifest.segments()}
    assert not index.damages()
    index.close()
    with pytest.raises(OutputError, match="not open for writing"):
        index.add_rows([new(4)])


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that any user may enter, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_an_index_on_a_disk_that_cannot_be_written_is_read(open_folder: Path) -> None:
    path = open_folder / "i.neardup"
    built(path, [prose(80, 1)]).close()
    assert not list(path.glob("*-wal"))
    script = f"""
import os
from neardup.index.online import Index
from neardup.errors import OutputError
from neardup.text import unicode_version
unicode_version()  # what is imported must be before
try:
    os.setuid(65534)
except PermissionError:
    pass
with Index({str(path)!r}, writable=False) as index:
    print(len(index))
try:
    Index({str(path)!r})
except OutputError as error:
    print("refused")
"""
    for own in (*path.iterdir(), path):
        own.chmod(0o555 if own.is_dir() else 0o444)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1", "refused"], done.stderr
    path.chmod(0o755)


# Kills at moments by chance: NEARDUP_KILLS=70 before the command makes it a campaign of 210

KILLS = int(os.environ.get("NEARDUP_KILLS", "2"))


@pytest.mark.parametrize("seed", range(3))
def test_whenever_it_is_killed_nothing_acknowledged_is_lost(tmp_path: Path, seed: int) -> None:
    path, chance = tmp_path / "i.neardup", random.Random(seed)
    built(path, [prose(80, 1)]).close()
    script = f"""
import sys
from neardup.index import online, writing, adding
from neardup.index.adding import Row
from neardup.store.manifest import About
writing.RECENT, adding.FEW, writing.TOGETHER, writing.LEAST_ROWS = 5, 8, 2, 1 << 9
begin = int(sys.argv[1])
merge = writing.Writer.merge
say = lambda word: print(word, flush=True)
writing.Writer.merge = lambda *own: (say("merge"), merge(*own), say("merged"))
with online.Index({str(path)!r}) as index:
    say("ready")
    for number in range(begin, begin + 400):
        text = f"alpha beta gamma delta {{number}} " * 6
        lot = 12 if number % 9 == 0 else 1
        say("add")
        index.add_rows([Row(About(f"{{number}} {{n}}"), (text + str(n)).encode()) for n in range(lot)])
        if number % 5 == 0:
            say("remove")
            index.remove([f"{{number}} 0"])
        if number % 3 == 0:
            say("filter")
            text = f"{{number}} epsilon {{number}} zeta eta theta"
            new = {{"id": f"filtered {{number}}", "text": text}}
            assert list(index.filter([new, {{**new, "id": "another"}}])) == [new]
        if number % 20 == 7:
            say("compact")
            index.compact()
        say(number)
"""
    done, struck = 0, Counter[str]()
    for _ in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(done)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout and process.stdout.readline() == "ready\n"
        time.sleep(chance.random())
        process.kill()
        lines = ["ready", *process.stdout.read().split("\n")[:-1]]
        process.wait()
        struck["merge"] += lines.count("merge") > lines.count("merged")
        struck[next(line for line in reversed(lines) if not line.startswith("merge"))] += 1
        said = [int(line) for line in lines if line.isdigit()]
        with Index(path) as index:
            for number in said:
                lot = 12 if number % 9 == 0 else 1
                there = [f"{number} {n}" in index for n in range(lot)]
                assert there == [number % 5 > 0, *[True] * (lot - 1)]
                assert number % 3 or f"filtered {number}" in index
            assert "another" not in index and not index.damages()
        done = (said[-1] if said else done) + 2
    between = sum(count for own, count in struck.items() if own.isdigit() or own == "ready")
    told = {own: n for own, n in struck.items() if not own.isdigit()}
    sys.stdout.write(f"{KILLS} kills after which all is there: {told}, {between} between\n")
