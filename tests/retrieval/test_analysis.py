"""What cannot be analysed is told."""

from typing import Any

import pytest
from tests.retrieval.collection import ranking, run_with

from neardup.errors import InputError, SettingsError
from neardup.retrieval.analysis import TrecSettings, analyse
from neardup.retrieval.duplicates import Duplicates, Groups, Pairs
from neardup.retrieval.files import Judgement, Qrels
from neardup.retrieval.runs import Catalogue, Run


def small(duplicates: Duplicates, judged: str = "a", **settings: Any) -> Any:
    catalogue = Catalogue()
    qrels = Qrels(
        [Judgement("1", "0", judged, 1), Judgement("1", "0", "z", 0), Judgement("2", "0", judged, 1)]
    )
    topics = {"1": ranking(catalogue, "a", "b"), "3": ranking(catalogue, "a")}
    run = Run("r", topics, catalogue)
    given = TrecSettings(measures=("P@2",), **settings)
    return analyse([run], qrels, duplicates, given, catalogue=catalogue)


def test_odd_topics_are_told() -> None:
    found = small(Groups([["a", "b"]]))
    assert "r: topics without judgements are not measured: 3" in found.remarks
    assert "r: nothing was found for topics that are measured as 0: 2" in found.remarks
    assert found.measured.effects[0].before == 0.25


def test_thresholds_that_are_not_known_are_told() -> None:
    found = small(Pairs([("a", "b", 0.9)], 0.6), thresholds=(0.5, 0.8))
    assert found.threshold == 0.6
    assert [r.threshold for r in found.counted.prevalence if r.topic is None and r.scope == "pool"] == [
        0.8,
        0.6,
    ]
    assert any("1 thresholds below 0.6 are left out" in remark for remark in found.remarks)
    with pytest.raises(SettingsError, match="not known"):
        small(Pairs([("a", "b", 0.9)], 0.6), threshold=0.5)


def test_a_run_for_other_topics_is_refused() -> None:
    qrels = Qrels([Judgement("9", "0", "a", 1)])
    run = run_with("a")
    said = "line 1 is of topic 1, and line 1 of qrels of topic 9"
    with pytest.raises(InputError, match=said):
        analyse([run], qrels, Groups([]), TrecSettings(), catalogue=run.catalogue)


def test_judgements_of_other_documents_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"no run has any document that is judged.*such as q \(line 1\)"
    ):
        small(Groups([]), judged="q")


def test_topics_without_a_relevant_document_are_told_and_left_out_of_err() -> None:
    catalogue = Catalogue()
    run = Run("r", {t: ranking(catalogue, "a", "b") for t in ("1", "2")}, catalogue)
    qrels = Qrels([Judgement("1", "0", "a", 1), Judgement("2", "0", "a", 0)])
    given = TrecSettings(measures=("P@1", "ERR@1"))
    found = analyse([run], qrels, Groups([]), given, catalogue=catalogue)
    assert any("count as 0, and for ERR not at all: 2" in remark for remark in found.remarks)
    assert found.measured
    assert {e.measure: e.before for e in found.measured.effects} == {"P@1": 0.5, "ERR@1": 1 / 16}
    assert [row[2:4] for row in found.measured.by_topic if row[0] == "before"] == [
        ("1", "P@1"), ("2", "P@1"), ("1", "ERR@1"),
    ]  # fmt: skip


def test_a_topic_that_loses_its_last_relevant_document_still_counts() -> None:
    catalogue = Catalogue()
    run = Run("r", {t: ranking(catalogue, "a", "b") for t in ("1", "2")}, catalogue)
    rows = [("1", "a", 1), ("2", "a", 0), ("2", "b", 1)]  # of a and b, a stays
    qrels = Qrels([Judgement(topic, "0", own, grade) for topic, own, grade in rows])
    given = TrecSettings(measures=("ERR@2",))
    found = analyse([run], qrels, Groups([["a", "b"]]), given, catalogue=catalogue)
    assert found.measured
    effect = next(e for e in found.measured.effects if e.policy == "qrels")
    assert effect.before == pytest.approx((1 / 16 + 1 / 32) / 2)
    assert effect.after == pytest.approx(1 / 32), "0 for topic 2, not left out"


def test_without_judgements_near_duplicates_are_only_counted() -> None:
    run = run_with("a", "b", "c")
    near = Groups([["a", "b"]])
    found = analyse([run], None, near, TrecSettings(), catalogue=run.catalogue)
    assert found.measured is None
    assert {row.scope for row in found.counted.prevalence} == {"pool"}
    assert found.runs[0].as_lists()["1"][0] == ["a", "c"]


@pytest.mark.parametrize(
    "settings", [{"threshold": 0.0}, {"thresholds": (1.5,)}, {"depths": (0,)}, {"keep": "last"}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        TrecSettings(**settings)
