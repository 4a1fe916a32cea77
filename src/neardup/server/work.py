"""Work beside the event loop: a bounded number of tasks at a time, each for a bounded time."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from neardup.errors import NeardupError
from neardup.server.settings import ServerSettings
from neardup.settings.run import available_cores

Outcome = TypeVar("Outcome")
WRITERS = 16
SOON = 0.05  # seconds: what is answered by then is not worth looking whether somebody still waits


class BusyError(NeardupError):
    """The server has more to do than it may."""


class TooSlowError(NeardupError):
    """A task took longer than it may."""


class LateError(NeardupError):
    """What was to be sent did not come in time."""


class GivenUpError(NeardupError):
    """Nobody waits for the answer any more."""


class Wanted:
    """Whether somebody still waits for an answer; what takes long asks between its steps."""

    def __init__(self) -> None:
        self._given_up = threading.Event()

    def give_up(self) -> None:
        """Let the work end at its next step."""
        self._given_up.set()

    def check(self) -> None:
        """End the work if nobody waits for it."""
        if self._given_up.is_set():
            raise GivenUpError("nobody is waiting for this any more")


class Work:
    """Runs functions in threads."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._pool = ThreadPoolExecutor(available_cores(), thread_name_prefix="neardup")
        self._writers = ThreadPoolExecutor(WRITERS, thread_name_prefix="neardup-write")
        self._running = 0
        few = min(
            available_cores() - 1, settings.concurrency // 2
        )  # there is always a core to look up with
        self._line = asyncio.Semaphore(max(few, 1))

    async def run(self, function: Callable[[], Outcome]) -> Outcome:
        """Run a function; it is given up, not stopped, when it takes too long.

        Some of these make a large answer of a small request. Those wait in line for each other, so that
        however many somebody sends, what is looked up meanwhile waits for a few of them only.
        """
        try:
            async with asyncio.timeout(self.settings.timeout):
                await self._line.acquire()
        except TimeoutError:
            raise BusyError("the server is busy", hint="Try again in a moment.") from None
        try:
            return await self.answer(lambda _: function(), None)
        finally:
            self._line.release()

    async def answer(
        self, function: Callable[[Wanted], Outcome], gone: Callable[[], Awaitable[object]] | None
    ) -> Outcome:
        """Run a function until it takes too long, or until `gone` says that nobody waits for it.

        Work that has not begun by then never does; other work ends when it next checks `Wanted`.
        """
        wanted = Wanted()
        leaving = None
        timeout = self.settings.timeout
        task, own = self._begin(self._pool, lambda: function(wanted))
        try:
            await asyncio.wait({own}, timeout=min(SOON, timeout))
            if not own.done() and timeout > SOON:
                leaving = None if gone is None else asyncio.ensure_future(gone())
                waiting: set[asyncio.Future[object]] = {own} if leaving is None else {own, leaving}  # type: ignore[arg-type]
                await asyncio.wait(waiting, timeout=timeout - SOON, return_when=asyncio.FIRST_COMPLETED)
            if own.done():
                return own.result()
            if leaving is not None and leaving.done():
                raise GivenUpError("the client has gone")
            what = f"this took longer than {self.settings.timeout:g} s"
            raise TooSlowError(what, hint="Ask for less, such as a shorter text.")
        finally:
            if leaving is not None:
                leaving.cancel()
            if not own.done():
                wanted.give_up()
                own.cancel()
                task.cancel()  # reaches it only if it has not begun

    async def write(self, function: Callable[[], Outcome]) -> Outcome:
        """Run a function that writes, and wait until it has: a task that has begun is never given up.

        What writes waits for the disk more than it works: more of these may run at a time, and are
        written together.
        """
        task, own = self._begin(self._writers, function)
        await asyncio.wait({own}, timeout=self.settings.timeout)
        if not own.done() and task.cancel():
            hint = "Nothing was written. Try again in a moment."
            raise BusyError("the server is busy writing", hint=hint)
        return await asyncio.shield(own)

    def _begin(
        self, pool: ThreadPoolExecutor, function: Callable[[], Outcome]
    ) -> "tuple[Future[Outcome], asyncio.Future[Outcome]]":
        """Begin a task; return it, and what the loop waits for."""
        if self._running >= self.settings.concurrency:
            raise BusyError("the server is busy", hint="Try again in a moment.")
        self._running += 1
        loop = asyncio.get_running_loop()
        own: asyncio.Future[Outcome] = loop.create_future()
        task = pool.submit(function)
        task.add_done_callback(lambda _: self._hand_over(loop, task, own))
        return task, own

    def _hand_over(
        self,
        loop: asyncio.AbstractEventLoop,
        task: "Future[Outcome]",
        own: "asyncio.Future[Outcome]",
    ) -> None:
        """Tell the loop from any thread that a task has ended; this wakes the loop once."""
        with suppress(RuntimeError):  # the loop is closed, and nobody counts any more
            loop.call_soon_threadsafe(self._ended, task, own)

    def _ended(self, task: "Future[Outcome]", own: "asyncio.Future[Outcome]") -> None:
        self._running -= 1
        if own.done():
            return
        if task.cancelled():
            own.cancel()
        elif error := task.exception():
            own.set_exception(error)
        else:
            own.set_result(task.result())

    def close(self) -> None:
        """Wait for what is running, and take no more."""
        self._pool.shutdown()
        self._writers.shutdown()
