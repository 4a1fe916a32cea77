"""Plots of lines as SVG: small enough to read, good enough to print."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 80, 170, 40, 50
COLOURS = ("#1f6fb4", "#d1495b", "#2e8b57", "#8e5ea2", "#e09f3e", "#555555")
TICKS = 6

Points = Sequence[tuple[float, float]]


def line_plot(title: str, x_label: str, y_label: str, lines: Mapping[str, Points]) -> str:
    """Return a plot of some lines, each with its name beside it.

    >>> line_plot("T", "x", "y", {"a": [(0, 1), (1, 2)]}).startswith("<svg")
    True
    """
    points = [point for line in lines.values() for point in line]
    x_ticks, y_ticks = ticks([x for x, _ in points]), ticks([0.0, *(y for _, y in points)])
    scale = _Scale(x_ticks, y_ticks)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(WIDTH / 2, 22, title, size=15),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label),
        f'<g transform="rotate(-90 16 {HEIGHT / 2:.0f})">{_text(16, HEIGHT / 2, y_label)}</g>',
        *(_x_tick(x, scale) for x in x_ticks),
        *(_y_tick(y, scale) for y in y_ticks),
        *(_line(n, name, line, scale) for n, (name, line) in enumerate(lines.items())),
        "</svg>\n",
    ]
    return "\n".join(parts)


class _Scale:
    """Where values lie on the page."""

    def __init__(self, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> None:
        self._x, self._y = (x_ticks[0], x_ticks[-1]), (y_ticks[0], y_ticks[-1])

    def x(self, value: float) -> float:
        return LEFT + (value - self._x[0]) / (self._x[1] - self._x[0]) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        share = (value - self._y[0]) / (self._y[1] - self._y[0])
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def ticks(values: Iterable[float]) -> list[float]:
    """Return round values that take in all given ones.

    >>> ticks([0.0, 9.2])
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    """
    given = list(values) or [0.0]
    low, high = min(given), max(given)
    if high == low:
        high = low + 1
    rough = (high - low) / (TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


def _text(x: float, y: float, text: str, anchor: str = "middle", size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
    )


def _x_tick(value: float, scale: _Scale) -> str:
    return _text(scale.x(value), HEIGHT - BOTTOM + 18, f"{value:g}")


def _y_tick(value: float, scale: _Scale) -> str:
    y = scale.y(value)
    grid = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
    return grid + _text(LEFT - 8, y + 4, f"{value:,g}", "end")


def _line(number: int, name: str, points: Points, scale: _Scale) -> str:
    colour = COLOURS[number % len(COLOURS)]
    path = " ".join(f"{scale.x(x):.1f},{scale.y(y):.1f}" for x, y in points)
    drawn = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    y = TOP + 14 + 20 * number
    key = f'<rect x="{WIDTH - RIGHT + 12}" y="{y - 9}" width="14" height="4" fill="{colour}"/>'
    return drawn + key + _text(WIDTH - RIGHT + 32, y, name, "start")
