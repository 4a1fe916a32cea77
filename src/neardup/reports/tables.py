"""What the tables and the slider of a report show, as the viewer's scripts take it."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Integers
from neardup.showing.kind import Clusters, Kind, ShownColumn, shortened
from neardup.showing.what_if import Regrouped
from neardup.steps.against import OLD
from neardup.text.dates import Order, order_of, spans
from neardup.web.words import plural, say

BINS = 60
MOST_ALONE = 400  # documents in no pair that are named


def measure_json(kind: Kind, grid: list[float], groups: Regrouped | None) -> dict[str, Any] | None:
    """Return what other thresholds would do, for the slider."""
    measure = kind.measure
    if measure is None or not grid:
        return None
    values = kind.pairs[measure.column].to_numpy()
    ordered = np.sort(values)
    if measure.higher_is_closer:
        pairs = len(values) - np.searchsorted(ordered, grid)
    else:
        pairs = np.searchsorted(ordered, grid, "right")
    counts, _ = np.histogram(values, bins=BINS, range=(min(grid), max(grid)))
    return {
        "column": measure.column,
        "label": measure.label,
        "threshold": measure.threshold,
        "higher": measure.higher_is_closer,
        "accepted": len(values),
        "grid": grid,
        "pairs": pairs.tolist(),
        "effects": groups and [list(effect) for effect in groups.effects],
        "counts": counts.tolist(),
        "span": [min(grid), max(grid)],
        "rerun": None if measure.threshold is None else kind.rerun(),
        "none": kind.nothing_beyond,
    }


def tables_json(
    kind: Kind, rows: Integers, clusters: Clusters | None, groups: Regrouped | None, most: int
) -> dict[str, Any]:
    """Return some rows and at most `most` clusters, by columns, and the items that they name."""
    sides = [kind.keys(side)[rows] for side in "ab"]
    named = [*sides, *(shown_clusters(clusters, most) if clusters is not None else ())]
    keys = np.unique(np.concatenate(named))
    table = kind.rows.take(pa.array(rows))
    columns = [
        {
            "name": f"item_{side}",
            "label": say(f"side.{name}"),
            "type": "item",
            "values": places(keys, own),
        }
        for side, own, name in zip("ab", sides, kind.columns_of_items, strict=True)
    ]
    columns += [column_json(column, table[column.name]) for column in kind.columns]
    missed = np.flatnonzero(rows >= len(kind.pairs))
    sort = kind.first_sort
    items, docs = items_json(kind, keys)
    return {
        "unit": plural(kind.unit),
        "item": plural(kind.item),
        "items": items,
        "docs": docs,
        "shares": shares_json(kind, keys),
        "pairs": {"rows": len(rows), "columns": columns, "missed": missed.tolist()},
        "sort": sort and {"column": sort[0], "descending": sort[1]},
        "clusters": clusters and clusters_json(clusters, groups, keys, most),
    }


def shown_clusters(clusters: Clusters, most: int) -> tuple[Integers, Integers]:
    """Return the keepers and the members of the clusters that are shown, largest first."""
    number = min(len(clusters.size), most)
    return clusters.keeper[:number], clusters.items[: clusters.bounds[number]][: 2 * most]


def clusters_json(
    clusters: Clusters, groups: Regrouped | None, keys: Integers, most: int
) -> dict[str, Any]:
    """Return the members of all clusters one after the other, each with its keeper.

    `changes` are what other thresholds do, a list for each: members, as places in `items`, and their
    new keepers.
    """
    _, members = shown_clusters(clusters, most)
    keepers = np.repeat(clusters.keeper, clusters.size)[: len(members)]
    return {
        "members": places(keys, members),
        "keepers": places(keys, keepers),
        "similarity": numbers(clusters.similarity[: len(members)]),
        "changes": groups and changes_json(groups, keys),
    }


def changes_json(groups: Regrouped, keys: Integers) -> list[list[int]]:
    """Return for each threshold the items whose keeper is another one than before, and that."""
    known = np.isin(groups.docs, keys)
    docs = np.searchsorted(keys, groups.docs[known])
    found: list[list[int]] = []
    last = groups.keepers[0][known]
    for keepers in groups.keepers:
        now = keepers[known]
        changed = np.flatnonzero((now != last) & np.isin(now, keys))
        pairs = np.column_stack([docs[changed], np.searchsorted(keys, now[changed])])
        found.append(pairs.ravel().tolist())
        last = now
    return found


def places(keys: Integers, values: Integers) -> list[int]:
    """Return where values are among the sorted keys."""
    return list(map(int, np.searchsorted(keys, values)))


def items_json(kind: Kind, keys: Integers) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return what is known of items; and of their documents, where items are only a part of these."""
    own = kind.item_docs(keys)
    order = order_of(kind.known["date"]) if "date" in kind.known.column_names else Order()
    items = names_json(kind.items(keys), order)
    if own is None:
        return items | {"number": keys.tolist()}, None
    docs = np.unique(own)
    return items | {"doc": places(docs, own)}, names_json(kind.documents(docs), order) | {
        "number": docs.tolist()
    }


