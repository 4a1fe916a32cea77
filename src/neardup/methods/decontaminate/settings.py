"""The settings of `decontaminate`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from neardup.errors import SettingsError
from neardup.settings.base import About, Settings

FIELDS = ("passage", "question", "options", "answer")
KINDS = ("verbatim", "split", "numbers", "reordered", "near")  # how items differ, the least first


@dataclass(frozen=True)
class DecontaminateSettings(Settings):
    """How test items are found in training data.

    A passage, question or option of at least `min_words` words is looked for by itself; a shorter one,
    and any answer, only beside another part of its item. Runs of three words that more than `max_items`
    items have are boilerplate: they propose nothing, and count for next to nothing. What is found has at
    least the similarity `threshold`: 1 less the weight of the words that differ, rare words weighing
    more; of less than 12 words, fewer may differ.
    `fields` says which columns of the benchmarks are what, where they do not have the usual names.
    """

    threshold: Annotated[
        float,
        About("The lowest similarity of a test item and its place in a document.", above=0, most=1),
    ] = 0.75
    min_words: Annotated[
        int,
        About(
            "Shorter passages, questions and options count only beside another part of their item.", 4
        ),
    ] = 8
    max_items: Annotated[
        int, About("Treat runs of words that more test items than this share as boilerplate.", 1)
    ] = 10
    fields: Annotated[
        str | None,
        About(
            "Columns of the benchmarks, such as question=goal,options=sol1+sol2,answer=label.",
            otherwise="those with the usual names",
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.columns  # refuses what cannot be read

    @property
    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """Return the columns of each field, as far as they are given.

        >>> DecontaminateSettings(fields="question=goal,options=sol1+sol2").columns
        {'question': ('goal',), 'options': ('sol1', 'sol2')}
        """
        found: dict[str, tuple[str, ...]] = {}
        for part in (self.fields or "").split(","):
            name, _, columns = (piece.strip() for piece in part.partition("="))
            if name in FIELDS and columns:
                found[name] = tuple(column.strip() for column in columns.split("+"))
            elif self.fields is not None:
                hint = f"Write it like question=goal,options=sol1+sol2: fields are {', '.join(FIELDS)}."
                raise SettingsError(f"cannot read the fields in {self.fields!r}", hint=hint)
        return found
