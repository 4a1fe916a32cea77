"""Archives: members are files of their own, whatever the kind; bad ones are counted, and do no harm."""

import io
import random
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
from tests.readers.examples import EXAMPLES, TEXTS

from neardup.errors import InputError
from neardup.readers import archives, tars
from neardup.readers.contents import digest
from neardup.readers.file import File
from neardup.readers.files import find
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, fetch
from neardup.readers.streams import packed_writer

Members = dict[str, bytes]
ROWS = "".join(f'{{"id": "d{n}", "text": "{text}"}}\n' for n, text in enumerate(TEXTS)).encode()
SOME = {"b/one.txt": TEXTS[0].encode(), "a.jsonl": ROWS, "empty.txt": b""}
PACKINGS = {".tar": None, ".tar.gz": "gz", ".tgz": "gz", ".tar.bz2": "bz2", ".tar.xz": "xz"} | {
    ".tar.zst": "zst",
    ".tar.lz4": "lz4",
}


def tarred(members: Members, suffix: str = ".tar", form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return a tar archive, packed as its suffix says."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=form) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    packed = io.BytesIO()
    out = packed_writer(packed, PACKINGS[suffix])
    out.write(plain.getvalue())
    if out is not packed:
        out.close()
    return packed.getvalue()


def zipped(members: Members, method: int = zipfile.ZIP_DEFLATED, streamed: bool = False) -> bytes:
    """Return a zip archive; a streamed one says the sizes of members behind them only."""
    plain = io.BytesIO()
    out = io.BufferedWriter(_NoSeek(plain)) if streamed else plain
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, method)
    return plain.getvalue()


class _NoSeek(io.RawIOBase):
    def __init__(self, out: io.BytesIO) -> None:
        self._out = out

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return self._out.write(data)  # type: ignore[arg-type]


MADE: dict[str, Callable[[Members], bytes]] = {
    **{f"a{suffix}": partial(tarred, suffix=suffix) for suffix in PACKINGS},
    "a.zip": zipped,
    "stored.zip": lambda m: zipped(m, zipfile.ZIP_STORED),
    "bz2.zip": lambda m: zipped(m, zipfile.ZIP_BZIP2),
    "streamed.zip": lambda m: zipped(m, streamed=True),
    "gnu.tar": lambda m: tarred(m, form=tarfile.GNU_FORMAT),
}


def rows(source: FileSource) -> list[tuple[str, str | None, str | None]]:
    """Return file, text and problem of all records, in their order."""
    return [
        (source.files[split.file].name, row["text"], row["problem"])
        for split in source.splits()
        for batch in source.read(split)
        for row in batch.to_pylist()
    ]


def written(folder: Path, name: str, data: bytes) -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", MADE)
def test_members_are_files_in_the_order_of_their_archive(name: str, tmp_path: Path) -> None:
    long = f"{'deep/' * 40}ünder.txt"
    path = written(tmp_path, name, MADE[name](SOME | {long: TEXTS[1].encode()}))
    source = FileSource.open([path], ReaderSettings())
    assert rows(source) == [
        (f"{name}/b/one.txt", TEXTS[0], None),
        *[(f"{name}/a.jsonl", text, None) for text in TEXTS],
        (f"{name}/empty.txt", None, "empty file"),
        (f"{name}/{long}", TEXTS[1], None),
    ]
    assert fetch(source, [(3, 0), (1, 2), (0, 0)]) == [TEXTS[1], TEXTS[2], TEXTS[0]]
    unpacked = written(tmp_path, "one.txt", SOME["b/one.txt"])
    assert digest(source.files[0]) == digest(find([unpacked])[0])


