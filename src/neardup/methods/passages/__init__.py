"""passages: what documents share in part, located in both to the character."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from neardup.methods.method import PAGE, Method, lazy
from neardup.methods.passages.declared import COUNTS
from neardup.methods.passages.settings import PassageSettings

if TYPE_CHECKING:
    from neardup.results.folder import ResultFolder


class Passages(Method):
    """Find passages that documents share, such as quotations or reused text, to the character."""

    name = "passages"
    settings = PassageSettings
    counts = COUNTS
    tables = ("passages", "boilerplate", "shares")
    parts = ("boilerplate", "shares")
    refuses: ClassVar[Mapping[str, str]] = {
        "clusters": "It has pairs and passages. To find clusters, run: neardup documents",
        "rethreshold": "Filter its passages by similarity, or run neardup passages again.",
    }

    job = lazy("plan:job")
    show_summary = lazy("view:show_summary")
    show_pairs = lazy("view:show_pairs")
    show_boilerplate_hint = lazy("view:show_boilerplate_hint")
    show_shares = lazy("view:show_shares_page")
    commands = lazy("view:commands")
    listing = lazy("view:listing")
    looser = lazy("view:looser")
    report = lazy("report:PassageKind")
    removal = lazy("removal:removal")

    def show_page(
        self, result: "ResultFolder", page: int, per_page: int | None, sort: str | None
    ) -> None:
        """Print one page of pairs, and say how boilerplate is shown."""
        super().show_page(result, page, per_page, sort)
        self.show_boilerplate_hint(result)

    def show_part(
        self, result: "ResultFolder", part: str, value: Any, page: int, per_page: int | None
    ) -> None:
        """Print one page of documents by what of them stands elsewhere, or of boilerplate."""
        if part == "shares":
            self.show_shares(result, page, per_page or PAGE)
        else:
            super().show_part(result, part, value, page, per_page)
