"""How signatures are written: `name`, or `name:` and numbers with commas. One parser reads them all.

Each module of a signature says in its NOTATION what can be written, so that help, checks and messages
follow from it. Nothing here is heavy to import.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from neardup.errors import SettingsError

Made = TypeVar("Made", covariant=True)


class Argument(NamedTuple):
    """A number in a notation: the parameter it is, what help calls it, and its range."""

    parameter: str
    shown: str
    least: int
    most: int
    whole: bool = True

    def read(self, text: str) -> float | None:
        """Return the number; None if the text is none, or out of range."""
        if not re.fullmatch(r"\d+" if self.whole else r"\d+(\.\d+)?", text):
            return None
        number = int(text) if self.whole else float(text)
        return number if self.least <= number <= self.most else None


@dataclass(frozen=True)
class Notation(Generic[Made]):
    """What a signature is called, what makes it, and its numbers; if `bare`, it may do without them.

    >>> Notation("spotsigs", dict, (Argument("antecedents", "N", 1, 99),), bare=True).forms
    ('spotsigs', 'spotsigs:N')
    """

    name: str
    make: Callable[..., Made]
    arguments: tuple[Argument, ...] = ()
    bare: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the ways to write it."""
        if not self.arguments:
            return (self.name,)
        whole = f"{self.name}:{','.join(argument.shown for argument in self.arguments)}"
        return (self.name, whole) if self.bare else (whole,)

    @property
    def ranges(self) -> str:
        """Return what its numbers may be."""
        return ", ".join(f"{a.shown} {a.least}–{a.most}" for a in self.arguments)

    def numbers(self, text: str | None) -> dict[str, float] | None:
        """Return the numbers of what follows the colon, by parameter; None if they are wrong."""
        if text is None:
            return {} if self.bare or not self.arguments else None
        parts = text.split(",")
        if len(parts) != len(self.arguments):
            return None
        found = {a.parameter: a.read(part) for a, part in zip(self.arguments, parts, strict=True)}
        numbers = {name: number for name, number in found.items() if number is not None}
        return numbers if len(numbers) == len(found) else None


class Written(NamedTuple, Generic[Made]):
    """A notation with its numbers, as a user wrote it."""

    notation: Notation[Made]
    numbers: dict[str, float]

    def made(self, **others: Any) -> Made:
        """Return what was written; the numbers in it go before `others`."""
        return self.notation.make(**{**others, **self.numbers})


def read(text: str, listed: Mapping[str, Notation[Made]], kind: str = "signature") -> Written[Made]:
    """Read what users write."""
    name, colon, rest = text.partition(":")
    if name not in listed:
        raise SettingsError(f"there is no {kind} {text!r}", hint=f"Choose {forms(listed.values())}.")
    notation = listed[name]
    numbers = notation.numbers(rest if colon else None)
    if numbers is None:
        ranges = f" with {notation.ranges}" if notation.ranges else ""
        hint = f"Write {forms([notation])}{ranges}."
        raise SettingsError(f"there is no {kind} {text!r}", hint=hint)
    return Written(notation, numbers)


def forms(notations: Iterable[Notation[Any]]) -> str:
    """Return all ways to write one of these, for a sentence.

    >>> forms([Notation("auto", dict), Notation("word", dict, (Argument("width", "N", 1, 9),))])
    'auto or word:N'
    """
    *first, last = (form for notation in notations for form in notation.forms)
    return f"{', '.join(first)} or {last}" if first else last
