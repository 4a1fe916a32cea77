"""The files of a result besides its tables, its folder, and single files that neardup writes."""

import json
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from neardup import durable
from neardup.errors import OutputError
from neardup.storage import Address, on_disk

RUN = "run.json"
TIMINGS = "timings.json"
FINGERPRINT = "fingerprint"  # while a run works: what its steps depend on
STEPS = "steps"
BEGINNING = 100_000  # bytes in which a file shows what it is
MARKS = "marks.csv"  # what people said of pairs: a server keeps it beside a result


def as_json(content: dict[str, Any]) -> str:
    """Return JSON for people and programs to read."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file for people and programs to read."""
    durable.write_text(path, as_json(content))


@contextmanager
def result_folder(output: str | Path | None) -> Iterator[Path]:
    """Give the folder for a result: the one named, or one in a new temporary folder."""
    if output is not None:
        yield on_disk(output)
        return
    temporary = durable.temporary_folder()
    try:
        yield temporary / "result"
    except BaseException:
        durable.delete_temporary(temporary)
        raise


def delete_with(result: Any, folder: Path) -> None:
    """Delete a temporary folder when the result that lives in it is gone."""
    weakref.finalize(result, durable.delete_temporary, str(folder))


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
