"""documents: resemblance of whole documents by shingles, verified on their whole sets."""

from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.method import Method, part


class Documents(Method):
    """Near-duplicate documents and their clusters."""

    name = "documents"
    settings = DocumentSettings
    tables = ("rejected", "clusters")
    parts = ("cluster",)

    job = part("plan:job")
    show_summary = part("view:show_summary")
    figures = part("view:figures")
    commands = part("view:commands")
    looser = part("view:looser")
    report = part("report:DocumentKind")
    reason = part("view:reason")
