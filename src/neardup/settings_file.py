"""A file of settings in place of options: what `neardup tune` writes, or the run.json of a result."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neardup.errors import InputError, SettingsError


def read_options(path: Path, command: str, allowed: Mapping[str, bool]) -> dict[str, Any]:
    """Return the options of a command that a file gives.

    `allowed` names the options, and says which may be given several times.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("no such file", where=str(path)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"these are no settings: {error}", where=str(path)) from None
    if not isinstance(content, dict) or not isinstance(content.get("settings"), dict):
        hint = 'A file of settings is JSON: {"method": "threads", "settings": {"threshold": 0.5}}.'
        raise InputError("these are no settings", where=str(path), hint=hint)
    method = content.get("method", command)
    if method != command:
        raise SettingsError(f"these settings are for neardup {method}", where=str(path))
    given = content["settings"]
    if unknown := [name for name in given if name not in allowed]:
        what = f"neardup {command} has no setting {', '.join(unknown)}"
        raise SettingsError(what, where=str(path))
    return {n: written(v, allowed[n]) for n, v in given.items() if v is not None}


def written(value: Any, several: bool) -> Any:
    """Return a value as it is written on the command line.

    >>> written({"title": 0.4, "body": 0.6}, several=False)
    'title=0.4,body=0.6'
    """
    if isinstance(value, dict):
        pairs = [f"{name}={part}" for name, part in value.items()]
        return pairs if several else ",".join(pairs)
    return value
