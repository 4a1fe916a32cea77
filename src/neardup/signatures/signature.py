"""What a signature is, how it is written, and how what is written is read.

A signature makes a set of values of the words of a sentence or a field. Modules of signatures are
imported with the settings, for help and checks; so NumPy is not imported here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from neardup.errors import SettingsError

if TYPE_CHECKING:
    from neardup.signatures.word_counts import Bounds, WordCounts, Words

LEAST_WORDS = 3  # a shorter sentence ("Yes.", "3.2") has no signature: it would link strangers
Made = TypeVar("Made", covariant=True)


class Sets(NamedTuple):
    """The distinct values of some lists of words end to end, and where each list's begin."""

    values: Words
    bounds: Bounds


class Signature(Protocol):
    """A signature of lists of words; `least` says how many words are enough."""

    @property
    def least(self) -> int:
        """Return how many words a list must have; a shorter one has an empty set."""

    counts: ClassVar[str | None] = None  # what must be known of words: "documents" or "occurrences"
    single: ClassVar[bool] = False  # whether no list has more than one value

    def of(self, words: Words, bounds: Bounds, counts: WordCounts | None) -> Sets:
        """Return the set of each list words[bounds[s]:bounds[s + 1]], in arrays that are new."""


class Argument(NamedTuple):
    """A number in a notation: the parameter it is, what help calls it, and its range."""

    parameter: str
    shown: str
    least: int
    most: int
    whole: bool = True

    def read(self, text: str) -> float:
        """Return the number that a text is."""
        if re.fullmatch(r"\d+" if self.whole else r"\d+(\.\d+)?", text):
            number = int(text) if self.whole else float(text)
            if self.least <= number <= self.most:
                return number
        raise ValueError(text)


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
    notation = listed.get(name)
    if notation is None:
        raise SettingsError(f"there is no {kind} {text!r}", hint=f"Choose {forms(listed.values())}.")
    wanted = notation.arguments if colon or not notation.bare else ()
    try:
        numbers = zip(wanted, rest.split(",") if colon else (), strict=True)
        return Written(notation, {argument.parameter: argument.read(n) for argument, n in numbers})
    except ValueError:
        ranges = ", ".join(f"{a.shown} {a.least}–{a.most}" for a in notation.arguments)
        hint = f"Write {forms([notation])}{' with ' if ranges else ''}{ranges}."
        raise SettingsError(f"there is no {kind} {text!r}", hint=hint) from None


def forms(notations: Iterable[Notation[Any]]) -> str:
    """Return all ways to write one of these, for a sentence.

    >>> forms([Notation("auto", dict), Notation("word", dict, (Argument("width", "N", 1, 9),))])
    'auto or word:N'
    """
    *first, last = (form for notation in notations for form in notation.forms)
    return f"{', '.join(first)} or {last}" if first else last
