"""Room in memory for what is on its way: bodies that arrive, answers that are taken.

Slow ones stay for long, so that many of them could fill the memory. When there is no room for another
one, what has been on its way for longest is given up.
"""

import asyncio

LEAST_ROOM = 64 << 20  # bytes
BODIES = 4  # of the largest size that have room at a time
SMALL = 64 << 10  # bytes that need no room: connections are not many


class Held:
    """Something on its way; `timer` ends its task, None while it is not to be given up."""

    def __init__(self, room: "Room", shared: object) -> None:
        self.timer: asyncio.Timeout | None = None
        self.size = 0
        self.is_given_up = False
        self.key = id(self if shared is None else shared)
        self._room = room

    def grow(self, size: int, shared: object = None) -> bool:
        """Return whether there is room for more of it, and take it."""
        if shared is not None:
            self.key = id(shared)
        self.size += size
        return self.size <= SMALL or self._room.fits(self)

    def release(self) -> None:
        """Make room for others."""
        self._room.held.pop(self, None)

    def give_up(self) -> None:
        """Let its task end now."""
        self.is_given_up = True
        self.release()
        if self.timer is not None and not self.timer.expired():
            self.timer.reschedule(0)


class Room:
    """Room for some bytes; what is sent to several at once takes room once."""

    def __init__(self, largest: int) -> None:
        self._most = max(LEAST_ROOM, BODIES * largest)
        self.held: dict[Held, None] = {}  # in the order in which they came

    def hold(self, shared: object = None) -> Held:
        """Return something that is on its way from now on."""
        held = Held(self, shared)
        self.held[held] = None
        return held

    def fits(self, new: Held) -> bool:
        """Return whether there is room for all; others are given up for it, the oldest first."""
        for one in [one for one in self.held if one.key != new.key and one.timer and one.size > SMALL]:
            if not self._is_full:
                return True
            one.give_up()
        return not self._is_full

    @property
    def _is_full(self) -> bool:
        sizes = {one.key: one.size for one in self.held if one.size > SMALL}
        return sum(sizes.values()) > self._most
