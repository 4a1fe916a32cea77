"""Digests of files, taken while other work goes on."""

import zlib
from pathlib import Path
from threading import Event

from neardup.readers.contents import digest, digesting
from neardup.readers.files import find


def test_digests_by_path(tmp_path: Path) -> None:
    contents = {"a.txt": b"one", "b.txt": b"two" * 500_000}
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    files = find([tmp_path])
    (tmp_path / "gone.txt").write_bytes(b"three")
    gone = find([tmp_path / "gone.txt"])
    (tmp_path / "gone.txt").unlink()
    with digesting([*files, *gone]) as digests:
        found = digests()
    assert found == {file.path: f"crc32:{zlib.crc32(contents[file.name]):08x}" for file in files}


def test_whoever_leaves_does_not_wait_for_large_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"words " * 500_000)
    stop = Event()
    stop.set()
    assert digest(find([tmp_path])[0], stop) is None
