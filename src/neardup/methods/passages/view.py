"""Views of a result of `passages` on the terminal: pairs, boilerplate, and where two texts differ."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.cells import cell_len, set_cell_size
from rich.markup import escape
from rich.text import Text

from neardup.cli.nothing import show_nothing
from neardup.errors import SettingsError
from neardup.readers.source import fetch
from neardup.results.explaining import LocatedPassage, PairExplanation, locate
from neardup.results.folder import Result
from neardup.showing.console import OUT, number, show_read
from neardup.showing.explanations import MOST_PARTS, differences, part_text, show_marks
from neardup.showing.tables import page_of

EXCERPT = 74  # columns, so that a line fits a terminal
PER_PAIR = 3  # passages that are shown of a pair; `explain` shows all
ORDERS = {
    "coverage": [("similarity", "descending")],
    "passages": [("passages", "descending"), ("similarity", "descending")],
    "similarity": [("passage_similarity", "ascending")],
    "number": [],
}


def show_passages_summary(result: Result) -> None:
    """Print what a run read, skipped, and found in passages."""
    counts = result.counts
    show_read(counts)
    found = number(counts["passages"], "passage")
    OUT.print(f"[bold]{found}[/bold] in {number(counts['pairs'], 'pair')} of documents")
    for name, value in counts.items():
        if name.startswith("pairs: "):
            OUT.print(f"  {value:,} {escape(name.removeprefix('pairs: '))}")
    if repeated := counts["passages of boilerplate"]:
        often = result.run["settings"]["max_documents"]
        OUT.print(
            f"{number(repeated, 'passage')} of boilerplate, in over {often:,} documents each: shown once"
        )
    if missing := counts.get("listed pairs not found"):
        OUT.print(f"  {missing:,} of the listed pairs name no document", style="yellow")


def show_pair_page(result: Result, page: int, per_page: int, sort: str = "coverage") -> None:
    """Print one page of pairs, each with its first passages."""
    if sort not in ORDERS:
        raise SettingsError(f"cannot sort by {sort!r}", hint=f"Choose one of: {', '.join(ORDERS)}.")
    order = [*ORDERS[sort], ("doc_a", "ascending"), ("doc_b", "ascending")]
    chosen, title = page_of(result.pairs.sort_by(order), page, per_page, "pair")
    OUT.print(f"[italic]{title}[/italic]")
    passages = passages_of(result, chosen)
    shown = [row for rows in passages.values() for row in rows[:PER_PAIR]]
    texts = texts_by_id(result, {row["id_a"] for row in shown})
    for pair in chosen.to_pylist():
        show_pair(pair, passages[pair["doc_a"], pair["doc_b"]], texts)
    if len(chosen):
        OUT.print("\n[dim]--page N turns pages; neardup explain shows how passages differ[/dim]")
    else:
        show_nothing(result)
    if result.boilerplate.num_rows:
        repeated = number(result.boilerplate.num_rows, "passage")
        OUT.print(f"[dim]--boilerplate shows {repeated} that very many documents share[/dim]")


def passages_of(result: Result, pairs: pa.Table) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Return the passages of some pairs, by the numbers of both documents."""
    keys = list(zip(pairs["doc_a"].to_pylist(), pairs["doc_b"].to_pylist(), strict=True))
    found: dict[tuple[int, int], list[dict[str, Any]]] = {key: [] for key in keys}
    table = result.passages
    own = pc.and_(*(pc.is_in(table[name], pairs[name].combine_chunks()) for name in ("doc_a", "doc_b")))
    for row in table.filter(own).to_pylist():
        if (row["doc_a"], row["doc_b"]) in found:
            found[row["doc_a"], row["doc_b"]].append(row)
    return found


def texts_by_id(result: Result, ids: set[str]) -> dict[str, str]:
    """Fetch some texts; one that is no longer there is empty."""
    wanted = sorted(ids)
    if not wanted:
        return {}
    texts = fetch(result.source(), [locate(result, given) for given in wanted])
    return {given: text or "" for given, text in zip(wanted, texts, strict=True)}


