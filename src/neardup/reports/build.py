"""The report of a result: one HTML file that needs nothing else, and says what it leaves out."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from neardup.durable import write_text
from neardup.engines.base import Progress, Silent
from neardup.reports.figures import figures
from neardup.reports.packing import Packed, pack_texts, packed
from neardup.reports.selection import by_worth, closest_first
from neardup.reports.tables import grid_of, measure_json, tables_json
from neardup.result import Result
from neardup.results.folder import ResultFolder
from neardup.results.single import check_file
from neardup.settings.run import parse_size
from neardup.showing.kind import Clusters, Integers, Kind
from neardup.web.page import Html, element, page, section, table, visible
from neardup.web.viewer import SCRIPTS, STYLE, static

NAME = "report.html"
LEAST_SIZE = 200_000  # bytes: what a report needs without any text
REST_OF_PAGE = 30_000  # bytes for words, settings and counts
MOST_ROWS = 100_000
LEAST_ROWS = 1_000


class Report(NamedTuple):
    """Where a report is, and what is in it."""

    path: Path
    size: int
    pairs: int
    texts: int
    left_out: list[str]


def report(
    result: Result | str | Path,
    output: str | Path | None = None,
    *,
    study: str | Path | None = None,
    max_size: str | int = "19MB",
    progress: Progress | None = None,
) -> Report:
    """Write a result as one HTML file, by default `report.html` in the folder of the result.

    `result` is a result or its folder. If `study` is a folder of `neardup study sampling`, its curves
    are shown too. What does not fit into `max_size` is left out, and the report says so.
    """
    result = Result.opened(result)
    result.check("report")
    path = Path(output) if output is not None else result.folder / NAME
    check_file(path, 'content="neardup"', "report")
    largest = max(parse_size(max_size), LEAST_SIZE)
    text, made = build(result, None if study is None else Path(study), largest, progress or Silent())
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
    return made._replace(path=path, size=path.stat().st_size)


def build(result: Result, study: Path | None, largest: int, progress: Progress) -> tuple[str, Report]:
    """Return the page, and what is in it."""
    kind = result.own_method.report(result)
    clusters = kind.clusters()
    drawn = list(figures(kind, clusters, study))
    grid = grid_of(kind)
    scripts = [static(name) for name in (*SCRIPTS, "report.js")]
    fixed = sum(len(text.encode()) for text in (*scripts, static(STYLE), *drawn)) + REST_OF_PAGE
    worth = by_worth(kind, clusters, grid)
    rows, content, size = fitting(kind, clusters, worth, largest // 2 - fixed)
    content["measure"] = measure_json(kind, grid, clusters is not None)
    texts = pack_texts(kind, worth[: len(rows)], rows, largest - fixed - size, progress)
    left_out = [*left_out_of(kind, clusters, rows, texts, content), *texts.remarks]
    with_texts = sorted(texts.places)
    content["texts"] = {"row": with_texts, "block": [texts.places[row] for row in with_texts]}
    content["no_text"] = no_text(texts.remarks, result)
    data = {"data": packed(content)} | {f"texts-{i}": block for i, block in enumerate(texts.blocks)}
    body = body_of(kind, clusters, drawn, left_out)
    text = page(title_of(kind), *body, style=static(STYLE), scripts=scripts, data=data)
    return text, Report(Path(), 0, *counted(kind, rows, texts), left_out)


def fitting(
    kind: Kind, clusters: Clusters | None, worth: Integers, room: int
) -> tuple[Integers, dict[str, Any], int]:
    """Return as many of the rows worth most as have room, what tables show of them, and its size."""
    most = MOST_ROWS
    while True:
        rows = closest_first(kind, worth[:most])
        content = tables_json(kind, rows, clusters, most)
        size = len(packed(content))
        if size < room or most < LEAST_ROWS:
            return rows, content, size
        most //= 2


def counted(kind: Kind, rows: Integers, texts: Packed) -> tuple[int, int]:
    """Return how many pairs are shown, and how many with their texts; others are not pairs."""
    pairs = rows < len(kind.pairs)
    return int(pairs.sum()), int(pairs[list(texts.places)].sum())


def title_of(kind: Kind) -> str:
    """Say what was looked for, and where."""
    files = [file["name"] for file in kind.result.run["input"].get("files", [])]
    where = files[0] if len(files) == 1 else f"{len(files):,} files" if files else "data in memory"
    return visible(f"{kind.heading} in {where}")


def left_out_of(
    kind: Kind, clusters: Clusters | None, rows: Integers, texts: Packed, content: dict[str, Any]
) -> list[str]:
    """Say what is not in the report."""
    found = []
    pairs, shown = counted(kind, rows, texts)
    if pairs < len(kind.pairs):
        found.append(
            f"The table has {pairs:,} of {len(kind.pairs):,} pairs: those nearest to a threshold, those "
            "of clusters' keepers, then the least similar ones."
        )
    if shown < pairs:
        found.append(
            f"{shown:,} of {pairs:,} pairs have their texts in this file. neardup explain shows the "
            "others."
        )
    if texts.cut:
        found.append(
            f"Texts of over {texts.limit:,} characters are cut around their matches, in {texts.cut:,} "
            "of the pairs shown."
        )
    if clusters is not None and len(clusters.items) > len(content["clusters"]["members"]):
        found.append(
            f"The list of clusters has {content['clusters']['rows']:,} of {len(clusters.size):,} "
            f"clusters and {len(content['clusters']['members']):,} of {len(clusters.items):,} members."
        )
    return found


def no_text(remarks: Sequence[str], result: Result) -> str:
    """Say why a pair has no text."""
    if remarks:
        return " ".join(remarks)
    return (
        "To keep this file small, these two texts are not in it. See them with: neardup explain "
        f"{visible(result.folder.name)}"
    )


def body_of(
    kind: Kind, clusters: Clusters | None, drawn: Sequence[Html], left_out: Sequence[str]
) -> Iterator[Html]:
    """Yield what the page has below its title."""
    yield element("p", *kind.words()[:1])
    cards = (element("div", element("dt", c.label), element("dd", c.value)) for c in kind.cards())
    yield element("dl", *cards, kind="cards")
    yield from (element("p", sentence) for sentence in kind.words()[1:])
    if left_out:
        items = element("ul", *(element("li", visible(remark)) for remark in left_out))
        yield element("div", element("strong", "Left out"), items, kind="note")
    if kind.measure is not None and len(kind.rows):
        yield section("Choose a threshold", Html('<div id="threshold-box"></div>'))
    yield Html(TABS if clusters is not None else PAIRS)
    if drawn:
        yield section("At a glance", element("div", *drawn, kind="plots"))
    yield element("details", element("summary", "About this run"), about(kind.result))
    yield Html(REST)


def about(result: ResultFolder) -> Html:
    """List the settings, what was counted, and the versions."""
    run = result.run
    rows = [(name, visible(str(value))) for name, value in run["settings"].items()]
    rows += [(name, f"{value:,}") for name, value in run["counts"].items()]
    rows += [(f"version of {name}", value) for name, value in run["versions"].items()]
    return table(("", run["method"]), rows)


PAIRS = '<h2>Pairs</h2><div id="pairs"></div>'
TABS = """
<div role="tablist" aria-label="What was found">
<button role="tab" type="button" id="tab-pairs" aria-controls="pairs" aria-selected="true">Pairs</button>
<button role="tab" type="button" id="tab-clusters" aria-controls="clusters" aria-selected="false"
 tabindex="-1">Clusters</button>
</div>
<div id="pairs" role="tabpanel" aria-labelledby="tab-pairs"></div>
<div id="clusters" role="tabpanel" aria-labelledby="tab-clusters" hidden></div>
"""
REST = """
<div id="paper"></div>
<dialog id="viewer" aria-labelledby="viewer-title"></dialog>
<noscript>
<p class="note">Tables, texts and the slider need scripts, which this browser does not run.</p>
</noscript>
"""
