"""What a setting is: its default, what it may be, and what the command line says of it.

All of that stands where the setting does, in its annotation: `rows: Annotated[int, About("Rows in a
band.", 1, 100)] = 8`.
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, dataclass, fields
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from neardup.errors import SettingsError

MANY = 2**40
INPUT, RUN, RESULT = "Input", "Run", "Result"  # headings in the help
PAPER = "As the paper prints it"  # what is there to repeat a paper, and no better than the defaults


@dataclass(frozen=True)
class About:
    """What is known of a setting.

    A number is at least `least`, or above `above`, and at most `most`. `otherwise` says what a default
    of None stands for, `flags` how it is written, `heading` what it stands under in the help.
    """

    help: str
    least: float = 0
    most: float = MANY
    above: float | None = None
    otherwise: str | None = None
    flags: str | None = None
    heading: str | None = None


class Expert(About):
    """What is known of a setting that most people never change: `--help` does not show it.

    Such are constants of algorithms, and limits of work.
    """


class Setting(NamedTuple):
    """One of the settings of a method."""

    name: str
    type: Any  # without None, which `optional` stands for
    optional: bool
    default: Any
    about: About

    @property
    def choices(self) -> tuple[str, ...]:
        """Return what may be chosen from, if that is all."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()

    def problem(self, value: Any) -> str | None:
        """Return what is wrong with a value, if anything is.

        >>> Setting("rows", int, False, 8, About("Rows in a band.", 1, 100)).problem(0)
        'rows must be at least 1 and at most 100: got 0'
        """
        about = self.about
        if value is None and self.optional:
            return None
        if self.choices:
            return one_of(self.name, value, self.choices)
        if value is None or self.type not in (int, float):
            return None
        if about.above is not None:
            return in_range(self.name, value, about.above, about.most, above=True)
        return in_range(self.name, value, about.least, about.most)


@dataclass(frozen=True)
class Settings:
    """Settings that are checked when they are made: all that is wrong is said at once.

    `presets` are named sets of some of them, and of options of all methods, such as `raw`. A method with
    presets has a setting `preset`.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @classmethod
    def filled(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is given, with what its preset says of all that is not (None).

        What is wrong with the name of a preset is said when the settings are made.
        """
        preset = cls.presets.get(given.get("preset") or "", {})
        return {**given, **{n: v for n, v in preset.items() if given.get(n) is None}}

    def __post_init__(self) -> None:
        own = [setting.problem(getattr(self, setting.name)) for setting in settings_of(type(self))]
        raise_all(own + self.problems())

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        return []

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`; with a preset only if one was asked for."""
        return {n: v for n, v in asdict(self).items() if n != "preset" or v is not None}


def settings_of(kind: type[Any]) -> tuple[Setting, ...]:
    """Return the settings of a class, in their order, without those that say nothing of themselves."""
    types = get_type_hints(kind, include_extras=True)
    return tuple(
        setting_of(field, get_args(types[field.name])[0], about)
        for field in fields(kind)
        for about in getattr(types[field.name], "__metadata__", ())
        if isinstance(about, About)
    )


def setting_of(field: Field[Any], declared: object, about: About) -> Setting:
    """Return what is known of the field of a class."""
    parts = get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)
    own = tuple(part for part in parts if part is not NoneType)
    default = None if field.default is MISSING else field.default
    return Setting(field.name, Union[own], len(own) < len(parts), default, about)  # noqa: UP007


def in_range(name: str, value: float, low: float, high: float, above: bool = False) -> str | None:
    """Return what is wrong with a number, if it is not in its range."""
    if (low < value if above else low <= value) and value <= high:
        return None
    return f"{name} must be {'above' if above else 'at least'} {low} and at most {high}: got {value}"


def one_of(name: str, value: str, allowed: tuple[str, ...]) -> str | None:
    """Return what is wrong with a choice, if it is none of those allowed."""
    return None if value in allowed else f"{name} must be one of {', '.join(allowed)}: got {value!r}"


def raise_all(problems: list[str | None]) -> None:
    """Refuse settings with all that is wrong in one message; None stands for nothing wrong."""
    found = [problem for problem in problems if problem]
    if found:
        raise SettingsError("; ".join(found))


Clustering = Literal["star", "components"]
Listing = Literal["all", "keeper", "none"]
Mode = Literal["list", "annotate", "remove"]  # of what dedup does with duplicates
Format = Literal["csv", "jsonl", "parquet", "xlsx", "graphml", "gexf", "tei"]  # of exported results
Preset = Literal["paper"]
PRESET = About("Use the settings of the paper; other options override it.", heading=PAPER)
CLUSTERS = About(
    "star: a keeper and everything similar to it; components: everything that pairs connect."
)


def check_language(language: str) -> None:
    """Refuse what is not the code of a language."""
    if not re.fullmatch(r"auto|[a-z]{2,3}(-[a-z]{2,8})?", language):
        raise SettingsError(
            f"there is no language {language!r}", hint="Take a code such as en or zh, or auto."
        )