def names_json(table: pa.Table, order: Order) -> dict[str, Any]:
    """Return names, and addresses, dates and lengths where there are any.

    Dates are also from when to when they are, in milliseconds.
    """
    source = table["source"].combine_chunks().dictionary_encode()
    found: dict[str, Any] = {
        "id": [text and shortened(text) for text in table["id"].to_pylist()],
        "title": [text and shortened(text) for text in table["title"].to_pylist()],
        "source": source.indices.to_pylist(),
        "sources": [text and shortened(text) for text in source.dictionary.to_pylist()],
    }
    for name in ("url", "date", "length", OLD):
        if name in table.column_names and table[name].null_count < len(table):
            found[name] = table[name].to_pylist()
    if "date" in found:
        known = spans(table["date"], order)
        found["since"] = [own and own.start // 1000 for own in known]
        found["until"] = [own and -(-own.end // 1000) for own in known]
    return found


def shares_json(kind: Kind, keys: Integers) -> dict[str, Any] | None:
    """Return how much of documents stands elsewhere; the best source is a place, null if not shown."""
    found = kind.shares(keys)
    if found is None:
        return None
    known = {doc: place for place, doc in enumerate(keys.tolist())}
    return {
        **{name: numbers(found[name]) for name in ("share", "verbatim", "rewritten")},
        "sources": found["sources"].to_pylist(),
        "best": [known.get(doc) for doc in found["best_doc"].to_pylist()],
    }


def alone_json(kind: Kind, clusters: Clusters | None) -> dict[str, Any] | None:
    """Return how many documents are in no pair, and names of some; None if items are parts of them."""
    known = kind.known
    if not len(kind.rows) or kind.item_docs(np.zeros(0, np.int64)) is not None:
        return None
    paired = np.zeros(len(known), bool)
    for own in (kind.pairs["doc_a"], kind.pairs["doc_b"], *((clusters.items,) if clusters else ())):
        paired[np.asarray(own)] = True
    alone = np.flatnonzero(~paired)
    named = known["title" if kind.lead == "title" else "id"].take(pa.array(alone[:MOST_ALONE]))
    ids = known["id"].take(pa.array(alone[:MOST_ALONE])).to_pylist()
    shown = [shortened(name or own) for name, own in zip(named.to_pylist(), ids, strict=True)]
    return {"shown": shown, "total": len(alone)}


def column_json(column: ShownColumn, values: Any) -> dict[str, Any]:
    """Return a column of a table for the viewer."""
    found: dict[str, Any] = {"name": column.name, "label": column.label, "type": column.type}
    if column.type == "category":
        if pa.types.is_boolean(values.type):
            values = pc.if_else(values, "yes", "no")
        texts = pc.fill_null(values.cast(pa.string()), "").to_pylist()
        rank = {name: number for number, name in enumerate(column.order)}
        names = sorted(set(texts), key=lambda name: (rank.get(name, len(rank)), name))
        place = {name: number for number, name in enumerate(names)}
        return found | {"names": names, "values": [place[text] for text in texts]}
    if column.type == "text":
        return found | {"values": [text and shortened(text) for text in values.to_pylist()]}
    return found | {"values": numbers(values)}


def numbers(values: Any) -> list[float | int | None]:
    """Return numbers with six places, which is more than is shown."""
    return [v if v is None else round(v, 6) for v in values.to_pylist()]
