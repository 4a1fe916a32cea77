"""pages: near-duplicate web pages by their trustable longest common subsequence."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from neardup.methods.method import PAGE, Method, lazy
from neardup.methods.pages.declared import COUNTS
from neardup.methods.pages.settings import PageSettings

if TYPE_CHECKING:
    from neardup.results.folder import ResultFolder


class Pages(Method):
    """Find web pages with nearly the same content, whatever the templates of their sites."""

    name = "pages"
    settings = PageSettings
    counts = COUNTS
    tables = ("rejected", "clusters", "passages", "boilerplate", "sites")
    parts = ("cluster", "boilerplate", "sites", "curve")
    refuses: ClassVar[Mapping[str, str]] = {
        "rethreshold": "Pages are pairs by resemblance or containment: run neardup pages with others."
    }
    derived = ("threshold",)
    known_by = "url"
    has_old = True

    job = lazy("plan:job")
    reader = lazy("plan:page_reader")
    show_summary = lazy("view:show_summary")
    commands = lazy("view:commands")
    show_sites = lazy("view:show_sites_page")
    listing = lazy("view:listing")
    looser = lazy("view:looser")
    explain = lazy("pairs:explain")
    report = lazy("report:PageKind")
    least_contained = lazy("pairs:least_contained")
    reason = lazy("view:reason")

    def show_part(
        self, result: "ResultFolder", part: str, value: Any, page: int, per_page: int | None
    ) -> None:
        """Print one page of sites, or what other methods have too."""
        if part == "sites":
            self.show_sites(result, page, per_page or PAGE)
        else:
            super().show_part(result, part, value, page, per_page)
