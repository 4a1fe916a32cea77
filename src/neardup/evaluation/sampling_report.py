"""The study of sampling as tables, plots and a page."""

from collections.abc import Iterator
from typing import Any

from neardup.evaluation.sampling import GRID, SamplingStudy
from neardup.web.page import element, figure, page, section, table
from neardup.web.svg import Series, bars, lines


def tables(study: SamplingStudy) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield the four tables of the thesis, each with its title, head and rows, as text."""
    for number, title, rows in (
        (1, "share of shingles kept", study.rates),
        (3, "shingle commonality threshold", study.commonalities),
    ):
        shares = [[f"{t:g} ≤ RR", *(f"{100 * r.shares[f'{t:g}']:.2f} %" for r in rows)] for t in GRID]
        settings = ["", *(r.setting for r in rows)]
        yield f"Table 3.{number}: documents by resemblance and {title}", settings, shares
        head = [
            *("", "error", "correlation", "recall", "precision", "recall, documents"),
            *("precision, documents", "without shingles", "pairs saved", "seconds"),
        ]
        lines = [
            [
                r.setting,
                f"{r.error:.4f}",
                "" if r.correlation is None else f"{r.correlation:.4f}",
                *(f"{v:.4f}" for v in (r.recall, r.precision, r.document_recall, r.document_precision)),
                f"{r.without:,}",
                f"{100 * r.saved:.2f} %",
                f"{r.seconds:.2f}",
            ]
            for r in rows
        ]
        yield f"Table 3.{number + 1}: how well near-duplicates are found, by {title}", head, lines


def plots(study: SamplingStudy) -> dict[str, str]:
    """Draw figures 3.5 to 3.9, and the time that each setting takes."""
    drawn: dict[str, str] = {}
    for name, rows, axis, log in (
        ("rates", study.rates, "% of shingles kept", True),
        ("commonalities", study.commonalities[1:], "shingle commonality threshold", False),
    ):
        at = [100 * (r.value or 0) if log else float(r.value or 0) for r in rows]
        placed = list(zip(at, rows, strict=True))
        ticks = {x: f"{x:.3g}" for x in at[::2]}
        shown: dict[str, Any] = {"x": axis, "log_x": log, "ticks": ticks}
        drawn[f"{name}-documents"] = lines(
            [Series(f"{t:g} ≤ RR", [(x, 100 * r.shares[f"{t:g}"]) for x, r in placed]) for t in GRID],
            title="Documents that resemble another one",
            y="% of documents",
            **shown,
        )
        measures = {
            "recall": [r.recall for r in rows],
            "precision": [r.precision for r in rows],
            "recall, documents": [r.document_recall for r in rows],
            "precision, documents": [r.document_precision for r in rows],
            "correlation": [float("nan") if r.correlation is None else r.correlation for r in rows],
            "average error": [r.error for r in rows],
        }
        drawn[f"{name}-measures"] = lines(
            [Series(key, list(zip(at, values, strict=True))) for key, values in measures.items()],
            title="How well near-duplicates are found",
            y_range=(0, 1),
            **shown,
        )
        drawn[f"{name}-saved"] = bars(
            [(r.setting, 100 * r.saved) for r in rows],
            title=f"Pairs of the first job that are saved, by {axis}",
            x="% fewer pairs",
        )
        drawn[f"{name}-seconds"] = lines(
            [Series("seconds", [(x, r.seconds) for x, r in placed])],
            title="Time for both jobs",
            y="seconds",
            **shown,
        )
    return drawn


def report(study: SamplingStudy) -> str:
    """Return the study as a page with all tables and plots."""
    counts = element("p", "; ".join(f"{value:,} {name}" for name, value in study.counts.items()), ".")
    shown = [section(title, table(head, rows)) for title, head, rows in tables(study)]
    drawn = [figure(svg) for svg in plots(study).values()]
    half = len(drawn) // 2
    return page("Sampling of shingles", counts, *shown[:2], *drawn[:half], *shown[2:], *drawn[half:])
