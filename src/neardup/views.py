"""Views of a result on the terminal: clusters, explanations, estimates."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.text import Text

from neardup.console import OUT, number, show_clusters, similarity_text
from neardup.errors import InputError, SettingsError
from neardup.estimate import Estimate
from neardup.explain import Explanation, Passage, locate
from neardup.readers.source import fetch
from neardup.result import Result

SHOWN = 60  # characters of a long common passage that are shown at each end
MOST_PARTS = 40  # differences and passages that are shown unless all are asked for
EXCERPT = 300


def show_cluster_page(result: Result, page: int, per_page: int, sort: str) -> None:
    """Print one page of clusters."""
    orders = {
        "size": [("size", "descending"), ("cluster", "ascending")],
        "similarity": [("lowest", "ascending"), ("cluster", "ascending")],
        "number": [("cluster", "ascending")],
    }
    if sort not in orders:
        raise SettingsError(f"cannot sort by {sort!r}", hint=f"Choose one of: {', '.join(orders)}.")
    table = result.clusters
    grouped = table.group_by("cluster").aggregate([("size", "max"), ("lowest", "min")])
    grouped = grouped.rename_columns(["cluster", "size", "lowest"]).sort_by(orders[sort])
    page_rows, title = page_of(grouped, page, per_page, "cluster")
    chosen = page_rows["cluster"]
    order = {cluster: i for i, cluster in enumerate(chosen.to_pylist())}
    rows = table.filter(pc.is_in(table["cluster"], chosen.combine_chunks())).to_pylist()
    rows.sort(
        key=lambda r: (order[r["cluster"]], r["id"] != r["keeper_id"], -(r["similarity"] or 0), r["doc"])
    )
    show_clusters(rows, title)
    OUT.print("\n[dim]--page N turns pages; --cluster N shows the texts of one[/dim]")


def page_of(
    table: pa.Table, page: int, per_page: int, what: str, more: str = ""
) -> tuple[pa.Table, str]:
    """Return the rows of one page, and a title that says how many there are."""
    pages = max(-(-len(table) // per_page), 1)
    if page > pages:
        raise SettingsError(f"there is no page {page}", hint=f"The last one is {pages}.")
    rows = table.slice((page - 1) * per_page, per_page)
    return rows, f"{number(len(table), what)}{more}, page {page} of {pages}"


def show_cluster_texts(result: Result, cluster: int) -> None:
    """Print how the texts of one cluster begin."""
    members = result.clusters.filter(pc.equal(result.clusters["cluster"], cluster)).to_pylist()
    if not members:
        raise InputError(f"there is no cluster {cluster}", hint="neardup show OUT lists them.")
    texts = fetch(result.source(), [locate(result, m["id"]) for m in members])
    for member, text in zip(members, texts, strict=True):
        keeper = member["id"] == member["keeper_id"]
        note = "keeper" if keeper else f"{similarity_text(member['similarity'])} to the keeper"
        OUT.print(Text.assemble((member["id"], "bold"), f"  {note}"))
        OUT.print(Text(shorten(" ".join((text or "").split()), EXCERPT)))
        OUT.print()


def shorten(text: str, limit: int) -> str:
    """Cut a text in the middle.

    >>> shorten("abcdefghij", 5)
    'abc … ij'
    """
    if len(text) <= limit:
        return text
    return f"{text[: -(-limit // 2)]} … {text[len(text) - limit // 2 :]}"


def show_explanation(found: Explanation, full: bool) -> None:
    """Print the texts as one: what is common, and in between what is only in one of them."""
    OUT.print(
        f"resemblance [bold]{found.resemblance:.4f}[/bold]: {found.common_shingles:,} common shingles "
        f"of {found.shingles_a:,} and {found.shingles_b:,}"
    )
    for share, one, other in (
        (found.containment_a, found.id_a, found.id_b),
        (found.containment_b, found.id_b, found.id_a),
    ):
        OUT.print(Text(f"{100 * share:5.1f} % of {one} is in {other}"))
    parts = list(differences(found))
    show_marks(found.id_a, found.id_b)
    shown = parts if full else parts[:MOST_PARTS]
    for common, only_a, only_b in shown:
        OUT.print(part_text(common, only_a, only_b, full), end="")
    OUT.print()
    if len(parts) > len(shown):
        OUT.print(f"… and {len(parts) - len(shown):,} more places; --full shows all", style="yellow")
    OUT.print("\n[bold]Common passages[/bold] (characters in each, end excluded)")
    passages = found.passages if full else found.passages[:MOST_PARTS]
    for passage in passages:
        OUT.print(passage_line(found, passage))
    if len(found.passages) > len(passages):
        rest = len(found.passages) - len(passages)
        OUT.print(f"… and {rest:,} more; --full shows all, --json lists them", style="yellow")


def show_marks(id_a: str, id_b: str) -> None:
    """Print how what is only in one of two texts is marked."""
    OUT.print(Text.assemble(("\n[-", "red"), f" only in {id_a} ", ("-]", "red"), no_wrap=False))
    OUT.print(Text.assemble(("{+", "green"), f" only in {id_b} ", ("+}\n", "green")))


def differences(found: Explanation) -> Iterator[tuple[str, str, str]]:
    """Yield, in the order of both texts, a common passage and what follows it in either.

    Passages that were moved are left out here, so that what remains is in the same order in both.
    """
    at_a = at_b = 0
    common = ""
    for passage in in_order(found.passages):
        yield common, found.text_a[at_a : passage.start_a], found.text_b[at_b : passage.start_b]
        common = found.text_a[passage.start_a : passage.end_a]
        at_a, at_b = passage.end_a, passage.end_b
    yield common, found.text_a[at_a:], found.text_b[at_b:]


def in_order(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages, by their place in the first text, that do not cross longer ones.

    >>> [p.words for p in in_order([Passage(0, 9, 50, 59, 2), Passage(10, 40, 0, 30, 6)])]
    [6]
    """
    kept: list[Passage] = []
    for passage in sorted(passages, key=lambda p: (-p.words, p.start_a)):
        at = bisect_left(kept, passage)
        before, after = kept[at - 1] if at else None, kept[at] if at < len(kept) else None
        fits_before = before is None or before.end_b <= passage.start_b
        if fits_before and (after is None or passage.end_b <= after.start_b):
            kept.insert(at, passage)
    return kept


