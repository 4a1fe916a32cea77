"""Other measures are those of ir_measures, where that is installed."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from tests.retrieval.collection import Collection, Found, Judged

import neardup
from neardup.errors import InputError, SettingsError


class StandIn:
    """As much of ir_measures as is called, for machines that have none; it knows reciprocal ranks."""

    class Qrel(NamedTuple):
        query_id: str
        doc_id: str
        relevance: int
        iteration: str = "0"

    class RR:
        DEFAULT = 0.0

        def __init__(self, least: int) -> None:
            self.least = least

        def __repr__(self) -> str:
            return f"RR(rel={self.least})"

        def aggregator(self) -> Any:
            values: list[float] = []
            return SimpleNamespace(add=values.append, result=lambda: sum(values) / len(values))

    def __init__(self) -> None:
        self.pytrec_eval = self.DefaultPipeline = SimpleNamespace(supports=lambda measure: True)
        self.gdeval = self.pyndeval = SimpleNamespace(supports=lambda measure: False)

    def parse_measure(self, name: str) -> RR:
        if not name.startswith("RR"):
            raise NameError(f"unknown measure {name}")
        return self.RR(int(name.partition("=")[2].rstrip(")") or 1))

    def evaluator(self, measures: Sequence[RR], qrels: Sequence[Qrel]) -> Any:
        judged = {(row.query_id, row.doc_id): row.relevance for row in qrels}

        def calc(runs: Mapping[str, Mapping[str, float]]) -> Iterator[Any]:
            for topic, scores in runs.items():
                order = sorted(scores, key=lambda own: (scores[own], own), reverse=True)
                grades = [judged.get((topic, own), 0) for own in order]
                for measure in measures:
                    ranks = [rank for rank, grade in enumerate(grades, 1) if grade >= measure.least]
                    value = 1 / ranks[0] if ranks else 0.0
                    yield SimpleNamespace(query_id=topic, measure=measure, value=value)

        return SimpleNamespace(iter_calc=calc)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Take ir_measures itself where it is installed."""
    try:
        import ir_measures
    except ImportError:
        monkeypatch.setitem(sys.modules, "ir_measures", StandIn())
        return sys.modules["ir_measures"]
    return ir_measures


def test_other_measures_are_borrowed(library: Any) -> None:
    run = [Found("q", own, 9.0 - place) for place, own in enumerate(["x", "a", "a2", "b"])]
    qrels = [Judged("q", own, grade) for own, grade in {"a": 1, "a2": 2, "b": 2}.items()]
    given: dict[str, Any] = {"groups": [["a", "a2"]], "measures": ["RR", "P@4", "RR(rel=2)"]}
    rows = neardup.trec({"r": run}, qrels, **given).table("effects").to_pylist()
    found = {(row["policy"], row["measure"]): (row["before"], row["after"]) for row in rows}
    assert list(dict.fromkeys(row["measure"] for row in rows)) == ["RR", "P@4", "RR(rel=2)"]
    assert found["runs", "RR"] == (1 / 2, 1 / 2)
    assert found["runs", "RR(rel=2)"] == pytest.approx((1 / 3, 1 / 3)), "b moves up to where a2 was"
    assert found["irrelevant", "RR(rel=2)"] == pytest.approx((1 / 3, 1 / 4))
    assert found["runs", "P@4"] == (3 / 4, 2 / 4)


def test_unknown_measures_are_told(library: Any, collection: Collection) -> None:
    with pytest.raises(SettingsError, match="'foo' is not a measure"):
        collection.trec(measures=["foo"])


def test_a_missing_library_is_named(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    said = r"Judged@10 needs the package ir-measures(.|\n)*'\.\[trec\]'(.|\n)*MAP, nDCG@20"
    with pytest.raises(InputError, match=said):
        collection.trec(measures=["MAP", "Judged@10"])
