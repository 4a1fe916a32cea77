"""The trustable longest common subsequence of two pages (Huang, Wang and Li, 2008).

Words are what is compared, and their characters what is counted. Only the parts of two pages that lie
in windows which both have are compared (the filtered sketches); if these are too short to come near
either limit, that is all. Of their longest common subsequence, only what lies in a trustable region
counts: a part of the page with few edits, near its centre, as long as possible. What was found is taken
out, and the rest is searched again, for paragraphs that were moved.

Where no other pages tell what is boilerplate, its form and its place do: menus and headings are short
lines, which count little, and two pages that end alike are taken for pages of one template. Two texts
with other numbers and names in the same words are a form that was filled twice. None of this is in the
paper; with its `rule`, every character counts, and both limits are as they are set.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.methods.pages.settings import PageSettings
from neardup.steps.rejected import REACH

BLOCKS = (20, 80, 320)  # into which a page is cut to find its trustable region; more if there is none
LEAST_GAIN = 0.02  # of the shorter page: what another round must find to count,
LEAST_WINDOWS = 3  # and at least this many windows
LEAST_CONTAINED = 100  # characters: a shorter text, such as a line of a menu, is in many pages

# Pages with different templates have no boilerplate in common, so that this share of both limits is
# enough. Of two pages with one template of which hardly any is known, most may be that: they must share
# more.
ACROSS = 0.7
BARE_LIMITS = (0.6, 0.9)
# Of texts without any address, nothing says that what differs are templates: most must be common.
UNKNOWN_RESEMBLANCE = 0.5
# and most facts, numbers and names, of the text that has fewer, if these are not just a few.
COMMON_FACTS = 0.6
FEW_FACTS = 5
EDGE = 100  # characters at both ends of a page, by which one template is told from two
SHORT = 0.125  # what a word of a short line counts

Ints = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


class Page(NamedTuple):
    """The words of a page without boilerplate, and where they are in its text.

    `site` is a number, 0 for an unknown one; a page is `bare` if hardly any boilerplate was known.
    `prose` marks the words of sentences that are not short lines; None stands for all. `facts` are
    numbers and names.
    """

    words: Any
    starts: Any
    ends: Any
    site: int = 0
    bare: bool = False
    prose: Any = None
    facts: Any = ()

    @property
    def weights(self) -> Reals:
        """Return what a character of each word counts."""
        if self.prose is None:
            return np.ones(len(self.words))
        return np.where(self.prose, 1.0, SHORT)

    @property
    def sizes(self) -> Ints:
        """Return the characters of each word."""
        return np.asarray(self.ends - self.starts, np.int64)


class Region(NamedTuple):
    """A trustable region: the words of both pages that match, and where in both texts that is."""

    matched_a: Ints
    matched_b: Ints
    chars: int

    def turned(self) -> "Region":
        """Exchange the two pages."""
        return Region(self.matched_b, self.matched_a, self.chars)


class Curve(NamedTuple):
    """The edit curve of the first round: edits up to each character of a page, and the region found."""

    places: Ints
    edits: Ints
    begin: int
    end: int


@dataclass(frozen=True)
class Comparison:
    """What two pages have in common; `stopped` says that their sketches were too short already.

    `limits` are the least resemblance and containment of near-duplicates, with `least` characters;
    `forms` says that they are one form with different facts. The characters of the pages and of the
    trustable common subsequence (`common`) are counted with their weights.
    """

    limits: tuple[float, float]
    chars_a: float
    chars_b: float
    sketch_a: int
    sketch_b: int
    stopped: bool
    least: int = LEAST_CONTAINED
    forms: bool = False
    common: float = 0.0
    regions: tuple[Region, ...] = ()

    @property
    def is_pair(self) -> bool:
        """Say whether the two are near-duplicates."""
        alike = reaches(self.limits, self.common, self.chars_a, self.chars_b, self.least)
        return alike and not self.forms

    @property
    def resemblance(self) -> float:
        """Return X / (|A| + |B| - X)."""
        return resemblance(self.common, self.chars_a, self.chars_b)

    @property
    def containment(self) -> float:
        """Return X / min(|A|, |B|)."""
        return containment(self.common, self.chars_a, self.chars_b)


def resemblance(common: float, chars_a: float, chars_b: float) -> float:
    """Return the resemblance of two pages with this many common characters."""
    return common / max(chars_a + chars_b - common, 1)


def containment(common: float, chars_a: float, chars_b: float) -> float:
    """Return the containment of the shorter of two pages in the other."""
    return common / max(min(chars_a, chars_b), 1)


def limits_of(a: Page, b: Page, alike: tuple[bool, bool], settings: PageSettings) -> tuple[float, float]:
    """Return the lowest resemblance and containment of two pages that are near-duplicates.

    `alike` says whether the pages begin and end alike. Pages of one site do if their template was not
    left out, but also those of sites that share a template; a story may begin alike anywhere.
    """
    limits = settings.resemblance, settings.containment
    if settings.rule == "paper":
        return limits
    if not (a.site or b.site):
        limits = max(limits[0], UNKNOWN_RESEMBLANCE), limits[1]
    known = bool(a.site and b.site)
    apart = known and a.site != b.site
    if a.bare and b.bare:
        begin, end = alike
        if end and (begin or not apart):
            return max(limits[0], BARE_LIMITS[0]), max(limits[1], BARE_LIMITS[1])
        one_known = bool(a.site or b.site) and not known
        apart = apart or (one_known and not (begin or end))
    return (ACROSS * limits[0], ACROSS * limits[1]) if apart else limits


def are_forms(a: Page, b: Page, settings: PageSettings) -> bool:
    """Say whether two texts of which no site is known have other facts, in whatever words.

    Where sites are known, boilerplate tells forms from what is filled in.
    """
    fewer = min(len(a.facts), len(b.facts))
    if settings.rule == "paper" or a.site or b.site or fewer < FEW_FACTS:
        return False
    own, other = (np.unique(page.facts, return_counts=True) for page in (a, b))
    _, at, at_other = np.intersect1d(own[0], other[0], assume_unique=True, return_indices=True)
    return bool(np.minimum(own[1][at], other[1][at_other]).sum() < COMMON_FACTS * fewer)


def begins_alike(sizes: Ints, marks: Any) -> bool:
    """Say whether most of the first characters of a page are in its sketch."""
    first = slice(0, int(np.searchsorted(np.cumsum(sizes), EDGE)) + 1)
    return bool(2 * sizes[first][marks[first]].sum() > sizes[first].sum())


def alike_ends(sizes_a: Ints, marks_a: Any, sizes_b: Ints, marks_b: Any) -> tuple[bool, bool]:
    """Say whether two pages begin alike, and whether they end alike."""
    begin, end = (
        begins_alike(sizes_a[way], marks_a[way]) and begins_alike(sizes_b[way], marks_b[way])
        for way in (slice(None), slice(None, None, -1))
    )
    return begin, end


def reaches(
    limits: tuple[float, float], common: float, chars_a: float, chars_b: float, least: int
) -> bool:
    """Say whether this many common characters make two pages near-duplicates.

    Only if at least so many are common does it count that a page is in the other one.
    """
    if resemblance(common, chars_a, chars_b) >= limits[0]:
        return True
    inside = containment(common, chars_a, chars_b) >= limits[1]
    return inside and common >= least


def first_round(a: Page, b: Page, settings: PageSettings) -> Curve | None:
    """Return the edit curve of the shorter of two pages with its trustable region, if there is one."""
    from neardup.kernels.regions import sketches

    if b.sizes.sum() < a.sizes.sum():
        a, b = b, a
    marks = sketches(a.words, a.sizes, b.words, b.sizes, settings.window)
    return next((curve for _, curve in rounds(a, marks[0], b, marks[1], settings)), None)


def compare(a: Page, b: Page, settings: PageSettings, whole: bool = False) -> Comparison:
    """Compare two pages; with `whole`, also if their sketches are too short."""
    from neardup.kernels.regions import sketches

    least = LEAST_CONTAINED
    if settings.rule == "paper":
        a, b, least = a._replace(prose=None), b._replace(prose=None), 1
    sizes_a, sizes_b = a.sizes, b.sizes
    marks_a, marks_b = sketches(a.words, sizes_a, b.words, sizes_b, settings.window)
    sketch_a, sketch_b = int(sizes_a[marks_a].sum()), int(sizes_b[marks_b].sum())
    limits = limits_of(a, b, alike_ends(sizes_a, marks_a, sizes_b, marks_b), settings)
    most = min(sketch_a, sketch_b)  # in common, if all of that counts in full
    most_a, most_b = (most + float(counted(p)[~m].sum()) for p, m in ((a, marks_a), (b, marks_b)))
    nearly = limits[0] - REACH, limits[1] - REACH
    stopped = not reaches(nearly, most, most_a, most_b, least)
    forms = not stopped and are_forms(a, b, settings)
    comparison = Comparison(limits, most_a, most_b, sketch_a, sketch_b, stopped, least, forms)
    if stopped and not whole:
        return comparison
    turned = sizes_b.sum() < sizes_a.sum()  # the edits of the shorter page are looked at
    sides = (b, marks_b, a, marks_a) if turned else (a, marks_a, b, marks_b)
    regions = [region for region, _ in rounds(*sides, settings)]
    regions = [region.turned() for region in regions] if turned else regions
    return weighed(replace(comparison, regions=tuple(regions)), a, b)


def counted(page: Page) -> Reals:
    """Return the characters of each word with their weight."""
    return page.sizes * page.weights


def weighed(comparison: Comparison, a: Page, b: Page) -> Comparison:
    """Count what two pages have in common; what is prose on one of them is so on the other one."""
    none = [np.empty(0, np.int64)]
    own_a = np.concatenate(none + [region.matched_a for region in comparison.regions])
    own_b = np.concatenate(none + [region.matched_b for region in comparison.regions])
    common = float((a.sizes[own_a] * np.maximum(a.weights[own_a], b.weights[own_b])).sum())
    chars_a, chars_b = (
        float(np.delete(counted(page), own).sum()) + common for page, own in ((a, own_a), (b, own_b))
    )
    return replace(comparison, common=common, chars_a=chars_a, chars_b=chars_b)


def rounds(
    a: Page, marks_a: Any, b: Page, marks_b: Any, settings: PageSettings
) -> Iterator[tuple[Region, Curve]]:
    """Yield one trustable region after the other, each in what the ones before left over."""
    from neardup.kernels.regions import edit_curve

    sizes_a, sizes_b = a.sizes, b.sizes
    left_a, left_b = np.arange(len(a.words)), np.arange(len(b.words))
    shorter = min(sizes_a.sum(), sizes_b.sum())
    least = max(min(max(LEAST_GAIN * shorter, LEAST_WINDOWS * settings.window), shorter / 2), 1)
    for _ in range(settings.rounds):
        shared = min(sizes_a[left_a][marks_a[left_a]].sum(), sizes_b[left_b][marks_b[left_b]].sum())
        if shared < least:
            return
        matched = common_words(a.words[left_a], marks_a[left_a], b.words[left_b], marks_b[left_b])
        curve = edit_curve(sizes_a[left_a], matched, sizes_b[left_b])
        begin, end = region_of(curve, settings.slope, least)
        own = begin + np.flatnonzero(matched[begin:end] >= 0)
        region = Region(left_a[own], left_b[matched[own]], int(sizes_a[left_a[own]].sum()))
        if region.chars < least:
            return
        begin, end = int(own[0]), int(own[-1]) + 1  # what is edited at its ends may match elsewhere
        yield region, Curve(curve[0], curve[1], begin, end)
        left_a, left_b = np.delete(left_a, np.s_[begin:end]), np.delete(left_b, matched[own])


def region_of(curve: tuple[Any, Any, Any], slope: float, least: float) -> tuple[int, int]:
    """Return the first and the last word, excluded, of the trustable region of an edit curve."""
    from neardup.kernels.regions import trustable_region

    begin = end = 0
    for blocks in BLOCKS:
        begin, end = trustable_region(*curve, blocks, slope)
        if curve[0][end] - curve[0][begin] >= least:
            break
    return begin, end


def common_words(words_a: Any, marks_a: Any, words_b: Any, marks_b: Any) -> Ints:
    """Return for each word of a page the one of the other that it is in their sketches' LCS, or -1."""
    from rapidfuzz.distance import LCSseq

    from neardup.kernels.regions import symbols

    matched = np.full(len(words_a), -1, np.int64)
    own_a, own_b = np.flatnonzero(marks_a), np.flatnonzero(marks_b)
    text_a, text_b = symbols(words_a[own_a], words_b[own_b])
    if np.array_equal(text_a, text_b):
        matched[own_a] = own_b
        return matched
    edits = LCSseq.editops(as_text(text_a), as_text(text_b))
    for at_a, at_b, size in edits.as_matching_blocks():
        matched[own_a[at_a : at_a + size]] = own_b[at_b : at_b + size]
    return matched


def as_text(symbols: Any) -> str:
    """Return numbers as a text, which is what compares fastest."""
    return str(symbols.astype("<u4").tobytes().decode("utf-32-le"))
