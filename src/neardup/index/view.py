"""Views of what a query found, on the terminal: matches, where they are, and the words that differ."""

from collections.abc import Mapping

import pyarrow as pa
from rich.text import Text

from neardup.index.answers import Answer, Match
from neardup.results.folder import ResultFolder
from neardup.showing.console import OUT, number
from neardup.showing.differing import differences
from neardup.showing.explaining import Explanation
from neardup.showing.explanations import MOST_PARTS, part_text, passage_line, show_marks
from neardup.showing.listed import View
from neardup.showing.passages import show_located

LONGER = 2


def show_answer(answer: Answer, full: bool) -> None:
    """Print the matches of a text, the best first."""
    if answer.note:
        OUT.print(answer.note, style="yellow", markup=False)
    if not answer.matches:
        OUT.print("Nothing in the index is like this text.")
        return
    OUT.print(f"[bold]{number(answer.total, 'document')}[/bold] of the index share text with the query")
    if any(is_marked(match, full) for match in answer.matches):
        show_marks("the document", "the query")
    else:
        OUT.print()
    for place, match in enumerate(answer.matches, 1):
        show_match(place, match, full)
    if answer.total > len(answer.matches):
        rest = answer.total - len(answer.matches)
        OUT.print(f"… and {rest:,} more; --limit shows more", style="yellow")


def show_match(place: int, match: Match, full: bool) -> None:
    """Print what one document shares with the text."""
    OUT.print(Text.assemble((f"{place}. ", "bold"), (match.id, "bold"), f"  {match.kind}"))
    OUT.print(
        f"resemblance {match.resemblance:.4f}; of the query's shingles "
        f"{100 * match.containment_query:.1f} % are in it, of its own "
        f"{100 * match.containment_document:.1f} % in the query"
    )
    if match.rows:
        OUT.print(
            f"{number(len(match.rows), 'passage')}: {100 * match.coverage_query:.1f} % of the query, "
            f"{100 * match.coverage_document:.1f} % of the document"
        )
    OUT.print()
    shown = match.passages if full else match.passages[:MOST_PARTS]
    for at, passage in enumerate(shown, 1):
        show_located(at, passage, full)
    if match.difference is not None:
        show_difference(match.difference, full)


def is_marked(match: Match, full: bool) -> bool:
    """Return whether the texts of a match are shown, with marks where they differ."""
    found = match.difference
    return bool(match.passages) or (found is not None and (full or not is_inside(found)))


def is_inside(found: Explanation) -> bool:
    """Return whether the query is so much shorter that only its place in the document is shown."""
    return len(found.text_a) > LONGER * len(found.text_b)


def show_difference(found: Explanation, full: bool) -> None:
    """Print how two texts differ; of a text in a much longer one, only where it is."""
    if not full and is_inside(found):
        for passage in found.passages[:MOST_PARTS]:
            OUT.print(passage_line(found, passage))
    else:
        parts = list(differences(found))
        shown = parts if full else parts[:MOST_PARTS]
        OUT.print(Text().join(part_text(*part, full) for part in shown))
    OUT.print()


def views() -> Mapping[str, View]:
    """Return how pairs of a document and one of the index are shown."""
    return {"pairs": View(show_known)}


def show_known(result: ResultFolder, pairs: pa.Table) -> None:
    """Print documents of a corpus that share text with an index."""
    del result
    for pair in pairs.to_pylist():
        OUT.print(
            Text.assemble(
                (pair["id_a"], "bold"),
                f"  {pair['kind']}  ",
                (pair["id_b"], "bold"),
                f"  resemblance {pair['similarity']:.3f}, {number(pair['passages'], 'passage')}, "
                f"{100 * max(pair['containment_a'], pair['coverage_a']):.1f} % of it",
            )
        )
