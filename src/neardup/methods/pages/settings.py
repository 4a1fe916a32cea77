"""The settings of `pages`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from neardup.settings.base import CLUSTERS, PAPER, PRESET, About, Clustering, Expert, Preset, Settings

PageMeasure = Literal["tlcs", "simhash", "cosine"]
PageRule = Literal["templates", "paper"]
PageUnit = Literal["word", "character"]
MOST_DISTANCE = 8  # of simhashes


@dataclass(frozen=True)
class PageSettings(Settings):
    """How near-duplicate web pages are found.

    With the `measure` tlcs, two pages are near-duplicates if the resemblance or the containment of
    their trustable common subsequence reaches its limit; with cosine, if that of their words is at least
    `cosine`; with simhash, if at most `distance` of their `bits` differ. `subsets`, `turns`, `chosen`
    and `shortest` make the signatures that propose pairs; `window` the filtered sketch; `slope` and
    `rounds` the trustable regions; only the first `limit` characters of a page count. What `site_pages`
    pages of a site have in common, while they differ in the rest, is boilerplate. Signatures on over
    `max_pages` pages, or over `max_site_pages` mostly of one site, propose nothing. `max_list` and
    `max_copies` limit work, are counted, and never limit verification. By the `rule` templates, limits
    and what counts depend on what is known of the templates of two pages; by the paper's, on nothing.
    Then sentences are not cut into pieces, sets are merged by the pages that represent them, pages
    without a signature are left out, and sizes of characters are their bytes in GBK. `unit` is what is
    compared. The page with the largest
    number in `weight_column` represents its set, else the one with the most signatures. Pages of which
    most text is in links are of navigation; with `topic_pages_only` they are left out.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {
            "rule": "paper",
            "site_pages": 0,
            "unit": "character",
            "rounds": 1,
            "max_list": 1_000_000,
            "max_copies": 1_000_000,
            "clusters": "components",
            "raw": True,
        }
    }

    measure: Annotated[
        PageMeasure,
        About("tlcs: trustable common subsequence; simhash, cosine: older measures to compare with."),
    ] = "tlcs"
    resemblance: Annotated[
        float, About("tlcs: pages are a pair if their resemblance is at least this.", above=0, most=1)
    ] = 0.28
    containment: Annotated[
        float, About("tlcs: pages are also a pair if this much of one is in the other.", above=0, most=1)
    ] = 0.7
    slope: Annotated[
        float, Expert("tlcs: the most edits per character in a region that counts as a copy.", 0)
    ] = 0.1
    rounds: Annotated[int, Expert("tlcs: regions to look for; 1 finds no moved text.", 1, 1_000)] = 8
    window: Annotated[int, Expert("tlcs: how many characters in a row both must share.", 1, 1_000)] = 16
    limit: Annotated[
        int, Expert("Compare only this many characters of a page, from its start.", 100, 1_000_000)
    ] = 10_000
    subsets: Annotated[
        int, Expert("Signatures from each turn of the ring of sentences (m in the paper).", 1, 1_000)
    ] = 7
    turns: Annotated[
        int, Expert("How often the ring of sentences is turned, at most 16 (n in the paper).", 1, 16)
    ] = 16
    chosen: Annotated[int, Expert("Sentences per signature; fewer propose more pairs.", 1, 100)] = 2
    shortest: Annotated[
        int, Expert("Leave sentences of this many characters or fewer out of signatures.", 0, 10_000)
    ] = 16
    site_pages: Annotated[
        int, About("tlcs: treat text that this many pages of a site share as boilerplate; 0: none.")
    ] = 3
    max_pages: Annotated[
        int, Expert("Ignore a signature that more pages than this have: it is spam or a template.", 2)
    ] = 10_000
    max_site_pages: Annotated[
        int, Expert("Ignore a signature that more pages than this have, if most are of one site.", 2)
    ] = 400
    cosine: Annotated[float, About("cosine: the lowest similarity of a pair.", above=0, most=1)] = 0.95
    bits: Annotated[int, Expert("simhash: how many bits a simhash has, 64 or 128.")] = 64
    distance: Annotated[int, About("simhash: how many bits may differ, up to 8.", 0, MOST_DISTANCE)] = 5
    max_list: Annotated[
        int, Expert("If more pages than this share a signature, do not compare them all.", 2)
    ] = 100
    max_copies: Annotated[
        int, Expert("If more pages than this are identical, pair the rest with the first only.", 1)
    ] = 1_000
    weight_column: Annotated[
        str | None,
        About(
            "Let the page with the largest number in this column (a page rank) represent its set.",
            otherwise="most signatures",
        ),
    ] = None
    topic_pages_only: Annotated[
        bool, About("Leave out pages with more than half of their text in links.")
    ] = False
    clusters: Annotated[Clustering, CLUSTERS] = "star"
    keep: Annotated[
        str,
        About(
            "Which page of a cluster to keep: longest, first, newest, a column (score or "
            "score:asc) or a source (source:wikipedia>books); several with commas."
        ),
    ] = "longest"
    rule: Annotated[
        PageRule,
        Expert(
            "templates: adapt the limits to known templates; paper: sentences, sets and limits as "
            "printed.",
            heading=PAPER,
        ),
    ] = "templates"
    unit: Annotated[PageUnit, Expert("tlcs: what is compared, words or characters.", heading=PAPER)] = (
        "word"
    )
    preset: Annotated[Preset | None, PRESET] = None

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        bits = None if self.bits in (64, 128) else f"bits must be 64 or 128: got {self.bits}"
        by_words = self.measure != "tlcs" and self.unit == "character"
        words = f"{self.measure} compares words, not characters: take the unit word (unit=word)"
        return [bits, words if by_words else None]

    @property
    def in_bytes(self) -> bool:
        """Return whether sizes are counted in bytes of GBK, in which the paper's pages are."""
        return self.rule == "paper" and self.unit == "character"

    @property
    def threshold(self) -> float:
        """Return the least similarity of a pair that is not found by its containment."""
        least = {"tlcs": self.resemblance, "cosine": self.cosine}
        return least.get(self.measure, 1 - self.distance / self.bits)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`."""
        return super().as_dict() | {"threshold": self.threshold}
