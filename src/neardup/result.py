"""A result: a folder of Parquet tables and `run.json`, opened lazily.

The tables are sorted, so that two results can be compared byte by byte. What differs from run to run
(times, workers) is in `timings.json`.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.errors import OutputError

if TYPE_CHECKING:
    import pandas
    import polars

RUN = "run.json"
TIMINGS = "timings.json"
ROW_GROUP = 1 << 15
SHOWN = {
    "documents": ["similarity"],
    "pages": ["kind", "similarity", "same_site"],
    "passages": ["kind", "passages", "similarity"],
    "sentences": ["kind", "distance"],
    "threads": ["similarity"],
}  # columns of pairs in a notebook


def write_table(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> int:
    """Write a table in row groups of a fixed size, so that its bytes depend on its rows only."""
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for group in row_groups(batches, schema):
            writer.write_table(group, row_group_size=ROW_GROUP)
            rows += group.num_rows
    return rows


def row_groups(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """Cut a stream of batches into tables of a fixed number of rows."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        start = 0
        while count + batch.num_rows - start >= ROW_GROUP:
            taken = ROW_GROUP - count
            waiting.append(batch.slice(start, taken))
            yield pa.Table.from_batches(waiting, schema)
            waiting, count, start = [], 0, start + taken
        waiting.append(batch.slice(start))
        count += batch.num_rows - start
    if count:
        yield pa.Table.from_batches(waiting, schema)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file for people and programs to read."""
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


class Result:
    """What a run found, as Arrow tables: `documents`, `pairs`, `skipped`, and those of its method.

    `documents` has `rejected` and `clusters`, `threads` has `clusters`; `passages` has `passages` and
    `boilerplate`; `sentences` has `sentences` and `articles`; `pages` has `clusters`, `passages`,
    `boilerplate` and `sites`.

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
                hint="Give the folder that was named with -o, such as: neardup documents … -o OUT",
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
            raise OutputError(f"cannot read {name}.parquet: {error}", where=str(self.folder)) from None

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
        hint = "To find near-duplicate documents, and what just missed being some: neardup documents"
        self._check_method(("documents",), "rejected pairs", hint)
        return self.table("rejected")

    @cached_property
    def clusters(self) -> pa.Table:
        """Return the members of all clusters, each with its keeper."""
        hint = f"It has pairs and {self.method}; for clusters of documents, run: neardup documents"
        self._check_method(("documents", "threads", "pages"), "clusters of documents", hint)
        return self.table("clusters")

    @cached_property
    def passages(self) -> pa.Table:
        """Return the passages that two documents share, located in both."""
        hint = "Take .explain(id_a, id_b) for those of one pair, or run: neardup passages"
        self._check_method(("passages", "pages"), "passages", hint)
        return self.table("passages")

    @cached_property
    def boilerplate(self) -> pa.Table:
        """Return the passages that very many documents share, each where it comes first."""
        self._check_method(("passages", "pages"), "boilerplate", "To find it, run: neardup passages")
        return self.table("boilerplate")

    @cached_property
    def sites(self) -> pa.Table:
        """Return the sites of pages: how many pages, near-duplicates and sentences of boilerplate."""
        self._check_method(("pages",), "sites", "To find near-duplicates by site, run: neardup pages")
        return self.table("sites")

    @cached_property
    def sentences(self) -> pa.Table:
        """Return the sentences that are similar to another, by clusters."""
        self._check_method(("sentences",), "sentences", "To find similar ones, run: neardup sentences")
        return self.table("sentences")

    @cached_property
    def articles(self) -> pa.Table:
        """Return the pairs of documents by their number of similar sentences."""
        self._check_method(("sentences",), "pairs of articles", "To find them, run: neardup sentences")
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
        return float(self.run["settings"]["threshold"])

    def to_arrow(self) -> pa.Table:
        """Return the pairs as an Arrow table."""
        return self.pairs

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the pairs as a pandas DataFrame."""
        return self.pairs.to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """Return the pairs as a Polars DataFrame."""
        import polars

        return polars.from_arrow(self.pairs)

    def rethreshold(self, threshold: float, output: str | Path | None = None) -> "Result":
        """Return the result for a higher threshold, without a new run over the texts."""
        from neardup.recluster import rethreshold

        hint = "Filter .passages by similarity, or run neardup passages again with other settings."
        self._check_method(("documents", "threads"), "clusters for another threshold", hint)
        return rethreshold(self, threshold, output)

    def explain(self, id_a: str | int, id_b: str | int) -> Any:
        """Show what two documents have in common, located in their original texts.

        For a result of `passages`, these are the passages that the run found.
        """
        from neardup.explain import explain

        return explain(self, id_a, id_b)

    def source(self) -> Any:
        """Return the source that the run read, opened again, to fetch texts from."""
        from neardup.runs import reopen

        return self.live_source if self.live_source is not None else reopen(self)

    def _check_method(self, needed: tuple[str, ...], what: str, hint: str) -> None:
        if self.method not in needed:
            raise OutputError(
                f"a result of {self.method} has no {what}", where=str(self.folder), hint=hint
            )

    def __repr__(self) -> str:
        counts = self.counts
        found = "passages" if self.method == "passages" else "clusters"
        return (
            f"<Result {str(self.folder)!r}: {counts['documents']:,} documents, "
            f"{counts['pairs']:,} pairs, {counts[found]:,} {found}>"
        )

    def _repr_html_(self) -> str:
        from html import escape

        columns = ["id_a", "id_b", *SHOWN[self.method]]
        counts = html_rows("td", ([escape(name), f"{n:,}"] for name, n in self.counts.items()))
        pairs = self.pairs.slice(0, 10).select(columns).to_pylist()
        first = html_rows(
            "td",
            (
                [f"{v:.3f}" if isinstance(v, float) else escape(str(v)) for v in pair.values()]
                for pair in pairs
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
