"""Measures are those of the official tools: their values by hand, by a slow twin, and on real runs."""

import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.quality import DATA
from tests.retrieval.collection import Write
from tests.twins import retrieval as twins

from neardup.errors import SettingsError
from neardup.retrieval.files import Judgement, Qrels, read_qrels
from neardup.retrieval.measures import MEASURES, Judgements, Measure, own_measure
from neardup.retrieval.runs import Catalogue, Columns, Run, ranked, read_run

WEB = DATA / "trec-web-2012"


def measured_by(names: Iterable[str]) -> dict[str, Measure]:
    return {name: measure for name in names if (measure := own_measure(name))}


def scored(
    run: Run, judged: list[tuple[str, int]], name: str, subtopics: str = "0", topic: str = "1"
) -> float:
    rows = [
        Judgement(topic, part, own, grade)
        for own, grade in judged
        for part in (own.split("-")[1] if "-" in own else subtopics)
    ]
    measure = own_measure(name)
    assert measure
    qrels = Qrels(rows)
    found = Judgements(qrels, qrels, [topic], run.catalogue, 20).scores({name: measure}, [run])
    return float(found[0][name][0])


def made(*ids: str, scores: list[float] | None = None, ranks: list[int] | None = None) -> Run:
    catalogue = Catalogue()
    count = len(ids)
    columns = Columns(
        np.zeros(count, np.int64),
        ["1"],
        catalogue.numbers(ids),
        np.array(scores or list(range(count, 0, -1)), np.float64),
        np.array(ranks or range(1, count + 1), np.int64),
        "t",
    )
    return ranked("r", columns, catalogue, "r", False)


JUDGED = [("a", 2), ("b", 0), ("c", 1), ("d", 1), ("e", -2)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # found: a at rank 1 and c at rank 4; relevant are a, c and d
        ("MAP", (1 + 2 / 4) / 3),
        ("AP@3", 1 / 3),
        ("P@2", 1 / 2),
        ("P@10", 2 / 10),  # of ten, also where only five were found
        ("nDCG@2", 2 / (2 + 1 / np.log2(3))),
        ("nDCG", (2 + 1 / np.log2(5)) / (2 + 1 / np.log2(3) + 1 / 2)),
        # satisfied by a with 3/16, and who is not, by c with 1/16
        ("ERR@20", 3 / 16 + 13 / 16 * 1 / 16 / 4),
        ("ERR@1", 3 / 16),
    ],
)
def test_values_by_hand(name: str, value: float) -> None:
    run = made("a", "x", "b", "c", "e")
    assert scored(run, JUDGED, name) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # p is for the subtopics 1 and 2, q for 1, r for 3; the best order is p, r, q
        ("alpha_nDCG@2", 1 / (2 + 1 / np.log2(3)) * (1 + (0.5 + 1) / np.log2(3))),
        ("alpha_nDCG@20", (1 + 1.5 / np.log2(3) + 1 / 2) / (2 + 1 / np.log2(3) + 0.5 / 2)),
        # over what three subtopics could have at most, with one more of each at each rank
        ("ERR_IA@2", (1 + 1.5 / 2) / (3 * (1 + 0.5 / 2))),
    ],
)
def test_values_with_subtopics_by_hand(name: str, value: float) -> None:
    judged = [("p-12", 1), ("q-1", 3), ("r-3", 1), ("s-4", 0), ("t-5", -1)]
    run = made("q-1", "p-12", "r-3")
    assert scored(run, judged, name) == pytest.approx(value, rel=1e-12)


def test_of_equal_scores_the_later_id_is_better() -> None:
    run = made("a", "b", scores=[1.0, 1.0])
    assert scored(run, [("a", 0), ("b", 1)], "P@1") == 1
    assert scored(run, [("a", 1), ("b", 0)], "ERR@1") == 0


def test_trec_eval_takes_scores_as_32_bit_numbers_and_gdeval_does_not() -> None:
    run = made("a", "b", scores=[1.00000000001, 1.0])
    assert scored(run, [("a", 1), ("b", 0)], "P@1") == 0, "equal, and b is the later id"
    assert scored(run, [("a", 1), ("b", 0)], "ERR@1") == 1 / 16, "a is a little better"


def test_ndeval_goes_by_ranks_where_there_is_one_for_each() -> None:
    judged = [("a-1", 1), ("b-1", 0)]
    by_rank = made("a-1", "b-1", scores=[1.0, 2.0], ranks=[3, 7])
    assert scored(by_rank, judged, "alpha_nDCG@1") == 1
    assert scored(by_rank, judged, "P@1") == 0
    for ranks in ([0, 0], [-1, -1]):
        run = made("a-1", "b-1", scores=[1.0, 2.0], ranks=ranks)
        assert scored(run, judged, "alpha_nDCG@1") == 0


