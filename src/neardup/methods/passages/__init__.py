"""passages: what documents share in part, located in both to the character."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.method import Method, lazy
from neardup.methods.passages.settings import PassageSettings


class Passages(Method):
    """Find passages that documents share, such as quotations or reused text, to the character."""

    name = "passages"
    settings = PassageSettings
    tables = ("passages", "boilerplate")
    parts = ("boilerplate",)
    refuses: ClassVar[Mapping[str, str]] = {
        "clusters": "It has pairs and passages. To find clusters, run: neardup documents",
        "rethreshold": "Filter its passages by similarity, or run neardup passages again.",
    }

    job = lazy("plan:job")
    show_summary = lazy("view:show_summary")
    show_pairs = lazy("view:show_pairs")
    looser = lazy("view:looser")
    report = lazy("report:PassageKind")
    removal = lazy("removal:removal")
