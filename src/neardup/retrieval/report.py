"""The report of an analysis: one HTML file, with plots, that needs nothing else."""

from collections.abc import Iterable, Mapping, Sequence

from neardup.retrieval.analysis import Analysis, TrecSettings
from neardup.retrieval.effect import SIGNIFICANT, Effect
from neardup.retrieval.origins import ORIGINS
from neardup.retrieval.policies import POLICIES
from neardup.retrieval.prevalence import SHARES, Prevalence
from neardup.web.page import Html, element, figure, page, section, small_figures, table
from neardup.web.svg import Series, bars, histogram, lines

SCOPES = {
    "relevant": "relevant documents",
    "judged": "judged documents",
    "pool": "documents in the runs",
}
WORDS = {
    "runs": "removed from the runs: of near-duplicates, the best ranked stays; judgements as they are",
    "irrelevant": "counted as irrelevant: lower ranked ones keep their places and are worth nothing",
    "qrels": "removed from the judgements: of near-duplicates, one judgement stays; runs as they are",
    "both": "removed from both: a run that has any document of a group has its judged one",
}
SHOWN_DEPTH = 20


def report(found: Analysis, settings: TrecSettings, queries: Mapping[str, str]) -> str:
    """Return the report as HTML."""
    what = "as grouped" if found.threshold is None else f"with a similarity of {found.threshold} or more"
    counts = found.counts
    return page(
        "Near-duplicates in an evaluation",
        element(
            "p",
            f"{counts['runs']:,} runs, {counts['topics judged']:,} topics, {counts['judgements']:,} "
            f"judgements; near-duplicates {what}. {counts['removed from qrels']:,} judged documents and "
            f"{counts['removed from runs']:,} places in runs are redundant.",
        ),
        relevant_section(found, settings),
        pool_section(found, queries),
        run_section(found),
        origin_section(found),
        effect_section(found),
        section("Assumptions", element("ul", *(element("li", r) for r in found.remarks or ["None."]))),
    )


def percent(part: float, whole: float) -> str:
    """Write a share."""
    return f"{100 * part / whole:.2f} %" if whole else ""


def share(row: Prevalence) -> float:
    """Return the share of near-duplicates in per cent."""
    return 100 * row.near_duplicates / row.documents if row.documents else 0.0


def by_threshold(threshold: float | None) -> str:
    """Say from which similarity on documents count."""
    return "in one group" if threshold is None else f"{threshold:g} ≤ RR"


def relevant_section(found: Analysis, settings: TrecSettings) -> Html:
    """Show near-duplicates among relevant, judged and returned documents (figure 3.4)."""
    rows = [row for row in found.prevalence if row.topic is None]
    shown = [
        (SCOPES[r.scope], by_threshold(r.threshold), f"{r.documents:,}", f"{r.near_duplicates:,}",
         percent(r.near_duplicates, r.documents), f"{r.redundant:,}")
        for r in rows
    ]  # fmt: skip
    head = ("set", "threshold", "documents", "near-duplicates", "share", "could be removed")
    drawn = [(by_threshold(r.threshold), share(r)) for r in rows if r.scope == "relevant"]
    return section(
        "Relevant documents",
        figure(
            bars(drawn, title="Near-duplicates among relevant documents", x="% of relevant documents"),
            f"Documents judged {settings.relevance} or higher that resemble another one of them.",
        ),
        table(head, shown),
    )


def pool_section(found: Analysis, queries: Mapping[str, str]) -> Html:
    """Show near-duplicates in what all runs returned for a topic (figures 4.1 to 4.5)."""
    rows = [row for row in found.prevalence if row.scope == "pool" and row.topic is not None]
    thresholds = list(dict.fromkeys(row.threshold for row in rows))
    average = [
        (by_threshold(t), mean([share(row) for row in rows if row.threshold == t])) for t in thresholds
    ]
    chosen = [row for row in rows if row.threshold == found.threshold]
    names = [f"{row.topic} {queries.get(row.topic or '', '')}".strip() for row in chosen]
    content: list[object] = [
        figure(bars(average, title="Average over topics", x="% of a topic's documents")),
    ]
    if len(thresholds) > 1:
        content.append(small_figures(topic_plots(rows, queries)))
    drawn = [(name, share(row)) for name, row in zip(names, chosen, strict=True)]
    content.append(figure(bars(drawn, title="By topic", x="% of a topic's documents")))
    return section("Topics: the documents of all runs", *content)


def topic_plots(rows: Sequence[Prevalence], queries: Mapping[str, str]) -> Iterable[str]:
    """Draw a small plot a topic: near-duplicates by threshold."""
    topics = dict.fromkeys(row.topic for row in rows)
    for topic in topics:
        points = [(row.threshold or 0, share(row)) for row in rows if row.topic == topic]
        title = f"{topic} {queries.get(topic or '', '')}".strip()[:30]
        yield lines(
            [Series(title, sorted(points))], title=title, y="%", y_range=(0, 100), width=300, height=200
        )


