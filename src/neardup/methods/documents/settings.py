"""The settings of `documents`."""

from dataclasses import dataclass
from typing import Annotated, Literal

from neardup.settings.base import CLUSTERS, About, Clustering, Settings

Candidates = Literal["exact", "sampled", "minhash"]
Measure = Literal["resemblance", "containment"]


@dataclass(frozen=True)
class DocumentSettings(Settings):
    """How near-duplicate documents are found.

    `max_postings` is the number of documents from which on a shingle is too common to compare all its
    documents with each other; `max_copies` the number of identical documents that are listed pair by
    pair. Both limit work, are counted, and never limit verification.
    """

    threshold: Annotated[
        float, About("The least similarity of a pair, above 0 to 1.", above=0, most=1)
    ] = 0.7
    measure: Annotated[Measure, About("Resemblance of the wholes, or one inside the other.")] = (
        "resemblance"
    )
    candidates: Annotated[
        Candidates, About("exact finds every pair; sampled and minhash are cheaper.")
    ] = "exact"
    shingle: Annotated[
        str, About("What is compared: runs of N words (word:N) or characters (char:N).")
    ] = "word:5"
    clusters: Annotated[Clustering, CLUSTERS] = "star"
    keep: Annotated[str, About("The keeper of a cluster: longest, first, newest or a column.")] = (
        "longest"
    )
    sample: Annotated[int, About("sampled: one shingle in so many.", 1, 1_000_000)] = 16
    bands: Annotated[int, About("minhash: number of bands.", 1, 1_000)] = 14
    rows: Annotated[int, About("minhash: rows in a band.", 1, 100)] = 8
    max_postings: Annotated[
        int, About("Documents of one shingle that are all compared with each other.", 2)
    ] = 10_000
    max_copies: Annotated[int, About("Identical documents that are listed pair by pair.", 1)] = 1_000

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        if self.candidates != "exact" and self.measure == "containment":
            return [f"{self.candidates} candidates cannot find containment: take exact"]
        return []
