"""passages: what documents share in part, located in both to the character."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from neardup.methods.method import Method, lazy
from neardup.methods.passages.declared import COUNTS, TABLES
from neardup.methods.passages.settings import PassageSettings

if TYPE_CHECKING:
    from neardup.results.folder import ResultFolder


class Passages(Method):
    """Find passages that documents share, such as quotations or reused text, to the character."""

    name = "passages"
    settings = PassageSettings
    counts = COUNTS
    tables = TABLES
    refuses: ClassVar[Mapping[str, str]] = {
        "clusters": "It has pairs and passages. To find clusters, run: neardup documents",
        "rethreshold": "Filter its passages by similarity, or run neardup passages again.",
    }

    job = lazy("plan:job")
    reader = lazy("apart:reader")
    show_summary = lazy("view:show_summary")
    views = lazy("view:views")
    figures = lazy("view:figures")
    show_boilerplate_hint = lazy("view:show_boilerplate_hint")
    commands = lazy("view:commands")
    looser = lazy("view:looser")
    report = lazy("report:PassageKind")
    removal = lazy("removal:removal")
    exported = lazy("exported:exported")

    def show_nothing(self, result: "ResultFolder") -> None:
        """Say that there are no pairs, what finds more, and how boilerplate is shown."""
        super().show_nothing(result)
        self.show_boilerplate_hint(result)
