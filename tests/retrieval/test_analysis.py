"""What cannot be analysed is told."""

from typing import Any

import pytest
from tests.retrieval.collection import run_with

from neardup.errors import InputError, SettingsError
from neardup.retrieval.analysis import TrecSettings, analyse
from neardup.retrieval.duplicates import Duplicates, Groups, Pairs
from neardup.retrieval.files import (
    Judgement,
    Qrels,
    Ranking,
    Run,
)


def small(duplicates: Duplicates, **settings: Any) -> Any:
    pytest.importorskip("ir_measures")
    qrels = Qrels(
        [Judgement("1", "0", "a", 1), Judgement("1", "0", "b", 0), Judgement("2", "0", "a", 1)]
    )
    run = Run("r", {"1": Ranking(["a", "b"], [2.0, 1.0]), "3": Ranking(["a"], [1.0])})
    return analyse([run], qrels, duplicates, TrecSettings(measures=("P@2",), **settings))


def test_odd_topics_are_told() -> None:
    found = small(Groups([["a", "b"]]))
    assert "r: topics without judgements are not measured: 3" in found.remarks
    assert "r: nothing was found for topics that are measured as 0: 2" in found.remarks
    assert found.effects[0].before == 0.25


def test_thresholds_that_are_not_known_are_told() -> None:
    found = small(Pairs([("a", "b", 0.9)], 0.6), thresholds=(0.5, 0.8))
    assert found.threshold == 0.6
    assert [r.threshold for r in found.prevalence if r.topic is None and r.scope == "pool"] == [0.8, 0.6]
    assert any("1 thresholds below 0.6 are left out" in remark for remark in found.remarks)
    with pytest.raises(SettingsError, match="not known"):
        small(Pairs([("a", "b", 0.9)], 0.6), threshold=0.5)


def test_a_run_for_other_topics_is_refused() -> None:
    qrels = Qrels([Judgement("9", "0", "a", 1)])
    with pytest.raises(InputError, match="no topic of this run has judgements"):
        analyse([run_with("a")], qrels, Groups([]), TrecSettings())


@pytest.mark.parametrize(
    "settings", [{"threshold": 0.0}, {"thresholds": (1.5,)}, {"depths": (0,)}, {"keep": "last"}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        TrecSettings(**settings)
