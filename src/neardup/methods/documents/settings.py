"""The settings of `documents`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from neardup.settings.base import CLUSTERS, PAPER, PRESET, About, Clustering, Expert, Listing, Preset
from neardup.settings.exclusions import ExclusionSettings

Candidates = Literal["exact", "sampled", "minhash"]
Measure = Literal["resemblance", "containment"]
DocumentRule = Literal["rest", "paper"]


@dataclass(frozen=True)
class DocumentSettings(ExclusionSettings):
    """How near-duplicate documents are found.

    A shingle that more than `max_postings` documents have is too common to compare all of them with
    each other; of more than `max_copies` identical documents, not every pair is listed; and of more than
    `max_pairs` that all resemble each other neither. All limit work, are counted, and never limit
    verification. Shingles that more than `max_shared` documents have are taken out of all sets, and what
    is left is compared (0: none are). By the `rule` of the paper, a thesis, they only count as not
    common (its SCT): sizes stay whole, so that pairs are lost and none is new.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {
            "threshold": 0.5,
            "shingle": "char:64",
            "max_postings": 1_000_000,
            "max_copies": 1_000_000,
            "max_pairs": 1_000_000,
            "rule": "paper",
            "raw": True,
        }
    }

    threshold: Annotated[
        float, About("The lowest similarity of a pair: above 0, at most 1.", above=0, most=1)
    ] = 0.7
    measure: Annotated[
        Measure, About("resemblance compares whole documents, containment finds one inside another.")
    ] = "resemblance"
    candidates: Annotated[
        Candidates, About("exact finds every pair; sampled and minhash are faster and may miss some.")
    ] = "exact"
    shingle: Annotated[
        str, About("What is compared: runs of N words (word:N) or of N characters (char:N).")
    ] = "word:5"
    mask: Annotated[
        str | None,
        About(
            "Treat all numbers, ids, dates, addresses (IP, e-mail, URL) or names (@name) as equal; "
            "several with commas, or all."
        ),
    ] = None
    pairs: Annotated[
        Listing | None,
        About(
            "Which pairs to list: all, only those of a document and the keeper of its cluster, or none.",
            otherwise="all; of more than 10 million those with keepers",
        ),
    ] = None
    clusters: Annotated[Clustering, CLUSTERS] = "star"
    keep: Annotated[
        str,
        About(
            "Which document of a cluster to keep: longest, first, newest, a column (score or "
            "score:asc) or a source (source:wikipedia>books); several with commas."
        ),
    ] = "longest"
    sample: Annotated[int, Expert("sampled: take one shingle in this many.", 1, 1_000_000)] = 16
    bands: Annotated[int, Expert("minhash: bands of a sketch; more find more pairs.", 1, 1_000)] = 14
    rows: Annotated[int, Expert("minhash: rows of a band; fewer find more pairs.", 1, 100)] = 8
    max_shared: Annotated[
        int, About("Ignore shingles that more documents than this have, as boilerplate; 0: ignore none.")
    ] = 0
    max_postings: Annotated[
        int, Expert("If more documents than this share a shingle, do not compare them all.", 2)
    ] = 10_000
    max_copies: Annotated[
        int, Expert("If more documents than this are identical, pair the rest with the first only.", 1)
    ] = 1_000
    max_pairs: Annotated[
        int | None,
        Expert(
            "Compare a document with more candidates than this with the best keepers only.",
            1,
            otherwise="1000; 10000 for a threshold below 0.5",
        ),
    ] = None
    rule: Annotated[
        DocumentRule,
        Expert(
            "max-shared: compare the rest of the sets, or count common shingles as not shared (paper).",
            heading=PAPER,
        ),
    ] = "rest"
    preset: Annotated[Preset | None, PRESET] = None

    @property
    def most_pairs(self) -> int:
        """The most candidates of a document; at low thresholds most of them are no pairs."""
        return self.max_pairs or (1_000 if self.threshold >= 0.5 else 10_000)

    @property
    def longest_list(self) -> int:
        """The most documents that a shingle pairs all with all."""
        return min(self.max_postings, 2 * self.most_pairs)

    @property
    def counts_keys(self) -> bool:
        """Whether candidates have to share as many keys as the threshold asks for, and not only one."""
        return self.candidates == "exact" and self.measure == "resemblance" and self.rule == "rest"

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        from neardup.text.masks import problem

        inside = self.candidates != "exact" and self.measure == "containment"
        return [
            f"{self.candidates} candidates cannot find containment: take exact" if inside else None,
            problem(self.mask) if self.mask is not None else None,
            "max_shared must be 0 or at least 2: got 1" if self.max_shared == 1 else None,
        ]