def show_pair(pair: Mapping[str, Any], passages: list[dict[str, Any]], texts: Mapping[str, str]) -> None:
    """Print what two documents share."""
    OUT.print(Text.assemble("\n", (pair["id_a"], "bold"), "  ", (pair["id_b"], "bold")))
    OUT.print(
        f"{pair['kind']}: {number(pair['passages'], 'passage')}, "
        f"{100 * pair['containment_a']:.1f} % of the first, "
        f"{100 * pair['containment_b']:.1f} % of the second"
    )
    for row in passages[:PER_PAIR]:
        about = f"  {row['kind']} {row['similarity']:.3f}, {number(row['words'], 'word')}"
        OUT.print(Text.assemble((places(row), "cyan"), about))
        text = texts[row["id_a"]][row["start_a"] : row["end_a"]]
        OUT.print(Text(f"    {excerpt(text, EXCERPT)}", style="dim"))
    if len(passages) > PER_PAIR:
        OUT.print(f"    … and {len(passages) - PER_PAIR:,} more", style="yellow")


def places(row: Mapping[str, Any]) -> str:
    """Say where a passage is in both documents."""
    return f"  {row['start_a']}–{row['end_a']} = {row['start_b']}–{row['end_b']}"


def excerpt(text: str, limit: int) -> str:
    """Return the first and last words of a text, as many as fit into so many columns.

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


def show_boilerplate_page(result: Result, page: int, per_page: int) -> None:
    """Print one page of the passages that very many documents share, the most frequent first."""
    order = [("documents", "descending"), ("doc", "ascending"), ("start", "ascending")]
    chosen, title = page_of(
        result.boilerplate.sort_by(order), page, per_page, "passage", " of boilerplate"
    )
    OUT.print(f"[italic]{title}[/italic]")
    texts = texts_by_id(result, set(chosen["id"].to_pylist()))
    for row in chosen.to_pylist():
        where = f"{row['start']}–{row['end']}"
        OUT.print(
            Text.assemble(
                f"\nin {row['documents']:,} documents, such as ",
                (row["id"], "bold"),
                (f"  {where}", "cyan"),
            )
        )
        text = texts[row["id"]][row["start"] : row["end"]]
        OUT.print(Text(f"    {excerpt(text, EXCERPT)}", style="dim"))
    if not len(chosen):
        most = result.run["settings"].get("max_documents")
        often = (
            f" is in over {most:,} documents (--max-documents)" if most else " of boilerplate was found"
        )
        OUT.print(f"No passage{often}.")


def show_pair_explanation(found: PairExplanation, full: bool) -> None:
    """Print the passages of a pair, one below the other, with their differences in place."""
    if found.kind is None:
        OUT.print(Text(f"No common passage of {found.id_a} and {found.id_b} was found."))
        OUT.print("Boilerplate is left out: neardup show OUT --boilerplate lists it.", style="dim")
        return
    OUT.print(f"[bold]{found.kind}[/bold]: {number(len(found.passages), 'passage')}")
    for share, one, other in (
        (found.containment_a, found.id_a, found.id_b),
        (found.containment_b, found.id_b, found.id_a),
    ):
        OUT.print(Text(f"{100 * share:5.1f} % of {one} is in passages of {other}"))
    show_marks(found.id_a, found.id_b)
    shown = found.passages if full else found.passages[:MOST_PARTS]
    for place, passage in enumerate(shown, 1):
        show_located(place, passage, full)
    if len(found.passages) > len(shown):
        rest = len(found.passages) - len(shown)
        OUT.print(f"\n… and {rest:,} more passages; --full shows all", style="yellow")


def show_located(place: int, passage: LocatedPassage, full: bool) -> None:
    """Print one passage: where it is, how similar, and its text."""
    OUT.print(
        Text.assemble(
            (f"{place}. ", "bold"),
            (f"{passage.start_a}–{passage.end_a} and {passage.start_b}–{passage.end_b}", "cyan"),
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
        row = {name: value for name, value in vars(passage).items() if name != "difference"}
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
    about = ("id_a", "id_b", "kind", "containment_a", "containment_b")
    return {name: getattr(found, name) for name in about} | {"passages": passages}