def test_every_format_is_read_from_an_archive(tmp_path: Path) -> None:
    examples = {**EXAMPLES}
    index = examples.pop("neardup.readers.indexes")  # which is read where it lies only
    members = {own.name: own.data for own in examples.values() if isinstance(own.data, bytes)}
    parts = index.data if isinstance(index.data, Mapping) else {}
    members |= {f"{index.name}/{name}": data for name, data in parts.items()}
    wanted = sorted(text for example in examples.values() for text in example.texts)
    for name in ("a.zip", "a.tar", "a.tar.gz"):
        source = FileSource.open([written(tmp_path, name, MADE[name](members))], ReaderSettings())
        found = rows(source)
        assert sorted(str(text) for _, text, _ in found if text is not None) == wanted
        assert not [problem for _, text, problem in found if text is None]


def test_an_address_may_lead_into_an_archive(tmp_path: Path) -> None:
    path = written(tmp_path, "a.zip", zipped(SOME))
    written(tmp_path, "b.txt", b"beside")
    written(tmp_path, "no.zip", b"just words")
    names = ["a.zip/b/one.txt", "a.zip/a.jsonl", "a.zip/empty.txt"]
    assert [file.name for file in find([tmp_path])] == [*names, "b.txt", "no.zip"]
    assert [file.name for file in find([f"{tmp_path}/*.zip"])] == [*names, "no.zip"]
    assert [file.name for file in find([f"{path}/b"])] == names[:1]
    assert [file.name for file in find([f"{path}/*.jsonl"])] == names[1:2]
    assert [file.text_column for file in find([f"{path}/a.jsonl:text"])] == ["text"]
    with pytest.raises(InputError, match="no such file"):
        find([f"{path}/missing.txt"])


def test_what_is_not_unpacked_is_counted_with_a_reason(tmp_path: Path) -> None:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, kind in {"s": tarfile.SYMTYPE, "h": tarfile.LNKTYPE, "p": tarfile.FIFOTYPE}.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        for name in ("../up.txt", "/root.txt", "in.tar.gz", ".hid", "__MACOSX/x", "two", "two"):
            info = tarfile.TarInfo(name)
            info.size = 5
            archive.addfile(info, io.BytesIO(b"words"))
    found = rows(FileSource.open([written(tmp_path, "a.tar", plain.getvalue())], ReaderSettings()))
    assert [(name, problem) for name, _, problem in found] == [
        ("a.tar/s", "link"),
        ("a.tar/h", "link"),
        ("a.tar/p", "not text"),
        ("a.tar/../up.txt", "unsafe name"),
        ("a.tar/root.txt", "unsafe name"),
        ("a.tar/in.tar.gz", "archive in an archive"),
        ("a.tar/two#8", "replaced"),
        ("a.tar/two", None),
    ]


def test_members_with_a_password_and_bombs_are_left_alone(tmp_path: Path) -> None:
    data = bytearray(zipped({"secret.txt": b"words", "fine.txt": b"words", "odd.txt": b"words"}))
    at = [data.index(b"PK\1\2")]
    at += [data.index(b"PK\1\2", at[0] + 1)]
    at += [data.index(b"PK\1\2", at[1] + 1)]
    data[at[0] + 8] |= 1
    data[at[2] + 10] = 9
    found = rows(FileSource.open([written(tmp_path, "a.zip", bytes(data))], ReaderSettings()))
    assert found == [
        ("a.zip/secret.txt", None, "encrypted"),
        ("a.zip/fine.txt", "words", None),
        ("a.zip/odd.txt", None, "unreadable"),
    ]
    data[at[2] + 10] = 8
    data[at[2] + 24 : at[2] + 28] = (1 << 30).to_bytes(4, "little")  # says that it unpacks to this
    data[at[1] + 42 : at[1] + 46] = data[at[2] + 42 : at[2] + 46]  # and both are in the same place
    found = rows(FileSource.open([written(tmp_path, "b.zip", bytes(data))], ReaderSettings()))
    assert [problem for _, _, problem in found[1:]] == ["unreadable", "too large"]


