"""How well settings agree with labels, and what is to be made as good as possible."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Quality:
    """How many of the pairs found are right, and how many right ones are found."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """Return the share of the pairs found that are right."""
        return self.right / max(self.right + self.wrong, 1)

    @property
    def recall(self) -> float:
        """Return the share of the right pairs that are found."""
        return self.right / max(self.right + self.missed, 1)

    @property
    def f1(self) -> float:
        """Return the harmonic mean of both."""
        return 2 * self.right / max(2 * self.right + self.wrong + self.missed, 1)

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers."""
        shares = {name: getattr(self, name) for name in ("precision", "recall", "f1")}
        return shares | asdict(self)


@dataclass(frozen=True)
class Goal:
    """What is to be made as high as possible: F1, or one of the two while the other is high enough."""

    precision: float | None = None
    recall: float | None = None

    def worth(self, quality: Quality) -> tuple[float, float]:
        """Return what some quality is worth; what is not high enough comes first of all."""
        if self.precision is None and self.recall is None:
            return quality.f1, quality.precision
        kept, raised, least = quality.precision, quality.recall, self.precision
        if least is None:
            kept, raised, least = quality.recall, quality.precision, self.recall or 0.0
        return (raised, kept) if kept >= least else (kept - 1, raised)
