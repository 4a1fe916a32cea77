"""Results of trec, for the verbs that serve every result."""

from types import MappingProxyType
from typing import Any

from neardup.methods.method import Method
from neardup.results.folder import ResultFolder
from neardup.retrieval.declared import COUNTS
from neardup.retrieval.folder import TrecResult
from neardup.retrieval.view import show_effects
from neardup.showing.listed import Listing


class Trec(Method):
    """What near-duplicates do to an evaluation: no pairs, but effects."""

    name = "trec"
    counts = COUNTS
    refuses = MappingProxyType(
        {
            **dict.fromkeys(
                ("explain", "dedup", "rethreshold", "trec", "sort", "pairs", "threshold"),
                "It measures what near-duplicates do. To find some, run: neardup documents",
            ),
            "report": "Open the report.html in its folder.",
        }
    )

    def listing(self, result: ResultFolder, part: str | None, value: Any, sort: str | None) -> Listing:
        """Return the effects on measures, for programs."""
        del part, value, sort
        return Listing("effects", result.tables.arrow("effects"))

    def show_page(self, result: ResultFolder, page: int, per_page: int | None, sort: str | None) -> None:
        """Print what was found, and every assumption."""
        del page, per_page, sort
        show_effects(TrecResult(result.folder, tables=result.tables))
