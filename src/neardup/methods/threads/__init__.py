"""threads: near-duplicate questions and answers, compared field by field."""

from neardup.methods.method import Method, part
from neardup.methods.threads.settings import ThreadSettings


class Threads(Method):
    """Near-duplicate threads and their clusters."""

    name = "threads"
    settings = ThreadSettings
    tables = ("rejected", "clusters")
    parts = ("cluster",)
    can_be_asked = True

    job = part("plan:job")
    show_summary = part("view:show_summary")
    explain = part("explain:explain_threads")
    show_explanation = part("view:show_explanation")
    explanation_json = part("view:explanation_json")
    report = part("report:ThreadKind")
