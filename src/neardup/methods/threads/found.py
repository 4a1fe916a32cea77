"""What is found for a thread that may have been asked before."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Asked:
    """A thread that was found: its similarity to the one asked for, and that of each field."""

    id: str
    similarity: float
    fields: dict[str, float | None]
    title: str | None = None
    url: str | None = None
    date: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Suggested:
    """A thread that may ask the same in other words: how near it is, and the rarest words of both."""

    id: str
    nearness: float
    words: list[str]
    title: str | None = None
    url: str | None = None
    date: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        return dict(vars(self))
