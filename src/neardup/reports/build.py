"""The report of a result: one HTML file that needs nothing else, and says what it leaves out."""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from neardup.arrays import Integers
from neardup.engines.base import Progress, Silent
from neardup.methods import method_named
from neardup.reports.figures import figures
from neardup.reports.packing import Packed, pack_texts, packed
from neardup.reports.remarks import Remark, counted, left_out_of, remarks_of
from neardup.reports.selection import by_worth, closest_first
from neardup.reports.tables import alone_json, measure_json, tables_json
from neardup.result import Result
from neardup.results.files import check_file, write_file
from neardup.results.folder import ResultFolder
from neardup.settings.run import parse_size
from neardup.showing.excluded import spans_of
from neardup.showing.kind import Clusters, Kind
from neardup.showing.progress import shown
from neardup.showing.what_if import Regrouped
from neardup.storage import located
from neardup.tables import said
from neardup.web.page import Html, element, page, table, visible
from neardup.web.viewer import script, style
from neardup.web.words import say, value_name

NAME = "report.html"
LEAST_SIZE = 260_000  # bytes: what a report needs without any text
REST_OF_PAGE = 30_000  # bytes for words, settings and counts
MOST_ROWS = 100_000
LEAST_ROWS = 1_000
TEXTS_SHARE = 3  # texts have a third of the room, so that a report of a few thousand pairs stays small


class Report(NamedTuple):
    """Where a report is, and what is in it."""

    path: Any  # a path, or an address elsewhere
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
    progress: Progress | bool | None = None,
) -> Report:
    """Write a result as one HTML file, by default `report.html` in the folder of the result.

    `result` is a result or its folder. If `study` is a folder of `neardup study sampling`, its curves
    are shown too. What does not fit into `max_size` is left out, and the report says so.
    """
    result = Result.opened(result)
    text = result.own_method.paper(result)
    if text is None:
        result.check("report")
    path = located(output) if output is not None else result.where / NAME
    check_file(path, 'content="neardup"', "report")
    if text is not None:
        return Report(path, write_file(path, text), 0, 0, [])
    largest = max(parse_size(max_size), LEAST_SIZE)
    text, made = build(
        result, None if study is None else Path(study), largest, shown(progress) or Silent()
    )
    return made._replace(path=path, size=write_file(path, text))


