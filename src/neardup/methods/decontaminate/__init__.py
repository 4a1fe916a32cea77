"""decontaminate: test items of benchmarks that stand in training data, located to the character."""

from collections.abc import Mapping
from typing import ClassVar

from neardup.methods.decontaminate.declared import COUNTS, TABLES
from neardup.methods.decontaminate.settings import DecontaminateSettings
from neardup.methods.method import Method, lazy


class Decontaminate(Method):
    """Find test items of benchmarks in training data: verbatim, nearly, with other numbers or order."""

    name = "decontaminate"
    settings = DecontaminateSettings
    counts = COUNTS
    tables = TABLES
    refuses: ClassVar[Mapping[str, str]] = {
        "clusters": "Its pairs are of a document and a test item.",
        "rethreshold": "Filter its pairs by similarity, or run neardup decontaminate again.",
        "tei": 'Its pairs are with test items. Take its tables, or a graph: format="graphml"',
        "trec": "Its pairs are with test items. To find pairs of documents, run: neardup documents",
    }

    job = lazy("plan:job")
    show_summary = lazy("view:show_summary")
    figures = lazy("view:figures")
    commands = lazy("view:commands")
    views = lazy("view:views")
    looser = lazy("view:looser")
    explain = lazy("explain:explain")
    show_explanation = lazy("view:show_explanation")
    explanation_json = lazy("explain:explanation_json")
    report = lazy("report:ItemKind")
    removal = lazy("removal:removal")
