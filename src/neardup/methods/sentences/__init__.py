"""sentences: similar sentences, what differs in them, and the kind of change."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.method import Method, lazy
from neardup.methods.sentences.declared import COUNTS
from neardup.methods.sentences.settings import SentenceSettings


class Sentences(Method):
    """Find similar sentences, such as facts that articles give differently, and say what changed."""

    name = "sentences"
    settings = SentenceSettings
    counts = COUNTS
    tables = ("sentences", "rejected", "articles", "suggestions", "chains")
    parts = ("cluster", "kind", "suggestions")
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
    show_pairs = lazy("view:show_clusters")
    show_part = lazy("view:show_part")
    listing = lazy("view:listing")
    looser = lazy("view:looser")
    explain = lazy("explain:explain")
    show_explanation = lazy("view:show_explanation")
    explanation_json = lazy("view:explanation_json")
    report = lazy("report:SentenceKind")
    removal = lazy("removal:removal")
    exported = lazy("tables:exported")
