"""What a notebook shows of a result: HTML that needs nothing else."""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from neardup.errors import NeardupError
from neardup.results.folder import ResultFolder
from neardup.showing.passages import texts_by_id
from neardup.steps.declared import CLUSTERS, DOCUMENTS, PAIRS
from neardup.tables import Count, said
from neardup.web.page import Html, element, html, table, visible
from neardup.web.svg import histogram

MOST_PAIRS = 10
FIGURES = (DOCUMENTS, PAIRS, CLUSTERS)
MOST_PLOTTED = 100_000  # pairs
BEGINNING = 80  # characters of a text
SHOWN = ("kind", "passages", "distance", "similarity", "same_site")  # columns of pairs
TOLD = ("fields", "max_distance", "signature", "threshold")  # of settings: the first that there is
MEASURES = ("similarity", "distance")  # columns to plot: the first that there is


def result_html(result: ResultFolder, pairs: pa.Table, declared: Iterable[Count]) -> Html:
    """Show the first pairs with the beginnings of their texts, then a plot, then all counts."""
    settings = result.settings
    told = next((f" with {n.replace('_', ' ')} {settings[n]}" for n in TOLD if n in settings), "")
    counts = result.counts
    figures = ", ".join(f"{counts[n]:,} {n}" for n in FIGURES if n in counts)
    plot = plotted(pairs) if len(pairs) else Html("")
    rest = element(
        "details", element("summary", "All counts"), table((), counted(said(counts, declared)))
    )
    head = element("p", element("b", "neardup"), f" {result.method}{told}: {figures}")
    return Html(head + first_pairs(result, pairs.slice(0, MOST_PAIRS)) + plot + rest)


def counted(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return counts as they are written."""
    return [(name, f"{value:,}") for name, value in counts.items()]


def first_pairs(result: ResultFolder, pairs: pa.Table) -> Html:
    """Lay out pairs: what was measured, their ids, and how the texts begin, if they are still there."""
    columns = [name for name in SHOWN if name in pairs.column_names]
    rows = pairs.select([*columns, "id_a", "id_b"]).to_pylist()
    texts = beginnings(result, {row[side] for row in rows for side in ("id_a", "id_b")})
    cells = [
        (*(measured(row[n]) for n in columns), *(named(row[s], texts) for s in ("id_a", "id_b")))
        for row in rows
    ]
    return table((*columns, "id_a", "id_b"), cells)


def beginnings(result: ResultFolder, ids: set[str]) -> dict[str, str]:
    """Return how texts begin; of an input that is gone, nothing."""
    if "source" not in result.documents.column_names:  # as where half of the texts are in an index
        return {}
    try:
        texts = texts_by_id(result, ids)
    except (NeardupError, OSError):
        return {}
    return {given: " ".join(text[: 4 * BEGINNING].split())[:BEGINNING] for given, text in texts.items()}


def measured(value: object) -> str:
    """Show one value of a pair."""
    return f"{value:.3f}" if isinstance(value, float) else "" if value is None else str(value)


def named(own_id: str, texts: Mapping[str, str]) -> Html:
    """Show the id of a document, and below how its text begins."""
    begins = texts.get(own_id)
    below = Html("<br><small>") + html(visible(begins)) + Html("…</small>") if begins else Html("")
    return Html(html(visible(own_id)) + below)


def plotted(pairs: pa.Table) -> Html:
    """Plot how many pairs are how similar."""
    name = next((n for n in MEASURES if n in pairs.column_names), None)
    if name is None:
        return Html("")
    values = [value for value in pairs[name].to_pylist() if value is not None]
    some = f", the first {MOST_PLOTTED:,}" if len(pairs) == MOST_PLOTTED else ""
    return Html(
        histogram(values, title=f"Pairs by {name}{some}", x=name, y="pairs", width=360, height=160)
    )
