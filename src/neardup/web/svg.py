"""Plots as SVG text: lines, bars and histograms; they stand alone, or inside of a page.

Everything is an attribute, nothing a style, so that a page may forbid all styles but its own.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from neardup.web.scales import Scale, covering, short, written
from neardup.web.words import say

# Okabe and Ito's colours, which people who see few colours can tell apart
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f", "#b8a900")
DASHES = ("none", "6 3", "2 2", "8 3 2 3")
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 30, 46
ROW = 18  # pixels of a bar or a line of the legend
LETTER = 7.5  # pixels of a letter, roughly
LONGEST = 40  # letters of a name


class Series(NamedTuple):
    """A line of a plot."""

    name: str
    points: Sequence[tuple[float, float]]


def lines(
    series: Sequence[Series],
    *,
    title: str,
    x: str = "",
    y: str = "",
    log_x: bool = False,
    log_y: bool = False,
    y_range: tuple[float, float] | None = None,
    ticks: Mapping[float, str] | None = None,
    legend: bool = True,
    width: int = 640,
    height: int = 340,
) -> str:
    """Draw lines, with a legend if there are several; `ticks` are what the x axis says where."""
    named = legend and len(series) > 1
    room = (max(len(clipped(s.name)) for s in series) * LETTER + 44) if named else 0
    right, bottom = width - RIGHT - room, height - BOTTOM
    points = [point for s in series for point in s.points]
    across = covering((p[0] for p in points), LEFT, right, log_x, zero=False)
    up = covering(y_range or (p[1] for p in points), bottom, TOP, log_y)
    parts = [*frame(across, up, x, y, ticks)]
    for number, one in enumerate(series):
        look = {
            "stroke": COLOURS[number % len(COLOURS)],
            "stroke_width": 2,
            "stroke_dasharray": DASHES[number // len(COLOURS) % len(DASHES)],
        }
        parts += line(one, across, up, look)
        if named:
            at = TOP + ROW * number + 6
            parts.append(tag("line", x1=right + 12, x2=right + 34, y1=at, y2=at, **look))
            parts.append(label(right + 40, at + 4, clipped(one.name)))
    return drawing(title, parts, width, max(height, TOP + ROW * len(series) * named + 10))


def line(one: Series, across: Scale, up: Scale, look: dict[str, object]) -> Iterator[str]:
    """Draw a line and its points, each with its values as a tip."""
    shown = [(x, y) for x, y in one.points if math.isfinite(y) and (y > 0 or not up.log)]
    places = [(across.at(x), up.at(y)) for x, y in shown]
    yield tag("polyline", points=" ".join(f"{x:g},{y:g}" for x, y in places), fill="none", **look)
    for (cx, cy), (x, y) in zip(places, shown, strict=True):
        tip = tag("title", escape(f"{one.name}: {short(x)}, {written(y)}"))
        yield tag("circle", tip, cx=cx, cy=cy, r=3, fill=look["stroke"])


def bars(rows: Sequence[tuple[str, float]], *, title: str, x: str = "", width: int = 640) -> str:
    """Draw one bar a row, from left to right, each with its value."""
    left = max((len(clipped(name)) for name, _ in rows), default=0) * LETTER + 18
    height = TOP + ROW * len(rows) + BOTTOM
    across = covering((value for _, value in rows), left, width - RIGHT - 50)
    bottom = TOP + ROW * len(rows) + 2
    parts = [*ticks_below(across, {tick: short(tick) for tick in across.ticks()}, bottom, TOP)]
    for number, (name, value) in enumerate(rows):
        top, end = TOP + ROW * number, across.at(value)
        tip = tag("title", escape(f"{name}: {written(value)}"))
        bar = tag("rect", tip, x=left, y=top + 2, width=end - left, height=ROW - 5, fill=COLOURS[0])
        parts += [
            label(left - 6, top + 13, clipped(name), "end"),
            bar,
            label(end + 5, top + 13, written(value)),
        ]
    parts.append(label((left + width) / 2, height - 8, x, "middle"))
    return drawing(title, parts, width, height)


def histogram(
    values: Iterable[float],
    *,
    title: str,
    x: str = "",
    y: str = "",
    bins: int = 20,
    log_y: bool = False,
    span: tuple[float, float] | None = None,
    width: int = 640,
    height: int = 300,
) -> str:
    """Draw how many values fall into bins of equal width; `span` is where the first and last end."""
    known = [value for value in values if math.isfinite(value)]
    low, high = span or (min(known, default=0), max(known, default=1))
    across = covering((low, high), LEFT, width - RIGHT, zero=False)
    size = (across.most - across.least) / bins
    counts = [0] * bins
    for value in known:
        if low <= value <= high:
            counts[min(int((value - low) / size), bins - 1)] += 1
    # on a logarithmic scale, a single one must be seen
    up = covering((0.8, *counts) if log_y else (0, *counts), height - BOTTOM, TOP, log_y)
    parts = [*frame(across, up, x, y, None)]
    for number, count in enumerate(counts):
        if count:
            begin, end = low + size * number, low + size * (number + 1)
            said = say("range", **{"from": short(begin), "to": short(end), "count": count})
            tip = tag("title", escape(said))
            wide, high_at = across.at(end) - across.at(begin), up.at(count)
            place = {"x": across.at(begin) + 0.5, "width": wide - 1, "y": high_at}
            parts.append(tag("rect", tip, **place, height=up.begin - high_at, fill=COLOURS[0]))
    return drawing(title, parts, width, height)


def frame(across: Scale, up: Scale, x: str, y: str, ticks: Mapping[float, str] | None) -> Iterator[str]:
    """Draw the axes, their ticks and what they are."""
    left, right, bottom = across.begin, across.end, up.begin
    for value in up.ticks():
        at = up.at(value)
        yield tag("line", x1=left, x2=right, y1=at, y2=at, stroke="currentColor", opacity=0.15)
        yield label(left - 6, at + 4, short(value), "end")
    yield from ticks_below(across, ticks or {tick: short(tick) for tick in across.ticks()}, bottom)
    yield label((left + right) / 2, bottom + 36, x, "middle")
    yield label(0, 0, y, "middle", transform=f"translate(14 {(bottom + up.end) / 2:g}) rotate(-90)")


def ticks_below(
    across: Scale, ticks: Mapping[float, str], bottom: float, top: float | None = None
) -> Iterator[str]:
    """Draw the axis below a plot; lines go up to `top` from its ticks, if that is given."""
    for value, name in ticks.items():
        at = across.at(value)
        yield tag("line", x1=at, x2=at, y1=bottom, y2=bottom + 4, stroke="currentColor")
        yield label(at, bottom + 17, name, "middle")
        if top is not None:
            yield tag("line", x1=at, x2=at, y1=top, y2=bottom, stroke="currentColor", opacity=0.15)
    yield tag("line", x1=across.begin, x2=across.end, y1=bottom, y2=bottom, stroke="currentColor")


def label(x: float, y: float, text: str, anchor: str = "start", **more: object) -> str:
    """Write a text, of which nothing is taken for markup."""
    font = {"font_family": "system-ui, sans-serif", "font_size": 12, "fill": "currentColor"}
    return tag("text", escape(text), x=x, y=y, text_anchor=anchor, **font, **more) if text else ""


def clipped(name: str) -> str:
    """Shorten a name, so that it leaves room for the plot."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def drawing(title: str, parts: Iterable[str], width: int, height: int) -> str:
    """Put parts together to a drawing with its title."""
    size = {"width": width, "height": height, "viewBox": f"0 0 {width} {height}"}
    head = label(LEFT / 2, 16, title, font_weight="bold")
    space = "http://www.w3.org/2000/svg"
    return tag("svg", head, *parts, xmlns=space, **size, role="img", aria_label=title)


def tag(name: str, *content: str, **attributes: object) -> str:
    """Write an element; its attributes are escaped, its content is markup.

    >>> tag("g", "<b/>", stroke_width=1.50, id="<a>")
    '<g stroke-width="1.5" id="&lt;a&gt;"><b/></g>'
    """
    written = (
        f' {key.replace("_", "-")}="{escape(f"{v:g}" if isinstance(v, float) else str(v))}"'
        for key, v in attributes.items()
    )
    return f"<{name}{''.join(written)}>{''.join(content)}</{name}>"
