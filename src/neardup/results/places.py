"""The place of a result: a folder that is whole or not there, and what it may replace."""

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, TypeVar

from neardup.durable import LOCK, PARTIAL
from neardup.engines.base import Folder, Progress, Silent
from neardup.engines.disk import DiskFolder, delete
from neardup.errors import InputError, OutputError
from neardup.readers.files import absolute
from neardup.readers.source import Source
from neardup.results.files import FINGERPRINT, MARKS, RUN, STEPS, TIMINGS, as_json, digests_in, sealed
from neardup.results.marks import is_aside, keep_marks
from neardup.storage import HUB, Address, is_of_upload, send_folder, staged

CHOOSE = "Choose another folder, or take overwrite=True."
BESIDE = ".removed"  # behind the name of a folder: that of the tables that say what is not in it,
HIDDEN = ".neardup-removed"  # or inside that, where nothing can be beside it;
INSIDE = HIDDEN + PARTIAL  # and until all is written
REPLACED = ".replaced"  # in the folder of a run that ends: the result whose name it takes
OUR_FILES = {
    *(RUN, TIMINGS, MARKS, "report.html", STEPS, "asked", "near-duplicates", "deduplicated"),
    *(LOCK, FINGERPRINT, REPLACED.removeprefix(".")),
}
Where = TypeVar("Where", bound=Folder)


class Place(Generic[Where]):
    """A folder for a result that is whole or not there.

    While a run works, its steps and tables are in `work`, which is `OUT.partial`. It gets the name
    `OUT` when everything is written, so a folder of that name is always a whole result.
    """

    def __init__(
        self, output: Where, progress: Progress | None = None, keep_steps: bool = False
    ) -> None:
        check_name(str(output))
        self.output = output
        self.work = output.beside(PARTIAL)
        self._progress = progress or Silent()
        self._keep_steps = keep_steps

    def check_free(self, overwrite: bool) -> None:
        """Refuse to write over something that is already there."""
        with self.output.failures_told():
            replaced = self.work / REPLACED
            if replaced.exists() and not self.output.exists():
                replaced.rename(self.output)  # an earlier run was killed just as it replaced this
            if (left := self.output / REPLACED).exists():
                left.delete()  # or just after
            check_replaceable(self.output, overwrite)

    @contextmanager
    def claimed(
        self, fingerprint: str, worth_keeping: Callable[[], bool] = lambda: True
    ) -> Iterator[None]:
        """Go on with what an interrupted run left if it was the same run; else begin again.

        What a run that fails leaves stays for the next one if it is worth that.
        """
        with self.output.failures_told():
            check_partial(self.work)
            with self.work.locked(str(self.output)):
                self.work.make()
                known = self.work / FINGERPRINT
                if known.exists() and known.read_text() == fingerprint:
                    self._progress.note(f"going on with an interrupted run in {self.work}")
                else:
                    self._clear()
                    known.write_text(fingerprint)
                try:
                    yield
                except BaseException as error:
                    same_again = isinstance(error, InputError)
                    if same_again or not worth_keeping():
                        self._clear()
                        self.work.delete()
                    raise

    def _clear(self) -> None:
        """Delete all that a run left but what shows that the folder is neardup's."""
        (self.work / FINGERPRINT).write_text("")
        for name in self.work.names() or ():
            if name not in (LOCK, FINGERPRINT):
                (self.work / name).delete()

    def write_json(self, name: str, content: dict[str, Any]) -> None:
        """Write a JSON file for people and programs to read."""
        (self.work / name).write_text(as_json(content))

    def finish(self, last: Callable[[Path], None] | None = None) -> None:
        """Give the finished folder its name, when it is on the disk and could be read again.

        `last` is done just before, with what has only to be renamed.
        """
        check_replaceable(self.output, True)  # something may have been put there since the run began
        (self.work / FINGERPRINT).write_text("")  # from here on, nobody goes on with the steps
        if not self._keep_steps:
            (self.work / STEPS).delete()
        run = self.work / RUN
        if path := self.work.local_path():
            run.write_text(as_json(sealed(json.loads(run.read_text()), digests_in(path))))
        (self.work / FINGERPRINT).delete()
        if last and path:
            last(path)
        self.take_name()

    def take_name(self) -> None:
        """Rename a folder that is finished; what people said of pairs of the one before goes with it."""
        if self.output.exists():
            keep_marks(self.output, self.work, self._progress)
            self.output.rename(self.work / REPLACED)
        self.work.rename(self.output)
        for name in (LOCK, REPLACED):
            (self.output / name).delete()


@contextmanager
def written_folder(output: Path | Address, *first: str) -> Iterator[Path]:
    """Give a folder that takes its name when all is written, and is deleted if something fails.

    One of `first` is in it as soon as anything is: so a folder that a killed process left is known.
    At an address, the first of them is what arrives last.
    """
    with sent(output, first[0], check_empty) as near:
        check_name(str(near))
        check_empty(DiskFolder(near))
        with written_here(near, *first) as work:
            yield work
        set_apart(near, is_repository=str(output).startswith(HUB))


def beside_data(target: Path | Address) -> Path | Address:
    """Return where the tables are that say what is not in a folder of data: inside a repository only."""
    if isinstance(target, Path):
        return target.with_name(target.name + BESIDE)
    return target / HIDDEN if str(target).startswith(HUB) else target.beside(BESIDE)


