"""pages: near-duplicate web pages by their trustable longest common subsequence."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.method import Method, part
from neardup.methods.pages.settings import PageSettings


class Pages(Method):
    """Near-duplicate pages, the regions that match, their clusters and sites."""

    name = "pages"
    settings = PageSettings
    tables = ("rejected", "clusters", "passages", "boilerplate", "sites")
    parts = ("cluster", "boilerplate", "sites", "curve")
    refuses: ClassVar[Mapping[str, str]] = {
        "rethreshold": "Pages are pairs by resemblance or containment: run neardup pages with others."
    }
    derived = ("threshold",)
    known_by = "url"

    job = part("plan:job")
    show_summary = part("view:show_summary")
    commands = part("view:commands")
    show_part = part("view:show_part")
    looser = part("view:looser")
    explain = part("pairs:explain")
    report = part("report:PageKind")
    least_contained = part("pairs:least_contained")
    reason = part("view:reason")