def test_judgements_below_0_count_as_0() -> None:
    for name in MEASURES:
        assert scored(made("a", "b"), [("a", -2), ("b", 1)], name) == scored(
            made("a", "b"), [("a", 0), ("b", 1)], name
        )


def test_a_topic_without_relevant_documents() -> None:
    judged = [("a", 0), ("b", -1)]
    for name in MEASURES:
        value = scored(made("a", "b"), judged, name)
        assert value == 0 or (name == "ERR@20" and np.isnan(value)), "gdeval leaves it out"


def test_a_topic_that_a_run_lacks_has_0() -> None:
    for name in MEASURES:
        assert scored(made("a"), [("a", 1)], name, topic="2") == 0


def test_of_a_document_listed_twice_the_best_counts(write: Write) -> None:
    run = read_run(write("1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n1 Q0 a 3 1 t\n1 Q0 c 4 0 t\n"), lenient=True)
    assert scored(run, [("a", 1), ("c", 1)], "MAP") == pytest.approx((1 / 2 + 2 / 3) / 2)


@pytest.mark.parametrize("name", ["P", "ERR", "ERR_IA", "alpha_nDCG"])
def test_some_measures_need_a_depth(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} needs a depth"):
        own_measure(name)


IDS = [f"d{number}" for number in range(9)]
RUNS = st.lists(
    st.lists(st.tuples(st.sampled_from(IDS), st.integers(0, 4)), unique_by=lambda row: row[0]),
    max_size=3,
)
GRADES = st.dictionaries(st.sampled_from(IDS), st.integers(-1, 4), min_size=1)
COVERED = st.dictionaries(st.sampled_from(IDS), st.sets(st.sampled_from("123")), min_size=1)


@settings(max_examples=300)
@given(RUNS, GRADES, COVERED, st.sampled_from([1, 2, 5, 20]))
def test_any_ranking_is_measured_as_by_the_slow_twin(
    runs: list[list[tuple[str, int]]], grades: dict[str, int], covered: dict[str, set[str]], depth: int
) -> None:
    catalogue = Catalogue()
    systems, orders = [], []
    for number, rows in enumerate(runs):
        columns = Columns(
            np.zeros(len(rows), np.int64),
            ["1"] if rows else [],
            catalogue.numbers(own for own, _ in rows),
            np.array([score for _, score in rows], np.float64),
            np.full(len(rows), -1),
            "t",
        )
        systems.append(ranked(f"r{number}", columns, catalogue, "", False))
        orders.append([own for own, _ in sorted(rows, key=lambda row: (row[1], row[0]), reverse=True)])
    qrels = Qrels([Judgement("1", "0", own, grade) for own, grade in grades.items()])
    diversity = Qrels([Judgement("1", part, own, 1) for own, parts in covered.items() for part in parts])
    names = ["MAP", *(f"{kind}@{depth}" for kind in ("P", "nDCG", "ERR", "alpha_nDCG", "ERR_IA"))]
    measures = measured_by(names)
    found = Judgements(qrels, diversity, ["1"], catalogue, 20).scores(measures, systems)
    for ids, own in zip(orders, found, strict=True):
        right = [
            twins.average_precision(ids, grades),
            twins.precision(ids, grades, depth),
            twins.ndcg(ids, grades, depth),
            twins.err(ids, grades, depth),
            twins.alpha_ndcg(ids, covered, depth),
            twins.err_ia(ids, covered, depth),
        ]
        assert [float(np.nan_to_num(own[name][0])) for name in names] == pytest.approx(right, abs=1e-12)


def reference() -> dict[str, list[dict[str, str]]]:
    found = defaultdict(list)
    with (WEB / "reference-measures.tsv").open() as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            found[row["run"]].append(row)
    return found


def as_printed(value: float, like: str) -> str:
    return f"{value:.{len(like.partition('.')[2])}f}"


def test_real_runs_have_the_values_of_the_official_tools(tmp_path: Path) -> None:
    if not WEB.is_dir():
        pytest.skip("no runs of the Web track here: name a folder that has some with NEARDUP_DATA")
    catalogue = Catalogue()
    qrels, diversity = (read_qrels(WEB / f"qrels.{name}.txt") for name in ("adhoc", "diversity"))
    topics = sorted(qrels.grades)
    judged = Judgements(qrels, diversity, topics, catalogue, 20)
    measures = measured_by(MEASURES)
    compared = 0
    for name, rows in reference().items():
        [scores] = judged.scores(measures, [read_run(WEB / "runs" / name, catalogue=catalogue)])
        for row in rows:
            values = scores[row["measure"]]
            own = np.nanmean(values) if row["topic"] == "all" else values[topics.index(row["topic"])]
            assert as_printed(float(own), row["value"]) == row["value"], row
            compared += 1
    assert compared == 4 * 51 * 6
