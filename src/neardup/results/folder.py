"""A result: a folder of Parquet tables and `run.json`, opened lazily.

The tables are sorted, so that two results can be compared byte by byte. What differs from run to run
(times, workers) is in `timings.json`.
"""

import json
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.abilities import ABILITIES
from neardup.errors import OutputError
from neardup.results.files import RUN

if TYPE_CHECKING:
    import pandas
    import polars

COUNTED = ("documents", "pairs", "clusters", "passages")
SHOWN = ("kind", "passages", "distance", "similarity", "same_site")  # of pairs, in a notebook


class Result:
    """What a run found, as Arrow tables: `documents`, `pairs`, `skipped`, and those of its method.

    `documents` and `threads` have `rejected` and `clusters`; `passages` has `passages` and
    `boilerplate`; `sentences` has `sentences`, `rejected` and `articles`; `pages` has `rejected`,
    `clusters`, `passages`, `boilerplate` and `sites`.

    >>> result = neardup.documents(["The same text twice, my dear.", "The same text twice, my dear!"])
    >>> result.pairs.num_rows
    1
    """

    def __init__(self, folder: str | Path, source: Any = None) -> None:
        self.folder = Path(folder)
        self.live_source = source  # of a run over data in memory: nothing on disk to open again
        if not (self.folder / RUN).is_file():
            raise OutputError(
                "this folder does not hold a result of neardup",
                where=str(folder),
                hint="Give the folder that a run has written, such as: neardup documents … -o OUT",
            )

    @property
    def method(self) -> str:
        """Return the name of the method that was run."""
        return str(self.run["method"])

    @cached_property
    def run(self) -> dict[str, Any]:
        """Return what `run.json` says: settings, versions, inputs and counts."""
        try:
            content = json.loads((self.folder / RUN).read_text(encoding="utf-8"))
        except ValueError as error:
            raise OutputError(f"run.json is damaged: {error}", where=str(self.folder)) from error
        return dict(content)

    def table(self, name: str) -> pa.Table:
        """Return one of the result's tables."""
        try:
            return pq.read_table(self.folder / f"{name}.parquet")
        except (OSError, pa.ArrowInvalid) as error:
            hint = f"Its tables are: {', '.join(sorted(f.stem for f in self.folder.glob('*.parquet')))}."
            raise OutputError(
                f"cannot read {name}.parquet: {error}", where=str(self.folder), hint=hint
            ) from None

    @cached_property
    def documents(self) -> pa.Table:
        """Return the documents: number, id, source, position, length and metadata; no text."""
        return self.table("documents")

    @cached_property
    def pairs(self) -> pa.Table:
        """Return the verified pairs with their similarity and both containments."""
        return self.table("pairs")

    @cached_property
    def rejected(self) -> pa.Table:
        """Return the pairs that missed the threshold by least, the most similar first."""
        self.check("rejected")
        return self.table("rejected")

    @cached_property
    def clusters(self) -> pa.Table:
        """Return the members of all clusters, each with its keeper."""
        self.check("clusters")
        return self.table("clusters")

    @cached_property
    def passages(self) -> pa.Table:
        """Return the passages that two documents share, located in both."""
        self.check("passages")
        return self.table("passages")

    @cached_property
    def boilerplate(self) -> pa.Table:
        """Return the passages that very many documents share, each where it comes first."""
        self.check("boilerplate")
        return self.table("boilerplate")

    @cached_property
    def sites(self) -> pa.Table:
        """Return the sites of pages: how many pages, near-duplicates and sentences of boilerplate."""
        self.check("sites")
        return self.table("sites")

    @cached_property
    def sentences(self) -> pa.Table:
        """Return the sentences that are similar to another, by clusters."""
        self.check("sentences")
        return self.table("sentences")

    @cached_property
    def articles(self) -> pa.Table:
        """Return the pairs of documents by their number of similar sentences."""
        self.check("articles")
        return self.table("articles")

    @cached_property
    def skipped(self) -> pa.Table:
        """Return the records that could not be used, and why."""
        return self.table("skipped")

    @property
    def counts(self) -> dict[str, int]:
        """Return the counts of everything read, skipped, capped and found."""
        return dict(self.run["counts"])

    @property
    def threshold(self) -> float:
        """Return the least similarity of the pairs."""
        self.check("threshold")
        return float(self.run["settings"]["threshold"])

    def to_arrow(self) -> pa.Table:
        """Return the pairs as an Arrow table."""
        return self.pairs

    def first_pairs(self, most: int) -> pa.Table:
        """Return some of the pairs as an Arrow table."""
        return self.pairs.slice(0, most)

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the pairs as a pandas DataFrame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """Return the pairs as a Polars DataFrame."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def local(self) -> "Result":
        """Return the result with Arrow tables: itself, unless its tables are Spark's."""
        return self

    def rethreshold(self, threshold: float, output: str | Path | None = None) -> "Result":
        """Return the result for a higher threshold, without a new run over the texts."""
        from neardup.results.reclustering import rethreshold

        self.check("rethreshold")
        return rethreshold(self.local(), threshold, output)

    def explain(self, id_a: str | int, id_b: str | int) -> Any:
        """Show what two documents have in common, located in their original texts.

        For a result of `passages`, these are the passages that the run found.
        """
        from neardup.results.explaining import explain

        return explain(self.local(), id_a, id_b)

    def source(self) -> Any:
        """Return the source that the run read, opened again, to fetch texts from."""
        from neardup.results.sources import reopen

        return self.live_source if self.live_source is not None else reopen(self)

    def can(self, ability: str) -> bool:
        """Say whether a result of this method has something, or something can be done with it."""
        return self.method in ABILITIES[ability].methods

    def check(self, ability: str) -> None:
        """Refuse kindly what cannot be done with a result of this method."""
        wanted = ABILITIES[ability]
        if self.method not in wanted.methods:
            what = f"a result of {self.method} has no {wanted.what}"
            raise OutputError(what, where=str(self.folder), hint=wanted.hint_for(self.method))

    def __repr__(self) -> str:
        found = [f"{self.counts[name]:,} {name}" for name in COUNTED if name in self.counts]
        return f"<Result {str(self.folder)!r}: {', '.join(found)}>"

    def _repr_html_(self) -> str:
        from html import escape

        some = self.first_pairs(10)
        columns = ["id_a", "id_b", *(name for name in SHOWN if name in some.column_names)]
        counts = html_rows("td", ([escape(name), f"{n:,}"] for name, n in self.counts.items()))
        first = html_rows(
            "td",
            (
                [f"{v:.3f}" if isinstance(v, float) else escape(str(v)) for v in pair.values()]
                for pair in some.select(columns).to_pylist()
            ),
        )
        settings = self.run["settings"]
        names = ("fields", "max_distance", "signature", "threshold")
        name = next(n for n in names if n in settings)
        setting = f"with {name.replace('_', ' ')} {settings[name]}"
        return (
            f"<p><b>neardup</b> {escape(self.method)} {escape(setting)}</p>"
            f"<table>{counts}</table><table>{html_rows('th', [columns])}{first}</table>"
        )


def html_rows(cell: str, rows: Iterable[Iterable[str]]) -> str:
    """Write the rows of a table in HTML.

    >>> html_rows("td", [["a", "b"]])
    '<tr><td>a</td><td>b</td></tr>'
    """
    lines = ("".join(f"<{cell}>{value}</{cell}>" for value in row) for row in rows)
    return "".join(f"<tr>{line}</tr>" for line in lines)