def build(
    result: Result,
    study: Path | None,
    largest: int,
    progress: Progress,
    links: Sequence[tuple[str, str]] | None = None,
) -> tuple[str, Report]:
    """Return the page, and what is in it.

    A page of a server has `links` to the server's other pages, and asks it for what it lacks.
    """
    kind = result.own_method.report(result)
    clusters = kind.clusters()
    drawn = list(figures(kind, clusters, study))
    grid = kind.grid
    groups = kind.regrouped(grid) if clusters is not None and grid else None
    code = script("report.js")
    fixed = sum(len(text.encode()) for text in (code, style(), *drawn)) + REST_OF_PAGE
    worth = by_worth(kind, clusters, grid)
    rows, content, size = fitting(kind, clusters, groups, worth, largest // 2 - fixed)
    content["measure"] = measure_json(kind, grid, groups)
    room = min(largest - fixed - size, max(largest // TEXTS_SHARE, LEAST_SIZE))
    texts = pack_texts(kind, worth[: len(rows)], rows, room, progress)
    left_out = [*left_out_of(kind, rows, texts), *texts.remarks]
    content["texts"] = texts_json(texts)
    content["pale"] = spans_of(result, kind.docs(rows).tolist())
    content["alone"] = alone_json(kind, clusters)
    content["no_text"] = " ".join(texts.remarks) or say("report.no.text", others=kind.others)
    content |= {"title": title_of(kind), "heading": visible(kind.heading), "lead": kind.lead}
    content["drawn_by"] = result.run.get("drawn_by")
    content["old"] = say(f"sides.{kind.sides[1]}").capitalize()
    if links is not None:
        content |= {"rows": rows.tolist(), "links": links}
    data = {"data": packed(content)} | {f"texts-{i}": block for i, block in enumerate(texts.blocks)}
    body = body_of(kind, drawn, remarks_of(kind, left_out))
    look: dict[str, Any] = {"style": style(), "script": code, "headed": False}
    text = page(title_of(kind), *body, data=data, served=links is not None, **look)
    return text, Report(Path(), 0, *counted(kind, rows, texts), left_out)


def fitting(
    kind: Kind, clusters: Clusters | None, groups: Regrouped | None, worth: Integers, room: int
) -> tuple[Integers, dict[str, Any], int]:
    """Return as many of the rows worth most as have room, what tables show of them, and its size."""
    most = MOST_ROWS
    while True:
        rows = closest_first(kind, worth[:most])
        content = tables_json(kind, rows, clusters, groups, most)
        size = len(packed(content))
        if size < room or most < LEAST_ROWS:
            return rows, content, size
        most //= 2


def texts_json(texts: Packed) -> dict[str, Any]:
    """Return in which blocks rows and documents are, and what most documents have."""
    rows = sorted(texts.rows)
    return {
        "row": rows,
        "block": [texts.rows[row] for row in rows],
        "strip": [texts.strips[row] for row in rows],
        "doc": list(texts.docs),
        "blocks": list(texts.docs.values()),
        "cut": list(texts.rests),
        "rests": list(texts.rests.values()),
        "reused": [list(one) for one in texts.reused],
    }


def title_of(kind: Kind) -> str:
    """Say what was looked for, and where."""
    files = kind.result.run["input"].get("files", [])
    if not files:
        return say("report.title", heading=kind.heading, files=say("report.memory"))
    new, old = (
        [file["name"] for file in files if file.get("old", False) is side] for side in (False, True)
    )
    named = {"heading": kind.heading, "files": in_files(new)}
    if old:
        return visible(say("report.title.against", **named, others=in_files(old)))
    return visible(say("report.title", **named))


def in_files(names: Sequence[str]) -> str:
    """Name a file, or say how many there are."""
    return names[0] if len(names) == 1 else say("report.files", number=len(names))


def body_of(kind: Kind, drawn: Sequence[Html], remarks: Sequence[Remark]) -> Iterator[Html]:
    """Yield what the page has: its head, and the frame that scripts fill."""
    words = kind.words()
    said = element("p", *words[:1], kind="lede") if words else ""
    name = element("div", element("h1", title_of(kind)), said)
    yield Html(f'<header class="top">{name}<div id="tools" class="tools"></div></header>')
    cards = (element("div", element("dd", c.value), element("dt", c.label)) for c in kind.cards())
    figures_list = element("dl", *cards, kind="figures")
    narrow = [element("p", one, kind="narrow-only") for one in words[:1]]
    more = [element("p", one) for one in words[1:]]
    how = [Remark(say("report.counted"), [*narrow, *more])] if more else []
    lines = [
        element("details", element("summary", one.title), *one.content, kind="remark")
        for one in (*remarks, *how)
    ]
    run = element("div", element("h2", say("report.run")), about(kind.result), kind="named")
    plots = element("div", element("div", *drawn, kind="plots"), run)
    found, tabs = (escape(say(key)) for key in ("report.found", "report.tabs"))
    warned = "".join(element("p", visible(one), kind="note named") for one in kind.warnings())
    yield Html(
        f'<main id="main"><div id="home">{warned}<section class="band" aria-label="{found}">'
        f'{figures_list}<div id="threshold-box"></div></section>{element("div", *lines, kind="remarks")}'
        f'<p id="notice" class="note" role="status" hidden></p>'
        f'<nav id="tabs" class="tabs" aria-label="{tabs}"></nav>{PANELS}'
        f'<div id="panel-figures" class="panel">{plots}</div></div>{rest()}</main>'
    )


def about(result: ResultFolder) -> Html:
    """List the settings and the versions, and beside them what was counted."""
    run = result.run
    plain = {"None": "–", "True": value_name("yes"), "False": value_name("no")}
    values = {name: str(value) for name, value in run["settings"].items()}
    settings = [(name, visible(plain.get(value, value))) for name, value in values.items()]
    versions = [(say("report.run.version", name=name), value) for name, value in run["versions"].items()]
    counts = said(result.counts, method_named(result.method).counts)
    both = (
        table((say("report.run.head"), run["method"]), [*settings, *versions]),
        table(
            (say("report.run.counts"), say("report.run.number")),
            [(name, f"{value:,}") for name, value in counts.items()],
        ),
    )
    return element("div", *(element("div", own) for own in both), kind="plots about")


PANELS = "".join(
    f'<div id="panel-{name}" class="panel" hidden></div>'
    for name in ("pairs", "map", "clusters", "documents", "old", "quotations")
)


def rest() -> Html:
    """Return what is behind the tables: frames of other pages and of paper, a word without scripts."""
    note = element("p", say("report.no.scripts"), kind="note")
    return Html(f'<div id="page" hidden></div><div id="paper"></div><noscript>{note}</noscript>')
