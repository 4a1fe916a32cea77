"""Files and folders are whole or not there, and temporary ones do not outlive their process."""

import errno
import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from neardup import durable


def test_a_file_takes_its_name_when_it_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "page.html"
    target.write_text("old")
    seen: list[tuple[str, str]] = []
    monkeypatch.setattr(durable, "sync", lambda path: seen.append((path.name, target.read_text())))
    durable.write_text(target, "new")
    assert seen == [("page.html.partial", "old"), (tmp_path.name, "new")]
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_file_that_cannot_be_synced_is_gone_and_the_old_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    target = tmp_path / "page.html"
    target.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        durable.write_text(target, "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("page.html", "old")]


def test_all_that_is_in_a_folder_is_synced_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, target = tmp_path / "work", tmp_path / "out"
    (work / "runs").mkdir(parents=True)
    (work / "runs" / "a").write_text("a")
    (work / "b").write_text("b")
    seen: set[str] = set()
    monkeypatch.setattr(durable, "sync", lambda path: seen.add(f"{path.name} {target.exists()}"))
    durable.put(work, target)
    assert seen == {"runs False", "a False", "b False", "work False", f"{tmp_path.name} True"}
    assert (target / "runs" / "a").read_text() == "a"


def test_a_folder_has_one_owner_and_no_file_shows_it(tmp_path: Path) -> None:
    held = durable.made_and_locked(tmp_path / "work")
    with pytest.raises(BlockingIOError):
        durable.made_and_locked(tmp_path / "work")
    assert not list((tmp_path / "work").iterdir())
    durable.unlock(held)
    durable.unlock(durable.made_and_locked(tmp_path / "work"))


def test_who_waited_for_a_folder_that_took_another_name_gets_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, lock = tmp_path / "work", durable.lock

    def late(folder: Path) -> int | None:
        held = lock(folder)
        if not (tmp_path / "out").exists():
            folder.rename(tmp_path / "out")  # by the run that held it until now
        return held

    monkeypatch.setattr(durable, "lock", late)
    held = durable.made_and_locked(work)
    assert held is not None
    assert os.path.samestat(os.fstat(held), work.stat())
    durable.unlock(held)


def test_where_folders_cannot_be_locked_a_file_in_them_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock

    def of_files(descriptor: int, how: int) -> None:
        if os.path.samestat(os.fstat(descriptor), tmp_path.stat()):
            raise OSError(errno.EBADF, "Bad file descriptor")
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", of_files)
    held = durable.made_and_locked(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [durable.LOCK]
    with pytest.raises(BlockingIOError):
        durable.lock(tmp_path)
    durable.unlock(held)


def test_the_temporary_folder_of_a_killed_process_is_deleted_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import os; from neardup import durable; durable.temporary_folder(); os.kill(os.getpid(), 9)"
    killed = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path)}, check=False
    )
    assert killed.returncode == -9
    [left] = tmp_path.iterdir()
    (left / "file").write_text("left")
    others = [tmp_path / "neardup-things", tmp_path / f"neardup-{os.getpid()}-abc"]
    for other in others:
        other.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with durable.temporary() as folder:
        assert folder.is_dir()
        assert not left.exists()
    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_a_folder_of_a_process_that_only_seems_gone_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "neardup-1-abc"  # in another container, processes have numbers of their own
    folder.mkdir()
    monkeypatch.setattr(durable, "is_running", lambda process: False)
    held = durable.lock(folder)
    durable.delete_abandoned(tmp_path)
    assert folder.exists()
    durable.unlock(held)
    durable.delete_abandoned(tmp_path)
    assert not folder.exists()
