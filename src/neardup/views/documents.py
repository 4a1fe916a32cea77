"""Views of a result of `documents` on the terminal: summary, clusters, estimates."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.table import Table
from rich.text import Text

from neardup.console import OUT, number, show_read, similarity_text
from neardup.errors import InputError, SettingsError
from neardup.estimate import Estimate
from neardup.explain import locate
from neardup.methods.candidates import expected_recall
from neardup.readers.source import fetch
from neardup.result import Result
from neardup.settings import DocumentSettings
from neardup.views.explanations import shorten

EXCERPT = 300


def show_documents_summary(result: Result) -> None:
    """Print what a run read, skipped, capped and found."""
    counts, settings = result.counts, result.run["settings"]
    recall = expected_recall(DocumentSettings(**settings))
    show_read(counts)
    OUT.print(
        f"[bold]{number(counts['pairs'], 'pair')}[/bold] with {settings['measure']} ≥ "
        f"{settings['threshold']}, all verified: {counts['identical copies']:,} identical to another "
        f"document, {number(counts['candidates'], 'candidate')} compared"
    )
    if recall < 1:
        OUT.print(
            f"  {settings['candidates']} candidates: a pair exactly at the threshold is found with "
            f"probability {recall:.2f}; take --candidates exact to find all",
            style="yellow",
        )
    show_caps(counts, settings)
    removable = number(counts["duplicates"], "document")
    OUT.print(
        f"[bold]{number(counts['clusters'], 'cluster')}[/bold], {removable} "
        f"({100 * counts['duplicates'] / max(counts['documents'], 1):.1f} %) could be removed"
    )
    if chained := counts["members that do not resemble their keeper"]:
        OUT.print(
            f"  {chained:,} of them only hang together with their keeper through others; star clusters "
            "(--clusters star) do not chain strangers",
            style="yellow",
        )


def known_recall(result: Result) -> float | None:
    """Return the share of pairs at the threshold that a run was to find; None if lists were cut."""
    if result.counts["shingles too common to pair all"]:
        return None
    return expected_recall(DocumentSettings(**result.run["settings"]))


def show_caps(counts: Mapping[str, int], settings: Mapping[str, Any]) -> None:
    """Print where a limit cut something off."""
    if capped := counts["shingles too common to pair all"]:
        OUT.print(
            f"  {capped:,} keys are in over {settings['max_postings']:,} documents: each of these was "
            "compared with a few of them only (--max-postings)",
            style="yellow",
        )
    if listed := counts["copies paired with the first only"]:
        OUT.print(
            f"  {listed:,} identical copies are listed with the first of their kind only (--max-copies)",
            style="yellow",
        )


def show_cluster_page(result: Result, page: int, per_page: int, sort: str = "size") -> None:
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
    show_clusters(rows, title, titles_of(result, [row["doc"] for row in rows]))
    OUT.print("\n[dim]--page N turns pages; --cluster N shows the texts of one[/dim]")


def titles_of(result: Result, docs: list[int]) -> dict[int, str]:
    """Return the titles of documents, as far as they have any."""
    known = result.documents
    if "title" not in known.column_names:
        return {}
    own = known.filter(pc.is_in(known["doc"], pa.array(docs, pa.int64())))
    titles = zip(own["doc"].to_pylist(), own["title"].to_pylist(), strict=True)
    return {doc: title for doc, title in titles if title}


def show_clusters(rows: list[dict[str, Any]], title: str, titles: dict[int, str]) -> None:
    """Print clusters, keeper first."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("cluster", "size", "similarity", "id", "keeper"):
        table.add_column(name, justify="right" if name in ("cluster", "size") else "left")
    if titles:
        table.add_column("title")
    last = None
    for row in rows:
        first = row["cluster"] != last
        last = row["cluster"]
        keeper = row["id"] == row["keeper_id"]
        table.add_row(
            str(row["cluster"]) if first else "",
            f"{row['size']:,}" if first else "",
            "" if keeper else similarity_text(row["similarity"]),
            Text(row["id"]),
            "keeper" if keeper else "",
            *([Text(titles.get(row["doc"], ""))] if titles else []),
        )
    OUT.print(table)


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
