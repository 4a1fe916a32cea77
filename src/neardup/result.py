"""A result: a folder that a run left, with the verbs that ask the method of the result."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from neardup.arrays import Bools
from neardup.errors import OutputError
from neardup.methods import all_methods, method_named
from neardup.methods.method import Method
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import can_recluster
from neardup.results.texts import id_of
from neardup.settings.base import Clustering, settings_of
from neardup.steps.declared import RECORDS
from neardup.tables import Table, undeclared

if TYPE_CHECKING:
    import pandas
    import polars

VERBS = {  # that users may ask for, and what a result lacks for which one is refused
    "explain": "pairs that can be explained",
    "report": "pairs for a report",
    "dedup": "duplicates that can be removed",
    "rethreshold": "clusters for another threshold",
    "tei": "pairs of documents to link",
    "trec": "pairs of similar documents",
}
PARTS: dict[str, tuple[str, Callable[[Method], bool]]] = {  # what it lacks, and which methods have it
    "cluster": ("clusters", lambda m: any(table.column("cluster") for table in m.tables)),
    "curve": ("pages", lambda m: type(m).curve is not Method.curve),
}


class Result(ResultFolder):
    """What a run found, as Arrow tables: `documents`, `pairs`, `skipped`, and those of its method.

    Each is an attribute; the documentation's page on tables says which method has which.

    >>> result = neardup.documents(["The same text twice, my dear.", "The same text twice, my dear!"])
    >>> result.pairs.num_rows
    1
    """

    @classmethod
    def of(cls, folder: ResultFolder) -> "Result":
        """Return the result of a folder that is open already."""
        return cls(folder.where, folder.live_source, folder.tables, input=folder.moved)

    @classmethod
    def opened(cls, given: "ResultFolder | str | Path") -> "Result":
        """Return a result, given as such or by its folder, with its tables in Arrow."""
        found = given if isinstance(given, ResultFolder) else cls(given)
        return cls.of(found).local()

    @cached_property
    def own_method(self) -> Method:
        """Return the method that was run."""
        return method_named(self.method)

    def to_arrow(self) -> pa.Table:
        """Return the pairs as an Arrow table."""
        return self._arrow_pairs()

    def _arrow_pairs(self, most: int | None = None) -> pa.Table:
        if not self.has("pairs"):
            raise self.lacks("pairs")
        return self.tables.arrow("pairs", most)

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the pairs as a pandas DataFrame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """Return the pairs as a Polars DataFrame."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def to_dataset(
        self,
        *,
        keep: str | None = None,
        threshold: float | None = None,
        clusters: Clustering | None = None,
    ) -> Any:
        """Return the dataset of Hugging Face that was read, without its duplicates, features kept.

        It is of the kind that was given: a `Dataset`, a `DatasetDict`, or a stream that leaves them
        out. The words are those of `dedup`.
        """
        origin = getattr(self.live_source, "origin", None)
        if origin is None:
            hint = "neardup.dedup writes files without duplicates, which datasets.load_dataset opens."
            raise OutputError("this result was not made from a dataset of Hugging Face", hint=hint)
        return origin.without(np.flatnonzero(~self._mask(keep, threshold, clusters)).tolist())

    @property
    def keep_mask(self) -> Bools:
        """Return for each row of the data that was read whether it stays, as an array of NumPy.

        Rows that could not be compared stay.

        >>> found = neardup.documents(["The same text, my dear.", "The same text - my dear!", "Other."])
        >>> found.keep_mask.tolist()
        [False, True, True]
        """
        return self._mask(None, None, None)

    def deduplicated(
        self,
        data: Any,
        *,
        keep: str | None = None,
        threshold: float | None = None,
        clusters: Clustering | None = None,
    ) -> Any:
        """Return the data that was read without its duplicates: the same kind, order and index.

        `data` is what the run was given: a DataFrame of pandas or Polars, an Arrow table, a dataset of
        Hugging Face, a list. The other words are those of `dedup`.
        """
        from neardup.readers.memory import kept_rows

        return kept_rows(data, self._mask(keep, threshold, clusters))

    def _mask(self, keep: str | None, threshold: float | None, clusters: Clustering | None) -> Bools:
        self.check("dedup")
        described, rows = self.run["input"], getattr(self.live_source, "rows", None)
        if rows is None and described["kind"] == "memory" and "against" not in described:
            rows = self.counts[RECORDS]
        if rows is None:
            hint = "neardup.dedup writes files without duplicates, or lists them."
            raise OutputError("this result was not made from data in memory", hint=hint)
        removal = self.own_method.removal(self.local(), keep, threshold, clusters)
        if removal.ids is None:
            hint = "Write the data to a file, and take neardup.dedup."
            raise OutputError("this removes parts of documents, not rows", hint=hint)
        stays = np.ones(rows, np.bool_)
        stays[removal.removed["position"].to_numpy() - 1] = False
        return stays

    def rethreshold(self, threshold: float, output: str | Path | None = None) -> "Result":
        """Return what a higher threshold would have found, without reading the texts again."""
        from neardup.results.reclustering import rethreshold

        self.check("rethreshold")
        return Result.of(rethreshold(self.local(), threshold, output))

    def explain(self, id_a: str | int, id_b: str | int) -> Any:
        """Show what two documents have in common, located in their original texts.

        Documents are named by their ids, or by titles that no others have. For a result of `passages`,
        these are the passages that the run found.
        """
        self.check("explain")
        local = self.local()
        return self.own_method.explain(local, id_of(local, str(id_a)), id_of(local, str(id_b)))

    def damages(self) -> list[str]:
        """Return which files are missing or changed since the result was written, a line each."""
        from neardup.results.files import damages

        return damages(self.tables.local(), self.run)

    def can(self, what: str) -> bool:
        """Return whether the result has a table or a part, or whether something can be done with it."""
        if what in self.own_method.refuses or (what == "rethreshold" and not can_recluster(self)):
            return False
        return what in VERBS or self.has(what) or (what in PARTS and PARTS[what][1](self.own_method))

    def check(self, what: str) -> None:
        """Raise an error that explains it if something cannot be done with this result."""
        if not self.can(what):
            raise self.lacks(what)

    def declared(self, name: str) -> Table:
        """Return what is declared of a table that the result has."""
        if not self.has(name):
            raise self.lacks(name)
        schema = self.tables.arrow(name, 0).schema
        found = undeclared(name, {field.name: str(field.type) for field in schema})
        return next((table for table in self.own_method.tables if table == name), found)

    def lacks(self, what: str) -> OutputError:
        """Return the error that says that this result does not have something."""
        words = VERBS.get(what) or PARTS.get(what, (what,))[0]
        refuses = self.own_method.refuses
        having = (m.name for m in all_methods() if what not in m.refuses and offers(m, what))
        name = next(having, None)
        asked = next((table.asked for table in self.own_method.tables if table == what), "")
        some = f"To have some, run: neardup {f'{self.method} with {asked}' if asked else name}"
        hint = some if name else f"Its tables are: {', '.join(self.tables.names())}."
        return OutputError(
            f"a result of {self.method} has no {words}",
            where=str(self.where),
            hint=refuses.get(what) or refuses.get(words) or hint,
        )

    def _repr_html_(self) -> str:
        from neardup.showing.notebook import MOST_PLOTTED, result_html

        return result_html(self.local(), self._arrow_pairs(MOST_PLOTTED), self.own_method.counts)


def offers(method: Method, what: str) -> bool:
    """Return whether results of a method have something, or it can be done with them."""
    settings = (setting.name for setting in settings_of(method.settings))
    part = what in PARTS and PARTS[what][1](method)
    return part or what in (*VERBS, *method.tables, *settings)