def run_section(found: Analysis) -> Html:
    """Show how many run-topics have how many near-duplicates (table 4.1, figure 4.6)."""
    cells = {
        (cell.n, round(100 * cell.least)): 100 * cell.share
        for cell in found.cumulative
        if cell.threshold == found.threshold
    }
    depths = list(dict.fromkeys(n for n, _ in cells))
    rows = [
        (f"{least} %", *(f"{cells[n, least]:.2f} %" if (n, least) in cells else "–" for n in depths))
        for least in SHARES
    ]
    series = [
        Series(f"top {n}", [(least, cells[n, least]) for least in SHARES if (n, least) in cells])
        for n in depths
    ]
    plot = lines(
        series,
        title="Redundant documents at the top of rankings",
        x="% of the top n that resemble a better ranked document, or more",
        y="% of run-topics",
        y_range=(0, 100),
    )
    head = ("redundant, at least", *(f"n = {n}" for n in depths))
    return section("Run-topics", figure(plot), figure(top_plot(found)), table(head, rows))


def top_plot(found: Analysis) -> str:
    """Draw how redundant the top of a ranking is, for the smallest n from 20 on, or the largest."""
    rows = [row for row in found.run_topics if row.threshold == found.threshold and row.documents]
    depths = sorted({row.n for row in rows})
    n = next((depth for depth in depths if depth >= SHOWN_DEPTH), depths[-1])
    shares = [100 * row.redundant / row.documents for row in rows if row.n == n]
    title = f"Run-topics by redundant documents in the top {n}"
    return histogram(shares, title=title, x=f"% of the top {n}", y="run-topics", span=(0, 100))


def origin_section(found: Analysis) -> Html:
    """Show where near-duplicates come from."""
    kinds = [(kind, sum(pair.origin == kind for pair in found.origins)) for kind in ORIGINS]
    rows = [(kind, f"{n:,}", percent(n, len(found.origins))) for kind, n in kinds if n]
    if not rows:
        return section("Origins", element("p", "No document of a topic's pool resembles another."))
    drawn = [(kind, float(n)) for kind, n in kinds if n]
    return section(
        "Origins",
        figure(bars(drawn, title="Why there are two of a page", x="redundant documents of the pools")),
        table(("origin", "documents", "share"), rows),
    )


def effect_section(found: Analysis) -> Html:
    """Show each measure before and after, for every policy."""
    content: list[object] = [
        element("p", "A line is a system; where lines cross, systems change places."),
        small_figures(score_plots(found.effects)),
    ]
    for policy in POLICIES:
        rows = [row for row in found.effects if row.policy == policy]
        orders = [row for row in found.orders if row.policy == policy]
        content += [
            element("h3", policy),
            element("p", f"Near-duplicates {WORDS[policy]}."),
            table(
                ("measure", "Kendall’s τ", "p", "pairs of systems", "significantly different before",
                 "after", "in both"),
                [(o.measure, number(o.tau), number(o.tau_p), o.pairs, o.significant_before,
                  o.significant_after, o.significant_in_both) for o in orders],
            ),
            effect_table(rows),
        ]  # fmt: skip
    note = (
        f"p is that of paired t-tests over topics, two-sided and not corrected for their number; "
        f"differences with p below {SIGNIFICANT} are marked *."
    )
    return section("Effectiveness", element("p", note), *content)


def score_plots(rows: Sequence[Effect]) -> Iterable[str]:
    """Draw a plot a measure: the score of each system, before and under each policy."""
    ticks = {float(place): name for place, name in enumerate(("before", *POLICIES))}
    for measure in dict.fromkeys(row.measure for row in rows):
        points: dict[str, list[tuple[float, float]]] = {}
        for row in rows:
            if row.measure == measure:
                known = points.setdefault(row.run, [(0, row.before)])
                known.append((1 + POLICIES.index(row.policy), row.after))
        series = [Series(run, known) for run, known in points.items()]
        yield lines(series, title=measure, ticks=ticks, legend=False, width=420, height=260)


def effect_table(rows: Sequence[Effect]) -> Html:
    """Show systems in rows and measures in columns: after, change, move in the ranking."""
    measures = list(dict.fromkeys(row.measure for row in rows))
    cells = {(row.run, row.measure): row for row in rows}
    lines = [
        (run, *(cell(cells[run, name]) for name in measures))
        for run in dict.fromkeys(r.run for r in rows)
    ]
    return table(("before → after, rank", *measures), lines)


def cell(row: Effect) -> str:
    """Write what became of one system by one measure."""
    star = "*" if row.p is not None and row.p < SIGNIFICANT else ""
    move = row.rank_before - row.rank_after
    moved = f" {'▲' if move > 0 else '▼'}{abs(move)}" if move else ""
    return f"{row.before:.4f} → {row.after:.4f}{star} ({row.rank_before} → {row.rank_after}{moved})"


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def number(value: float | None) -> str:
    """Write a number, or nothing."""
    return "" if value is None else f"{value:.4f}"
