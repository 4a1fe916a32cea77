"""Worker processes, for input whose reading holds Python's global lock (HTML, web archives).

A worker is `python -m neardup.engines.workers`: it takes tasks from its standard input and answers
on its standard output. It never imports the user's main module, so that scripts need no guard.
"""

import ctypes
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from neardup.engines.local.frugality import release_memory, within
from neardup.engines.local.store import StoredParts, write_batches
from neardup.engines.pandas import load_arrow
from neardup.errors import StepError
from neardup.plan import MapFunction
from neardup.readers.source import Source, together

PR_SET_PDEATHSIG = 1  # of Linux's prctl


class Task(NamedTuple):
    """Read some splits of a source, or parts of a step's table, map their batches, write one file."""

    source: Source | StoredParts
    splits: list[Any]
    function: MapFunction
    schema: pa.Schema
    path: Path


def perform(task: Task) -> None:
    """Do a task; this is all that a worker does."""
    batches = together(batch for split in task.splits for batch in task.source.read(split))
    write_batches(task.path, task.schema, (task.function(batch, {}) for batch in batches))


class Worker:
    """A process that performs tasks one after the other."""

    def __init__(self, memory: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,  # a terminal interrupts the group of its starter, which ends it
        )

    def perform(self, task: Task) -> None:
        """Have a task done; raises what it raised."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the worker has no pipes")
        try:
            pickle.dump(task, stdin)
            stdin.flush()
            error = pickle.load(stdout)
        except (BrokenPipeError, EOFError):
            code = self._process.wait()
            raise StepError(
                f"a worker process ended with code {code}",
                hint="Was it killed for lack of memory? Try fewer workers.",
            ) from None
        if error is not None:
            raise error

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def worker(memory: int) -> Iterator[Worker]:
    """Hold a worker process as long as it is needed; `memory` is what the whole run may use."""
    process = Worker(memory)
    try:
        yield process
    finally:
        process.stop()


def end_with_starter() -> None:
    """Have the system end this process when the one that started it is killed: it would write on."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main(memory: int) -> None:
    """Perform tasks until there are no more."""
    end_with_starter()
    load_arrow()
    with within(memory):
        perform_all()


def perform_all() -> None:
    """Take tasks from standard input and answer each."""
    tasks = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints is no answer
    while True:
        try:
            task: Any = pickle.load(tasks)
        except EOFError:
            return
        try:
            perform(task)
            answer: BaseException | None = None
        except BaseException as error:
            answer = error
        pickle.dump(answer, answers)
        answers.flush()
        release_memory()


if __name__ == "__main__":
    main(int(sys.argv[1]))
