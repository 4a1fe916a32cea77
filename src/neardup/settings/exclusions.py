"""The settings that say what of a text does not count."""

from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Any

from neardup.settings.base import About, Settings

HEADING = "What does not count"


@dataclass(frozen=True, kw_only=True)
class ExclusionSettings(Settings):
    """Text that is no evidence, and in no percentage: that of `exclude`, quotations, reference lists."""

    exclude: Annotated[
        Any,
        About(
            "Do not count text that is in these files or folders, such as an assignment or a "
            "template; may be given several times.",
            heading=HEADING,
        ),
    ] = None
    exclude_quoted: Annotated[
        bool, About("Do not count quotations, in quotation marks or as a block.", heading=HEADING)
    ] = False
    exclude_bibliography: Annotated[bool, About("Do not count reference lists.", heading=HEADING)] = (
        False
    )

    @property
    def excludes(self) -> bool:
        """Return whether anything in a text does not count."""
        return self.exclude is not None or self.exclude_quoted or self.exclude_bibliography

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`: of what is excluded its names, or how many texts it is."""
        return super().as_dict() | {"exclude": named(self.exclude)}


def named(given: Any) -> Any:
    """Return names for what is given to exclude, in memory or by its paths.

    >>> named(("a.txt", "rules")), named("a.txt"), named(["One text.", "Two."])
    (['a.txt', 'rules'], ['a.txt'], '2 texts')
    """
    if given is None:
        return None
    if isinstance(given, str | PathLike):
        return [str(given)]
    if isinstance(given, tuple) or all(isinstance(one, PathLike) for one in given):
        return [str(one) for one in given]
    return f"{len(given)} texts"
