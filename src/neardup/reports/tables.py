"""What the tables and the slider of a report show, as the viewer's scripts take it."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.showing.kind import Clusters, Column, Integers, Kind
from neardup.showing.what_if import thresholds

LONGEST_NAME = 200  # characters of an id or title
BINS = 60


def grid_of(kind: Kind) -> list[float]:
    """Return the thresholds to choose from, that of the run first."""
    measure = kind.measure
    if measure is None or not len(kind.rows):
        return []
    span = pc.min_max(kind.pairs[measure.column]).as_py()
    if measure.higher_is_closer:
        least = measure.threshold
        if least is None:
            least = np.floor(100 * span["min"]) / 100
        return thresholds(least, max(1.0, span["max"] or 0.0))
    most = span["max"] if measure.threshold is None else measure.threshold
    return thresholds(0.0, most)[::-1]


def measure_json(kind: Kind, grid: list[float], clustered: bool) -> dict[str, Any] | None:
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
    groups = kind.effects(grid) if clustered else None
    counts, _ = np.histogram(values, bins=BINS, range=(min(grid), max(grid)))
    return {
        "column": measure.column,
        "label": measure.label,
        "threshold": measure.threshold,
        "higher": measure.higher_is_closer,
        "accepted": len(values),
        "grid": grid,
        "effects": [
            {
                "pairs": int(count),
                "clusters": groups[i].clusters if groups else None,
                "duplicates": groups[i].duplicates if groups else None,
            }
            for i, count in enumerate(pairs.tolist())
        ],
        "counts": counts.tolist(),
        "span": [min(grid), max(grid)],
        "rerun": None if measure.threshold is None else kind.rerun(),
        "none": kind.nothing_beyond,
    }


def tables_json(kind: Kind, rows: Integers, clusters: Clusters | None, most: int) -> dict[str, Any]:
    """Return some rows and at most `most` clusters, by columns, and the items that they name."""
    sides = [kind.keys(side)[rows] for side in "ab"]
    named = [*sides, *(shown_clusters(clusters, most) if clusters is not None else ())]
    keys = np.unique(np.concatenate(named))
    measure = kind.measure
    table = kind.rows.take(pa.array(rows))
    columns = [
        {"name": f"item_{side}", "label": label, "type": "item", "values": places(keys, own)}
        for side, own, label in zip("ab", sides, kind.side_labels, strict=True)
    ]
    columns += [column_json(column, table[column.name]) for column in kind.columns]
    missed = np.flatnonzero(rows >= len(kind.pairs))
    return {
        "unit": kind.unit,
        "item": kind.item,
        "items": items_json(kind, keys),
        "pairs": {"rows": len(rows), "columns": columns, "missed": missed.tolist()},
        "sort": measure and {"column": measure.column, "descending": measure.higher_is_closer},
        "clusters": clusters and clusters_json(clusters, keys, most),
    }


def shown_clusters(clusters: Clusters, most: int) -> tuple[Integers, Integers]:
    """Return the keepers and the members of the clusters that are shown, largest first."""
    number = min(len(clusters.size), most)
    return clusters.keeper[:number], clusters.items[: clusters.bounds[number]][: 2 * most]


def clusters_json(clusters: Clusters, keys: Integers, most: int) -> dict[str, Any]:
    """Return the table of clusters, and the members of all of them one after the other."""
    keepers, members = shown_clusters(clusters, most)
    number = len(keepers)
    columns = [
        {"name": "keeper", "label": "Kept", "type": "item", "values": places(keys, keepers)},
        column_json(Column("size", "Members", "count"), pa.array(clusters.size[:number])),
    ]
    if clusters.lowest.null_count < len(clusters.lowest):
        columns.append(column_json(Column("lowest", "Lowest", "number"), clusters.lowest[:number]))
    return {
        "rows": number,
        "columns": columns,
        "bounds": np.minimum(clusters.bounds[: number + 1], len(members)).tolist(),
        "members": places(keys, members),
        "similarity": numbers(clusters.similarity[: len(members)]),
    }


def places(keys: Integers, values: Integers) -> list[int]:
    """Return where values are among the sorted keys."""
    return list(map(int, np.searchsorted(keys, values)))


def items_json(kind: Kind, keys: Integers) -> dict[str, Any]:
    """Return the names of documents, or of sentences."""
    items = kind.items(keys)
    source = items["source"].combine_chunks().dictionary_encode()
    return {
        "id": [cut(text) for text in items["id"].to_pylist()],
        "title": [cut(text) for text in items["title"].to_pylist()],
        "source": source.indices.to_pylist(),
        "sources": [cut(text) for text in source.dictionary.to_pylist()],
    }


def cut(text: str | None) -> str | None:
    """Shorten a name that is very long."""
    return text if text is None or len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def column_json(column: Column, values: Any) -> dict[str, Any]:
    """Return a column of a table for the viewer."""
    found: dict[str, Any] = {"name": column.name, "label": column.label, "type": column.type}
    if column.type == "category":
        coded = pc.fill_null(values.cast(pa.string()), "").combine_chunks().dictionary_encode()
        return found | {"names": coded.dictionary.to_pylist(), "values": coded.indices.to_pylist()}
    if column.type == "text":
        return found | {"values": [cut(text) for text in values.to_pylist()]}
    return found | {"values": numbers(values)}


def numbers(values: Any) -> list[float | int | None]:
    """Return numbers with six places, which is more than is shown."""
    return [v if v is None else round(v, 6) for v in values.to_pylist()]
