"""The edit curve of two pages with its trustable region, as in figure 4 of the paper, as SVG."""

from neardup.methods.pages.tlcs import Curve
from neardup.web.scales import covering
from neardup.web.svg import BOTTOM, COLOURS, LEFT, RIGHT, TOP, Series, drawing, frame, label, line, tag

ACROSS = "characters of the words of the shorter page"
MOST_POINTS = 400  # more cannot be told apart


def points_of(curve: Curve, most: int = MOST_POINTS) -> list[tuple[int, int]]:
    """Return about the given number of places with the edits up to them, and both ends of the region."""
    step = max(len(curve.places) // most, 1)
    kept = sorted({*range(0, len(curve.places), step), curve.begin, curve.end, len(curve.places) - 1})
    return [(int(curve.places[i]), int(curve.edits[i])) for i in kept]


def edit_curve(curve: Curve, title: str, width: int = 640, height: int = 340) -> str:
    """Draw the edits up to each character of a page, and the region that is trusted."""
    across = covering([0, *curve.places.tolist()], LEFT, width - RIGHT)
    up = covering([0, *curve.edits.tolist()], height - BOTTOM, TOP)
    begin, end = (across.at(float(curve.places[at])) for at in (curve.begin, curve.end))
    region = {"x": begin, "y": TOP, "width": end - begin, "height": height - BOTTOM - TOP}
    outline = next(
        line(Series("edits", points_of(curve)), across, up, {"stroke": COLOURS[0], "stroke_width": 2})
    )
    tip = tag("title", f"trustable region: {curve.places[curve.begin]} to {curve.places[curve.end]}")
    parts = [
        tag("rect", tip, **region, fill=COLOURS[2], opacity=0.25),
        *frame(across, up, ACROSS, "edits", None),
        outline,
        label((begin + end) / 2, TOP + 14, "trustable region", "middle"),
    ]
    return drawing(title, parts, width, height)
