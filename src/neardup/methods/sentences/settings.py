"""The settings of `sentences`, and the paper's two combinations of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from neardup.settings.base import (
    CLUSTERS,
    PAPER,
    PRESET,
    About,
    Clustering,
    Expert,
    Settings,
    check_language,
    in_range,
)

SentenceCandidates = Literal["rare", "minhash"]
Grouping = Literal["verified", "candidates"]
Splitting = Literal["auto", "sentences", "lines", "paragraphs", "records"]
SentencePreset = Literal["paper", "paper-precision"]
DEEPEST = 6  # level of a heading
# The paper's two combinations: for recall before a filter by edit distance, and for few false positives.
BOTH = {
    "candidates": "minhash",
    "signatures": 10,
    "clusters": "components",
    "grouping": "candidates",
}


@dataclass(frozen=True)
class SentenceSettings(Settings):
    """How similar sentences are found.

    `split` says what is compared: the `sentences` of a text, its `lines`, its `paragraphs` (empty lines
    are between them), or whole `records`; `auto` takes records if most of them are a single sentence.
    `keys` belongs to `rare` candidates; `shingle` (characters, L in the paper), `signatures` (N), `rows`
    (K), `hash_bits` and `seed` to `minhash`. `max_bucket` and `max_copies` limit work, are counted, and
    never limit verification. With `revisions`, revisions of a page are compared with each other, and
    with nothing else.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {**BOTH, "rows": 8, "shingle": 10},
        "paper-precision": {**BOTH, "rows": 10, "shingle": 12},
    }

    max_distance: Annotated[
        float, About("The highest edit distance of a pair, as a share of its length.", above=0, most=1)
    ] = 0.25
    min_length: Annotated[int, About("The fewest characters of a sentence.", 1, 2**31)] = 20
    max_length: Annotated[int, About("The most characters of a sentence.", 1, 2**31)] = 1_000
    max_depth: Annotated[
        float,
        About(
            "Leave out sentences that begin beyond this share of their document: 0.9 leaves out "
            "the last tenth, with its references and links.",
            above=0,
            most=1,
        ),
    ] = 1.0
    max_level: Annotated[
        int | None,
        About(
            "Wikis: leave out sentences under deeper headings: 2 for == X ==, 0 for what comes "
            "before the first heading.",
            0,
            DEEPEST,
            otherwise="all",
        ),
    ] = None
    split: Annotated[
        Splitting,
        About(
            "Compare sentences, lines, paragraphs or whole records; auto: sentences, or records if most "
            "are a single sentence."
        ),
    ] = "auto"
    unit: Annotated[
        int, About("Compare every run of this many consecutive sentences as one.", 1, 100)
    ] = 1
    language: Annotated[
        str, About("The language for splitting sentences, such as en or zh; auto detects it.")
    ] = "auto"
    candidates: Annotated[
        SentenceCandidates,
        About("Compare sentences that share rare runs of words (rare) or a signature (minhash)."),
    ] = "rare"
    keys: Annotated[int, Expert("rare: runs of words per sentence; more find more pairs.", 1, 1_000)] = (
        12
    )
    shingle: Annotated[int, Expert("minhash: characters per shingle (the paper's L).", 1, 1_000)] = 10
    signatures: Annotated[int, Expert("minhash: signatures per sentence (the paper's N).", 1, 1_000)] = (
        10
    )
    rows: Annotated[int, Expert("minhash: hashes per signature (the paper's K).", 1, 100)] = 8
    hash_bits: Annotated[int, Expert("minhash: bits of each hash.", 1, 64)] = 32
    seed: Annotated[int, Expert("minhash: another seed gives other hash functions.", 0, 2**63 - 1)] = 1
    max_bucket: Annotated[
        int, Expert("If more sentences than this share a signature or run, do not compare them all.", 2)
    ] = 100
    max_copies: Annotated[
        int, Expert("If more sentences than this are identical, pair the rest with the first only.", 1)
    ] = 20
    clusters: Annotated[Clustering, CLUSTERS] = "star"
    revisions: Annotated[bool, About("Wikis: compare only revisions of the same page.")] = False
    grouping: Annotated[
        Grouping,
        Expert(
            "verified: group pairs within the distance; candidates (with components): group what "
            "shares a signature, then filter the pairs.",
            heading=PAPER,
        ),
    ] = "verified"
    preset: Annotated[SentencePreset | None, PRESET] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_language(self.language)

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        return [
            in_range("max_length", self.max_length, self.min_length, 2**31),
            "to group candidates, clusters must be components"
            if self.grouping == "candidates" and self.clusters != "components"
            else None,
        ]
