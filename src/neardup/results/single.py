"""Single files that neardup writes: none is written over but one of the same kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from neardup import durable
from neardup.errors import OutputError
from neardup.storage import Address

BEGINNING = 100_000  # bytes in which a file shows what it is


def check_file(path: Path | Address, mark: str, what: str) -> None:
    """Refuse to write over anything but a file of neardup's that has this mark near its beginning."""
    if path.is_dir():
        raise OutputError("this is a folder", where=str(path), hint=f"Name a file for the {what}.")
    if path.exists() and not has_mark(path, mark):
        raise OutputError(
            f"this file is not a {what} of neardup", where=str(path), hint="Name another one."
        )


def has_mark(path: Path | Address, mark: str) -> bool:
    """Return whether a mark is near the beginning of a regular file; a device may never end."""
    if isinstance(path, Address):
        return mark.encode() in path.read_bytes(BEGINNING)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return mark.encode() in file.read(BEGINNING)


@contextmanager
def written_file(path: Path | Address) -> Iterator[Path]:
    """Give a path to write a file to: its own, or one from which it is sent to its address."""
    if isinstance(path, Path):
        yield path
        return
    with durable.temporary() as folder:
        near = folder / path.name
        yield near
        with path.failures_told():
            path.send(near)


def write_file(path: Path | Address, text: str) -> int:
    """Write a text file, on this machine's disk or at an address; return its size."""
    if isinstance(path, Address):
        with path.failures_told():
            path.write_text(text)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        durable.write_text(path, text)
    return len(text.encode())
