"""Files of a store: written in pieces, and read as the system is told."""

import errno
import io
import mmap
import os
import warnings
from pathlib import Path

import numpy as np
import pytest

from neardup.errors import InputError
from neardup.store import files
from neardup.store.files import Mapped, mapped_bytes, write
from neardup.store.postings import Packed, Shape, write_packed


def test_what_is_written_in_pieces_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIECE", 10)
    numbers = np.arange(7, dtype=np.uint64)
    for data, expected in (
        (b"", b""),
        (b"nine bytes", b"nine bytes"),
        (numbers, numbers.tobytes()),
        (numbers[:0], b""),
    ):
        out = io.BytesIO()
        write(out, data)
        assert out.getvalue() == expected


@pytest.mark.skipif(not hasattr(mmap, "MADV_RANDOM"), reason="this system is told nothing")
def test_the_system_is_told_how_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.sort(np.random.default_rng(1).integers(0, 1 << 40, 5_000, np.uint64))
    shape = Shape.made_for(40, len(keys), 5_000)
    size, _ = write_packed(tmp_path / "keys", shape, [(keys, np.arange(5_000))])
    mapped = Mapped(tmp_path / "keys", size)
    packed, told = Packed(mapped, shape), list[str]()
    monkeypatch.setattr(files, "IN_ORDER", 8)
    first = mapped._advise

    def noted(word: str, begin: int = 0) -> None:
        told.append(word)
        first(word, begin)

    monkeypatch.setattr(mapped, "_advise", noted)
    packed.expect(3)
    with mapped.in_order():
        assert mapped.bytes[:8] == bytes(8)
    packed.expect(shape.buckets)
    mapped.soon(size // 2)
    mapped.release()
    random, normal = "MADV_RANDOM", "MADV_NORMAL"
    assert told == [random, normal, random, normal, "MADV_WILLNEED", "MADV_DONTNEED"]
    wanted = keys << np.uint64(24)
    assert (packed.find(wanted).counts == 1).all()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not say")
def test_what_is_read_of_a_mapped_file_is_memory_until_it_is_released(tmp_path: Path) -> None:
    size = 24 << 20
    (tmp_path / "file").write_bytes(bytes(size))
    mapped, before = Mapped(tmp_path / "file", size), mapped_bytes()
    assert not any(mapped.bytes[at] for at in range(0, size, 4096))
    held = mapped_bytes()
    mapped.release(size - size // 8)
    assert before + size / 2 < mapped_bytes() < held
    mapped.release()
    assert held > before + size / 2 and mapped_bytes() < held - size / 2


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not say")
@pytest.mark.parametrize("can_read_pieces", [True, False])
def test_a_file_is_closed_by_who_has_done_with_it_and_where_it_is_not_whole(
    can_read_pieces: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "CAN_READ_PIECES", can_read_pieces)
    path = tmp_path / "file"
    path.write_bytes(b"whole")

    def opened() -> int:
        found = Path("/proc/self/fd").iterdir()
        return sum(path == number.readlink() for number in found if number.is_symlink())

    mapped = Mapped(path, 5)
    mapped.expect(at_random=True)
    assert mapped.piece(1, 3) == b"ho"
    assert opened() == 1 + can_read_pieces  # what is mapped is open once more
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        del mapped
        assert opened() == 0
        with pytest.raises(InputError, match="it has 5 bytes in place of 6") as caught:
            Mapped(path, 6)
    assert opened() == 0
    del caught


@pytest.mark.parametrize("what", ["mmap", "open"])
def test_a_disk_that_maps_or_opens_nothing_is_named_and_no_file_stays_open(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "00000001.texts"
    path.write_bytes(b"some")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENODEV, "No such device")

    closed = list[int]()
    monkeypatch.setattr(os, "close", closed.append)
    monkeypatch.setattr(*((mmap, "mmap") if what == "mmap" else (os, "open")), fail)
    with pytest.raises(InputError, match=r"00000001\.texts cannot be read: .*No such device") as told:
        Mapped(path, 4)
    assert "copy the folder" in str(told.value.hint) and len(closed) == (what == "mmap")
    monkeypatch.undo()
    for number in closed:
        os.close(number)
