"""What callers in Python give: numbers of NumPy become Python's own, other types are refused by name."""

from collections.abc import Mapping
from inspect import Parameter
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from neardup.errors import SettingsError

NAMES = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a string",
    Path: "a path",
    NoneType: "None",
}
ALSO: dict[type, tuple[type, ...]] = {float: (int,), Path: (PathLike,)}


def checked_arguments(given: Mapping[str, Any], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """Return arguments as Python's own values, if their types are those of the parameters."""
    return {
        name: checked(name, value, parameters[name].annotation) if name in parameters else value
        for name, value in given.items()
    }


def checked(name: str, value: object, annotation: object) -> Any:
    """Return a value as Python's own; refuse one of another type.

    >>> checked("workers", 1.5, int | None)
    Traceback (most recent call last):
    neardup.errors.SettingsError: workers must be a whole number or None: got 1.5
    """
    kinds = kinds_of(annotation)
    if kinds is None:
        return value
    plain = value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value
    allowed = tuple(found for kind in kinds for found in (kind, *ALSO.get(kind, ())))
    if isinstance(plain, allowed) and (bool in kinds or not isinstance(plain, bool)):
        return plain
    names = " or ".join(NAMES[kind] for kind in kinds)
    raise SettingsError(f"{name} must be {names}: got {value!r}")


def kinds_of(annotation: object) -> list[type] | None:
    """Return the simple types that an annotation allows, None if it allows others too.

    >>> kinds_of(str | int | None), kinds_of(Literal["star"]), kinds_of(Mapping[str, str] | None)
    ([<class 'str'>, <class 'int'>, <class 'NoneType'>], [<class 'str'>], None)
    """
    if get_origin(annotation) is Literal:
        return [str]
    if get_origin(annotation) not in (Union, UnionType):
        return [annotation] if annotation in NAMES else None
    parts = [kinds_of(part) for part in get_args(annotation)]
    if any(part is None for part in parts):
        return None
    return [kind for part in parts for kind in part or ()]
