"""Views of a result of `decontaminate` on the terminal: by benchmark and source, and item by item."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from rich.text import Text

from neardup.methods.decontaminate import declared as own
from neardup.methods.decontaminate.explain import ItemExplanation
from neardup.methods.decontaminate.probes import EXCHANGED
from neardup.methods.decontaminate.settings import FIELDS, KINDS
from neardup.results.folder import ResultFolder
from neardup.showing.console import OUT, expected_recall, number, show_read, show_recall
from neardup.showing.differing import differences
from neardup.showing.explanations import part_text, show_marks
from neardup.showing.listed import View, explaining
from neardup.showing.passages import EXCERPT, excerpt, texts_by_id
from neardup.showing.tables import show_rows

PAGE = 10
TOP = 10  # benchmarks and sources in a summary


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, and how much of each benchmark stands in it."""
    counts = result.counts
    show_read(counts)
    share = f"{100 * counts[own.ITEMS_FOUND] / max(counts[own.ITEMS], 1):.1f} %"
    where = number(counts[own.DOCUMENTS_WITH_ITEMS], "document")
    found = f"{counts[own.ITEMS_FOUND]:,} of {number(counts[own.ITEMS], 'test item')}"
    OUT.print(f"[bold]{found}[/bold] ({share}) in {where}")
    for why, total in own.ITEMS_NOT_SEARCHED.each(counts).items():
        OUT.print(f"  {total:,} not searched: {why}", style="yellow")
    show_recall(
        counts, "of what was edited", f"questions and passages with one word in {EXCHANGED} exchanged"
    )
    found = result.tables.arrow("benchmarks").sort_by([("found", "descending")])
    show_table(found, "benchmark", ("benchmark", "items", "found", *FIELDS, *KINDS), (0,))
    sources = result.tables.arrow("sources").sort_by([("items", "descending")])
    if len(sources):
        OUT.print()
        show_table(sources, "source", ("source", "benchmark", "items", "documents"), (0, 1))
    if counts[own.BOILERPLATE]:
        OUT.print(
            f"[dim]{number(counts[own.BOILERPLATE], 'run')} of boilerplate, in over "
            f"{result.settings['max_items']} items, did not count[/dim]"
        )


def figures(result: ResultFolder) -> dict[str, float | None]:
    """Return the share of edited parts of items that would have been found."""
    return {"expected_recall": expected_recall(result.counts)}


def show_table(table: pa.Table, what: str, heads: Sequence[str], words: Sequence[int]) -> None:
    """Print the first rows of a table of figures, and say how many there are besides."""
    rows = [[cell(row[name]) for name in heads] for row in table.slice(0, TOP).to_pylist()]
    show_rows(heads, rows, words=words)
    if len(table) > TOP:
        OUT.print(f"… and {number(len(table) - TOP, f'more {what}')}: {what}s.parquet", style="yellow")


def cell(value: object) -> str:
    """Write a value of a table."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def commands(result: ResultFolder, folder: str) -> list[str]:
    """Return commands that show more of a result."""
    shown = [f"show {folder} boilerplate"] if result.counts[own.BOILERPLATE] else []
    return [*shown, *explaining(result, folder), f"dedup {folder} --mode remove -o CLEAN"]


def views() -> Mapping[str, View]:
    """Return how pairs of documents and items, and runs of boilerplate, are shown."""
    hint = "--page N turns pages; neardup explain OUT DOCUMENT ITEM compares the texts"
    return {
        "pairs": View(show_pairs, with_fields, per_page=PAGE, hint=hint),
        "boilerplate": View(show_boilerplate, per_page=PAGE),
    }


def show_pairs(result: ResultFolder, chosen: pa.Table) -> None:
    """Print test items that stand in documents, with what stands there."""
    rows = chosen.to_pylist()
    texts = texts_by_id(result, {row["id_a"] for row in rows})
    for row in rows:
        OUT.print(Text.assemble("\n", (row["id_b"], "bold"), " in ", (row["id_a"], "bold")))
        places = f", in {row['places']:,} places" if row["places"] > 1 else ""
        about = f"  {row['kind']} {row['similarity']:.3f}: {row['fields']}{places}"
        OUT.print(Text.assemble((f"  {row['start']}–{row['end']}", "cyan"), about))
        OUT.print(
            Text(f"    {excerpt(texts[row['id_a']][row['start'] : row['end']], EXCERPT)}", style="dim")
        )


def show_boilerplate(result: ResultFolder, rows: pa.Table) -> None:
    """Print runs of words that are boilerplate."""
    for row in rows.to_pylist():
        OUT.print(Text.assemble(f"in {number(row['items'], 'item')}: ", (row["text"], "dim")))
    if not len(rows):
        most = result.settings["max_items"]
        OUT.print(f"No run of words is in over {most:,} test items (--max-items).")


def with_fields(result: ResultFolder, pairs: pa.Table) -> list[dict[str, Any]]:
    """Return pairs, each with the places of its fields."""
    located: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row in result.matches.to_pylist():
        located.setdefault((row["doc"], row["item_number"]), []).append(row)
    return [p | {"located": located.get((p["doc_a"], p["doc_b"]), [])} for p in pairs.to_pylist()]


def looser(result: ResultFolder) -> str:
    """Return options that let more pass."""
    least = result.settings["min_words"]
    return f"--threshold {result.settings['threshold'] - 0.1:.2f} or --min-words {max(least - 3, 4)}"


def show_explanation(explained: ItemExplanation, full: bool) -> None:
    """Print the fields of a test item, with how they differ in a document."""
    if not explained.fields:
        OUT.print(Text(f"{explained.id_b} was not found in {explained.id_a}."))
        return
    show_marks(explained.id_a, explained.id_b)
    for one in explained.fields:
        about = f"  {one.kind} {one.similarity:.3f}"
        OUT.print(Text.assemble((one.field, "bold"), (f"  {one.start}–{one.end}", "cyan"), about))
        parts = (part_text(*part, full) for part in differences(one.difference))
        text = Text().join(parts)
        text.rstrip()
        OUT.print(text, soft_wrap=False)
        OUT.print()
