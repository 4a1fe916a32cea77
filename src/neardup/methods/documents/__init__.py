"""documents: resemblance of whole documents by shingles, verified on their whole sets."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.documents.declared import COUNTS, TABLES
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.method import Method, lazy


class Documents(Method):
    """Find whole documents that are near-duplicates, and group them into clusters."""

    name = "documents"
    settings = DocumentSettings
    counts = COUNTS
    tables = TABLES
    first = "clusters"
    has_old = True
    refuses: ClassVar[Mapping[str, str]] = {
        "passages": "To see those of one pair, explain it; to find all, run: neardup passages"
    }

    job = lazy("plan:job")
    show_summary = lazy("view:show_summary")
    figures = lazy("view:figures")
    commands = lazy("view:commands")
    looser = lazy("view:looser")
    report = lazy("report:DocumentKind")
    reason = lazy("view:reason")
