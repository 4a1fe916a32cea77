"""pages: near-duplicate web pages by their trustable longest common subsequence."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.method import Method, lazy
from neardup.methods.pages.declared import COUNTS, TABLES
from neardup.methods.pages.settings import PageSettings


class Pages(Method):
    """Find web pages with nearly the same content, whatever the templates of their sites."""

    name = "pages"
    settings = PageSettings
    counts = COUNTS
    tables = TABLES
    first = "clusters"
    refuses: ClassVar[Mapping[str, str]] = {
        "rethreshold": "Pages are pairs by resemblance or containment: run neardup pages with others."
    }
    derived = ("threshold",)
    known_by = "url"
    has_old = True

    job = lazy("plan:job")
    reader = lazy("plan:page_reader")
    show_summary = lazy("view:show_summary")
    figures = lazy("view:figures")
    commands = lazy("view:commands")
    looser = lazy("view:looser")
    explain = lazy("pairs:explain")
    curve = lazy("pairs:curve")
    report = lazy("report:PageKind")
    least_contained = lazy("pairs:least_contained")
    reason = lazy("view:reason")
