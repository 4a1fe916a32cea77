"""Folders on this machine's disk."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from neardup.errors import OutputError

LOCK = "lock"


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
        """Say whether there is something of this name."""
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
        """Give it another name."""
        self.path.rename(target.path)

    def read_text(self) -> str:
        """Return what is in the file of this name."""
        return self.path.read_text(encoding="utf-8", errors="replace")

    def write_text(self, text: str) -> None:
        """Write a file of this name."""
        self.path.write_text(text, encoding="utf-8")

    @contextmanager
    def locked(self, output: str) -> Iterator[None]:
        """Hold a lock in the folder, which is made; it ends with this process, however that ends."""
        self.make()
        try:
            import fcntl
        except ImportError:  # Windows: two runs into one folder are not noticed
            yield
            return
        with (self.path / LOCK).open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OutputError("another run is writing this result", where=output) from None
            yield

    @contextmanager
    def failures_told(self) -> Iterator[None]:
        """Say in plain words that something may not be written."""
        try:
            yield
        except PermissionError as error:
            raise OutputError(f"cannot be written: {error.strerror}", where=str(self)) from error


def delete(path: Path) -> None:
    """Delete a file or folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
