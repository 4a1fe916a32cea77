"""Clusters of documents in a terminal."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.text import Text

from neardup.errors import InputError
from neardup.readers.source import fetch
from neardup.results.folder import ResultFolder
from neardup.results.texts import locate
from neardup.showing.console import OUT, number, similarity_text
from neardup.showing.explanations import shorten
from neardup.showing.listed import ALL_COMMON, View
from neardup.showing.tables import show_rows
from neardup.steps.declared import CANDIDATES_VERIFIED, IDENTICAL_COPIES, PAIRS

EXCERPT = 300


def pairs_by_origin(counts: Mapping[str, int], compared: str, unit: str) -> str:
    """Say which pairs come from comparing, and which from texts that need none: the figures add up.

    >>> counts = {"pairs": 17, "candidates_verified": 13, "identical_copies": 2}
    >>> pairs_by_origin(counts, "14 candidates", "text")
    '13 of the 14 candidates compared, 4 more through 2 texts identical to others'
    """
    found, copies = counts[CANDIDATES_VERIFIED], counts[IDENTICAL_COPIES]
    said = f"{found:,} of the {compared} compared"
    if more := counts[PAIRS] - found:
        other = "another" if copies == 1 else "others"
        through = f"through {number(copies, unit)} identical to {other}"
        return f"{said}, {more:,} more {through}" if found else f"{more:,} {through}"
    return said


def cluster_view(known_by: str) -> View:
    """Return how clusters are shown: each with its members, the keeper first, by what people know."""
    return View(
        lambda result, rows: show_clusters(result, rows, known_by),
        with_members,
        grouped,
        "cluster",
        hint="--page N turns pages; --cluster N shows the texts of one",
    )


def grouped(_: ResultFolder, members: pa.Table) -> pa.Table:
    """Return the clusters of some members: the number, size and lowest similarity of each."""
    found = members.group_by("cluster").aggregate([("size", "max"), ("lowest", "min")])
    return found.rename_columns(["cluster", "size", "lowest"])


def with_members(result: ResultFolder, clusters: pa.Table) -> list[dict[str, Any]]:
    """Return clusters, each with its members, the keeper first."""
    rows = in_turn(clusters, members_of(result, clusters["cluster"].to_pylist()))
    of_clusters = ("cluster", "size", "lowest")
    found = {row["cluster"]: row | {"members": []} for row in clusters.to_pylist()}
    for row in rows:
        own = {name: value for name, value in row.items() if name not in of_clusters}
        found[row["cluster"]]["members"].append(own)
    return list(found.values())


def members_of(result: ResultFolder, clusters: list[int]) -> pa.Table:
    """Return the members of some clusters."""
    table = result.clusters
    return table.filter(pc.is_in(table["cluster"], pa.array(clusters, table["cluster"].type)))


def in_turn(clusters: pa.Table, members: pa.Table) -> list[dict[str, Any]]:
    """Return the members of clusters in the order of these, keepers first."""
    order = {cluster: i for i, cluster in enumerate(clusters["cluster"].to_pylist())}

    def place(row: dict[str, Any]) -> tuple[Any, ...]:
        keeper = row["id"] == row["keeper_id"]
        return order[row["cluster"]], not keeper, -(row["similarity"] or 0), row["doc"]

    return sorted(members.to_pylist(), key=place)


def known_of(result: ResultFolder, column: str, docs: list[int]) -> dict[int, str]:
    """Return a column of some documents, as far as it is there."""
    known = result.documents
    if column not in known.column_names:
        return {}
    own = known.filter(pc.is_in(known["doc"], pa.array(docs, pa.int64())))
    values = zip(own["doc"].to_pylist(), own[column].to_pylist(), strict=True)
    return {doc: value for doc, value in values if value}


def show_clusters(result: ResultFolder, clusters: pa.Table, known_by: str) -> None:
    """Print clusters, keeper first, with what people know documents by, or else their titles."""
    rows = in_turn(clusters, members_of(result, clusters["cluster"].to_pylist()))
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
    show_rows(heads, cells, words=range(len(heads) - 1, 2, -1))
    if differ_at_one(result, rows):
        OUT.print(f"\n[dim]{ALL_COMMON}[/dim]")


def differ_at_one(result: ResultFolder, rows: list[dict[str, Any]]) -> bool:
    """Return whether members have all in common with their keepers, without being identical."""
    at_one = [row for row in rows if row["similarity"] == 1]
    if not at_one or result.settings.get("measure") == "containment":
        return False
    firsts = known_of(result, "same_as", [row["doc"] for row in rows])
    keepers = {row["cluster"]: firsts.get(row["doc"]) for row in reversed(rows)}  # they come first
    return any(firsts.get(row["doc"]) != keepers[row["cluster"]] for row in at_one)


def members(result: ResultFolder, cluster: int) -> pa.Table:
    """Return the members of one cluster."""
    found = members_of(result, [cluster])
    if not len(found):
        raise InputError(f"there is no cluster {cluster}", hint="neardup show OUT lists them.")
    return found


def show_cluster_texts(result: ResultFolder, cluster: int) -> None:
    """Print how the texts of one cluster begin."""
    rows = members(result, cluster).to_pylist()
    texts = fetch(result.texts(), [locate(result, row["id"]) for row in rows])
    for row, text in zip(rows, texts, strict=True):
        keeper = row["id"] == row["keeper_id"]
        note = "keeper" if keeper else f"{similarity_text(row['similarity'])} to the keeper"
        OUT.print(Text.assemble((row["id"], "bold"), f"  {note}"))
        OUT.print(Text(shorten(" ".join((text or "").split()), EXCERPT)))
        OUT.print()
