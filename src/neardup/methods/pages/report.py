"""What a report shows of near-duplicate pages, and the edit curve of two, as in the paper's figure 4."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.pages.pairs import boilerplate_of, settings_of, trimmed
from neardup.methods.pages.tlcs import Curve, first_round
from neardup.showing.kind import Located, ShownMeasure, share
from neardup.steps.declared import CLUSTERS, DOCUMENTS, DUPLICATES, PAIRS
from neardup.web.scales import covering
from neardup.web.svg import (
    BOTTOM,
    COLOURS,
    LEFT,
    RIGHT,
    TOP,
    Series,
    drawing,
    frame,
    label,
    line,
    tag,
)
from neardup.web.words import counted, say

ACROSS = "characters of the words of the shorter page"
MOST_POINTS = 400  # of an edit curve: more cannot be told apart
IN_A_REPORT = 100


class PageKind(Located):
    """Near-duplicate web pages, with the regions that match, and their clusters."""

    item = read = "page"
    columns_of_items = ("page.a", "page.b")
    leads_with = "title"

    @property
    def measure(self) -> ShownMeasure:
        """Return the resemblance; a pair may have little of it if one page contains the other."""
        return ShownMeasure("similarity", say("measure.resemblance"), None)

    def words(self) -> list[str]:
        """Sum up the result in sentences."""
        counts = self.result.counts
        sites = self.pairs["same_site"]
        known = {
            "duplicates": counts[DUPLICATES],
            "documents": counts[DOCUMENTS],
            "share": share(counts[DUPLICATES], counts[DOCUMENTS]),
            "clusters": counted(counts[CLUSTERS], "cluster"),
        }
        if not pc.count(sites).as_py():
            return [say("pages.found", **known)]
        inside = pc.sum(sites).as_py() or 0
        return [say("pages.found.sites", **known, inside=inside, pairs=counts[PAIRS])]

    @cached_property
    def _boilerplate(self) -> Any:
        return boilerplate_of(self.result)

    def curve(self, row: int, texts: Mapping[int, str]) -> dict[str, Any] | None:
        """Return how the edits run up along the shorter page, and the region that is trusted first."""
        docs = [self.rows[name][row].as_py() for name in ("doc_a", "doc_b")]
        settings = settings_of(self.result)
        if settings.measure != "tlcs" or not all(doc in texts for doc in docs):
            return None
        urls = self.result.documents["url"].take(pa.array(docs)).to_pylist()
        own = [texts[doc] for doc in docs]
        a, b = trimmed(settings, self._boilerplate, own, urls)
        found = first_round(a, b, settings)
        if found is None:
            return None
        region = [int(found.places[at]) for at in (found.begin, found.end)]
        return {"points": points_of(found, IN_A_REPORT), "region": region}


def points_of(curve: Curve, most: int = MOST_POINTS) -> list[tuple[int, int]]:
    """Return about the given number of places with the edits up to them, and both ends of the region."""
    step = max(len(curve.places) // most, 1)
    kept = sorted({*range(0, len(curve.places), step), curve.begin, curve.end, len(curve.places) - 1})
    return [(int(curve.places[i]), int(curve.edits[i])) for i in kept]


def edit_curve(curve: Curve, title: str, width: int = 640, height: int = 340) -> str:
    """Draw the edits up to each character of a page, and the region that is trusted."""
    across = covering([0, *curve.places.tolist()], LEFT, width - RIGHT)
    up = covering([0, *curve.edits.tolist()], height - BOTTOM, TOP)
    begin, end = (across.at(float(curve.places[at])) for at in (curve.begin, curve.end))
    region = {"x": begin, "y": TOP, "width": end - begin, "height": height - BOTTOM - TOP}
    outline = next(
        line(Series("edits", points_of(curve)), across, up, {"stroke": COLOURS[0], "stroke_width": 2})
    )
    tip = tag("title", f"trustable region: {curve.places[curve.begin]} to {curve.places[curve.end]}")
    parts = [
        tag("rect", tip, **region, fill=COLOURS[2], opacity=0.25),
        *frame(across, up, ACROSS, "edits", None),
        outline,
        label((begin + end) / 2, TOP + 14, "trustable region", "middle"),
    ]
    return drawing(title, parts, width, height)
