"""Views of a result on the terminal: clusters, explanations, estimates."""

from collections.abc import Iterator
from typing import Any

import pyarrow.compute as pc
from rich.text import Text

from neardup.console import OUT, show_clusters
from neardup.errors import InputError, SettingsError
from neardup.estimate import Estimate
from neardup.explain import Explanation, Passage, locate
from neardup.readers.source import fetch
from neardup.result import Result

SHOWN = 200  # characters of a long common passage that are shown at each end
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
    grouped = table.group_by("cluster").aggregate([("size", "max"), ("similarity", "min")])
    grouped = grouped.rename_columns(["cluster", "size", "lowest"]).sort_by(orders[sort])
    pages = max(-(-len(grouped) // per_page), 1)
    if page > pages:
        raise SettingsError(f"there is no page {page}", hint=f"The last one is {pages}.")
    chosen = grouped["cluster"].slice((page - 1) * per_page, per_page)
    order = {number: i for i, number in enumerate(chosen.to_pylist())}
    rows = table.filter(pc.is_in(table["cluster"], chosen.combine_chunks())).to_pylist()
    rows.sort(key=lambda r: (order[r["cluster"]], r["id"] != r["keeper_id"], -r["similarity"], r["doc"]))
    show_clusters(rows, f"{len(grouped):,} clusters, page {page} of {pages}")
    OUT.print("\n[dim]--page N turns pages; --cluster N shows the texts of one[/dim]")


def show_cluster_texts(result: Result, number: int) -> None:
    """Print how the texts of one cluster begin."""
    members = result.clusters.filter(pc.equal(result.clusters["cluster"], number)).to_pylist()
    if not members:
        raise InputError(f"there is no cluster {number}", hint="neardup show OUT lists them.")
    texts = fetch(result.source(), [locate(result, m["id"]) for m in members])
    for member, text in zip(members, texts, strict=True):
        keeper = member["id"] == member["keeper_id"]
        note = "keeper" if keeper else f"{member['similarity']:.3f} to the keeper"
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
    """Print both texts: what is common plain, what is only in one in colour."""
    OUT.print(
        f"resemblance [bold]{found.resemblance:.4f}[/bold]: {found.common_shingles:,} common shingles "
        f"of {found.shingles_a:,} and {found.shingles_b:,}"
    )
    OUT.print(
        Text(
            f"{100 * found.containment_a:.1f} % of {found.id_a} is in {found.id_b}, "
            f"{100 * found.containment_b:.1f} % of {found.id_b} is in {found.id_a}"
        )
    )
    by_a = sorted(found.passages)
    by_b = sorted(found.passages, key=lambda p: p.start_b)
    spans_a = [(p.start_a, p.end_a) for p in by_a]
    spans_b = [(p.start_b, p.end_b) for p in by_b]
    for name, text, spans, colour in (
        (found.id_a, found.text_a, spans_a, "red"),
        (found.id_b, found.text_b, spans_b, "green"),
    ):
        OUT.print(Text.assemble("\n── ", (name, "bold"), f"  ({len(text):,} characters)"))
        OUT.print(marked(text, spans, colour, full))
    OUT.print("\n[bold]Common passages[/bold] (characters, end excluded)")
    for passage in by_a:
        OUT.print(passage_line(found, passage))


def marked(text: str, spans: list[tuple[int, int]], colour: str, full: bool) -> Text:
    """Return a text with the parts outside the spans in colour, long spans cut."""
    out = Text()
    at = 0
    for start, end in merged(spans):
        out.append(text[at:start], style=f"bold {colour}")
        common = text[start:end]
        out.append(common if full else shorten(common, 2 * SHOWN), style="dim")
        at = end
    out.append(text[at:], style=f"bold {colour}")
    return out


def merged(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join spans that overlap; they come sorted."""
    current: tuple[int, int] | None = None
    for start, end in spans:
        if current and start <= current[1]:
            current = (current[0], max(current[1], end))
        else:
            if current:
                yield current
            current = (start, end)
    if current:
        yield current


def passage_line(found: Explanation, passage: Passage) -> Text:
    """Describe one passage on one line."""
    words = " ".join(found.text_a[passage.start_a : passage.end_a].split())
    where = f"{passage.start_a:>8}–{passage.end_a:<8} {passage.start_b:>8}–{passage.end_b:<8}"
    return Text.assemble((where, "cyan"), f" {passage.words:>5} words  ", (shorten(words, 60), "dim"))


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
    size, part = found.input_bytes / 1e6, found.sample_bytes / 1e6
    OUT.print(f"{size:,.0f} MB of input, about {found.documents:,} documents ({part:,.0f} MB read)")
    OUT.print(f"time    about {duration(found.seconds)}")
    OUT.print(f"memory  at most {found.memory_bytes / 1e9:.1f} GB (set with --memory)")
    OUT.print(f"disk    about {found.disk_bytes / 1e9:.1f} GB while it runs")
    OUT.print(f"pairs   roughly {found.pairs:,}, if copies lie anywhere in the input")
    if found.take_cluster:
        OUT.print("This is more than a day's work for one machine: consider a cluster.", style="yellow")


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
