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

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from neardup.arrays import Array, Bools, Floats, Hashes, Integers
from neardup.methods.pages.settings import PageSettings
from neardup.steps.rejected import REACH

LEAST_GAIN = 0.02  # of the shorter page: what another round must find to count,
LEAST_WINDOWS = 3  # and at least this many windows
LEAST_CONTAINED = 100  # characters: a shorter text, such as a line of a menu, is in many pages

# Pages with different templates have no boilerplate in common, so that this share of both limits is
# enough. Of two pages with one template of which hardly any is known, most may be that: they must share
# more.
ACROSS = 0.7
BARE_LIMITS = (0.6, 0.9)
# Of texts without any address, nothing says that what differs are templates: most must be common,
# and of those that were no HTML so much of the longer one's prose: else one is an excerpt, or quoted.
UNKNOWN_RESEMBLANCE = 0.5
OF_LONGER = 0.4
# and most facts, numbers and names, of the text that has fewer, if these are not just a few.
COMMON_FACTS = 0.6
FEW_FACTS = 5
EDGE = 100  # characters at both ends of a page, by which one template is told from two
SHORT = 0.125  # what a word of a short line counts
ANYWHERE = 1e9  # a slope with which all that is common counts, in a region or not


class Page(NamedTuple):
    """The words of a page without boilerplate, and where they are in its text.

    `sizes` are the characters of each word, and `weights` what one of them counts. `site` is a number, 0
    for an unknown one; a page is `bare` if hardly any boilerplate was known, and `plain` if it was no
    HTML. `facts` are numbers and names.
    """

    words: Hashes
    starts: Array
    ends: Array
    sizes: Integers
    weights: Floats
    site: int = 0
    bare: bool = False
    facts: Array | tuple[()] = ()
    plain: bool = True


class Regions(NamedTuple):
    """Trustable regions: the words of both pages that match, and where each region begins among them."""

    matched_a: Integers
    matched_b: Integers
    bounds: Integers


class Curve(NamedTuple):
    """The edit curve of the first round: edits up to each character of a page, and the region found."""

    places: Integers
    edits: Integers
    begin: int
    end: int


NO_REGIONS = Regions(np.empty(0, np.int64), np.empty(0, np.int64), np.zeros(1, np.int64))


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
    least: float = LEAST_CONTAINED
    forms: bool = False
    common: float = 0.0
    regions: Regions = NO_REGIONS

    @property
    def is_pair(self) -> bool:
        """Return whether the two are near-duplicates."""
        alike = reaches(self.limits, self.common, self.chars_a, self.chars_b, self.least)
        return alike and not self.forms

    @property
    def reached(self) -> float:
        """Return which part of its limit is reached, of the measure that is nearer to it."""
        inside = self.containment / self.limits[1] if self.common >= self.least else 0.0
        return max(self.resemblance / self.limits[0], inside)

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
    """Return whether two texts of which no site is known have other facts, in whatever words.

    Where sites are known, boilerplate tells forms from what is filled in.
    """
    fewer = min(len(a.facts), len(b.facts))
    if settings.rule == "paper" or a.site or b.site or fewer < FEW_FACTS:
        return False
    own, other = (np.unique(page.facts, return_counts=True) for page in (a, b))
    _, at, at_other = np.intersect1d(own[0], other[0], assume_unique=True, return_indices=True)
    return bool(np.minimum(own[1][at], other[1][at_other]).sum() < COMMON_FACTS * fewer)


def least_common(a: Page, b: Page, settings: PageSettings) -> float:
    """Return how many characters must be common for it to count that one page is in the other."""
    if settings.rule == "paper":
        return 1
    if a.site or b.site or not (a.plain and b.plain):
        return LEAST_CONTAINED
    prose = max(float(page.sizes[page.weights == 1].sum()) for page in (a, b))
    return max(LEAST_CONTAINED, OF_LONGER * prose)


def reaches(
    limits: tuple[float, float], common: float, chars_a: float, chars_b: float, least: float
) -> bool:
    """Return whether this many common characters make two pages near-duplicates.

    A page counts as part of the other one only if at least that many are common.
    """
    if resemblance(common, chars_a, chars_b) >= limits[0]:
        return True
    inside = containment(common, chars_a, chars_b) >= limits[1]
    return inside and common >= least


def first_round(a: Page, b: Page, settings: PageSettings) -> Curve | None:
    """Return the edit curve of the shorter of two pages with its trustable region, if there is one."""
    from neardup.kernels.filtered_sketches import sketches

    _, curve = trusted(a, b, sketches(a.words, a.sizes, b.words, b.sizes, settings.window), settings)
    return curve if curve.end else None


def compare(a: Page, b: Page, settings: PageSettings, whole: bool = False) -> Comparison:
    """Compare two pages; with `whole`, also if their sketches are too short."""
    from neardup.kernels.filtered_sketches import sketched, sketches
    from neardup.kernels.regions import in_common

    least = least_common(a, b, settings)
    if settings.rule == "paper":
        a, b = (page._replace(weights=np.ones(len(page.words))) for page in (a, b))
    marks = sketches(a.words, a.sizes, b.words, b.sizes, settings.window)
    sketch_a, rest_a, begin_a, end_a = sketched(a.sizes, a.weights, marks[0], EDGE)
    sketch_b, rest_b, begin_b, end_b = sketched(b.sizes, b.weights, marks[1], EDGE)
    limits = limits_of(a, b, (begin_a and begin_b, end_a and end_b), settings)
    most = min(sketch_a, sketch_b)  # in common, if all of that counts in full
    most_a, most_b = most + rest_a, most + rest_b
    nearly = limits[0] - REACH, limits[1] - REACH
    stopped = not reaches(nearly, most, most_a, most_b, least)
    forms = not stopped and are_forms(a, b, settings)
    comparison = Comparison(limits, most_a, most_b, sketch_a, sketch_b, stopped, least, forms)
    if stopped and not whole:
        return comparison
    found, _ = trusted(a, b, marks, settings)
    chars = in_common(a.sizes, a.weights, found.matched_a, b.sizes, b.weights, found.matched_b)
    return replace(comparison, common=chars[0], chars_a=chars[1], chars_b=chars[2], regions=found)


def trusted(
    a: Page, b: Page, marks: tuple[Bools, Bools], settings: PageSettings
) -> tuple[Regions, Curve]:
    """Return the trustable regions of two pages with marked words, and the curve of the first one.

    The edits of the shorter page are looked at.
    """
    from neardup.kernels.regions import trusted_regions

    chars_a, chars_b = int(a.sizes.sum()), int(b.sizes.sum())
    shorter = min(chars_a, chars_b)
    least = max(min(max(LEAST_GAIN * shorter, LEAST_WINDOWS * settings.window), shorter / 2), 1)
    # there is no other round to end, or nothing is left out
    if (settings.rule == "paper" and settings.rounds == 1) or settings.slope >= ANYWHERE:
        least = 1
    sides = (a.words, a.sizes, marks[0]), (b.words, b.sizes, marks[1])
    one, other = sides[::-1] if chars_b < chars_a else sides
    *found, curve = trusted_regions(*one, *other, float(least), settings.slope, settings.rounds)
    if chars_b < chars_a:
        found[:2] = found[1::-1]
    return Regions(*found), Curve(*curve)
