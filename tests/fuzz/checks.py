"""What must hold for every case, however its file was spoilt."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from tests.fuzz.cases import Case

import neardup
from neardup.errors import NeardupError
from neardup.readers import formats
from neardup.readers.columns import NoTextColumnError
from neardup.readers.encodings import encoding_of
from neardup.readers.fields import with_fields
from neardup.readers.file import File
from neardup.readers.files import find
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource, rewrite

MEMORY = 64 << 20
MAX_RECORD = 8 << 20
SETTINGS = ReaderSettings(max_record=MAX_RECORD)
UNFORESEEN = re.compile(r"[A-Z]\w*(Error|Exception): ")
DAMAGES = ("truncated", "unreadable")
WRITTEN_ANEW = ("jsonarray", "parquet", "arrow")  # others keep every byte of what stays
DECODED = ("jsonl", "jsonarray", "csv", "plain")


class Row(NamedTuple):
    """What is compared of a record: little, as there may be hundreds of thousands."""

    text: str | None
    title: str | None
    problem: str | None
    detail: str | None


Rows = list[Row]


class BrokenPromiseError(AssertionError):
    """Something that must never happen did."""


def settings_of(case: Case) -> ReaderSettings:
    """Return how to read a case: some dumps of Stack Exchange as threads."""
    if case.name.startswith("Posts") and case.number % 2:
        return with_fields(SETTINGS, ["title", "body", "answer"])
    return SETTINGS


def check(case: Case, folder: Path) -> Counter[str]:
    """Put a case through its reader, a copy and, if it is chosen, a whole run; return what was seen."""
    path = case.write(folder / "in")
    settings = settings_of(case)
    try:
        rows = rows_of(path, settings)
    except NeardupError as error:
        if not error.where:
            raise BrokenPromiseError(f"an error does not say where: {error}") from error
        rows, seen = [], Counter(["files refused"])
    else:
        seen = Counter({"records": len(rows), "bad records": sum(r.problem is not None for r in rows)})
        seen += Counter("unforeseen" for r in rows if UNFORESEEN.match(r.detail or ""))
        check_rows(rows, settings)
        files = find([path])
        if any(file.inside for file in files):
            seen += check_members(files, settings, folder)
        else:
            seen += check_copies(files[0], rows, settings, folder, Random(case.number))
    if case.is_whole:
        seen += check_run(case, path, folder, rows)
    return seen


def rows_of(path: Path, settings: ReaderSettings) -> Rows:
    return read_all(FileSource.open([path], settings))


def read_all(source: FileSource) -> Rows:
    one_of_each: dict[str | None, str | None] = {}
    return [
        Row(*map(one_of_each.setdefault, values, values))
        for split in source.splits()
        for batch in source.read(split)
        for values in zip(*(batch[name].to_pylist() for name in Row._fields), strict=True)
    ]


def check_rows(rows: Rows, settings: ReaderSettings) -> None:
    """Check that a record has a text or a problem, and not both."""
    for row in rows:
        if not settings.fields and (row.text is None) == (row.problem is None):
            raise BrokenPromiseError(f"a record has text and problem, or neither: {row}")


def texts(rows: Iterable[Row]) -> Counter[tuple[Any, ...]]:
    return Counter((r.text, r.title) for r in rows if r.problem is None)


def check_copies(
    file: File, rows: Rows, settings: ReaderSettings, folder: Path, rng: Random
) -> Counter[str]:
    """Check that a copy holds what was kept and nothing else; where all is kept, every byte."""
    good = [at for at, row in enumerate(rows) if row.problem is None]
    dropped = set(rng.sample(good, len(good) // 2))
    keep = np.array([at not in dropped for at in range(len(rows))])
    whole, damage = copy(file, np.ones(len(rows), bool), settings, folder / "whole")
    some, _ = copy(file, keep, settings, folder / "some")
    some = named(some, file)
    if damage:
        if not Path(file.path).read_bytes() == whole.read_bytes() == some.read_bytes():
            raise BrokenPromiseError(f"the copy of a damaged file has other bytes: {damage}")
        return Counter(["copied as they are"])
    is_damaged = any(row.problem in DAMAGES for row in rows)
    kept = [row for at, row in enumerate(rows) if at not in dropped]
    for path, left, what in ((whole, rows, "all kept"), (some, kept, f"{len(dropped)} dropped")):
        same = path.exists() and path.read_bytes() == Path(file.path).read_bytes()
        own = settings if same else as_read(file, settings, rows)
        check_texts(texts(left), texts_in(path, own), is_damaged, what)
    if (
        not is_damaged
        and module_of(file) not in WRITTEN_ANEW
        and unpacked(file) != unpacked(find([whole])[0])
    ):
        raise BrokenPromiseError("a copy of all records has other bytes")
    return Counter(["copies"])


def check_members(files: Iterable[File], settings: ReaderSettings, folder: Path) -> Counter[str]:
    """Check that copies of members hold what these do."""
    for number, file in enumerate(files):
        if not file.problem and has_texts(file, settings):
            rows = read_all(FileSource((file,), settings))
            whole, damage = copy(file, np.ones(len(rows), bool), settings, folder / f"{number}")
            is_damaged = bool(damage) or any(row.problem in DAMAGES for row in rows)
            check_texts(
                texts(rows), texts_in(whole, as_read(file, settings, rows)), is_damaged, file.name
            )
    return Counter(["copies"])


def has_texts(file: File, settings: ReaderSettings) -> bool:
    """Return whether a member is read: one without a text column is left out beside others."""
    try:
        formats.reader_of(file).look(file, settings)
    except NoTextColumnError:
        return False
    return True


def named(path: Path, file: File) -> Path:
    """Return a copy under a name that tells its format, if it lost the beginning that did."""
    reader = formats.reader_of(file)
    known = not path.exists() or formats.reader_of(find([path])[0]) is reader
    return path if known or not reader.suffixes else path.rename(f"{path}{reader.suffixes[0]}")


def module_of(file: File) -> str:
    return formats.reader_of(file).read.__module__.rpartition(".")[2]


def as_read(file: File, settings: ReaderSettings, rows: Rows) -> ReaderSettings:
    """Return how to read a copy: what was a guess may be another one when half of the file is gone."""
    if module_of(file) not in DECODED or any(row.problem == "not text" for row in rows):
        return settings
    found = encoding_of(file, settings.encoding)
    return replace(settings, encoding=found.codec if found else "utf-8")


def copy(file: File, keep: Any, settings: ReaderSettings, folder: Path) -> tuple[Path, str | None]:
    """Copy some records of a file; return the copy, and what is wrong with a file copied as it is."""
    target = folder / Path(file.path).name
    return target, rewrite(file, target, Decisions(keep), settings)


def texts_in(path: Path, settings: ReaderSettings) -> Counter[tuple[Any, ...]]:
    if not path.exists():
        return Counter()
    try:
        return texts(rows_of(path, settings))
    except NeardupError:  # with no record left, a table may have no column of texts either
        return Counter()


def check_texts(kept: Counter[Any], found: Counter[Any], is_damaged: bool, what: str) -> None:
    if lost := kept - found:
        raise BrokenPromiseError(
            f"{what}: {lost.total()} of {kept.total()} texts are lost: {str(lost)[:300]}"
        )
    if not is_damaged and found - kept:
        raise BrokenPromiseError(
            f"{what}: {(found - kept).total()} texts came up: {str(found - kept)[:300]}"
        )


def unpacked(file: File) -> bytes:
    with file.open_stream() as stream:
        return stream.read(1 << 30)


def check_run(case: Case, path: Path, folder: Path, rows: Rows) -> Counter[str]:
    """Check that a run beside a good file ends well, and that `dedup` loses nothing but duplicates."""
    is_bad = any(row.problem for row in rows) or not rows
    try:
        result = neardup.documents(
            path.parent,
            output=folder / "out",
            memory=MEMORY,
            max_record=MAX_RECORD,
            workers=2,
            strict=case.is_strict,
        )
    except NeardupError as error:
        if case.is_strict and is_bad:
            return Counter(["strict runs refused"])
        raise BrokenPromiseError(f"a run beside a good file failed: {error}") from error
    done = neardup.dedup(result, folder / "clean", mode="remove")
    removed = pq.read_table(done.tables / "neardup-removed.parquet").to_pylist()
    files = find([path])
    if any(file.inside for file in files):
        check_cleaned(files, removed, folder / "clean" / path.name)
        return Counter(["whole runs", "dedup"])
    gone = {row["position"] - 1 for row in removed if row["source"] == path.name}
    if path.name in done.damaged:
        if gone or path.read_bytes() != (folder / "clean" / path.name).read_bytes():
            raise BrokenPromiseError("dedup took something out of a damaged file")
        return Counter(["whole runs", "dedup"])
    own = rows_without_fields(path)
    kept = [row for at, row in enumerate(own) if at not in gone]
    is_damaged = any(row.problem in DAMAGES for row in own)
    check_texts(
        texts(kept),
        texts_in(folder / "clean" / path.name, as_read(find([path])[0], SETTINGS, own)),
        is_damaged,
        "dedup",
    )
    return Counter(["whole runs", "dedup"])


def rows_without_fields(path: Path) -> Rows:
    """Return what a run reads of a file; as threads, it may have been refused."""
    try:
        return rows_of(path, SETTINGS)
    except NeardupError:
        return []


def check_cleaned(files: Iterable[File], removed: list[dict[str, Any]], folder: Path) -> None:
    """Check that the members of an archive lost nothing but duplicates, in the folder called like it."""
    gone = {(row["source"], row["position"] - 1) for row in removed}
    kept = [
        row
        for file in files
        for at, row in enumerate(read_all(FileSource((file,), SETTINGS)))
        if (file.name, at) not in gone
    ]
    check_texts(texts(kept), texts_in(folder, SETTINGS), True, "dedup of an archive")
