"""The report of a cleaned corpus: the flow from stage to stage as a picture, and examples."""

from collections.abc import Iterator
from typing import Any

from neardup.cleaning.declared import CHARACTERS, CHARACTERS_KEPT, KEPT
from neardup.cleaning.view import share, stages_of
from neardup.results.folder import ResultFolder
from neardup.steps.declared import DOCUMENTS
from neardup.web.numbers import Figure, paper, saved_table, shown
from neardup.web.page import Html, element, section, table, visible
from neardup.web.svg import COLOURS, drawing, label, tag

STEP, HEIGHT, TOP, LEAST = 130, 190, 48, 1.5  # of the picture, in its units
COLUMNS = ("records_before", "dropped", "changed", "characters_before", "characters_gone")


def report_page(result: ResultFolder) -> str:
    """Return the report as HTML."""
    counts, stages = result.counts, stages_of(result)
    rows = [[stage["stage"], *(stage[name] for name in COLUMNS)] for stage in stages]
    head = ("stage", *(name.replace("_", " ") for name in COLUMNS))
    flow = result.local().table("flow").to_pylist()
    by_source = [[row["source"], row["stage"], *(row[name] for name in COLUMNS)] for row in flow]
    kept = share(counts[CHARACTERS_KEPT], counts[CHARACTERS])
    caption = f"{kept} of the characters are left. Below: records dropped, and characters removed."
    return paper(
        "A cleaned corpus",
        section("From stage to stage", shown(Figure("flow", picture(stages), head, rows, caption))),
        section("By source", saved_table("sources", ("source", *head), by_source)),
        *examples(result),
        cards={
            "records read": counts[DOCUMENTS],
            "records kept": counts[KEPT],
            "characters read": counts[CHARACTERS],
            "characters kept": counts[CHARACTERS_KEPT],
        },
    )


def picture(stages: list[dict[str, Any]]) -> str:
    """Draw the text that passes from stage to stage as a band, and what leaves it at each."""
    whole = max((stage["characters_before"] for stage in stages), default=0) or 1
    parts: list[str] = []
    for number, stage in enumerate(stages):
        left = 12 + STEP * number
        before, gone = (HEIGHT * stage[f"characters_{which}"] / whole for which in ("before", "gone"))
        stays = {"x": left, "y": TOP, "width": STEP, "height": max(before - gone, LEAST)}
        tip = tag("title", f"{stage['characters_after']:,} characters are left")
        parts.append(tag("rect", tip, fill=COLOURS[0], opacity=0.6, **stays))
        if gone:
            high, low, end = TOP + before - gone, TOP + before, TOP + HEIGHT + 26
            bend, far = left + STEP / 3, left + STEP / 3 + max(gone, LEAST)
            way = f"M {left} {high:g} Q {far:g} {high:g} {far:g} {end} H {bend:g} "
            way += f"Q {bend:g} {low:g} {left} {low:g} Z"
            parts.append(tag("path", d=way, fill=COLOURS[1], opacity=0.8))
        parts.append(tag("line", x1=left, x2=left, y1=TOP - 4, y2=TOP + before, stroke="currentColor"))
        parts.append(label(left + 6, TOP - 10, visible(stage["stage"]), font_weight="bold"))
        went = share(stage["characters_gone"], stage["characters_before"])
        parts.append(label(left + 6, TOP + HEIGHT + 42, f"-{stage['dropped']:,}, -{went}"))
    width = 44 + STEP * len(stages)
    return drawing("Characters from stage to stage", parts, width, TOP + HEIGHT + 56)


def examples(result: ResultFolder) -> Iterator[Html]:
    """Yield a table for each stage of some records of it, with what went and what stayed instead."""
    rows = result.local().table("shown").to_pylist()
    for stage in dict.fromkeys(row["stage"] for row in rows):
        cells = [
            [visible(row[name] or "") for name in ("id", "reason", "text", "keeper_id", "keeper_text")]
            for row in rows
            if row["stage"] == stage
        ]
        head = ("record", "why", "what went", "keeper", "what stays there")
        yield section(f"Examples: {stage}", element("div", table(head, cells), kind="texts"))
