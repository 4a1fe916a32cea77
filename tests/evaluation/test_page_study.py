"""The study of page measures."""

import random
from dataclasses import replace

import pytest
from tests.methods.pages.sites import RIGHT, two_sites

from neardup.errors import InputError
from neardup.evaluation import page_study
from neardup.evaluation.gold import PairGold
from neardup.evaluation.page_study import Bench, study_pages
from neardup.methods.pages.settings import PageSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source
from neardup.settings.run import RunSettings

PRINTED = {name: value for name, value in PageSettings.presets["paper"].items() if name != "raw"}


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


def lines(dice: random.Random, count: int) -> list[str]:
    """Return lines of words that no other one has."""
    words = (" ".join("".join(dice.choices("abcdefghij", k=7)) for _ in range(10)) for _ in range(count))
    return [f"{text}.\n" for text in words]


def test_steps_are_left_out_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_study, "TURNS", (16,))
    made = lines(random.Random(1), 60)
    left, right, few, others = made[:5], made[5:10], made[10:14], made[14:46]
    # the first page has the next two, so that all are one set: these two have nothing in common
    pages = [left + right, left, right]
    # what is common is too far apart for a region
    pages += [few, [line for n in range(4) for line in (few[n], *others[8 * n : 8 * n + 8])], made[46:]]
    rows = [{"id": str(n), "text": "".join(own)} for n, own in enumerate(pages)]
    is_right = frozenset({("0", "1"), ("0", "2"), ("3", "4")})
    gold = PairGold(where="gold", right=is_right, wrong=frozenset({("1", "2"), ("1", "5")}))
    source, settings = open_source(rows, ReaderSettings()), PageSettings(**PRINTED)
    found = study_pages(source, gold, settings, RunSettings.make(2))
    rates = {row.without: (row.precision, row.recall) for row in found.steps}
    assert rates["nothing"] == (1, 2 / 3)
    assert rates["trustable regions"] == (1, 1), "all that is common counts"
    assert rates["any comparison"] == (3 / 4, 1), "all that is proposed is taken"
    _, _, table = found.tables()[0]
    assert table[1][1:] == ("same site", None, None, None, None, None), "nothing is to be found there"
    with pytest.raises(InputError, match="labelled right and wrong"):
        study_pages(source, replace(gold, right=frozenset()), settings, RunSettings.make(1))
