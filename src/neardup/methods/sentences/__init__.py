"""sentences: similar sentences, what differs in them, and the kind of change."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.method import Method, part
from neardup.methods.sentences.settings import SentenceSettings


class Sentences(Method):
    """Pairs of similar sentences and their clusters."""

    name = "sentences"
    settings = SentenceSettings
    tables = ("sentences", "rejected", "articles")
    parts = ("cluster", "kind", "csv")
    refuses: ClassVar[Mapping[str, str]] = {
        "clusters": "Its table of sentences has their clusters.",
        "threshold": "It has a largest distance: .run['settings']['max_distance']",
        "dedup": "Take its sentences and drop what you like, or run: neardup passages",
        "rethreshold": "Filter its pairs by distance, or run neardup sentences again.",
        "trec": "Its pairs are of sentences. To find pairs of documents, run: neardup documents",
    }

    job = part("plan:job")
    show_summary = part("view:show_summary")
    figures = part("view:figures")
    commands = part("view:commands")
    show_pairs = part("view:show_clusters")
    show_part = part("view:show_part")
    looser = part("view:looser")
    explain = part("explain:explain")
    show_explanation = part("view:show_explanation")
    explanation_json = part("view:explanation_json")
    report = part("report:SentenceKind")
