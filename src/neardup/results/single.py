"""Single files that neardup writes: none is written over but one of the same kind."""

from pathlib import Path

from neardup.errors import OutputError

BEGINNING = 100_000  # bytes in which a file shows what it is


def check_file(path: Path, mark: str, what: str) -> None:
    """Refuse to write over anything but a file of neardup's that has this mark near its beginning."""
    if path.is_dir():
        raise OutputError("this is a folder", where=str(path), hint=f"Name a file for the {what}.")
    if path.exists() and not has_mark(path, mark):
        raise OutputError(
            f"this file is not a {what} of neardup", where=str(path), hint="Name another one."
        )


def has_mark(path: Path, mark: str) -> bool:
    """Say whether a mark is near the beginning of a regular file; a device may never end."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return mark.encode() in file.read(BEGINNING)
