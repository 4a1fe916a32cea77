"""sentences: similar sentences, what differs in them, and the kind of change."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.method import Method, lazy
from neardup.methods.sentences.declared import COUNTS, TABLES
from neardup.methods.sentences.settings import SentenceSettings


class Sentences(Method):
    """Find similar sentences, such as facts that articles state differently, and say what changed."""

    name = "sentences"
    settings = SentenceSettings
    counts = COUNTS
    tables = TABLES
    first = "sentences"
    exports = ("drift",)
    has_old = True
    refuses: ClassVar[Mapping[str, str]] = {
        "clusters": "Its table of sentences has their clusters.",
        "threshold": "It has a largest distance: .run['settings']['max_distance']",
        "rethreshold": "Filter its pairs by distance, or run neardup sentences again.",
        "trec": "Its pairs are of sentences. To find pairs of documents, run: neardup documents",
    }

    job = lazy("plan:job")
    reader = lazy("plan:sentence_reader")
    show_summary = lazy("view:show_summary")
    figures = lazy("view:figures")
    commands = lazy("view:commands")
    views = lazy("view:views")
    show_cluster = lazy("view:show_cluster")
    members = lazy("view:members")
    looser = lazy("view:looser")
    explain = lazy("explain:explain")
    show_explanation = lazy("view:show_explanation")
    explanation_json = lazy("view:explanation_json")
    report = lazy("report:SentenceKind")
    removal = lazy("removal:removal")
    exported = lazy("tables:exported")
