"""A method: documents that begin with the same characters."""

from dataclasses import dataclass
from typing import Annotated

from neardup.extending import About, Method, Settings, lazy


@dataclass(frozen=True)
class OpeningSettings(Settings):
    """How documents that begin alike are found."""

    characters: Annotated[int, About("How many first characters count.", 1)] = 20


class Openings(Method):
    """Find documents that begin with the same characters."""

    name = "openings"
    settings = OpeningSettings
    job = lazy("plan:job")
