"""An engine that neardup does not come with: local work, with another name and an option of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from neardup.engines.base import Engine, Progress, Runner
from neardup.engines.disk import DiskFolder
from neardup.engines.local.engine import LocalEngine
from neardup.settings.base import RUN, About, Settings
from neardup.settings.run import RunSettings


@dataclass(frozen=True)
class ThirdOptions(Settings):
    """How many lanes it has."""

    lanes: Annotated[int, About("third: lanes to work in.", 1, 9, heading=RUN)] = 2


class Lanes:
    """Lanes that are open already."""

    def __init__(self, number: int) -> None:
        self.number = number


class Tickets:
    """Texts that only this engine can read."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts


class Third(Engine):
    """Says what it does, and lets the local engine do it."""

    name = "third"
    options = ThirdOptions
    also = "Lanes"
    summaries = 64 << 20
    refusal = ("tickets are for the third engine", "Take engine='third'.")

    def accepts(self, given: object) -> bool:
        return isinstance(given, Lanes)

    def options_with(self, given: object, chosen: Mapping[str, Any]) -> ThirdOptions:
        return ThirdOptions(given.number) if isinstance(given, Lanes) else ThirdOptions(**chosen)

    def owns(self, data: object) -> bool:
        return isinstance(data, Tickets)

    def open_data(self, data: Tickets, reader: Any) -> Any:
        from neardup.readers.source import open_source

        return open_source(data.texts, reader)

    def runner(self, work: DiskFolder, run: RunSettings, progress: Progress) -> Runner:
        progress.note(f"the third engine works in {run.engine.options.lanes} lanes")
        return LocalEngine(work.path, run, progress)
