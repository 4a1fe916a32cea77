"""What is in a folder, wherever links lead, and what has a name there but is no file."""

import os
import stat
from collections.abc import Iterator

import pyarrow.fs as pafs

from neardup.errors import InputError

NO_FILE = "not a file"
NO_NAME = "no name in UTF-8"
SPECIAL = (
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
Place = tuple[int, int]  # device and number, which tell a folder by whatever name


def infos_in(filesystem: pafs.FileSystem, folder: str, recursive: bool) -> list[pafs.FileInfo]:
    """Return what is in a folder, and on this machine also what cannot be read as a file there."""
    if isinstance(filesystem, pafs.LocalFileSystem) and os.path.isdir(folder):  # noqa: PTH112
        found = list(_below(folder, frozenset(), recursive))
        named = [path for path in found if is_utf8(path)]
        others = [pafs.FileInfo(in_utf8(path)) for path in found if not is_utf8(path)]
        return [*filesystem.get_file_info(named), *others]
    selector = pafs.FileSelector(folder, recursive=recursive, allow_not_found=True)
    return list(filesystem.get_file_info(selector))


def is_utf8(path: str) -> bool:
    """Return whether a path is text, as tables and Arrow need it; systems take any bytes."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def in_utf8(path: str) -> str:
    r"""Return a path that can be shown, whatever bytes are in it.

    >>> print(in_utf8("letters/\udcff.txt"))
    letters/\xff.txt
    """
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _below(folder: str, above: frozenset[Place], recursive: bool) -> Iterator[str]:
    """Yield the paths of all that is below a folder; a link to a folder above it leads nowhere new."""
    own = os.stat(folder)  # noqa: PTH116
    if (own.st_dev, own.st_ino) in above:
        return
    above |= {(own.st_dev, own.st_ino)}
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        path = f"{folder.rstrip('/')}/{entry.name}"
        if recursive and _is_folder(entry):
            yield from _below(path, above, recursive)
        else:
            yield path


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def what_is(path: str) -> str | None:
    """Say what has this name on this machine and is neither a file nor a folder; None if nothing has.

    >>> what_is("/dev/null"), what_is("/no/such/file")
    ('a device', None)
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except OSError:
        return f"a link that leads nowhere ({os.readlink(path)})" if os.path.islink(path) else None  # noqa: PTH114, PTH115
    return next((name for test, name in SPECIAL if test(mode)), None)


def unusable(address: str) -> InputError | None:
    """Return the error for an input that is there, but is no file; None if nothing is there."""
    if not address:
        return InputError("the name of an input is empty", hint="Is a variable of your shell unset?")
    if "://" in address or not (found := what_is(address)):
        return None
    hint = "Give a file, a folder, or - to read standard input."
    return InputError(f"this is {found}, {NO_FILE}", where=address, hint=hint)
