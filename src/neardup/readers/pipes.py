"""Standard input and pipes: what can be read only once is copied to a file first."""

import atexit
import re
import shutil
import sys
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO

from neardup.durable import delete_temporary, is_for_want_of_room, temporary_folder
from neardup.errors import OutputError

STDIN = "-"
ALSO_STDIN = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
NUMBERED = re.compile(r"/(?:dev|proc/\w+)/fd/(\d+)")
COPIES = count()


def is_pipe(address: str) -> bool:
    """Return whether an input is standard input or a pipe, such as the <(…) of a shell."""
    return address in (STDIN, *ALSO_STDIN) or ("://" not in address and Path(address).is_fifo())


def copied(address: str) -> str:
    """Copy what comes through a pipe to a file, which is there until this process ends."""
    target = Path(folder(), f"{next(COPIES):06}", name_of(address))
    try:
        target.parent.mkdir()
        with opened(address) as source, target.open("wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    except OSError as error:
        if not is_for_want_of_room(error):
            raise
        what = f"there is no room for a copy of what comes through a pipe: {error.strerror}"
        hint = "Name a folder with more room in TMPDIR, or give a file instead of the pipe."
        raise OutputError(what, where=str(folder()), hint=hint) from error
    return str(target)


def name_of(address: str) -> str:
    """Return what the records of a pipe are called by.

    >>> name_of("-"), name_of("/dev/fd/63"), name_of("folder/news.csv")
    ('stdin', 'pipe-63', 'news.csv')
    """
    if address in (STDIN, *ALSO_STDIN):
        return "stdin"
    numbered = NUMBERED.fullmatch(address)
    return f"pipe-{numbered[1]}" if numbered else Path(address).name


def opened(address: str) -> IO[bytes]:
    """Open a pipe."""
    if address in (STDIN, *ALSO_STDIN):
        return open(sys.stdin.fileno(), "rb", closefd=False)
    return Path(address).open("rb")


@cache
def folder() -> Path:
    """Return the folder of the copies; it is deleted when this process ends."""
    made = temporary_folder()
    atexit.register(delete_temporary, made)
    return made
