"""The study of page measures."""

import pytest
from tests.methods.pages.sites import RIGHT, two_sites

from neardup.errors import InputError
from neardup.evaluation.gold import PairGold
from neardup.evaluation.page_study import study_pages
from neardup.methods.pages.settings import PageSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source
from neardup.settings.run import RunSettings


def test_the_study_prints_table_1() -> None:
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
    assert found.coverage[-1][0] == 112
    assert found.coverage[-1][1] == 1
    windows, away, reserved = zip(*found.sketch, strict=True)
    assert windows[0] < windows[-1]
    assert away[0] < away[-1]
    assert reserved[0] == 1
    assert [len(table.rows) for table in found.tables()] == [9, 4, 5, 11]
    assert set(found.plots()) == {"coverage.svg", "sketch.svg"}
    with pytest.raises(InputError, match="labelled right and wrong"):
        study_pages(
            source, PairGold(where="gold", right=frozenset(RIGHT)), PageSettings(), RunSettings.make(1)
        )
