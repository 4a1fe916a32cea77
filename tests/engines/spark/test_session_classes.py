"""Java's archive of classes."""

from pathlib import Path

import pytest

from neardup.engines.spark import session as classes


def test_classes_are_taken_from_an_archive_that_is_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    options = classes.archive_options("17", tmp_path, tasks=True)
    archive = Path(options.rpartition("=")[2])
    assert "ArchiveClassesAtExit" in options
    archive.write_bytes(b"\0\0\0\0rest")  # Java was killed while it wrote
    assert "ArchiveClassesAtExit" in classes.archive_options("17", tmp_path, tasks=True)
    archive.write_bytes(b"\xa8\xba\x0b\xf0rest")
    assert classes.archive_options("17", tmp_path, tasks=True).endswith(
        f"-XX:SharedArchiveFile={archive}"
    )
    assert "ArchiveClassesAtExit" in classes.archive_options("21", tmp_path, tasks=True)


def test_drivers_prefer_the_archive_of_a_run_with_tasks_and_executors_write_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    own = classes.archive_options("17", tmp_path, tasks=False)
    assert own.endswith("-driver.jsa")
    assert not classes.is_read(own)
    Path(own.rpartition("=")[2]).write_bytes(b"\xa8\xba\x0b\xf0rest")
    assert classes.is_read(classes.archive_options("17", tmp_path, tasks=False))
    options = classes.archive_options("17", tmp_path, tasks=True)
    assert not classes.is_read(options)
    Path(options.rpartition("=")[2]).write_bytes(b"\xa8\xba\x0b\xf0rest")
    found = classes.archive_options("17", tmp_path, tasks=True)
    assert classes.is_read(found)
    assert classes.archive_options("17", tmp_path, tasks=False) == found
