"""What a method is: all that the verbs which serve every result need to know of one.

The defaults serve any method whose plan delivers `documents`, `skipped` and `pairs`, with doc_a, doc_b,
id_a, id_b and similarity. What is heavy is imported when it is used: commands are described by all
methods, and run one.
"""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from neardup.settings.base import Clustering, Settings
from neardup.steps.declared import BASIC_TABLES, CLUSTERS, DOCUMENTS, PAIRS, READ
from neardup.tables import Count, Table

if TYPE_CHECKING:
    from neardup.readers.numbers import Source
    from neardup.readers.records import ReaderSettings
    from neardup.results.folder import ResultFolder
    from neardup.results.removing import Removal
    from neardup.results.running import Job
    from neardup.settings.run import RunSettings
    from neardup.showing.explaining import Explained
    from neardup.showing.kind import Kind
    from neardup.showing.listed import Asked, View


def lazy(path: str) -> Any:
    """Return a function of a method that is written elsewhere in its room, and loaded when it is called.

    The path names a module of the room and a function in it, such as view:show_summary. To override a
    function of Method in this way keeps what is heavy out of `neardup --help`.
    """
    module, _, name = path.partition(":")

    def called(method: Method, *given: Any, **named: Any) -> Any:
        room = import_module(type(method).__module__).__package__
        return getattr(import_module(f"{room}.{module}"), name)(*given, **named)

    called.__doc__ = f"Call {path}."
    return called


