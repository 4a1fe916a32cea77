"""Located passages in a terminal: those of two documents, and those that very many share."""

from typing import Any

import pyarrow as pa
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from neardup.readers.source import fetch
from neardup.results.folder import ResultFolder
from neardup.results.texts import locate, where
from neardup.showing.console import OUT, number, share_text
from neardup.showing.differing import differences
from neardup.showing.explaining import Explanation, LocatedPassage, PairExplanation
from neardup.showing.explanations import (
    MOST_PARTS,
    explanation_json,
    part_text,
    show_explanation,
    show_marks,
)
from neardup.showing.listed import View

EXCERPT = 74  # columns, so that a line fits a terminal


def texts_by_id(result: ResultFolder, ids: set[str]) -> dict[str, str]:
    """Fetch some texts; one that is no longer there is empty."""
    wanted = sorted(ids)
    if not wanted:
        return {}
    texts = fetch(result.texts(), [locate(result, given) for given in wanted])
    return {given: text or "" for given, text in zip(wanted, texts, strict=True)}


def excerpt(text: str, limit: int) -> str:
    """Return the first and last words of a text, as many as fit into the given number of columns.

    >>> excerpt("one two three four five six seven eight", 25)
    'one two … seven eight'
    """
    text = " ".join(text.split())
    if cell_len(text) <= limit:
        return text
    half = (limit - 3) // 2
    head, tail = set_cell_size(text, half + 1), set_cell_size(text[::-1], half + 1)[::-1]
    head = head.rpartition(" ")[0] if " " in head else head[:-1]
    tail = tail.partition(" ")[2] if " " in tail else tail[1:]
    return f"{head} … {tail}"


def show_boilerplate(result: ResultFolder, rows: pa.Table) -> None:
    """Print passages that very many documents share."""
    texts = texts_by_id(result, set(rows["id"].to_pylist()))
    for row in rows.to_pylist():
        where = f"{row['start']}–{row['end']}"
        OUT.print(
            Text.assemble(
                f"\nin {number(row['documents'], 'document')}, such as ",
                (row["id"], "bold"),
                (f"  {where}", "cyan"),
            )
        )
        text = texts[row["id"]][row["start"] : row["end"]]
        OUT.print(Text(f"    {excerpt(text, EXCERPT)}", style="dim"))
    if not len(rows):
        most = result.run["settings"].get("max_documents")
        often = (
            f" is in over {most:,} documents (--max-documents)" if most else " of boilerplate was found"
        )
        OUT.print(f"No passage{often}.")


def with_texts(result: ResultFolder, rows: pa.Table) -> list[dict[str, Any]]:
    """Return rows with the text of their documents, or that between their offsets."""
    texts = texts_by_id(result, set(rows["id"].to_pylist()))
    found = rows.to_pylist()
    return [row | {"text": texts[row["id"]][row.get("start") : row.get("end")]} for row in found]


def show_excluded(result: ResultFolder, rows: pa.Table) -> None:
    """Print parts of texts that do not count."""
    for row in with_texts(result, rows):
        head = (row["id"], "bold"), f"  {row['start']}–{row['end']}  {row['kind']}"
        OUT.print(Text.assemble("\n", *head))
        OUT.print(Text(f"    {excerpt(row['text'], EXCERPT)}", style="dim"))


BOILERPLATE = View(show_boilerplate, with_texts, per_page=10)
EXCLUDED = View(show_excluded, with_texts)


def show_pair_explanation(found: PairExplanation, full: bool) -> None:
    """Print the passages of a pair, one below the other, with their differences in place."""
    if found.kind is None:
        OUT.print(Text(f"No common passage of {found.id_a} and {found.id_b} was found."))
        OUT.print("Boilerplate is left out: neardup show OUT boilerplate lists it.", style="dim")
        return
    OUT.print(f"[bold]{found.kind}[/bold]: {number(len(found.passages), 'passage')}")
    for verbatim, rewritten, one, other in (
        (found.containment_a, found.rewritten_a, found.id_a, found.id_b),
        (found.containment_b, found.rewritten_b, found.id_b, found.id_a),
    ):
        more = f", {100 * rewritten:.1f} % rewritten" if rewritten else ""
        OUT.print(Text(f"{share_text(verbatim):>7} of {one} is in {other} word for word{more}"))
    show_marks(found.id_a, found.id_b)
    shown = found.passages if full else found.passages[:MOST_PARTS]
    for place, passage in enumerate(shown, 1):
        show_located(place, passage, full)
    if len(found.passages) > len(shown):
        rest = len(found.passages) - len(shown)
        OUT.print(f"\n… and {number(rest, 'more passage')}; --full shows all", style="yellow")


def show_located(place: int, passage: LocatedPassage, full: bool) -> None:
    """Print one passage: where it is, how similar, and its text."""
    OUT.print(
        Text.assemble(
            (f"{place}. ", "bold"),
            (where(vars(passage), " and "), "cyan"),
            f"  {passage.kind} {passage.similarity:.3f}, {number(passage.words, 'word')}, "
            f"{number(passage.sentences, 'sentence')}",
        )
    )
    parts = list(differences(passage.difference))
    shown = parts if full else parts[:MOST_PARTS]
    text = Text().join(part_text(common, only_a, only_b, full) for common, only_a, only_b in shown)
    text.rstrip()
    OUT.print(text, soft_wrap=False)
    if len(parts) > len(shown):
        OUT.print(f"… and {len(parts) - len(shown):,} more places; --full shows all", style="yellow")
    OUT.print()


def pair_explanation_json(found: PairExplanation) -> dict[str, Any]:
    """Return the passages of a pair for programs, without the texts.

    The `common` runs of words of a passage have offsets into the whole documents.
    """
    passages = []
    for passage in found.passages:
        known = vars(passage).items()
        row = {name: value for name, value in known if name != "difference" and value is not None}
        row["common"] = [
            {
                "start_a": passage.start_a + run.start_a,
                "end_a": passage.start_a + run.end_a,
                "start_b": passage.start_b + run.start_b,
                "end_b": passage.start_b + run.end_b,
                "words": run.words,
            }
            for run in passage.difference.passages
        ]
        passages.append(row)
    about = ("id_a", "id_b", "kind", "containment_a", "containment_b", "rewritten_a", "rewritten_b")
    return {name: getattr(found, name) for name in about} | {"passages": passages}


def show_explained(explained: Explanation | PairExplanation, full: bool) -> None:
    """Print why two documents are a pair: by the passages that a run found, or by what both say."""
    if isinstance(explained, PairExplanation):
        show_pair_explanation(explained, full)
    else:
        show_explanation(explained, full)


def explained_json(explained: Explanation | PairExplanation) -> dict[str, Any]:
    """Return for programs why two documents are a pair."""
    if isinstance(explained, PairExplanation):
        return pair_explanation_json(explained)
    return explanation_json(explained)
