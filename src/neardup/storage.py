"""Addresses: files and folders that are not on this machine's disk, as Arrow or fsspec reaches them.

A folder that is sent to an address holds a mark while it is not whole, and gets one file last.
"""

import json
import os
import re
import shutil
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.fs as pafs

from neardup.errors import InputError, OutputError

LOCAL = pafs.LocalFileSystem()
BY_ARROW = {"abfs", "abfss", "file", "gcs", "gs", "hdfs", "s3", "viewfs"}
ALIASES = {"s3a": "s3", "s3n": "s3"}  # what Hadoop calls it
WITHOUT_FOLDERS = {"s3", "gcs"}  # names may hold slashes there, and nothing has to be made first
MARK = "neardup-upload.partial"  # in a folder that is not whole yet: the names of all that it will hold
HUB = "hf://"  # of Hugging Face
AT_ONCE = 8  # files that are sent together
BLOCK = 4 << 20  # bytes
ARROW_READS = "Addresses may begin with s3://, gs://, hdfs://, abfs:// or file://"
PACKAGE = f"{ARROW_READS}. For http:// and others, install fsspec: pip install '.[remote]'"


def is_address(given: object) -> bool:
    """Return whether something is named by an address, not by a path.

    >>> is_address("s3://bucket/folder"), is_address("C:/folder"), is_address("folder")
    (True, False, False)
    """
    return "://" in str(given)


def without_secrets(address: str) -> str:
    """Return an address without the password in it.

    >>> without_secrets("s3://name:password@bucket/x.jsonl")
    's3://bucket/x.jsonl'
    """
    return re.sub(r"(?<=://)[^/@]*:[^/@]*@", "", address)


