"""Folders on this machine's disk, and the tables in them."""

import errno
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neardup import durable
from neardup.errors import OutputError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.fs as pafs

    from neardup.engines.base import Folder
    from neardup.storage import Address

SUFFIX = ".parquet"
REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENAMETOOLONG)
PLACE = "Choose a place with output= where a folder can be made."


class DiskFolder:
    """A folder on disk, or a file in one."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __truediv__(self, name: str) -> "DiskFolder":
        return DiskFolder(self.path / name)

    def __str__(self) -> str:
        return str(self.path)

    def beside(self, suffix: str) -> "DiskFolder":
        """Return the folder of the same name with something behind it."""
        return DiskFolder(self.path.with_name(self.path.name + suffix))

    def local_path(self) -> Path:
        """Return the path."""
        return self.path

    def exists(self) -> bool:
        """Return whether there is something of this name."""
        return self.path.exists()

    def names(self) -> list[str] | None:
        """Return the names of what is in the folder, None if it is none."""
        return [found.name for found in self.path.iterdir()] if self.path.is_dir() else None

    def make(self) -> None:
        """Make the folder, and those that it is in."""
        self.path.mkdir(parents=True, exist_ok=True)

    def delete(self) -> None:
        """Delete it and all that is in it, if it is there."""
        delete(self.path)

    def rename(self, target: "DiskFolder") -> None:
        """Give it another name when all that is in it is on the disk."""
        durable.put(self.path, target.path)

    def read_text(self) -> str:
        """Return what is in the file of this name."""
        return self.path.read_text(encoding="utf-8", errors="replace")

    def write_text(self, text: str) -> None:
        """Write a file of this name."""
        self.path.write_text(text, encoding="utf-8")

    @contextmanager
    def locked(self, output: str) -> Iterator[None]:
        """Lock the folder, which is made; the lock ends with this process, however that ends."""
        try:
            held = durable.made_and_locked(self.path)
        except BlockingIOError:
            raise OutputError("another run is writing this result", where=output) from None
        except OSError as error:
            raise OutputError(
                f"cannot be written: {error.strerror}", where=output, hint=PLACE
            ) from error
        try:
            yield
        finally:
            durable.unlock(held)

    @contextmanager
    def failures_told(self) -> Iterator[None]:
        """Say in plain words that something may not be written."""
        try:
            yield
        except OSError as error:
            if error.errno == errno.EFBIG:
                what, hint = durable.FILE_LIMIT, durable.RAISE_LIMIT
                raise OutputError(what, where=str(self), hint=hint) from error
            if error.errno not in REFUSED:
                raise
            raise OutputError(f"cannot be written: {error.strerror}", where=str(self)) from error


class Tables:
    """The files of a result, wherever they are, its tables in Arrow; `origin` must live as long."""

    def __init__(self, folder: "Folder | Address", origin: object = None) -> None:
        self.folder = folder
        self._origin = origin

    def read_text(self, name: str) -> str:
        """Return what is in a file of the result."""
        return (self.folder / name).read_text()

    def names(self) -> list[str]:
        """Return the names of the tables."""
        if self.folder.local_path() is None and (named := self._named):
            return named
        return sorted(n.removesuffix(SUFFIX) for n in self.folder.names() or () if n.endswith(SUFFIX))

    @cached_property
    def _named(self) -> list[str]:
        """Return the tables that the run says it has: not every address can be asked for names."""
        return sorted(json.loads(self.read_text("run.json")).get("tables", []))

    def table(self, name: str) -> Any:
        """Return one of the tables."""
        import pyarrow.parquet as pq

        filesystem, path = self.file(name)
        if self.folder.local_path() and Path(path).is_file():  # Spark's are folders; this imports less
            return pq.ParquetFile(path).read()
        found = pq.read_table(path, filesystem=filesystem)
        if not found.column_names:
            raise OSError("there is nothing in it")
        return found

    def file(self, name: str) -> "tuple[pafs.FileSystem, str]":
        """Return the filesystem of a table, and its path there."""
        from neardup.storage import resolve

        return resolve(str(self.folder / f"{name}{SUFFIX}"))

    def arrow(self, name: str, most: int | None = None) -> "pa.Table":
        """Return the first rows of a table, or all, in Arrow."""
        return self.table(name).slice(0, most)

    def local(self) -> Path:
        """Return the folder on this machine's disk."""
        if path := self.folder.local_path():
            return path
        hint = "Copy the folder to this machine first."
        raise OutputError(
            "this needs the result on this machine's disk", where=str(self.folder), hint=hint
        )


def delete(path: Path) -> None:
    """Delete a file or folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