def part_text(common: str, only_a: str, only_b: str, full: bool) -> Text:
    """Return a common passage, cut if it is long, and what follows it in one text and the other."""
    out = Text(common if full else shorten(common, 2 * SHOWN), style="dim")
    if only_a.split() != only_b.split():
        if only_a.strip():
            out.append(f"[-{only_a}-]", style="bold red")
        if only_b.strip():
            out.append("{+" + only_b + "+}", style="bold green")
    else:
        out.append(only_a)
    return out


def passage_line(found: Explanation, passage: Passage) -> Text:
    """Describe one passage on one line."""
    words = " ".join(found.text_a[passage.start_a : passage.end_a].split())
    where = f"{passage.start_a:>8}–{passage.end_a:<8} {passage.start_b:>8}–{passage.end_b:<8}"
    return Text.assemble((where, "cyan"), f" {passage.words:>5} tokens  ", (shorten(words, 60), "dim"))


def explanation_json(found: Explanation) -> dict[str, Any]:
    """Return an explanation for programs, without the texts."""
    return {
        "id_a": found.id_a,
        "id_b": found.id_b,
        "resemblance": found.resemblance,
        "containment_a": found.containment_a,
        "containment_b": found.containment_b,
        "common_shingles": found.common_shingles,
        "passages": [passage._asdict() for passage in found.passages],
    }


def show_estimate(found: Estimate) -> None:
    """Print an estimate in words."""
    OUT.print(
        f"{size_text(found.input_bytes)} of input, about {found.documents:,} documents "
        f"({size_text(found.sample_bytes)} read)"
    )
    OUT.print(f"time    about {duration(found.seconds)}")
    OUT.print(f"memory  up to {size_text(found.memory_bytes)} (set with --memory)")
    OUT.print(f"disk    about {size_text(found.disk_bytes)} while it runs")
    OUT.print(f"pairs   roughly {found.pairs:,}, if copies lie anywhere in the input")
    if found.take_cluster:
        OUT.print("This is more than a day's work for one machine: consider a cluster.", style="yellow")


def size_text(size: float) -> str:
    """Say a number of bytes with a unit.

    >>> size_text(31_000), size_text(2_500_000_000)
    ('31 kB', '2.5 GB')
    """
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def duration(seconds: float) -> str:
    """Say a time in words.

    >>> duration(75)
    '1 min 15 s'
    """
    if seconds < 60:
        return f"{max(seconds, 1):.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
