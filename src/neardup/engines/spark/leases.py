"""One run at a time for each result, on filesystems that have no locks.

The run that writes a result holds a file beside it, and writes another number into it every few seconds.
A run that finds such a file waits a while: if it changes, another run is at work; if not, that one was
killed. So clocks need not agree, and a killed run blocks nobody.
"""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from neardup.errors import OutputError

if TYPE_CHECKING:
    from neardup.engines.spark.folders import HadoopFolder

SECONDS = 10.0  # between two numbers
BEATS = 3  # that a run may miss before it is given up
BUSY = "another run is writing this result"


@contextmanager
def leased(file: "HadoopFolder", output: str, seconds: float = SECONDS) -> Iterator[None]:
    """Hold the file that says that a result is being written."""
    from py4j.protocol import Py4JError

    if is_held(file, seconds):
        raise OutputError(BUSY, where=output)
    file.delete()
    owner = uuid.uuid4().hex
    try:
        file.write_text(f"{owner} 0", over=False)
    except Py4JError as error:
        if "AlreadyExists" in str(error):  # somebody was faster
            raise OutputError(BUSY, where=output) from None
        raise
    done = threading.Event()
    beating = threading.Thread(target=beat, args=(file, owner, done, seconds), daemon=True)
    beating.start()
    try:
        yield
    finally:
        done.set()
        beating.join()
        with suppress(Py4JError, OSError):  # Spark may be gone, which the run itself tells
            file.delete()


def is_held(file: "HadoopFolder", seconds: float) -> bool:
    """Return whether a file is there and changes."""
    first = content(file)
    if first is None:
        return False
    end = time.monotonic() + BEATS * seconds
    while time.monotonic() < end:
        time.sleep(seconds / 2)
        now = content(file)
        if now != first:
            return now is not None
    return False


def content(file: "HadoopFolder") -> str | None:
    """Return what a file says, None if it is not there; of one that is just being written, nothing."""
    from py4j.protocol import Py4JJavaError

    try:
        return file.read_text()
    except Py4JJavaError as error:
        if "FileNotFound" in str(error):
            return None
        if "ChecksumException" in str(error):  # the number and its checksum are two files
            return ""
        raise


def beat(file: "HadoopFolder", owner: str, done: threading.Event, seconds: float) -> None:
    """Write another number again and again."""
    from py4j.protocol import Py4JError

    number = 0
    while not done.wait(seconds):
        number += 1
        with suppress(Py4JError, OSError):  # the next one may succeed
            file.write_text(f"{owner} {number}")