class Method:
    """A method: how it is run, and how its results are shown, explained, cleaned and reported.

    The docstring of a subclass is the help of its command.
    """

    name: ClassVar[str]
    settings: ClassVar[type[Settings]]
    tables: ClassVar[tuple[Table, ...]] = BASIC_TABLES  # that it delivers
    first: ClassVar[str] = "pairs"  # the table that `show` shows unless another is named
    refuses: ClassVar[Mapping[str, str]] = {}  # what cannot be done with its results: what to do instead
    counts: ClassVar[tuple[Count, ...]] = (*READ, PAIRS)  # that its runs may have
    derived: ClassVar[tuple[str, ...]] = ()  # settings in run.json that follow from others
    known_by: ClassVar[str] = "title"  # the column by which people know its documents
    exports: ClassVar[tuple[str, ...]] = ()  # tables that `exported` makes of others
    has_old: ClassVar[bool] = False  # whether its job takes documents that are old: `Against`
    can_be_asked: ClassVar[bool] = False  # whether a new record was there before

    def job(self, source: "Source", settings: Any, run: "RunSettings") -> "Job":
        """Plan a run over a source."""
        raise NotImplementedError

    def reader(self, settings: object, reader: "ReaderSettings") -> "ReaderSettings":
        """Return how the input is read, with the columns that these settings need."""
        return reader

    # in a terminal

    def show_summary(self, result: "ResultFolder") -> None:
        """Print what a run read, skipped and found."""
        from neardup.showing.console import OUT, number, show_read

        show_read(result.counts)
        for count in (PAIRS, CLUSTERS):
            if count in result.counts:
                OUT.print(f"[bold]{number(result.counts[count], count.removesuffix('s'))}[/bold]")

    def figures(self, result: "ResultFolder") -> dict[str, Any]:
        """Return what is told besides `run.json` where a run's summary is JSON."""
        return {}

    def commands(self, result: "ResultFolder", folder: str) -> list[str]:
        """Return commands that show more of a result."""
        from neardup.showing.listed import explaining

        return explaining(result, folder)

    def views(self) -> "Mapping[str, View]":
        """Return how tables are shown of which their columns say too little."""
        from neardup.showing.clusters import cluster_view
        from neardup.showing.passages import BOILERPLATE, EXCLUDED

        clusters = cluster_view(self.known_by)
        return {"clusters": clusters, "boilerplate": BOILERPLATE, "excluded": EXCLUDED}

    def show_page(self, result: "ResultFolder", table: Table, asked: "Asked") -> None:
        """Print one page of the table that a result is about."""
        from neardup.showing.listed import show_listing

        if result.counts[PAIRS]:
            show_listing(result, table, self.views().get(table), asked)
        else:
            self.show_nothing(result)

    def show_cluster(self, result: "ResultFolder", cluster: int) -> None:
        """Print the texts of a cluster."""
        from neardup.showing.clusters import show_cluster_texts

        show_cluster_texts(result, cluster)

    def members(self, result: "ResultFolder", cluster: int) -> list[dict[str, Any]]:
        """Return the members of a cluster and their texts, for programs."""
        from neardup.showing.clusters import members
        from neardup.showing.passages import with_texts

        return with_texts(result, members(result, cluster))

    def show_nothing(self, result: "ResultFolder") -> None:
        """Say that there are no pairs, and what finds more."""
        from neardup.showing.console import OUT, with_options

        OUT.print(f"Nothing found. {with_options(self.advice(result))}", style="yellow", markup=False)

    def advice(self, result: "ResultFolder") -> str:
        """Return what to try next where nothing was found."""
        if result.counts[DOCUMENTS] < 2:
            return "There are fewer than two documents to compare: see what was skipped."
        return f"To find more, try {self.looser(result)}."

    def looser(self, result: "ResultFolder") -> str:
        """Return settings that let more pairs pass."""
        threshold = result.settings.get("threshold")
        if threshold is None:
            return "other settings"
        return f"threshold={threshold / 2:.2g}"

    # two documents

    def explain(self, result: "ResultFolder", id_a: str, id_b: str) -> "Explained":
        """Show what two documents have in common, located in their original texts."""
        from neardup.showing import explaining

        if result.has("passages"):
            return explaining.explain_passages(result, id_a, id_b)
        return explaining.explain_texts(result, id_a, id_b)

    def show_explanation(self, explained: Any, full: bool) -> None:
        """Print an explanation: long texts whole, or just around differences."""
        from neardup.showing.passages import show_explained

        show_explained(explained, full)

    def explanation_json(self, explained: Any) -> dict[str, Any]:
        """Return an explanation for programs."""
        from neardup.showing.passages import explained_json

        return explained_json(explained)

    def report(self, result: "ResultFolder") -> "Kind":
        """Return what a report and the server show of a result."""
        from neardup.showing.kind import Kind, Located

        return (Located if result.has("passages") else Kind)(result)

    def paper(self, result: "ResultFolder") -> str | None:
        """Return the whole report of a result without pairs; None: pairs are reported."""
        return None

    def curve(self, result: "ResultFolder", id_a: str, id_b: str) -> str:
        """Return a drawing, as SVG, of where two documents differ."""
        raise result.lacks("curve")

    def exported(self, result: "ResultFolder", name: str) -> Any:
        """Return a table for people and programs that do not know results."""
        return result.table(name)

    # duplicates

    def removal(
        self,
        result: "ResultFolder",
        keep: str | None,
        threshold: float | None,
        clusters: Clustering | None,
    ) -> "Removal":
        """Decide which documents, or what of them, `dedup` removes."""
        from neardup.results.reclustering import can_recluster, rethreshold
        from neardup.results.removing import DuplicateRemoval, members_of

        if threshold is not None:
            if "rethreshold" in self.refuses or not can_recluster(result):
                raise result.lacks("rethreshold")
            result = rethreshold(result, threshold)
        members = members_of(result, keep, clusters, self.least_contained(result))
        order = keep or result.settings.get("keep") or "longest"
        return DuplicateRemoval(result, members, partial(self.reason, result), order)

    def least_contained(self, result: "ResultFolder") -> float:
        """Return how much of a document must be in another one for this to be kept in its place."""
        return float(result.settings.get("threshold") or 0)

    def reason(self, result: "ResultFolder", similarity: float | None) -> str:
        """Say why a document was removed, by its similarity to its keeper."""
        from neardup.results.removing import similar_to_keeper

        return similar_to_keeper(result, similarity)
