"""The study of page measures."""

import pytest
from tests.methods.pages.sites import RIGHT, two_sites

from neardup.errors import InputError
from neardup.evaluation.gold import PairGold
from neardup.evaluation.page_study import Bench, study_pages
from neardup.methods.pages.settings import PageSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source
from neardup.settings.run import RunSettings


def test_averages_are_over_documents() -> None:
    bench = object.__new__(Bench)
    bench.right = {("a", "b"), ("a", "c"), ("d", "e")}
    bench.wrong = {("a", "x")}
    found = bench.by_document({("a", "b"), ("a", "x"), ("d", "e")}, {("a", "b"), ("a", "c")})
    # a: 1 of 2, b, d and e: 1 of 1, x: 0 of 1
    assert found.precision == pytest.approx((1 / 2 + 1 + 1 + 1 + 0) / 5)
    assert found.relative_recall == pytest.approx((1 / 2 + 1 + 0) / 3), "a, b and c"


def test_the_study_makes_the_tables_and_figures_of_the_paper() -> None:
    wrong = frozenset({("0-0", "0-2"), ("0-4", "0-6"), ("1-1", "1-3"), ("1-107", "1-7")})
    gold = PairGold(where="gold", right=frozenset(RIGHT), wrong=wrong)
    source = open_source(two_sites(), ReaderSettings())
    found = study_pages(source, gold, PageSettings(), RunSettings.make(2))
    assert found.scores["tlcs"]["all"].f1 == 1
    assert found.scores["tlcs"]["same site"].right == 3
    assert found.scores["simhash"]["all"].f1 < 1
    best = {row.measure: row.f1 for row in found.best}
    assert best["tlcs"] == 1
    assert min(best.values()) < 1
    assert [row[0] for row in found.coverage] == list(range(7, 113, 7))
    assert found.coverage[-1][1] == 1
    windows, away, reserved = zip(*found.sketch, strict=True)
    assert windows[0] < windows[-1]
    assert away[0] < away[-1]
    assert reserved[0] == 1
    assert [len(rows) for _, _, rows in found.tables()] == [12, 5, 4, 16, 11, 8]
    assert [len(drawn.rows) for drawn in found.figures()] == [16, 11, 8]
    assert found.by_document["simhash"].relative_recall == 1
    assert found.by_document["tlcs"].precision == 1
    assert found.slopes[3][:2] == (0.1, 1.0)
    steps = {row.without: row for row in found.steps}
    assert steps["nothing"].precision == steps["nothing"].recall == 1
    sets, sketches, regions = "perhaps-similar sets", "filtered sketches", "trustable regions"
    assert list(steps) == ["nothing", sets, sketches, regions, "any comparison"]
    assert [row.without for row in found.steps if row.estimated] == [sets]
    assert all(row.seconds > 0 and row.recall == 1 for row in found.steps)
    with pytest.raises(InputError, match="labelled right and wrong"):
        study_pages(
            source, PairGold(where="gold", right=frozenset(RIGHT)), PageSettings(), RunSettings.make(1)
        )
