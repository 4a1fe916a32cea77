"""Work that is done ahead of whoever takes its results in turn."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def ahead(
    pool: ThreadPoolExecutor, make: Callable[[Given], Made], items: Iterable[Given], most: int
) -> Iterator[Made]:
    """Yield what is made of each item, in their order; at most so many are made or wait at a time."""
    waiting: deque[Future[Made]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(make, item))
            if len(waiting) >= most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
