"""Views of a result of `passages` on the terminal: pairs, boilerplate, and where two texts differ."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.markup import escape
from rich.text import Text

from neardup.results.folder import ResultFolder
from neardup.showing import listed
from neardup.showing.console import OUT, number, show_read
from neardup.showing.listed import Listing
from neardup.showing.passages import EXCERPT, excerpt, texts_by_id
from neardup.showing.tables import order_of, page_of

PAGE = 10  # pairs
MANY_SHORT = 0.25  # of all documents: that is worth a word
SHORTEST = 30  # characters of a passage that chance does not make
PER_PAIR = 3  # passages that are shown of a pair; `explain` shows all
ORDERS = {
    "coverage": [("similarity", "descending")],
    "passages": [("passages", "descending"), ("similarity", "descending")],
    "similarity": [("passage_similarity", "ascending")],
    "number": [],
}


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, skipped, and found in passages."""
    counts = result.counts
    show_read(counts)
    found = number(counts["passages"], "passage")
    OUT.print(f"[bold]{found}[/bold] in {number(counts['pairs'], 'pair')} of documents")
    for name, value in counts.items():
        if name.startswith("pairs: "):
            OUT.print(f"  {value:,} {escape(name.removeprefix('pairs: '))}")
    if counts.get("sentences"):
        without = counts["sentences without a signature"]
        share = f"{100 * without / counts['sentences']:.1f} %"
        OUT.print(
            f"{number(counts['sentences'], 'sentence')}, {without:,} ({share}) without a signature"
        )
    if repeated := counts["passages of boilerplate"]:
        often = result.run["settings"]["max_documents"]
        OUT.print(
            f"{number(repeated, 'passage')} of boilerplate, in over {often:,} documents each: shown once"
        )
    if missing := counts.get("listed pairs not found"):
        OUT.print(
            f"  {missing:,} of the listed pairs name a document that is not in the input", style="yellow"
        )
    show_short(result)


def show_short(result: ResultFolder) -> None:
    """Say that many texts are too short for any passage, and what to try."""
    least, lengths = result.settings["min_length"], result.documents["length"]
    short = lengths.filter(pc.less(lengths, least))
    if by_words(result) and len(short) >= MANY_SHORT * len(lengths) and least > SHORTEST:
        tried = max(pc.quantile(short, 0.1)[0].as_py() // 10 * 10, SHORTEST)
        OUT.print(
            f"  {len(short):,} of {number(len(lengths), 'document')} shorter than a passage may be "
            f"(--min-length {least}): try --min-length {tried:.0f}",
            style="yellow",
        )


def by_words(result: ResultFolder) -> bool:
    """Say whether passages were found by runs of words, and not sentence by sentence."""
    return str(result.settings["signature"]).startswith("winnowing")


def show_pairs(result: ResultFolder, page: int, per_page: int | None, sort: str | None) -> None:
    """Print one page of pairs, each with its first passages."""
    chosen, title = page_of(ordered_pairs(result, sort), page, per_page or PAGE, "pair")
    OUT.print(f"[italic]{title}[/italic]")
    passages = passages_of(result, chosen)
    shown = [row for rows in passages.values() for row in rows[:PER_PAIR]]
    texts = texts_by_id(result, {row["id_a"] for row in shown})
    for pair in chosen.to_pylist():
        show_pair(pair, passages[pair["doc_a"], pair["doc_b"]], texts)
    OUT.print("\n[dim]--page N turns pages; neardup explain shows how passages differ[/dim]")


def ordered_pairs(result: ResultFolder, sort: str | None) -> pa.Table:
    """Return the pairs in the order asked for."""
    own = order_of(ORDERS, sort or "coverage")
    return result.pairs.sort_by([*own, ("doc_a", "ascending"), ("doc_b", "ascending")])


def listing(result: ResultFolder, part: str | None, value: Any, sort: str | None) -> Listing:
    """Return pairs with their passages, or boilerplate, for programs."""
    if part is not None:
        return listed.listing(result, part, value, sort)
    return Listing("pairs", ordered_pairs(result, sort), lambda rows: with_passages(result, rows))


def with_passages(result: ResultFolder, pairs: pa.Table) -> list[dict[str, Any]]:
    """Return pairs, each with its passages."""
    passages = passages_of(result, pairs)
    return [p | {"located": passages[p["doc_a"], p["doc_b"]]} for p in pairs.to_pylist()]


def show_boilerplate_hint(result: ResultFolder) -> None:
    """Say how boilerplate is shown, if there is any."""
    if result.boilerplate.num_rows:
        repeated = number(result.boilerplate.num_rows, "passage")
        OUT.print(f"[dim]--boilerplate shows {repeated} that very many documents share[/dim]")


def passages_of(result: ResultFolder, pairs: pa.Table) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Return the passages of some pairs, by the numbers of both documents."""
    keys = list(zip(pairs["doc_a"].to_pylist(), pairs["doc_b"].to_pylist(), strict=True))
    found: dict[tuple[int, int], list[dict[str, Any]]] = {key: [] for key in keys}
    table = result.passages
    own = pc.and_(*(pc.is_in(table[name], pairs[name].combine_chunks()) for name in ("doc_a", "doc_b")))
    for row in table.filter(own).to_pylist():
        if (row["doc_a"], row["doc_b"]) in found:
            found[row["doc_a"], row["doc_b"]].append(row)
    return found


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


def looser(result: ResultFolder) -> str:
    """Return options that let more pairs pass."""
    if by_words(result):
        return f"--min-length {result.settings['min_length'] // 2}"
    return "--signature winnowing:3,1"
