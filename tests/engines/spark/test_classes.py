"""Java's archive of classes."""

from pathlib import Path

import pytest

from neardup.engines.spark import classes


def test_classes_are_taken_from_an_archive_that_is_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    options = classes.archive_options("17", tmp_path)
    archive = Path(options.rpartition("=")[2])
    assert "ArchiveClassesAtExit" in options
    archive.write_bytes(b"\0\0\0\0rest")  # Java was killed while it wrote
    assert "ArchiveClassesAtExit" in classes.archive_options("17", tmp_path)
    archive.write_bytes(b"\xa8\xba\x0b\xf0rest")
    assert classes.archive_options("17", tmp_path).endswith(f"-XX:SharedArchiveFile={archive}")
    assert "ArchiveClassesAtExit" in classes.archive_options("21", tmp_path)
