"""The study of sampling as tables and plots."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neardup.evaluation.sampling import GRID, SamplingRow, SamplingStudy
from neardup.web.numbers import Figure, points
from neardup.web.svg import Series, bars, lines


def tables(study: SamplingStudy) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield the four tables of the thesis, each with its title, head and rows, as text.

    Those of the commonality threshold come twice: resemblance of whole documents, and of what is left.
    """
    for number, kind, title, rows in (
        (1, "", "share of shingles kept", study.rates),
        (3, "", "shingle commonality threshold", study.commonalities),
        (3, ", sets cut", "shingle commonality threshold, resemblance of what is left", study.cut),
    ):
        if not rows:
            continue
        shares = [[f"{t:g} ≤ RR", *(f"{100 * r.shares[f'{t:g}']:.2f} %" for r in rows)] for t in GRID]
        settings = ["", *(r.setting for r in rows)]
        yield f"Table 3.{number}{kind}: documents by resemblance and {title}", settings, shares
        head = [
            *("", "error", "correlation", "recall", "precision", "recall, documents"),
            *("precision, documents", "without shingles", "pairs saved", "seconds"),
        ]
        lines = [
            [
                r.setting,
                f"{r.error:.4f}",
                *("" if own is None else f"{own:.4f}" for own in (r.correlation, *shares_of(r))),
                f"{r.without:,}",
                f"{100 * r.saved:.2f} %",
                f"{r.seconds:.2f}",
            ]
            for r in rows
        ]
        told = "how well near-duplicates are found" if rows[0].recall else "there is nothing to find"
        yield f"Table 3.{number + 1}{kind}: {told}, by {title}", head, lines


def shares_of(row: SamplingRow) -> tuple[float | None, ...]:
    """Return recall and precision, of pairs and of documents."""
    return row.recall, row.precision, row.document_recall, row.document_precision


def plots(study: SamplingStudy) -> dict[str, str]:
    """Return the figures as SVG, by name."""
    return {drawn.name: drawn.svg for drawn in figures(study)}


def figures(study: SamplingStudy) -> Iterator[Figure]:
    """Draw figures 3.5 to 3.9, and the time that each setting takes."""
    for name, rows, axis, log in (
        ("rates", study.rates, "% of shingles kept", True),
        ("commonalities", study.commonalities[1:], "shingle commonality threshold", False),
        ("sets-cut", study.cut[1:], "shingle commonality threshold, sets cut", False),
    ):
        if not rows:
            continue
        at = [100 * (r.value or 0) if log else float(r.value or 0) for r in rows]
        ticks = {x: f"{x:.3g}" for x in at[::2]}
        look: dict[str, Any] = {"x": axis, "log_x": log, "ticks": ticks}
        shares = {f"{t:g} ≤ RR": [100 * r.shares[f"{t:g}"] for r in rows] for t in GRID}
        names = ("recall", "precision", "recall, documents", "precision, documents", "correlation")
        told = zip(*((*shares_of(r), r.correlation) for r in rows), strict=True)
        measures = {
            name: [float("nan") if own is None else own for own in values]
            for name, values in zip(names, told, strict=True)
        } | {"average error": [r.error for r in rows]}
        title = "Documents that resemble another one"
        yield line_figure(f"{name}-documents", title, at, shares, look | {"y": "% of documents"})
        title = "How well near-duplicates are found"
        yield line_figure(f"{name}-measures", title, at, measures, look | {"y_range": (0, 1)})
        saved = [(r.setting, 100 * r.saved) for r in rows]
        title = f"Pairs of the first job that are saved, by {axis}"
        drawn = bars(saved, title=title, x="% fewer pairs")
        yield Figure(f"{name}-saved", drawn, (axis, "% fewer pairs"), saved)
        seconds = {"seconds": [r.seconds for r in rows]}
        yield line_figure(f"{name}-seconds", "Time for both jobs", at, seconds, look | {"y": "seconds"})


def line_figure(
    name: str,
    title: str,
    at: Sequence[float],
    values: Mapping[str, Sequence[float]],
    look: Mapping[str, Any],
) -> Figure:
    """Draw a line for each name, over the same places."""
    series = [Series(key, list(zip(at, own, strict=True))) for key, own in values.items()]
    return Figure(name, lines(series, title=title, **look), *points(series, look["x"]))
