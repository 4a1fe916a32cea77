"""A file of settings in place of options: TOML or JSON, as neardup tune and results write it."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from neardup.errors import InputError, SettingsError

HINT = "A file of settings is TOML or JSON and names options: threshold = 0.5, a line each."


class Option(NamedTuple):
    """What an option takes: one value or several, and what is wrong with a value, if anything."""

    several: bool = False
    problem: Callable[[Any], str | None] = lambda _: None


def read_options(
    path: Path, command: str, allowed: Mapping[str, Option], derived: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the options of a command that a file gives; all that is wrong with them is told at once.

    What is `derived` follows from others: results tell of it, but no option says it.
    """
    content = read_settings(path)
    method = content.get("method", command)
    if method != command:
        raise SettingsError(f"these settings are for neardup {method}", where=str(path))
    own = content.get("settings", {name: value for name, value in content.items() if name != "method"})
    if not isinstance(own, dict):
        raise InputError("this is not a file of settings", where=str(path), hint=HINT)
    if "settings" in content:
        own = {name: value for name, value in own.items() if name not in derived}
    return checked_options(own, command, allowed, str(path))


def checked_options(
    given: Mapping[str, Any], command: str, allowed: Mapping[str, Option], where: str | None = None
) -> dict[str, Any]:
    """Return options that are given by name, as they are written on the command line."""
    names = {name: name.replace("-", "_") for name, value in given.items() if value is not None}
    problems = []
    if unknown := [meant(name, allowed) for name, known in names.items() if known not in allowed]:
        problems.append(f"neardup {command} has no setting {', '.join(unknown)}")
    found = {n: written(given[name], allowed[n].several) for name, n in names.items() if n in allowed}
    for name, value in found.items():
        if problem := allowed[name].problem(value):
            problems.append(f"{name} cannot be {value!r}: {problem}")
    if problems:
        raise SettingsError("; ".join(problems), where=where)
    return found


def meant(name: str, known: Iterable[str]) -> str:
    """Return a name that nobody knows, with the one that may be meant.

    >>> meant("treshold", ["threshold", "rows"])
    'treshold (did you mean threshold?)'
    """
    close = get_close_matches(name.replace("-", "_"), known, n=1)
    return f"{name} (did you mean {close[0]}?)" if close else name


def read_settings(path: Path) -> dict[str, Any]:
    """Read a file of settings: TOML by its name, else JSON."""
    try:
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except FileNotFoundError:
        raise InputError("no such file", where=str(path)) from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"this is not a file of settings: {error}", where=str(path), hint=HINT
        ) from None
    if not isinstance(content, dict):
        raise InputError("this is not a file of settings", where=str(path), hint=HINT)
    return content


def written(value: object, several: bool) -> Any:
    """Return a value as it is written on the command line.

    >>> written({"title": 0.4, "body": 0.6}, several=False)
    'title=0.4,body=0.6'
    >>> written("shingles:3", several=True)
    ['shingles:3']
    """
    if isinstance(value, dict):
        value = [f"{name}={part}" for name, part in value.items()]
    if isinstance(value, list):
        return value if several else ",".join(map(str, value))
    return [value] if several else value