def set_apart(folder: Path, is_repository: bool = False) -> None:
    """Put the tables that are in a folder of data beside it; beside a repository, there may be none."""
    if (folder / INSIDE).is_dir():
        data = DiskFolder(folder)
        tables = data / HIDDEN if is_repository else data.beside(BESIDE)
        tables.delete()  # those of data that are gone
        (data / INSIDE).rename(tables)


@contextmanager
def written_here(output: Path, *first: str) -> Iterator[Path]:
    """Do the same on this machine's disk."""
    target = DiskFolder(output)
    work = target.beside(PARTIAL)
    check_partial(work, first)
    with target.failures_told(), work.locked(str(output)):
        try:
            for name in work.names() or ():
                (work / name).delete()
            yield work.path
            work.rename(target)
            (target / LOCK).delete()
        except BaseException:
            work.delete()
            raise


@contextmanager
def sent(output: Path | Address, last: str, check: Callable[[Folder | Address], None]) -> Iterator[Path]:
    """Give where to write a folder: its own path, or one from which it is sent to its address.

    `check` may refuse what is at the address, before the work and before it is sent.
    """
    if isinstance(output, Path):
        yield output
        return
    check_name(str(output))
    with output.failures_told():
        check(output)
    near = staged(output)
    with DiskFolder(near.parent).locked(str(output)):
        delete(near)  # of an upload that was interrupted
        yield near
        with output.failures_told():
            check(output)
            if (tables := near.with_name(near.name + BESIDE)).exists():
                send_folder(tables, output.beside(BESIDE), last)
            send_folder(near, output, last)
        delete(near.parent)


def check_empty(folder: Folder | Address) -> None:
    """Refuse a folder that holds anything but what an interrupted upload left."""
    if not folder.exists() or (names := folder.names()) == []:
        return
    if names is None or not (isinstance(folder, Address) and is_of_upload(folder, names)):
        raise OutputError("this is not an empty folder", where=str(folder), hint="Choose another.")


def check_name(output: str) -> None:
    """Refuse an output that has no name of its own.

    >>> check_name("../out/")
    >>> check_name(".")
    Traceback (most recent call last):
    neardup.errors.OutputError: '.' names no folder for the result
    Give one that is not there yet, such as output="result".
    """
    if output.rstrip("/").rpartition("/")[2] in ("", ".", ".."):
        hint = 'Give one that is not there yet, such as output="result".'
        raise OutputError(f"{output!r} names no folder for the result", hint=hint)


def check_replaceable(folder: Folder | Address, overwrite: bool) -> None:
    """Refuse to write over anything but an empty folder or, if asked to, a result and nothing else."""
    if not folder.exists():
        return
    names, where = folder.names(), str(folder)
    if isinstance(folder, Address) and is_of_upload(folder, names or ()):
        return
    if names is None or (names and RUN not in names):
        what = "this is a file" if names is None else "this is not an empty folder"
        raise OutputError(what, where=where, hint="Choose another folder with output=.")
    if names and not overwrite:
        raise OutputError("this folder already holds a result", where=where, hint=CHOOSE)
    tables = tables_in((folder / RUN).read_text()) if names else set()
    if others := sorted(name for name in names if not is_own(name, tables)):
        more = f" and {len(others) - 3:,} more" if len(others) > 3 else ""
        raise OutputError(
            f"this folder also holds what neardup did not write: {', '.join(others[:3])}{more}",
            where=where,
            hint="Move that elsewhere, or choose another folder with output=.",
        )


def check_input(source: Source, output: str) -> None:
    """Refuse to replace a result that is itself the input."""
    folder = output.rstrip("/") if "://" in output else absolute(output)
    for file in getattr(source, "files", ()):
        if file.path.startswith(f"{folder}/"):
            hint = "Choose another folder with output=."
            raise OutputError("the input is in this folder", where=output, hint=hint)


def check_partial(folder: Folder, known: Collection[str] = (FINGERPRINT, RUN)) -> None:
    """Refuse to work in a folder that no run has left; one that a run left is empty or has a known file.

    When a run ends, it deletes its fingerprint just before the folder takes its name.
    """
    if not folder.exists():
        return
    names = folder.names()
    if names is None or not (set(known) & set(names) or set(names) <= {LOCK}):
        raise OutputError(
            "this is not neardup's, but a run would work in a folder of this name",
            where=str(folder),
            hint="Rename it, or choose another folder with output=.",
        )


def tables_in(run: str) -> set[str]:
    """Return the files of tables that a result has by its run.json."""
    try:
        return {f"{name}.parquet" for name in json.loads(run)["tables"]}
    except (ValueError, LookupError, TypeError):
        return set()


def is_own(name: str, tables: Collection[str] = ()) -> bool:
    """Return whether a file or folder in a result is neardup's own, or a filesystem's sum of one.

    >>> is_own("run.json"), is_own(".run.json.crc"), is_own("corpus.jsonl")
    (True, True, False)
    """
    plain = name.removeprefix(".").removesuffix(".crc").removesuffix(PARTIAL)
    return plain in OUR_FILES or plain in tables or is_aside(plain)
