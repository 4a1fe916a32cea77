"""Engines run plans: one room each; an engine knows nothing of methods.

ENGINES is the list: an engine is found by its name, and loaded when it is asked for. To add one, write
its room and add a line here.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from neardup.engines.base import Engine
from neardup.errors import SettingsError
from neardup.settings.base import Setting, settings_of
from neardup.settings.run import EngineSettings

ENGINES = {
    "local": "neardup.engines.local:Local",
    "spark": "neardup.engines.spark:Spark",
}


def engine_named(name: str) -> Engine:
    """Return the engine of this name."""
    return loaded(ENGINES[name])


@cache
def loaded(path: str) -> Engine:
    """Make the engine that is found at a path."""
    module, _, name = path.partition(":")
    kind: type[Engine] = getattr(import_module(module), name)
    return kind()


def all_engines() -> Iterator[Engine]:
    """Return all engines, in the order of the list."""
    return (engine_named(name) for name in ENGINES)


def engine_options() -> dict[str, Setting]:
    """Return the options that engines have of their own, by name."""
    return {option.name: option for engine in all_engines() for option in settings_of(engine.options)}


def engine_settings(given: object, options: Mapping[str, Any] | None = None) -> EngineSettings:
    """Return the engine that a name or another value means, with those of the options that it has."""
    for engine in all_engines():
        if given == engine.name if isinstance(given, str) else engine.accepts(given):
            own = {option.name for option in settings_of(engine.options)}
            chosen = {name: value for name, value in (options or {}).items() if name in own}
            return EngineSettings(engine.name, engine.options_with(given, chosen), engine.summaries)
    known = [f'"{name}"' for name in ENGINES] + [e.also for e in all_engines() if e.also]
    hint = f"Take {', '.join(known[:-1])} or {known[-1]}."
    raise SettingsError(f"there is no engine {given!r}", hint=hint)
