"""What an index remembers, and what counts as found in it."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from neardup.errors import SettingsError
from neardup.methods.documents.settings import Measure
from neardup.methods.passages.settings import AUTO, PassageSettings
from neardup.settings.base import in_range, one_of, raise_all
from neardup.signatures.signature import forms
from neardup.signatures.winnowing import NOTATION, Winnowing

Likeness = Literal["resemblance", "containment"]  # to a known text: of both, or of the new one in it


@dataclass(frozen=True)
class IndexSettings:
    """What an index remembers of each text: chosen when it is built, for good.

    `shingle` is what whole documents are compared by. A `compact` index keeps fewer keys, and may miss
    what it would find by others. The other settings are those of `passages`, with runs of words as
    signature.
    """

    shingle: str = "word:5"
    signature: str = "auto"
    min_length: int = 150
    max_gap: int | None = None
    soft: bool = True
    max_documents: int = 100
    compact: bool = False

    def __post_init__(self) -> None:
        _ = self.winnowing  # refuses what an index cannot have

    @property
    def passages(self) -> PassageSettings:
        """Return the settings of `passages`, of which some may be open."""
        own = asdict(self)
        return PassageSettings(**{name: own[name] for name in own if name not in ("shingle", "compact")})

    @property
    def winnowing(self) -> Winnowing:
        """Return the runs of words; for auto, those of a small corpus."""
        kind = self.passages.kind
        if isinstance(kind, Winnowing):
            return kind
        hint = f"Take {forms([AUTO, NOTATION])}."
        raise SettingsError(f"an index cannot have the signature {self.signature!r}", hint=hint)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for the index."""
        return asdict(self)


@dataclass(frozen=True)
class QuerySettings:
    """What counts as found: whole documents by a measure and a threshold; passages in any case.

    Of what was found, the best `limit` are reported; None reports all.
    """

    threshold: float = 0.7
    measure: Measure = "containment"
    limit: int | None = 20

    def __post_init__(self) -> None:
        raise_all(
            [
                in_range("threshold", self.threshold, 0, 1, above=True),
                one_of("measure", self.measure, get_args(Measure)),
                in_range("limit", 1 if self.limit is None else self.limit, 1, 2**40),
            ]
        )
