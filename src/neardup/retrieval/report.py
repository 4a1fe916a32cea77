"""The report of an analysis: one HTML file, with plots and their numbers, that needs nothing else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from neardup.retrieval import declared
from neardup.retrieval.analysis import Analysis, Counted, Measured, TrecSettings
from neardup.retrieval.effect import SIGNIFICANT, Effect
from neardup.retrieval.origins import ORIGINS
from neardup.retrieval.policies import POLICIES
from neardup.retrieval.prevalence import SHARES, Prevalence
from neardup.web.numbers import Figure, numbers, paper, points, saved_table, shown
from neardup.web.page import Html, element, section, small_figures
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
CARDS = (
    declared.RUNS,
    declared.RUN_TOPICS,
    declared.TOPICS_JUDGED,
    declared.JUDGEMENTS,
    declared.REMOVED_FROM_QRELS,
    declared.REMOVED_FROM_RUNS,
)


def report(found: Analysis, settings: TrecSettings, queries: Mapping[str, str]) -> str:
    """Return the report as HTML."""
    what = "as grouped" if found.threshold is None else f"with a similarity of {found.threshold} or more"
    remarks = element("ul", *(element("li", remark) for remark in found.remarks or ["None."]))
    return paper(
        "Near-duplicates in an evaluation",
        element("p", f"Near-duplicates {what}."),
        *common_sections(found, settings, queries),
        *([effect_section(found.measured)] if found.measured else []),
        section("Assumptions", remarks),
        cards={count.sentence: found.counts[count] for count in CARDS if found.counts[count]},
    )


def common_sections(
    found: Analysis, settings: TrecSettings, queries: Mapping[str, str]
) -> Iterator[Html]:
    """Show how common near-duplicates are, and where they come from."""
    counted, threshold = found.counted, found.threshold
    yield prevalence_section(counted, settings)
    yield pool_section(counted, threshold, queries)
    yield section("Run-topics", *map(shown, run_figures(counted, threshold)))
    yield origin_section(counted)


def share(row: Prevalence) -> float:
    """Return the share of near-duplicates in per cent."""
    return 100 * row.near_duplicates / row.documents if row.documents else 0.0


def by_threshold(threshold: float | None) -> str:
    """Say from which similarity on documents count."""
    return "in one group" if threshold is None else f"{threshold:g} ≤ RR"


def bar_figure(
    name: str, drawn: Sequence[tuple[str, float]], title: str, x: str, caption: str = ""
) -> Figure:
    """Draw bars, with their numbers."""
    return Figure(name, bars(drawn, title=title, x=x), ["", x], drawn, caption)


def prevalence_section(counted: Counted, settings: TrecSettings) -> Html:
    """Show near-duplicates among relevant, judged and returned documents (figure 3.4)."""
    rows = [row for row in counted.prevalence if row.topic is None]
    table = [
        (
            SCOPES[r.scope],
            by_threshold(r.threshold),
            r.documents,
            r.near_duplicates,
            share(r),
            r.redundant,
        )
        for r in rows
    ]
    head = ("set", "threshold", "documents", "near-duplicates", "% of them", "could be removed")
    content: list[object] = []
    if drawn := [(by_threshold(r.threshold), share(r)) for r in rows if r.scope == "relevant"]:
        caption = f"Documents judged {settings.relevance} or higher that resemble another one of them."
        title = "Near-duplicates among relevant documents"
        content.append(shown(bar_figure("relevant", drawn, title, "% of relevant documents", caption)))
    title = "Relevant documents" if drawn else "All documents"
    return section(title, *content, saved_table("prevalence", head, table))


def pool_section(counted: Counted, threshold: float | None, queries: Mapping[str, str]) -> Html:
    """Show near-duplicates in what all runs returned for a topic (figures 4.1 to 4.5)."""
    rows = [row for row in counted.prevalence if row.scope == "pool" and row.topic is not None]
    thresholds = list(dict.fromkeys(row.threshold for row in rows))
    average = [
        (by_threshold(t), mean([share(row) for row in rows if row.threshold == t])) for t in thresholds
    ]
    chosen = [row for row in rows if row.threshold == threshold]
    names = [f"{row.topic} {queries.get(row.topic or '', '')}".strip() for row in chosen]
    x = "% of a topic's documents"
    content: list[object] = [shown(bar_figure("topics-average", average, "Average over topics", x))]
    if len(thresholds) > 1:
        content.append(small_figures(topic_plots(rows, queries)))
        head = ("topic", "threshold", "documents", "near-duplicates", "% of them")
        table = [(r.topic, r.threshold, r.documents, r.near_duplicates, share(r)) for r in rows]
        content.append(numbers("topics", head, table))
    drawn = [(name, share(row)) for name, row in zip(names, chosen, strict=True)]
    content.append(shown(bar_figure("topics-at-the-threshold", drawn, "By topic", x)))
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


def run_figures(counted: Counted, threshold: float | None) -> Iterator[Figure]:
    """Draw table 4.1 (as figure 4.6 does), the same for redundant documents, and the top of rankings."""
    cells = {
        (cell.n, round(100 * cell.more_than)): cell
        for cell in counted.cumulative
        if cell.threshold == threshold
    }
    depths = list(dict.fromkeys(n for n, _ in cells))
    for name, title, what in (
        ("near_duplicates", "Near-duplicates at the top of rankings", "have a near-duplicate there"),
        ("redundant", "Redundant documents at the top of rankings", "resemble a better ranked one"),
    ):
        series = [
            Series(
                f"top {n}",
                [(at, 100 * getattr(cells[n, at], name)) for at in SHARES if (n, at) in cells],
            )
            for n in depths
        ]
        x = f"more than this % of the top n {what}"
        plot = lines(series, title=title, x=x, y="% of run-topics", y_range=(0, 100))
        yield Figure(f"run-topics-{name.replace('_', '-')}", plot, *points(series, "more than %"))
    yield top_figure(counted, threshold)


def top_figure(counted: Counted, threshold: float | None) -> Figure:
    """Draw how redundant the top of a ranking is, for the smallest n from 20 on, or the largest."""
    rows = [row for row in counted.run_topics if row.threshold == threshold and row.documents]
    depths = sorted({row.n for row in rows})
    n = next((depth for depth in depths if depth >= SHOWN_DEPTH), depths[-1])
    top = [row for row in rows if row.n == n]
    shares = [100 * row.redundant / row.documents for row in top]
    title = f"Run-topics by redundant documents in the top {n}"
    plot = histogram(shares, title=title, x=f"% of the top {n}", y="run-topics", span=(0, 100))
    head = ("run", "topic", "documents", "near-duplicates", "redundant")
    table = [(r.run, r.topic, r.documents, r.near_duplicates, r.redundant) for r in top]
    return Figure(f"top-{n}", plot, head, table)


def origin_section(counted: Counted) -> Html:
    """Show where near-duplicates come from."""
    kinds = [(kind, sum(pair.origin == kind for pair in counted.origins)) for kind in ORIGINS]
    drawn = [(kind, float(count)) for kind, count in kinds if count]
    if not drawn:
        return section("Origins", element("p", "No document of a topic's pool resembles another."))
    plot = bars(drawn, title="Why there are two of a page", x="redundant documents of the pools")
    table = [(kind, n, 100 * n / len(counted.origins)) for kind, n in kinds if n]
    return section("Origins", shown(Figure("origins", plot, ("origin", "documents", "%"), table)))


def effect_section(measured: Measured) -> Html:
    """Show each measure before and after, for every policy."""
    head = ("policy", "measure", "run", "before", "after", "rank before", "rank after", "p")
    content: list[object] = [
        element("p", "A line is a system; where lines cross, systems change places."),
        small_figures(score_plots(measured.effects)),
        numbers("effects", head, measured.effects),
    ]
    order_head = (
        *("measure", "Kendall’s τ", "p", "pairs of systems", "significantly different before"),
        *("after", "in both"),
    )
    for policy in POLICIES:
        rows = [row for row in measured.effects if row.policy == policy]
        orders = [row[1:] for row in measured.orders if row.policy == policy]
        content += [
            element("h3", policy),
            element("p", f"Near-duplicates {WORDS[policy]}."),
            saved_table(f"orders-{policy}", order_head, orders),
            effect_table(policy, rows),
        ]
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


def effect_table(policy: str, rows: Sequence[Effect]) -> Html:
    """Show systems in rows and measures in columns: after, change, move in the ranking."""
    measures = list(dict.fromkeys(row.measure for row in rows))
    cells = {(row.run, row.measure): row for row in rows}
    lines = [
        (run, *(cell(cells[run, name]) for name in measures))
        for run in dict.fromkeys(r.run for r in rows)
    ]
    return saved_table(f"systems-{policy}", ("before → after, rank", *measures), lines)


def cell(row: Effect) -> str:
    """Write what became of one system by one measure."""
    star = "*" if row.p is not None and row.p < SIGNIFICANT else ""
    move = row.rank_before - row.rank_after
    moved = f" {'▲' if move > 0 else '▼'}{abs(move)}" if move else ""
    return f"{row.before:.4f} → {row.after:.4f}{star} ({row.rank_before} → {row.rank_after}{moved})"


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
