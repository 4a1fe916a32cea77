"""Clusters of documents in a terminal."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.text import Text

from neardup.errors import InputError, SettingsError
from neardup.readers.source import fetch
from neardup.results.folder import ResultFolder
from neardup.results.texts import locate
from neardup.showing.console import OUT, similarity_text
from neardup.showing.explanations import shorten
from neardup.showing.tables import page_of, show_rows

EXCERPT = 300


def show_caps(counts: Mapping[str, int], settings: Mapping[str, Any]) -> None:
    """Print where a limit cut something off."""
    if capped := counts["shingles too common to pair all"]:
        OUT.print(
            f"  {capped:,} keys are in over {settings['max_postings']:,} documents: each of these was "
            "compared with a few of them only (--max-postings)",
            style="yellow",
        )
    if listed := counts["copies paired with the first only"]:
        OUT.print(
            f"  {listed:,} identical copies are listed with the first of their kind only (--max-copies)",
            style="yellow",
        )


def show_cluster_page(
    result: ResultFolder, page: int, per_page: int, sort: str, known_by: str = "title"
) -> None:
    """Print one page of clusters."""
    orders = {
        "size": [("size", "descending"), ("cluster", "ascending")],
        "similarity": [("lowest", "ascending"), ("cluster", "ascending")],
        "number": [("cluster", "ascending")],
    }
    if sort not in orders:
        raise SettingsError(f"cannot sort by {sort!r}", hint=f"Choose one of: {', '.join(orders)}.")
    table = result.clusters
    grouped = table.group_by("cluster").aggregate([("size", "max"), ("lowest", "min")])
    grouped = grouped.rename_columns(["cluster", "size", "lowest"]).sort_by(orders[sort])
    page_rows, title = page_of(grouped, page, per_page, "cluster")
    chosen = page_rows["cluster"]
    order = {cluster: i for i, cluster in enumerate(chosen.to_pylist())}
    rows = table.filter(pc.is_in(table["cluster"], chosen.combine_chunks())).to_pylist()
    rows.sort(
        key=lambda r: (order[r["cluster"]], r["id"] != r["keeper_id"], -(r["similarity"] or 0), r["doc"])
    )
    show_clusters(result, rows, title, known_by)
    OUT.print("\n[dim]--page N turns pages; --cluster N shows the texts of one[/dim]")


def known_of(result: ResultFolder, column: str, docs: list[int]) -> dict[int, str]:
    """Return a column of some documents, as far as it is there."""
    known = result.documents
    if column not in known.column_names:
        return {}
    own = known.filter(pc.is_in(known["doc"], pa.array(docs, pa.int64())))
    values = zip(own["doc"].to_pylist(), own[column].to_pylist(), strict=True)
    return {doc: value for doc, value in values if value}


def show_clusters(
    result: ResultFolder, rows: list[dict[str, Any]], title: str, known_by: str = "title"
) -> None:
    """Print clusters, keeper first, with what people know documents by, or else their titles."""
    docs = [row["doc"] for row in rows]
    name, named = known_by, known_of(result, known_by, docs)
    if not named:
        name, named = "title", known_of(result, "title", docs)
    heads = ["cluster", "size", "similarity", "id", *([name] if named else [])]
    cells = []
    last = None
    for row in rows:
        first = row["cluster"] != last
        last = row["cluster"]
        keeper = row["id"] == row["keeper_id"]
        whole = (
            str(row["cluster"]) if first else "",
            f"{row['size']:,}" if first else "",
            "keeper" if keeper else similarity_text(row["similarity"]),
            row["id"],
            " ".join(named.get(row["doc"], "").split()),
        )
        cells.append(whole[: len(heads)])
    show_rows(heads, cells, words=range(len(heads) - 1, 2, -1), title=title)


def show_cluster_texts(result: ResultFolder, cluster: int) -> None:
    """Print how the texts of one cluster begin."""
    members = result.clusters.filter(pc.equal(result.clusters["cluster"], cluster)).to_pylist()
    if not members:
        raise InputError(f"there is no cluster {cluster}", hint="neardup show OUT lists them.")
    texts = fetch(result.source(), [locate(result, m["id"]) for m in members])
    for member, text in zip(members, texts, strict=True):
        keeper = member["id"] == member["keeper_id"]
        note = "keeper" if keeper else f"{similarity_text(member['similarity'])} to the keeper"
        OUT.print(Text.assemble((member["id"], "bold"), f"  {note}"))
        OUT.print(Text(shorten(" ".join((text or "").split()), EXCERPT)))
        OUT.print()
