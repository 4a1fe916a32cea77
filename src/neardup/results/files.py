"""The files of a result besides its tables, their digests, and single files that neardup writes."""

import hashlib
import json
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup import durable
from neardup.durable import LOCK
from neardup.engines.disk import SUFFIX
from neardup.errors import OutputError
from neardup.storage import Address, on_disk

RUN = "run.json"
TIMINGS = "timings.json"
FINGERPRINT = "fingerprint"  # while a run works: what its steps depend on
STEPS = "steps"
BEGINNING = 100_000  # bytes in which a file shows what it is
MARKS = "marks.csv"  # what people said of pairs: a server keeps it beside a result
KEY = "digests"  # in run.json
DIFFERS = {TIMINGS, FINGERPRINT, LOCK}  # from run to run


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


def delete_with(result: object, folder: Path) -> None:
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


def digests_in(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder that is the same in every run, by its path.

    Tables are opened, too: a run whose result cannot be read has failed. A table that Spark wrote is a
    folder, whose files have names by chance: it has one digest, of the digests of its files.
    """
    paths = [path for path in folder.iterdir() if path.name not in {STEPS, RUN}]
    return dict(sorted((name, d) for path in paths for name, d in digests_of(path, path.name).items()))


def digests_of(path: Path, name: str) -> dict[str, str]:
    """Return the digests of a file, or of all in a folder, by their names."""
    if path.name in DIFFERS or path.name.startswith((".", "_")):
        return {}  # the last: what filesystems and Spark note
    if not path.is_dir():
        return {name: digest(path)}
    inside = [digests_of(found, f"{name}/{found.name}") for found in sorted(path.iterdir())]
    found = {name: own for digests in inside for name, own in digests.items()}
    return {name: of_text("\n".join(found.values()))} if path.suffix == SUFFIX else found


def digest(path: Path) -> str:
    """Return the digest of one file; a table must be one."""
    if path.suffix == SUFFIX:
        pq.read_metadata(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def of_text(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(run: Mapping[str, Any], digests: Mapping[str, str]) -> dict[str, Any]:
    """Return the content of `run.json` with the digests of the other files, and with its own."""
    content = dict(run) | {KEY: dict(digests)}
    return content | {KEY: {**digests, RUN: of_text(as_json(content))}}


def is_intact(run: Mapping[str, Any]) -> bool:
    """Return whether the content of `run.json` is what was written."""
    recorded = run.get(KEY, {})
    return sealed(run, {name: own for name, own in recorded.items() if name != RUN}) == run


def damages(folder: Path, run: Mapping[str, Any]) -> list[str]:
    """Return what is missing or changed in a result since it was written, a line each."""
    recorded = dict(run.get(KEY, {}))
    if not recorded:  # of a cluster, or of an earlier version: can the tables be read?
        recorded = {f"{name}{SUFFIX}": "" for name in run.get("tables", ())}
    elif not is_intact(run):
        return [f"{RUN} was changed: what it says of the other files is worth nothing"]
    found = ((name, damage(folder, name, own)) for name, own in recorded.items() if name != RUN)
    return [f"{name} {what}" for name, what in found if what]


def damage(folder: Path, name: str, recorded: str) -> str | None:
    """Say what is wrong with a file, or a table that is a folder."""
    path = folder / name
    if not path.exists():
        return "is missing"
    if not (path.is_file() or path.is_dir()):
        return "is not a file"
    try:
        now = digests_of(path, name)
    except (OSError, pa.ArrowException) as error:
        return f"cannot be read: {str(error).partition(chr(10))[0]}"
    return "was changed" if recorded and now != {name: recorded} else None
