"""Views of a result of `documents` on the terminal: summary, clusters."""

import math
from shlex import quote

import pyarrow.compute as pc

from neardup.methods.documents.candidates import expected_recall
from neardup.methods.documents.declared import COUNTS
from neardup.methods.documents.settings import DocumentSettings
from neardup.results.folder import ResultFolder
from neardup.results.removing import similar_to_keeper
from neardup.showing.clusters import pairs_by_origin
from neardup.showing.console import OUT, new_in, number, show_cuts, show_read
from neardup.steps.declared import (
    CANDIDATES,
    CANDIDATES_LEFT_OUT,
    CLUSTERS,
    DUPLICATES,
    KEYS_TOO_COMMON,
    PAIRS,
)


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, skipped, capped and found."""
    counts, settings = result.counts, result.run["settings"]
    recall = expected_recall(DocumentSettings(**settings))
    show_read(counts)
    OUT.print(
        f"[bold]{number(counts[PAIRS], 'pair')}[/bold] with {settings['measure']} ≥ "
        f"{settings['threshold']}, all verified: "
        f"{pairs_by_origin(counts, number(counts[CANDIDATES], 'candidate'), 'document')}"
    )
    if recall < 1:
        OUT.print(
            f"  {settings['candidates']} candidates: a pair exactly at the threshold is found with "
            f"probability {recall:.2f}; take --candidates exact to find all",
            style="yellow",
        )
    removable = number(counts[DUPLICATES], "document")
    OUT.print(
        f"[bold]{number(counts[CLUSTERS], 'cluster')}[/bold], {removable} "
        f"({100 * counts[DUPLICATES] / max(new_in(counts), 1):.1f} %) could be removed"
    )
    show_cuts(counts, COUNTS)


def known_recall(result: ResultFolder) -> float | None:
    """Return the share of pairs at the threshold that a run was to find; None if lists were cut."""
    if result.counts[KEYS_TOO_COMMON] or result.counts.get(CANDIDATES_LEFT_OUT):
        return None
    return expected_recall(DocumentSettings(**result.run["settings"]))


def figures(result: ResultFolder) -> dict[str, float | None]:
    """Return the share of pairs at the threshold that the run was to find."""
    return {"expected_recall": known_recall(result)}


def looser(result: ResultFolder) -> str:
    """Return a threshold that the most similar documents reach, if any were compared."""
    most: float = result.rejected["similarity"][0].as_py() if result.rejected.num_rows else 0.0
    half = round(result.settings["threshold"] / 2, 2)
    lower = math.floor(most * 100) / 100 if most >= 0.01 else half
    return f"--threshold {lower:g}, or neardup passages, which finds texts that share only a part"


def reason(result: ResultFolder, similarity: float | None) -> str:
    """Say why a document was removed, by its similarity to its keeper."""
    if similarity == 1 and result.settings["measure"] == "resemblance":
        return "the same shingles as the keeper"
    return similar_to_keeper(result, similarity)


def commands(result: ResultFolder, folder: str) -> list[str]:
    """Return commands that explain the least similar pair, and remove duplicates."""
    dedup = f"dedup {folder} --mode remove -o CLEAN"
    if not result.pairs.num_rows:  # none are listed
        return [dedup]
    at = pc.index(result.pairs["similarity"], pc.min(result.pairs["similarity"])).as_py()
    pair = result.pairs.slice(at, 1).to_pylist()[0]
    explain = f"explain {folder} {quote(pair['id_a'])} {quote(pair['id_b'])}"
    return [explain, dedup]
