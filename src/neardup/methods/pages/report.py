"""What a report shows of near-duplicate web pages."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.pages.curve import points_of
from neardup.methods.pages.pairs import boilerplate_of, settings_of, trimmed
from neardup.methods.pages.tlcs import first_round
from neardup.showing.kind import Located, ShownMeasure, share
from neardup.steps.counters import KeySet
from neardup.steps.declared import CLUSTERS, DOCUMENTS, DUPLICATES, PAIRS
from neardup.web.words import counted, say

MOST_POINTS = 100  # of an edit curve


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
    def _boilerplate(self) -> KeySet:
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
        return {"points": points_of(found, MOST_POINTS), "region": region}