@lru_cache(1 << 10)
def resolve(path: str) -> tuple[pafs.FileSystem, str]:
    """Return the filesystem and inner path of a local path or an address."""
    if not is_address(path):
        return LOCAL, path
    scheme = path.partition("://")[0].lower()
    if scheme not in BY_ARROW:
        return by_fsspec(path)
    try:
        filesystem, inner = pafs.FileSystem.from_uri(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        where, why = without_secrets(path), str(error).partition("\n")[0]
        raise InputError(f"cannot be opened: {why}", where=where, hint=f"{ARROW_READS}.") from error
    return filesystem, inner


def by_fsspec(address: str) -> tuple[pafs.FileSystem, str]:
    """Return the filesystem of an address that Arrow does not know, and the path in it."""
    where = without_secrets(address)
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise InputError("cannot be opened without fsspec", where=where, hint=PACKAGE) from None
    try:
        filesystem, inner = url_to_fs(address)
    except (ImportError, ValueError, OSError) as error:  # the first names the package to install
        hint = f"{ARROW_READS}, or with what fsspec has a package for."
        if address.startswith(HUB):
            hint = "Install what opens it: pip install '.[huggingface]'"
        raise InputError(f"cannot be opened: {error}", where=where, hint=hint) from error
    return pafs.PyFileSystem(pafs.FSSpecHandler(filesystem)), str(inner)


class Address:
    """A file or folder that is not on this machine's disk."""

    def __init__(self, address: str) -> None:
        scheme, _, rest = address.partition("://")
        self._address = f"{ALIASES.get(scheme, scheme)}://{rest.rstrip('/')}"

    def __truediv__(self, name: str) -> "Address":
        plain, question, query = self._address.partition("?")
        return Address(f"{plain}/{name}{question}{query}")

    def beside(self, suffix: str) -> "Address":
        """Return the address of the same name with something behind it."""
        plain, question, query = self._address.partition("?")
        return Address(f"{plain}{suffix}{question}{query}")

    def __str__(self) -> str:
        return self._address

    def __repr__(self) -> str:
        return f"Address({without_secrets(self._address)!r})"

    @property
    def name(self) -> str:
        """Return the last part."""
        return self._address.partition("?")[0].rpartition("/")[2]

    def local_path(self) -> None:
        """Return None: it is not on this machine's disk."""

    def _info(self) -> pafs.FileInfo:
        filesystem, inner = resolve(self._address)
        return filesystem.get_file_info(inner)

    def exists(self) -> bool:
        """Return whether there is something of this name."""
        return bool(self._info().type != pafs.FileType.NotFound)

    def is_dir(self) -> bool:
        """Return whether it is a folder."""
        return bool(self._info().type == pafs.FileType.Directory)

    def names(self) -> list[str] | None:
        """Return the names of what is in the folder, None if it is none."""
        filesystem, inner = resolve(self._address)
        if not self.is_dir():
            return None
        return [info.base_name for info in filesystem.get_file_info(pafs.FileSelector(inner))]

    def read_bytes(self, most: int | None = None) -> bytes:
        """Return what is in the file of this name, or how it begins."""
        filesystem, inner = resolve(self._address)
        with filesystem.open_input_stream(inner, compression=None) as stream:
            return bytes(stream.read(most))

    def read_text(self) -> str:
        """Return the text in the file of this name."""
        return self.read_bytes().decode(errors="replace")

    def write_text(self, text: str) -> None:
        """Write a file of this name."""
        with self._written() as out:
            out.write(text.encode())

    def send(self, path: Path) -> None:
        """Write a file of this name as one on this machine's disk is."""
        with self._written() as out, path.open("rb") as file:
            shutil.copyfileobj(file, out, BLOCK)

    @contextmanager
    def _written(self) -> Iterator[pa.NativeFile]:
        filesystem, inner = resolve(self._address)
        if filesystem.type_name not in WITHOUT_FOLDERS:
            filesystem.create_dir(inner.rpartition("/")[0], recursive=True)
        with filesystem.open_output_stream(inner, compression=None) as out:
            yield out

    def delete(self) -> None:
        """Delete the file or folder of this name."""
        filesystem, inner = resolve(self._address)
        if self.is_dir():
            filesystem.delete_dir(inner)
        else:
            filesystem.delete_file(inner)

    @contextmanager
    def failures_told(self) -> Iterator[None]:
        """Say in plain words that something cannot be written."""
        try:
            yield
        except (OSError, NotImplementedError, pa.ArrowException) as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            hint = "Check the address and your permissions; the same command tries again."
            where = without_secrets(self._address)
            raise OutputError(f"cannot be written: {why}", where=where, hint=hint) from error


def located(given: str | Path | Address) -> Path | Address:
    """Return where something is: a path on this machine's disk, or an address elsewhere.

    >>> located("s3a://bucket/found"), located("file:///tmp/found").name
    (Address('s3://bucket/found'), 'found')
    """
    if isinstance(given, Address):
        return given
    if found := re.match(r"file:/+(?=[^/])", str(given)):
        return Path("/" + str(given)[found.end() :])
    address = re.sub(r"^(\w[\w+.-]+):/(?=[^/])", r"\1://", str(given))  # a Path drops a slash
    return Address(address) if is_address(address) else Path(given)


def on_disk(given: str | Path) -> Path:
    """Return a path on this machine's disk; refuse an address, of which a path would make a folder."""
    found = located(given)
    if isinstance(found, Path):
        return found
    hint = "Name a folder or file here, and copy it there afterwards."
    raise OutputError("this is written to this machine's disk only", where=str(found), hint=hint)


def send_folder(folder: Path, target: Address, last: str) -> None:
    """Send a whole folder to an address; one file gets there last, and a mark is there before.

    So a folder with that file and without the mark is whole, however the sending ended.
    """
    if str(target).startswith(HUB):
        send_to_hub(folder, target)
        return
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in paths]
    left = target.names() or []
    (target / MARK).write_text(json.dumps(names))
    for name in sorted(left, key=lambda name: name != last):  # without it, nothing looks whole
        stays = name in names and name != last and not (target / name).is_dir()  # till it is replaced
        if name != MARK and not stays:
            (target / name).delete()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        first = [name for name in names if name != last]
        list(pool.map(lambda name: (target / name).send(folder / name), first))
    if last in names:
        (target / last).send(folder / last)
    (target / MARK).delete()


def send_to_hub(folder: Path, target: Address) -> None:
    """Send a whole folder to Hugging Face as one commit: it is there, or it is not."""
    from huggingface_hub import HfApi, HfFileSystem

    found = HfFileSystem().resolve_path(str(target))
    HfApi().upload_folder(
        repo_id=found.repo_id,
        repo_type=found.repo_type,
        revision=found.revision,
        path_in_repo=found.path_in_repo,
        folder_path=folder,
        delete_patterns="*",  # of what was there; it was asked before whether it may go
        commit_message=f"Write {target.name}",
    )


def staged(target: Address) -> Path:
    """Return the folder of this machine where what goes to an address is made, always the same."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    own = sha256(without_secrets(str(target)).encode()).hexdigest()[:16]
    return home / "neardup" / "outputs" / own / target.name


def is_of_upload(folder: Address, names: Collection[str]) -> bool:
    """Return whether a folder holds nothing but what an interrupted upload left there."""
    if MARK not in names:
        return False
    known = json.loads((folder / MARK).read_text() or "[]")
    return set(names) <= {MARK, *(name.partition("/")[0] for name in known)}
