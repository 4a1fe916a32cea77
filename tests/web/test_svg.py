"""Plots: nothing hostile gets through, everything is where it belongs."""

import pytest
from tests.web.drawn import HOSTILE, all_of, texts, tree

from neardup.web.page import Html, page, section, table
from neardup.web.svg import Series, bars, histogram, lines


def test_lines_go_through_their_points() -> None:
    plot = lines([Series("one", [(1, 10), (100, 0.1)])], title="T", log_x=True, log_y=True)
    places = all_of(plot, "polyline")[0].attrib["points"].split()
    (x1, y1), (x2, y2) = (tuple(map(float, place.split(","))) for place in places)
    assert (x1, x2) == (64, 624)
    assert y1 < y2, "the higher value is higher up"
    assert {"1", "10", "100", "0.1", "T"} <= set(texts(plot))


def test_points_that_cannot_be_shown_are_left_out() -> None:
    plot = lines([Series("a", [(1, 0), (2, float("nan")), (3, 5)])], title="", log_y=True)
    assert len(all_of(plot, "circle")) == 1


def test_only_several_lines_have_a_legend() -> None:
    one, two = Series("first", [(0, 1)]), Series("second", [(0, 2)])
    assert "first" not in texts(lines([one], title=""))
    assert {"first", "second"} <= set(texts(lines([one, two], title="")))
    many = lines([Series(f"s{i}", [(0, i)]) for i in range(40)], title="", height=100)
    assert float(tree(many).attrib["height"]) > 40 * 18
    assert (
        len({(e.attrib["stroke"], e.attrib["stroke-dasharray"]) for e in all_of(many, "polyline")}) > 30
    )


def test_bars_are_as_long_as_their_values() -> None:
    plot = bars([("a", 1), ("b", 2), ("c", 0)], title="T", x="things")
    one, two, none = (float(rect.attrib["width"]) for rect in all_of(plot, "rect"))
    assert two == pytest.approx(2 * one, abs=0.1)
    assert none == 0
    assert {"a", "b", "c", "1", "2", "0", "things"} <= set(texts(plot))


def test_a_histogram_counts() -> None:
    plot = histogram([0, 0.1, 0.1, 0.99, 1, 5], title="", bins=2, span=(0, 1))
    tips = [rect[0].text for rect in all_of(plot, "rect")]
    assert tips == ["0 to 0.5: 3", "0.5 to 1: 2"]
    assert len(all_of(histogram([1, 1], title="", log_y=True), "rect")) == 1
    assert not all_of(histogram([], title=""), "rect")


def test_hostile_text_stays_text() -> None:
    plots = [
        lines([Series(HOSTILE, [(0, 1)]), Series("b", [(0, 1)])], title=HOSTILE, x=HOSTILE, y=HOSTILE),
        bars([(HOSTILE, 1)], title=HOSTILE, x=HOSTILE),
        histogram([1], title=HOSTILE, x=HOSTILE, y=HOSTILE),
    ]
    whole = page(HOSTILE, section(HOSTILE, HOSTILE, table([HOSTILE], [[HOSTILE]])), *map(Html, plots))
    for text in [*plots, whole]:
        assert "<script" not in text
    assert all(HOSTILE in texts(plot) for plot in plots)
    assert "style=" not in whole and "href" not in whole
