"""What to try where a run found no pair."""

import math
from typing import Any

from neardup.results.folder import Result
from neardup.showing.console import OUT


def show_nothing(result: Result) -> None:
    """Say that there are no pairs, and what finds more."""
    OUT.print(f"Nothing found. {advice(result)}", style="yellow", markup=False)


def advice(result: Result) -> str:
    """Return what to try next."""
    if result.counts["documents"] < 2:
        return "There are fewer than two documents to compare: see what was skipped."
    return f"To find more, try {looser(result)}."


def looser(result: Result) -> str:
    """Return options that let more pairs pass."""
    settings = result.run["settings"]
    if result.method == "passages":
        winnowing = settings["signature"].startswith("winnowing")
        return (
            f"--min-length {settings['min_length'] // 2}" if winnowing else "--signature winnowing:3,1"
        )
    if result.method == "sentences":
        return f"--max-distance {min(2 * settings['max_distance'], 0.5):g}, or --min-length 10"
    if result.method == "pages":
        return looser_pages(settings["measure"], settings)
    if result.method == "documents":
        lower = f"--threshold {lower_threshold(result):g}"
        return f"{lower}, or neardup passages, which finds texts that share only a part"
    return f"--threshold {settings['threshold'] / 2:.2g}"


def lower_threshold(result: Result) -> float:
    """Return a threshold that the most similar documents reach, if any were compared."""
    most: float = result.rejected["similarity"][0].as_py() if result.rejected.num_rows else 0.0
    threshold: float = result.run["settings"]["threshold"]
    return math.floor(most * 100) / 100 if most >= 0.01 else round(threshold / 2, 2)


def looser_pages(measure: str, settings: dict[str, Any]) -> str:
    """Return options that let more pairs of pages pass."""
    if measure == "simhash":
        return f"--distance {min(settings['distance'] + 2, 8)}"
    names = ("cosine",) if measure == "cosine" else ("resemblance", "containment")
    return " ".join(f"--{name} {settings[name] / 2:.2g}" for name in names)
