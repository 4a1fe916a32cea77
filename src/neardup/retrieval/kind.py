"""Results of trec, for the verbs that serve every result."""

from types import MappingProxyType

from neardup.errors import InputError
from neardup.methods.method import Method
from neardup.results.folder import ResultFolder
from neardup.retrieval.declared import COUNTS
from neardup.retrieval.folder import REPORT, TrecResult
from neardup.retrieval.view import show_effects
from neardup.showing.listed import Asked
from neardup.tables import Table


class Trec(Method):
    """What near-duplicates do to an evaluation: no pairs, but effects."""

    name = "trec"
    counts = COUNTS
    tables = ()
    first = "effects"
    refuses = MappingProxyType(
        dict.fromkeys(
            ("explain", "dedup", "report", "rethreshold", "trec", "pairs", "threshold"),
            "It measures what near-duplicates do. To find some, run: neardup documents",
        )
    )

    def paper(self, result: ResultFolder) -> str:
        """Return the report, which was made with the result: it needs what the run had read."""
        written = result.folder / REPORT
        if not written.exists():
            raise InputError(f"{written}: no such file", hint="Run neardup trec again to write it.")
        return written.read_text(encoding="utf-8")

    def show_page(self, result: ResultFolder, table: Table, asked: Asked) -> None:
        """Print what was found, and every assumption."""
        show_effects(TrecResult(result.folder, tables=result.tables))
