"""Views of a result of `documents` on the terminal: summary, clusters, estimates."""

from neardup.methods.documents.candidates import expected_recall
from neardup.methods.documents.estimate import Estimate
from neardup.methods.documents.settings import DocumentSettings
from neardup.results.folder import Result
from neardup.showing.clusters import show_caps
from neardup.showing.console import OUT, duration, number, show_read, size_text


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
