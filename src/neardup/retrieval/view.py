"""What near-duplicates do to an evaluation, in a terminal."""

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

from neardup.retrieval.declared import JUDGEMENTS, ORIGINS, RUN_TOPICS, RUNS, TOPICS_JUDGED

if TYPE_CHECKING:
    from rich.table import Table

    from neardup.retrieval.folder import TrecResult


def show_effects(found: "TrecResult") -> None:
    """Print what was found, and every assumption."""
    from neardup.retrieval.report import WORDS
    from neardup.showing.console import OUT, with_options
    from neardup.showing.tables import show_wide

    for line in lines(found):
        OUT.print(line, markup=False)
    if found.table("effects").num_rows:
        OUT.print()
        show_wide(effect_table(found))
        for policy, means in WORDS.items():
            OUT.print(f"  {policy}: {means}", style="dim", markup=False)
    for remark in found.remarks:
        OUT.print(f"  {with_options(remark)}", style="yellow", markup=False)
    folder = found.folder
    OUT.print(f"\nReport in {folder / 'report.html'}; files without near-duplicates:", markup=False)
    if found.counts[JUDGEMENTS]:
        OUT.print(f"  {quote(str(folder / 'deduplicated' / 'qrels.txt'))}", markup=False)
    OUT.print(f"  {quote(str(folder / 'deduplicated' / 'runs'))}/", markup=False)


def lines(found: "TrecResult") -> Iterator[str]:
    """Say how common near-duplicates are."""
    from neardup.showing.console import number

    counts, threshold = found.counts, found.run["settings"]["threshold"]
    what = "in groups" if threshold is None else f"with similarity ≥ {threshold}"
    judged = f"{number(counts[TOPICS_JUDGED], 'topic')}, {number(counts[JUDGEMENTS], 'judgement')}"
    given = judged if counts[JUDGEMENTS] else f"{number(counts[RUN_TOPICS], 'ranking')}, no judgements"
    yield f"{number(counts[RUNS], 'run')}, {given}; near-duplicates {what}"
    known = found.table("prevalence").to_pylist()
    for scope, name in SCOPES.items():
        if not counts[JUDGEMENTS] and scope != "pool":
            continue
        rows = [
            row
            for row in known
            if (row["scope"], row["threshold"]) == (scope, threshold) and row["topic"] is not None
        ]
        total, alike, redundant = (
            sum(row[column] for row in rows) for column in ("documents", "near_duplicates", "redundant")
        )
        share = 100 * redundant / max(total, 1)
        yield (
            f"{alike:,} of {total:,} {name} resemble another one of their topic; "
            f"{redundant:,} ({share:.1f} %) are redundant"
        )
    yield from top_lines(found, threshold)
    origins = ORIGINS.each(counts)
    if any(name != "unknown" for name in origins):
        yield f"origins: {', '.join(f'{value:,} {name}' for name, value in origins.items())}"


def top_lines(found: "TrecResult", threshold: float | None) -> Iterator[str]:
    """Say how many rankings begin with near-duplicates (table 4.1)."""
    cells = found.table("cumulative").to_pylist()
    chosen = [
        c for c in cells if c["threshold"] == threshold and round(100 * c["more_than"]) == TOP_SHARE
    ]
    if chosen:
        shares = ", ".join(f"{100 * c['near_duplicates']:.1f} % (top {c['n']})" for c in chosen)
        yield f"rankings with over {TOP_SHARE} % near-duplicates at the top: {shares}"


def effect_table(found: "TrecResult") -> "Table":
    """Show each measure before and after, averaged over the systems, and how their order changed."""
    from neardup.showing.tables import plain_table

    figures = ("mean before", "after", "change", "τ of the ranking", "ranks moved")
    shown = plain_table(["policy", "measure", *figures], words=2)
    effects = found.table("effects").to_pylist()
    last = None
    for order in found.table("orders").to_pylist():
        rows = [e for e in effects if (e["policy"], e["measure"]) == (order["policy"], order["measure"])]
        before, after = (sum(row[name] for row in rows) / len(rows) for name in ("before", "after"))
        change = f"{100 * (after - before) / before:+.1f} %" if before else ""
        move = max(abs(row["rank_after"] - row["rank_before"]) for row in rows)
        tau = "" if order["tau"] is None else f"{order['tau']:.2f}"
        policy = order["policy"] if order["policy"] != last else ""
        last = order["policy"]
        shown.add_row(policy, order["measure"], f"{before:.4f}", f"{after:.4f}", change, tau, str(move))
    return shown


TOP_SHARE = 20  # per cent
SCOPES = {
    "relevant": "relevant documents",
    "judged": "judged documents",
    "pool": "documents in the pools",
}
