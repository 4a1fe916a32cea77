"""What a run will probably take, in words."""

from typing import Any

from neardup.results.estimating import Estimate
from neardup.showing.console import OUT, duration, number, size_text
from neardup.steps.listing import MANY


def show_estimate(found: Estimate) -> None:
    """Print an estimate in words."""
    OUT.print(
        f"{size_text(found.input_bytes)} of input, about {number(found.documents, 'document')} "
        f"({size_text(found.sample_bytes)} read)"
    )
    OUT.print(f"time    about {duration(found.seconds)}")
    OUT.print(f"memory  up to {size_text(found.memory_bytes)} (set with --memory)")
    OUT.print(f"disk    about {size_text(found.disk_bytes)} while it runs")
    if found.pairs is not None:
        show_pairs(found)
    if found.cluster:
        show_cluster(found.cluster)
    elif found.take_cluster:
        OUT.print("This is more than a day's work for one machine: consider a cluster.", style="yellow")


def show_pairs(found: Estimate) -> None:
    """Print how many pairs there may be, and whether all of them are listed."""
    if found.pairs == found.pairs_at_least:
        OUT.print(f"pairs   {found.pairs:,}")
    else:
        OUT.print(f"pairs   roughly {found.pairs_at_least:,} if copies lie close together in the input,")
        OUT.print(f"        {found.pairs:,} if they lie anywhere")
    if found.listed_with_keepers:
        OUT.print(f"        of more than {MANY:,}, only those with keepers are listed (--pairs)")


def show_cluster(found: Any) -> None:
    """Print what a cluster would take, and its settings."""
    OUT.print(
        f"cluster about {found.core_hours:,.2f} core hours, {duration(found.hours * 3600)} with "
        f"{found.executors} executors of {found.executor_cores} cores"
    )
    OUT.print(
        f"        {found.partitions:,} partitions, {size_text(found.shuffle_bytes)} shuffled, ", end=""
    )
    OUT.print(f"{size_text(found.disk_bytes)} of disk for all")
    for name, value in found.settings().items():
        OUT.print(f"        --conf {name}={value}", soft_wrap=True)
