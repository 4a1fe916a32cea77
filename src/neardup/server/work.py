"""Work beside the event loop: a bounded number of tasks at a time, each for a bounded time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from neardup.errors import NeardupError
from neardup.server.settings import ServerSettings
from neardup.settings.run import available_cores

Outcome = TypeVar("Outcome")
WRITERS = 16


class BusyError(NeardupError):
    """The server has more to do than it may."""


class TooSlowError(NeardupError):
    """A task took longer than it may."""


class Work:
    """Runs functions in threads."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._pool = ThreadPoolExecutor(available_cores(), thread_name_prefix="neardup")
        self._writers = ThreadPoolExecutor(WRITERS, thread_name_prefix="neardup-write")
        self._running = 0

    async def run(self, function: Callable[[], Outcome], writes: bool = False) -> Outcome:
        """Run a function; it is given up, not stopped, when it takes too long.

        What writes waits for the disk more than it works: more of these may run at a time, and are
        written together.
        """
        if self._running >= self._settings.concurrency:
            raise BusyError("the server is busy", hint="Try again in a moment.")
        self._running += 1
        pool = self._writers if writes else self._pool
        task = asyncio.get_running_loop().run_in_executor(pool, function)
        task.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.shield(task), self._settings.timeout)
        except TimeoutError:
            what = f"this took longer than {self._settings.timeout:g} s"
            raise TooSlowError(what, hint="Ask for less, such as a shorter text.") from None

    def _done(self, task: "asyncio.Future[Outcome]") -> None:
        self._running -= 1
        if not task.cancelled():
            task.exception()  # if nobody waits for it any more, it is taken note of here

    def close(self) -> None:
        """Wait for what is running, and take no more."""
        self._pool.shutdown()
        self._writers.shutdown()
