"""What `show` pages through, for programs: a table in the order of the terminal, and what it tells."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.results.folder import ResultFolder
from neardup.showing.clusters import in_turn, members_of, ordered_clusters
from neardup.showing.pairs import ordered_pairs
from neardup.showing.passages import ordered_boilerplate, texts_by_id
from neardup.showing.tables import page_of

PER_PAGE = 20


class Listing(NamedTuple):
    """A table to page through, what its rows are, and what is told of some of them."""

    what: str
    table: pa.Table
    told: Callable[[pa.Table], list[dict[str, Any]]] = pa.Table.to_pylist


def page_json(result: ResultFolder, listing: Listing, page: int, per_page: int | None) -> dict[str, Any]:
    """Return one page of a listing."""
    per_page = per_page or PER_PAGE
    rows, _ = page_of(listing.table, page, per_page, listing.what)
    return {
        "output": str(result.where),
        "method": result.method,
        "what": listing.what,
        "total": len(listing.table),
        "page": page,
        "pages": max(-(-len(listing.table) // per_page), 1),
        "rows": listing.told(rows),
    }


def listing(result: ResultFolder, part: str | None, value: Any, sort: str | None) -> Listing:
    """Return what is listed of a result of any method."""
    if part == "boilerplate":
        return Listing("boilerplate", ordered_boilerplate(result), lambda rows: with_texts(result, rows))
    if part == "cluster":
        return Listing("members", cluster_members(result, value), lambda rows: with_texts(result, rows))
    if result.has("clusters"):
        return Listing(
            "clusters",
            ordered_clusters(result, sort or "size"),
            lambda rows: with_members(result, rows),
        )
    return Listing("pairs", ordered_pairs(result, sort or "number"))


def cluster_members(result: ResultFolder, cluster: int) -> pa.Table:
    """Return the members of one cluster."""
    members = members_of(result, [cluster])
    if not len(members):
        raise InputError(f"there is no cluster {cluster}", hint="neardup show OUT lists them.")
    return members


def with_members(result: ResultFolder, clusters: pa.Table) -> list[dict[str, Any]]:
    """Return clusters, each with its members, the keeper first."""
    rows = in_turn(clusters, members_of(result, clusters["cluster"].to_pylist()))
    of_clusters = ("cluster", "size", "lowest")
    found = {row["cluster"]: row | {"members": []} for row in clusters.to_pylist()}
    for row in rows:
        own = {name: value for name, value in row.items() if name not in of_clusters}
        found[row["cluster"]]["members"].append(own)
    return list(found.values())


def with_texts(result: ResultFolder, rows: pa.Table) -> list[dict[str, Any]]:
    """Return rows with the text of their documents, or that between their offsets."""
    texts = texts_by_id(result, set(rows["id"].to_pylist()))
    found = rows.to_pylist()
    return [row | {"text": texts[row["id"]][row.get("start") : row.get("end")]} for row in found]


def of_value(table: pa.Table, column: str, value: Any) -> pa.Table:
    """Return the rows that have a value in a column."""
    return table.filter(pc.equal(table[column], value))
