"""What near-duplicates do to measures: policies by hand, counts by a direct computation."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from tests.quality import DATA
from tests.retrieval.collection import Collection, Found, Judged

import neardup
from neardup.retrieval.effect import measure_named
from neardup.retrieval.files import read_qrels
from neardup.retrieval.folder import TrecResult
from neardup.retrieval.measures import MEASURES, Judgements
from neardup.retrieval.runs import Catalogue, read_run

WEB = DATA / "trec-web-2012"


def alone(runs: Path, qrels: Path, diversity: Path, topics: list[str]) -> dict[tuple[str, str], float]:
    """Measure the runs of a folder by themselves, each with files of its own."""
    found: dict[tuple[str, str], float] = {}
    measures = {name: measure_named(name) for name in MEASURES}
    for path in runs.iterdir():
        catalogue = Catalogue()
        judged = Judgements(read_qrels(qrels), read_qrels(diversity), topics, catalogue, 20)
        [scores] = judged.scores(measures, [read_run(path, catalogue=catalogue)])
        found |= {(path.name, name): float(np.nanmean(values)) for name, values in scores.items()}
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_effects_are_those_of_the_files_that_are_written(tmp_path: Path, seed: int) -> None:
    topics = ["1", "2", "10"]
    collection = Collection(tmp_path, topics, seed=seed)
    rows = collection.trec().table("effects").to_pylist()
    runs, clean = tmp_path / "runs", tmp_path / "out" / "deduplicated"
    for column, policy, qrels, diversity, where in (
        ("before", "runs", collection.qrels, collection.diversity, runs),
        ("after", "runs", collection.qrels, collection.diversity, clean / "runs"),
        ("after", "qrels", clean / "qrels.txt", clean / "diversity.txt", runs),
    ):
        ours = {(r["run"], r["measure"]): r[column] for r in rows if r["policy"] == policy}
        assert alone(where, qrels, diversity, topics) == pytest.approx(ours, abs=1e-12)
        assert len(ours) == 3 * 6


def test_names_of_topics_do_not_change_measures(tmp_path: Path) -> None:
    values = []
    for name, topics in (("a", ["1", "2", "10"]), ("b", ["wt-1", "wt-2", "x"])):
        (tmp_path / name).mkdir()
        found = Collection(tmp_path / name, topics).trec(measures=["ERR@20", "MAP", "alpha_nDCG@20"])
        values.append(found.table("effects").drop(["p"]).to_pylist())
    assert values[0] == values[1]


def test_counts_agree_with_a_direct_computation(collection: Collection) -> None:
    found = collection.trec()
    group = {own: number for number, ids in enumerate(collection.groups) for own in ids}
    lines = [line.split() for line in collection.qrels.read_text().splitlines()]
    seen: set[tuple[str, int]] = set()
    kept = []
    for topic, _, own, grade in lines:
        key = (topic, group.get(own, -1))
        if key[1] < 0 or key not in seen:
            kept.append(f"{topic} 0 {own} {grade}")
        seen.add(key)
    clean = collection.folder / "out" / "deduplicated"
    assert (clean / "qrels.txt").read_text().splitlines() == kept
    assert found.counts["removed_from_qrels"] == len(lines) - len(kept) > 0
    for run in (collection.folder / "runs").iterdir():
        by_topic: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        for line in run.read_text().splitlines():
            topic, _, own, _, score, _ = line.split()
            by_topic[topic].append((float(score), own))
        expected = []
        for topic, rows in by_topic.items():
            gone: set[int] = set()
            stay = []
            for value, own in sorted(rows, reverse=True):
                if own not in group or group[own] not in gone:
                    stay.append((own, value))
                gone |= {group[own]} if own in group else set()
            expected += [
                f"{topic} Q0 {own} {rank} {value:g} t" for rank, (own, value) in enumerate(stay, 1)
            ]
        assert (clean / "runs" / run.name).read_text().splitlines() == expected
    removed = found.table("removed").to_pylist()
    assert len(removed) == sum(found.counts[f"removed_from_{what}"] for what in ("qrels", "runs")) + sum(
        row["file"] == "diversity.txt" for row in removed
    )


def test_a_masked_document_counts_nothing_and_keeps_its_place(tmp_path: Path) -> None:
    run = [Found("1", own, 9.0 - i) for i, own in enumerate(["a", "a2", "b"])]
    qrels = [Judged("1", own, 1) for own in ("a", "a2", "b")]
    found = neardup.trec({"r": run}, qrels, groups=[["a", "a2"]], measures=["MAP"])
    after = {row["policy"]: row["after"] for row in found.table("effects").to_pylist()}
    assert after["runs"] == pytest.approx(2 / 3)
    assert after["irrelevant"] == pytest.approx((1 + 2 / 3) / 3)
    assert after["qrels"] == pytest.approx((1 + 2 / 3) / 2)
    assert after["both"] == 1


def test_ranks_tau_and_significance(tmp_path: Path) -> None:
    topics = [str(i) for i in range(8)]
    good = [Found(t, own, 9.0 - i) for t in topics for i, own in enumerate(("a", "b"))]
    # the same document over and over again looks better than two different ones
    copies = [Found(t, own, 9.0 - i) for t in topics for i, own in enumerate(("c1", "c2", "c3"))]
    qrels = [Judged(t, own, 1) for t in topics for own in ("a", "b", "c1", "c2", "c3")]
    runs = {"copies": copies, "good": good}
    found = neardup.trec(runs, qrels, groups=[["c1", "c2", "c3"]], measures=["MAP"])
    rows = {r["run"]: r for r in found.table("effects").to_pylist() if r["policy"] == "runs"}
    assert (rows["copies"]["rank_before"], rows["copies"]["rank_after"]) == (1, 2)
    assert (rows["good"]["rank_before"], rows["good"]["rank_after"]) == (2, 1)
    assert rows["copies"]["p"] == 0 and rows["good"]["p"] == 1
    order = found.table("orders").to_pylist()[0]
    assert order["tau"] == -1
    assert (order["significant_before"], order["significant_after"], order["significant_in_both"]) == (
        1,
        1,
        0,
    )


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> TrecResult:
    if not WEB.is_dir():
        pytest.skip("no runs of the Web track here: name a folder that has some with NEARDUP_DATA")
    return neardup.trec(
        WEB / "runs",
        WEB / "qrels.adhoc.txt",
        groups=WEB / "near-duplicate-groups.jsonl",
        diversity=WEB / "qrels.diversity.txt",
        topics=WEB / "full-topics.xml",
        output=tmp_path_factory.mktemp("web") / "out",
    )


def test_real_effects_are_those_of_the_files_that_are_written(web: TrecResult) -> None:
    clean = web.folder / "deduplicated"
    rows = web.table("effects").to_pylist()
    topics = [str(number) for number in range(151, 201)]
    for column, policy, qrels, diversity, where in (
        ("before", "runs", WEB / "qrels.adhoc.txt", WEB / "qrels.diversity.txt", WEB / "runs"),
        ("after", "qrels", clean / "qrels.txt", clean / "diversity.txt", WEB / "runs"),
    ):
        ours = {(r["run"], r["measure"]): r[column] for r in rows if r["policy"] == policy}
        assert alone(where, qrels, diversity, topics) == pytest.approx(ours, abs=1e-12)


def test_real_counts_agree_with_a_direct_computation(web: TrecResult) -> None:
    group: dict[str, int] = {}
    for number, line in enumerate((WEB / "near-duplicate-groups.jsonl").read_text().splitlines()):
        group.update(dict.fromkeys(json.loads(line)["ids"], number))
    lines = [line.split() for line in (WEB / "qrels.adhoc.txt").read_text().splitlines()]
    first: dict[tuple[str, int], str] = {}
    for topic, _, own, _ in lines:
        if own in group:
            first.setdefault((topic, group[own]), own)
    kept = [row for row in lines if row[2] not in group or first[row[0], group[row[2]]] == row[2]]
    written = (web.folder / "deduplicated" / "qrels.txt").read_text().splitlines()
    assert [line.split() for line in written] == kept
    assert len(lines) - len(kept) == web.counts["removed_from_qrels"] == 2591
    sets: defaultdict[str, set[str]] = defaultdict(set)
    for topic, _, own, grade in lines:
        if int(grade) > 0:
            sets[topic].add(own)
    alike = {
        t: sum(any(group.get(a, a) == group.get(b) for b in s - {a}) for a in s) for t, s in sets.items()
    }
    rows = [r for r in web.table("prevalence").to_pylist() if r["scope"] == "relevant" and r["topic"]]
    assert {r["topic"]: r["near_duplicates"] for r in rows if r["documents"]} == alike
