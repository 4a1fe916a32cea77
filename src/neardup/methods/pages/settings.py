"""The settings of `pages`."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from neardup.settings.base import CLUSTERS, About, Clustering, Settings

PageMeasure = Literal["tlcs", "simhash", "cosine"]
MOST_DISTANCE = 8  # of simhashes


@dataclass(frozen=True)
class PageSettings(Settings):
    """How near-duplicate web pages are found.

    `measure` tlcs takes two pages for near-duplicates if the resemblance or the containment of their
    trustable common subsequence reaches its limit; cosine if that of their words is at least `cosine`;
    simhash if at most `distance` of so many `bits` differ. `subsets`, `turns`, `chosen` and `shortest`
    make the signatures that propose pairs; `window` the filtered sketch; `slope` and `rounds` the
    trustable regions; only the first `limit` characters of a page count. What so many `site_pages` of a
    site have in common, while they differ in the rest, is boilerplate. Signatures on over `max_pages`
    pages, or over `max_site_pages` mostly of one site, propose nothing. `max_list` and `max_copies`
    limit work, are counted, and never limit verification.
    """

    measure: Annotated[
        PageMeasure,
        About("Trustable common subsequence; simhash and cosine are there to compare with."),
    ] = "tlcs"
    resemblance: Annotated[
        float, About("tlcs: the least resemblance of a pair, or", above=0, most=1)
    ] = 0.28
    containment: Annotated[
        float, About("tlcs: how much of the shorter page is in the other.", above=0, most=1)
    ] = 0.7
    slope: Annotated[float, About("tlcs: the most edits a character in a trustable region.", 0, 1)] = 0.1
    rounds: Annotated[
        int,
        About("tlcs: so many regions are looked for; 1 finds no moved paragraphs.", 1, 1_000),
    ] = 8
    window: Annotated[
        int, About("tlcs: characters that both must have in a row to count.", 1, 1_000)
    ] = 16
    limit: Annotated[int, About("Only so many first characters of a page count.", 100, 1_000_000)] = (
        10_000
    )
    subsets: Annotated[int, About("Signatures of one turn of the ring (m).", 1, 1_000)] = 7
    turns: Annotated[int, About("Turns of the ring, up to 16 (n).", 1, 16)] = 16
    chosen: Annotated[int, About("Sentences that make one signature.", 1, 100)] = 2
    shortest: Annotated[
        int, About("Sentences of up to so many characters make no signature.", 0, 10_000)
    ] = 16
    site_pages: Annotated[
        int, About("tlcs: what so many pages of a site share is boilerplate; 0: nothing is.")
    ] = 3
    max_pages: Annotated[
        int, About("A signature of more pages than this is of spam or a template.", 2)
    ] = 10_000
    max_site_pages: Annotated[
        int, About("So is one of more pages than this, mostly of one site.", 2)
    ] = 400
    cosine: Annotated[float, About("cosine: the least one of a pair.", above=0, most=1)] = 0.95
    bits: Annotated[int, About("simhash: 64 or 128.")] = 64
    distance: Annotated[int, About("simhash: bits that may differ, up to 8.", 0, MOST_DISTANCE)] = 5
    max_list: Annotated[
        int, About("Pages of one signature that are all compared with each other.", 2)
    ] = 100
    max_copies: Annotated[int, About("Identical pages that are listed pair by pair.", 1)] = 1_000
    clusters: Annotated[Clustering, CLUSTERS] = "star"
    keep: Annotated[str, About("The keeper of a cluster: longest, first, newest or a column.")] = (
        "longest"
    )

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        return [None if self.bits in (64, 128) else f"bits must be 64 or 128: got {self.bits}"]

    @property
    def threshold(self) -> float:
        """Return the least similarity of a pair that is not found by its containment."""
        least = {"tlcs": self.resemblance, "cosine": self.cosine}
        return least.get(self.measure, 1 - self.distance / self.bits)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`."""
        return super().as_dict() | {"threshold": self.threshold}
