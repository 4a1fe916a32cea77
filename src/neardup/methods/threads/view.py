"""Threads on the terminal: what a run found, and what was asked before."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from neardup.methods.threads.declared import COUNTS
from neardup.methods.threads.explain import ThreadExplanation
from neardup.methods.threads.found import Asked, Suggested
from neardup.results.folder import ResultFolder
from neardup.showing.clusters import pairs_by_origin
from neardup.showing.console import OUT, number, show_cuts, show_read
from neardup.showing.differing import differences
from neardup.showing.explanations import part_text, show_marks, words_alone
from neardup.showing.tables import show_rows
from neardup.steps.declared import CANDIDATES, CLUSTERS, DOCUMENTS, DUPLICATES, KEYS_TOO_COMMON, PAIRS


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, skipped, capped and found."""
    counts, settings = result.counts, result.run["settings"]
    show_read(counts)
    compared = number(counts[CANDIDATES], "candidate") if CANDIDATES in counts else "blocks of threads"
    OUT.print(
        f"[bold]{number(counts[PAIRS], 'pair')}[/bold] with similarity ≥ {settings['threshold']} "
        f"({weights_text(settings['fields'])}), all verified: "
        f"{pairs_by_origin(counts, compared, 'thread')}"
    )
    if known_recall(counts):
        OUT.print(
            "  expected recall at this similarity: 1.00 (candidates are exact, and no list was cut)"
        )
    OUT.print(
        f"[bold]{number(counts[CLUSTERS], 'cluster')}[/bold], "
        f"{number(counts[DUPLICATES], 'thread')} "
        f"({100 * counts[DUPLICATES] / max(counts[DOCUMENTS], 1):.1f} %) asked before; "
        f"of each cluster one is kept, by {settings['keep'].replace(',', ', then ')}"
    )
    show_cuts(counts, COUNTS)


def known_recall(counts: Mapping[str, int]) -> float | None:
    """Return the share of pairs that were found: all, unless lists were cut."""
    return None if counts.get(KEYS_TOO_COMMON) else 1.0


def figures(result: ResultFolder) -> dict[str, float | None]:
    """Return the share of pairs that were found, if that is known."""
    return {"expected_recall": known_recall(result.counts)}


def weights_text(fields: Mapping[str, float]) -> str:
    """Write fields with their weights.

    >>> weights_text({"title": 0.4, "body": 0.6})
    'title 0.4, body 0.6'
    """
    return ", ".join(f"{name} {weight:g}" for name, weight in fields.items())


def show_asked(found: Sequence[Asked], least: float) -> None:
    """Print the threads that are most similar to a new one, with the similarity of each field."""
    if not found:
        OUT.print(f"not asked in these words: no thread has a similarity of {least:g} or more")
        return
    cells = [
        (f"{one.similarity:.3f}", *map(score_text, one.fields.values()), one.id, one.title or "")
        for one in found
    ]
    heads = ("similarity", *found[0].fields, "id", "title")
    show_rows(heads, cells, words=(len(heads) - 1, len(heads) - 2))


def show_suggested(found: Sequence[Suggested]) -> None:
    """Print the threads that may ask the same in other words."""
    if found:
        OUT.print("\nnearest in what they say; perhaps the same in other words:")
        cells = [(f"{one.nearness:.3f}", one.id, one.title or "", ", ".join(one.words)) for one in found]
        show_rows(("nearness", "id", "title", "words of both"), cells, words=(2, 3, 1))


def score_text(score: float | None) -> str:
    """Show the similarity of a field, or that it does not count."""
    return "–" if score is None else f"{score:.3f}"


def show_explanation(found: ThreadExplanation, full: bool) -> None:
    """Print two threads field by field: the similarity, and both texts as one."""
    shown = "no pair of this result"
    if found.similarity is not None:
        parts = (part for field in found.fields for part in differences(field.difference))
        though = ", yet the texts differ" if found.similarity == 1 and any(words_alone(parts)) else ""
        shown = f"similarity [bold]{found.similarity:.4f}[/bold]{though}"
    OUT.print(shown)
    heads = ("field", "weight", "signature", "similarity")
    cells = [
        (field.name, f"{field.weight:g}", field.signature, score_text(field.similarity))
        for field in found.fields
    ]
    show_rows(heads, cells, words=(0, 2))
    show_marks(found.id_a, found.id_b)
    for field in found.fields:
        OUT.print(Text(field.name, style="bold"))
        for common, only_a, only_b in differences(field.difference):
            OUT.print(part_text(common, only_a, only_b, full), end="")
        OUT.print("\n")


def explanation_json(found: ThreadExplanation) -> dict[str, Any]:
    """Return an explanation for programs, without the texts."""
    fields = [
        {
            "name": field.name,
            "weight": field.weight,
            "signature": field.signature,
            "similarity": field.similarity,
            "passages": [passage._asdict() for passage in field.difference.passages],
        }
        for field in found.fields
    ]
    own = {"id_a": found.id_a, "id_b": found.id_b, "similarity": found.similarity}
    return own | {"fields": fields}
