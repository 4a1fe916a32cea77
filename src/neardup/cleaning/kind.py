"""What was cleaned out of a corpus, for the verbs that serve every result."""

from types import MappingProxyType
from typing import TYPE_CHECKING

from neardup.cleaning.declared import COUNTS, TABLES
from neardup.methods.method import Method
from neardup.tables import Table

if TYPE_CHECKING:
    from neardup.results.folder import ResultFolder
    from neardup.showing.listed import Asked

NO_PAIRS = "Its ledger says what went for what: neardup show CLEAN ledger"


class Clean(Method):
    """What the stages of a recipe dropped and cut: a ledger, and the flow from stage to stage."""

    name = "clean"
    counts = COUNTS
    tables = TABLES
    first = "flow"
    refuses = MappingProxyType(
        dict.fromkeys(
            ("explain", "report", "rethreshold", "tei", "trec", "pairs", "threshold", "clusters"),
            NO_PAIRS,
        )
        | {"dedup": "The corpus is cleaned already."}
    )

    def show_summary(self, result: "ResultFolder") -> None:
        """Print what was read, what each stage took, and what is left."""
        from neardup.cleaning.view import show_summary

        show_summary(result)

    def paper(self, result: "ResultFolder") -> str:
        """Return the report: the flow from stage to stage, and examples."""
        from neardup.cleaning.report import report_page

        return report_page(result)

    def show_page(self, result: "ResultFolder", table: Table, asked: "Asked") -> None:
        """Print what each stage took."""
        self.show_summary(result)
