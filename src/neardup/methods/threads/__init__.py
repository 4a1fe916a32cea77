"""threads: near-duplicate questions and answers, compared field by field."""

from neardup.methods.method import Method, lazy
from neardup.methods.threads.declared import COUNTS, TABLES
from neardup.methods.threads.settings import ThreadSettings


class Threads(Method):
    """Find near-duplicate questions of a forum, comparing titles, bodies and answers."""

    name = "threads"
    settings = ThreadSettings
    counts = COUNTS
    tables = TABLES
    first = "clusters"
    has_old = True
    can_be_asked = True

    job = lazy("plan:job")
    show_summary = lazy("view:show_summary")
    figures = lazy("view:figures")
    explain = lazy("explain:explain_threads")
    show_explanation = lazy("view:show_explanation")
    explanation_json = lazy("view:explanation_json")
    report = lazy("report:ThreadKind")
