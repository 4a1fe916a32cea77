"""Frames of other libraries go in and come out."""

from pathlib import Path
from typing import Any

import pandas
import pytest
from tests.retrieval.collection import Collection

import neardup
from neardup.errors import InputError
from neardup.retrieval import deduplicated


def table(path: Path, columns: str) -> pandas.DataFrame:
    texts = ["query_id", "doc_id", "iteration"]
    return pandas.read_csv(path, sep=" ", names=columns.split(), dtype=dict.fromkeys(texts, str))


@pytest.mark.parametrize("names", ["ir_measures", "pyterrier"])
def test_frames_in_and_out(collection: Collection, names: Any) -> None:
    from_files = collection.trec()
    terrier = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    rename = terrier if names == "pyterrier" else {}
    frames = {
        path.name: table(path, "query_id q0 doc_id _ score tag").rename(columns=rename)
        for path in (collection.folder / "runs").iterdir()
    }
    qrels, diversity = (
        table(path, "query_id iteration doc_id relevance").rename(columns=rename)
        for path in (collection.qrels, collection.diversity)
    )
    found = neardup.trec(frames, qrels, groups=collection.groups, diversity=diversity)
    assert found.table("effects") == from_files.table("effects")
    run = found.runs(names)["system1"]
    assert list(run.columns) == [rename.get(n, n) for n in ("query_id", "doc_id", "score", "rank")]
    assert run["rank"].min() == (0 if names == "pyterrier" else 1)
    again = neardup.trec({"system1": run}, found.qrels(names), groups=collection.groups)
    assert again.counts["removed_from_runs"] == again.counts["removed_from_qrels"] == 0
    together = pandas.concat(frame.assign(name=name) for name, frame in frames.items())
    assert neardup.trec(together, qrels, groups=collection.groups).counts["runs"] == 3


@pytest.mark.parametrize(("topic", "own", "first"), [("qid", "docno", 0), ("query_id", "doc_id", 1)])
def test_a_run_in_a_pipeline(topic: str, own: str, first: int) -> None:
    run = pandas.DataFrame(
        {
            topic: ["1", "1", "1", "2"],
            own: ["b", "a2", "a", "a2"],
            "score": [1.0, 2.0, 3.0, 1.0],
            "rank": [9, 9, 9, 9],
            "query": ["words"] * 4,
        }
    )
    found = deduplicated(run, [["a", "a2"]])
    assert found[own].tolist() == ["b", "a", "a2"]
    assert found["rank"].tolist() == [first + 1, first, first]
    assert list(found.columns) == list(run.columns)
    assert "rank" not in deduplicated(run.drop(columns="rank"), [["a", "a2"]])


def test_scores_of_frames_are_checked() -> None:
    run = pandas.DataFrame({"query_id": ["1"], "doc_id": ["a"], "score": ["high"]})
    with pytest.raises(InputError, match="run r: the score high is not a number"):
        neardup.trec({"r": run}, groups=[])


def test_frames_are_checked() -> None:
    run = pandas.DataFrame({"query_id": ["1"], "doc_id": ["a b"], "score": [1.0]})
    qrels = pandas.DataFrame({"qid": ["1"], "docno": ["a"], "label": [1]})
    with pytest.raises(InputError, match="white space in the id 'a b'"):
        neardup.trec({"r": run}, qrels, groups=[])
    with pytest.raises(InputError, match="no column score"):
        neardup.trec({"r": run.drop(columns="score")}, qrels, groups=[])
    with pytest.raises(InputError, match="judged twice"):
        neardup.trec({"r": run.replace("a b", "a")}, pandas.concat([qrels, qrels]), groups=[])