def test_a_packed_tar_that_unpacks_to_far_too_much_is_not_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "a.tar.gz", tarred({"a": b"words", "b": bytes(1 << 20)}, ".tar.gz"))
    monkeypatch.setattr(tars, "is_bomb", lambda size, packed: size > 1000 and size > 20 * packed)
    found = rows(FileSource.open([path], ReaderSettings()))
    assert found == [("a.tar.gz/a", "words", None), ("a.tar.gz", None, "too large")]


@pytest.mark.parametrize("name", ["a.zip", "streamed.zip", "a.tar", "a.tar.gz", "a.tar.zst"])
def test_an_archive_that_is_cut_off_gives_what_it_has(name: str, tmp_path: Path) -> None:
    dice = random.Random(name)
    texts = [" ".join(dice.choices(TEXTS[0].split(), k=300)) for _ in range(6)]
    members = {f"{n}.txt": text.encode() for n, text in enumerate(texts)}
    whole = MADE[name](members)
    for share in (0.2, 0.4, 0.6):
        path = written(tmp_path, name, whole[: int(len(whole) * share)])
        found = rows(FileSource.open([path], ReaderSettings()))
        good = [text for _, text, problem in found if problem is None]
        assert good == texts[: len(good)]
        if name != "a.tar.zst":  # which is one block here: it is there or it is not
            assert len(good) >= int(6 * share) - 1
        assert [problem for _, _, problem in found[len(good) :]][-1] == "truncated"
        archives.members.cache_clear()


def test_a_member_that_is_damaged_costs_no_other(tmp_path: Path) -> None:
    members = {"a.jsonl": ROWS * 50, "b.txt": b"words"}
    data = bytearray(zipped(members, zipfile.ZIP_STORED))
    data[data.index(b"noon")] ^= 1
    assert rows(FileSource.open([written(tmp_path, "a.zip", bytes(data))], ReaderSettings()))[-2:] == [
        ("a.zip/a.jsonl", None, "unreadable"),
        ("a.zip/b.txt", "words", None),
    ]
    data = bytearray(zipped(members))
    data[data.index(b"b.txt") - 40] ^= 255  # in the packed bytes of the first one
    found = rows(FileSource.open([written(tmp_path, "b.zip", bytes(data))], ReaderSettings()))
    assert found[-2:] == [("b.zip/a.jsonl", None, "unreadable"), ("b.zip/b.txt", "words", None)]
    data = bytearray(tarred({"a": b"one", "b": b"two", "c": b"three"}))
    data[1024 + 5] ^= 1  # the header of the second one
    found = rows(FileSource.open([written(tmp_path, "a.tar", bytes(data))], ReaderSettings()))
    assert found == [("a.tar/a", "one", None), ("a.tar", None, "unreadable"), ("a.tar/c", "three", None)]


def test_odd_names_and_empty_archives_are_counted_too(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tar", tarred({"a\tb": b"words", "c" * 300: b"words", "d": b"words"}))
    assert [(name, problem) for name, _, problem in rows(FileSource.open([path], ReaderSettings()))] == [
        ("a.tar/a?b", "unsafe name"),
        (f"a.tar/{'c' * 60}", "unsafe name"),
        ("a.tar/d", None),
    ]
    written(tmp_path, "b.zip", zipped({".hidden": b"words"}))
    found = rows(FileSource.open([tmp_path], ReaderSettings()))
    assert ("b.zip", None, "empty file") in found


def test_a_packed_tar_is_unpacked_once_for_members_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "a.tar.gz", tarred({f"{n}.txt": b"words" for n in range(20)}, ".tar.gz"))
    source = FileSource.open([path], ReaderSettings())
    opened: list[File] = []
    plainly = File.open_stream

    def counted(self: File, begin: int = 0) -> object:
        if self.inside is None:
            opened.append(self)
        return plainly(self, begin)

    monkeypatch.setattr(File, "open_stream", counted)
    assert len(rows(source)) == 20
    assert len(opened) == 1
