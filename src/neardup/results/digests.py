"""Digests of the files of a result, by which it is noticed that one is missing or changed."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.durable import LOCK
from neardup.engines.disk import SUFFIX
from neardup.results.files import FINGERPRINT, RUN, STEPS, TIMINGS, as_json

KEY = "digests"  # in run.json
DIFFERS = {TIMINGS, FINGERPRINT, LOCK}  # from run to run


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
