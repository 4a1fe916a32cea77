"""`neardup trec`: measures are those of ir_measures, counts those of a direct computation."""

import json
import os
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest
from typer.testing import CliRunner

import neardup
from neardup.cli import app
from neardup.errors import InputError, NeardupError, OutputError, SettingsError
from neardup.retrieval import deduplicated
from neardup.retrieval import folder as trec_folder
from neardup.retrieval.folder import TrecResult

ir_measures = pytest.importorskip("ir_measures", reason="what computes measures has no wheel here")

DATA = Path(os.environ.get("NEARDUP_DATA") or Path(__file__).parents[2] / "shared" / "data")
WEB = DATA / "trec-web-2012"
HOSTILE = "<script>alert(1)</script>"


class Collection:
    """A small collection: runs, judgements and groups as files, made by chance."""

    def __init__(self, folder: Path, topics: list[str], systems: int = 3, seed: int = 1) -> None:
        rng = random.Random(seed)
        self.folder = folder
        ids = [f"d{i:02}" for i in range(40)]
        self.groups = [ids[0:3], ids[10:12], ids[20:26]]
        (folder / "runs").mkdir()
        for system in range(systems):
            lines = []
            for topic in topics:
                found = rng.sample(ids, 30)
                scores = [rng.choice([1, 2, 3, 4]) / 4 for _ in found]
                lines += [f"{topic} Q0 {own} 0 {s} t\n" for own, s in zip(found, scores, strict=True)]
            (folder / "runs" / f"system{system}").write_text("".join(lines))
        judged = [
            (topic, own, [rng.choice([0, 0, 1, 2]) for _ in range(3)])
            for topic in topics
            for own in rng.sample(ids, 25)
        ]
        self.qrels = self.write("qrels", [f"{t} 0 {own} {max(g)}" for t, own, g in judged])
        self.diversity = self.write(
            "diversity", [f"{t} {i} {own} {g}" for t, own, gs in judged for i, g in enumerate(gs, 1)]
        )
        self.file = self.write("groups.jsonl", [json.dumps({"ids": group}) for group in self.groups])

    def write(self, name: str, lines: list[str]) -> Path:
        path = self.folder / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    def trec(self, **more: Any) -> TrecResult:
        given = {"groups": self.file, "diversity": self.diversity, "output": self.folder / "out", **more}
        return neardup.trec(self.folder / "runs", self.qrels, **given)


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    return Collection(tmp_path, ["1", "2", "10"])


def own_scores(qrels: Path, runs: Path, names: list[str]) -> Iterator[tuple[str, str, float]]:
    """Let ir_measures alone score files."""
    measures = [ir_measures.parse_measure(name) for name in names]
    for run in sorted(runs.iterdir()):
        judged = list(ir_measures.read_trec_qrels(str(qrels)))
        found = ir_measures.calc_aggregate(measures, judged, ir_measures.read_trec_run(str(run)))
        yield from ((run.name, name, found[m]) for name, m in zip(names, measures, strict=True))


ADHOC = ["MAP", "nDCG@20", "P@20", "ERR@20", "P(rel=2)@5", "nDCG", "P(judged_only=True)@5"]
DIVERSE = ["alpha_nDCG@20", "ERR_IA@20"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_measures_are_those_of_ir_measures(tmp_path: Path, seed: int) -> None:
    collection = Collection(tmp_path, ["1", "2", "10"], seed=seed)
    found = collection.trec(measures=[*ADHOC, *DIVERSE])
    rows = found.table("effects").to_pylist()
    runs, clean = tmp_path / "runs", tmp_path / "out" / "deduplicated"
    for column, policy, qrels, diversity, where in (
        ("before", "runs", collection.qrels, collection.diversity, runs),
        ("after", "runs", collection.qrels, collection.diversity, clean / "runs"),
        ("after", "qrels", clean / "qrels.txt", clean / "diversity.txt", runs),
    ):
        ours = {(r["run"], r["measure"]): r[column] for r in rows if r["policy"] == policy}
        theirs = [*own_scores(qrels, where, ADHOC), *own_scores(diversity, where, DIVERSE)]
        assert {(run, name): value for run, name, value in theirs} == pytest.approx(ours, abs=1e-9)
        assert len(ours) == 3 * 9


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
    assert found.counts["removed from qrels"] == len(lines) - len(kept) > 0
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
                f"{topic} Q0 {own} {rank} {value} t" for rank, (own, value) in enumerate(stay, 1)
            ]
        assert (clean / "runs" / run.name).read_text().splitlines() == expected
    removed = found.table("removed").to_pylist()
    assert len(removed) == sum(found.counts[f"removed from {what}"] for what in ("qrels", "runs")) + sum(
        row["file"] == "diversity.txt" for row in removed
    )


def test_a_masked_document_counts_nothing_and_keeps_its_place(tmp_path: Path) -> None:
    run = [ir_measures.ScoredDoc("1", own, 9.0 - i) for i, own in enumerate(["a", "a2", "b"])]
    qrels = [ir_measures.Qrel("1", own, 1) for own in ("a", "a2", "b")]
    found = neardup.trec({"r": run}, qrels, groups=[["a", "a2"]], measures=["MAP"])
    after = {row["policy"]: row["after"] for row in found.table("effects").to_pylist()}
    assert after["runs"] == pytest.approx(2 / 3)
    assert after["irrelevant"] == pytest.approx((1 + 2 / 3) / 3)
    assert after["qrels"] == pytest.approx((1 + 2 / 3) / 2)
    assert after["both"] == 1


def test_ranks_tau_and_significance(tmp_path: Path) -> None:
    topics = [str(i) for i in range(8)]
    good = [ir_measures.ScoredDoc(t, own, 9.0 - i) for t in topics for i, own in enumerate(("a", "b"))]
    # the same document over and over again looks better than two different ones
    copies = [
        ir_measures.ScoredDoc(t, own, 9.0 - i)
        for t in topics
        for i, own in enumerate(("c1", "c2", "c3"))
    ]
    qrels = [ir_measures.Qrel(t, own, 1) for t in topics for own in ("a", "b", "c1", "c2", "c3")]
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


def test_the_same_input_gives_the_same_bytes(collection: Collection) -> None:
    first, second = collection.folder / "first", collection.folder / "second"
    for folder in (first, second):
        collection.trec(output=folder)
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert len(files) == 15
    for name in files:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


@pytest.mark.parametrize("names", ["ir_measures", "pyterrier"])
def test_frames_in_and_out(collection: Collection, names: Any) -> None:
    from_files = collection.trec()
    terrier = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    rename = terrier if names == "pyterrier" else {}
    frames = {
        path.name: pandas.DataFrame(ir_measures.read_trec_run(str(path))).rename(columns=rename)
        for path in (collection.folder / "runs").iterdir()
    }
    qrels, diversity = (
        pandas.DataFrame(ir_measures.read_trec_qrels(str(path))).rename(columns=rename)
        for path in (collection.qrels, collection.diversity)
    )
    found = neardup.trec(frames, qrels, groups=collection.groups, diversity=diversity)
    assert found.table("effects") == from_files.table("effects")
    run = found.runs(names)["system1"]
    assert list(run.columns) == [rename.get(n, n) for n in ("query_id", "doc_id", "score", "rank")]
    assert run["rank"].min() == (0 if names == "pyterrier" else 1)
    again = neardup.trec({"system1": run}, found.qrels(names), groups=collection.groups)
    assert again.counts["removed from runs"] == again.counts["removed from qrels"] == 0
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


def test_frames_are_checked() -> None:
    run = pandas.DataFrame({"query_id": ["1"], "doc_id": ["a b"], "score": [1.0]})
    qrels = pandas.DataFrame({"qid": ["1"], "docno": ["a"], "label": [1]})
    with pytest.raises(InputError, match="white space in the id 'a b'"):
        neardup.trec({"r": run}, qrels, groups=[])
    with pytest.raises(InputError, match="no column score"):
        neardup.trec({"r": run.drop(columns="score")}, qrels, groups=[])
    with pytest.raises(InputError, match="judged twice"):
        neardup.trec({"r": run.replace("a b", "a")}, pandas.concat([qrels, qrels]), groups=[])


TEXTS = {
    "a": "The ferries between the islands stay in harbour because of the heavy storm from the west.",
    "a2": "The ferries between the islands stay in harbour because of the heavy storm from the north.",
    "b": "A new bridge across the river will be opened to all traffic on the first day of May.",
    "c": "Nobody looks for this text, which is in the collection and in no run of any system.",
}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    url = "http://www.example.com/"
    rows = [{"id": own, "text": text, "url": url + own} for own, text in TEXTS.items()]
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


RUN = [ir_measures.ScoredDoc("1", own, 9.0 - i) for i, own in enumerate(["a", "a2", "b", "gone"])]
QRELS = [ir_measures.Qrel("1", own, 1) for own in ("a", "a2", "b")]


def test_near_duplicates_are_found_in_documents(tmp_path: Path, texts: Path) -> None:
    given: dict[str, Any] = {"measures": ["MAP"], "thresholds": [0.9, 0.5, 0.1]}
    found = neardup.trec({"r": RUN}, QRELS, documents=texts, output=tmp_path / "out", **given)
    assert [(r["id"], r["keeper"]) for r in found.table("removed").to_pylist()] == [("a2", "a")] * 2
    inner = neardup.Result(tmp_path / "out" / "near-duplicates")
    assert inner.counts["skipped: not asked for"] == 1
    assert "ferries" in str(inner.explain("a", "a2"))
    assert any(
        r.startswith("1 of 4 documents are not in the collection, such as gone") for r in found.remarks
    )
    assert found.counts["origin: editorial variation"] == 1
    rows = [
        r
        for r in found.table("prevalence").to_pylist()
        if r["scope"] == "relevant" and r["topic"] is None
    ]
    assert [r["near_duplicates"] for r in rows if r["threshold"] == 0.9] == [0]
    assert [r["near_duplicates"] for r in rows if r["threshold"] == 0.5] == [2]
    made = neardup.documents(texts, threshold=0.1, output=tmp_path / "made")
    for result in (made, tmp_path / "made"):
        again = neardup.trec({"r": RUN}, QRELS, result=result, measures=["MAP"])
        assert again.table("effects") == found.table("effects")


def test_an_interrupted_run_does_not_compare_again(
    tmp_path: Path, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def run(name: str) -> TrecResult:
        return neardup.trec(
            {name: RUN}, QRELS, documents=texts, output=tmp_path / "out", measures=["MAP"]
        )

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(trec_folder, "write_all", stop)
        run("first")
    assert not (tmp_path / "out").exists()
    with monkeypatch.context() as patch:
        patch.setattr(trec_folder, "run_job", stop)
        assert list(run("second").runs()) == ["second"], "and nothing of the first is left"


def test_ids_of_another_collection_are_refused(texts: Path) -> None:
    run = [ir_measures.ScoredDoc("1", "x", 1.0)]
    with pytest.raises(InputError, match="none of the documents that the runs name"):
        neardup.trec({"r": run}, [ir_measures.Qrel("1", "x", 1)], documents=texts)


def test_addresses_can_be_given(collection: Collection) -> None:
    urls = collection.write(
        "urls.txt", [f"{own} http://x.org/{own}/index.html" for own in collection.groups[2]]
    )
    found = collection.trec(urls=urls)
    kinds = {row["origin"] for row in found.table("origins").to_pylist()}
    assert kinds == {"unknown", "editorial variation"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"measures": ["foo"]}, "'foo' is no measure"),
        ({"measures": ["alpha_nDCG@20"], "diversity": None}, "needs judgements of subtopics"),
        ({"groups": None}, "one of three"),
        ({"documents": "x"}, "one of three"),
    ],
)
def test_wrong_settings_are_told(collection: Collection, more: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        collection.trec(**more)


def test_usual_measures_that_cannot_be_had_are_left_out(collection: Collection) -> None:
    text = collection.qrels.read_text().replace(" 2\n", " 5\n")
    collection.qrels.write_text(text)
    found = collection.trec(diversity=None)
    assert set(found.table("effects")["measure"].to_pylist()) == {"MAP", "nDCG@20", "P@20"}
    assert [remark for remark in found.remarks if remark.startswith("ERR@20 is left out")]


def test_a_missing_library_is_named(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(InputError, match=r"pip install '\.\[trec\]'"):
        collection.trec()


def test_judgements_of_subtopics_alone_are_enough(collection: Collection) -> None:
    both = collection.trec(measures=["MAP", "ERR_IA@20"])
    alone = neardup.trec(
        collection.folder / "runs",
        collection.diversity,
        groups=collection.file,
        measures=["MAP", "ERR_IA@20"],
    )
    assert alone.table("effects") == both.table("effects")
    assert "a document's judgement is the highest of its subtopics" in alone.remarks


def test_two_runs_of_one_name_are_refused(collection: Collection) -> None:
    run = collection.folder / "runs" / "system1"
    (collection.folder / "system1").write_bytes(run.read_bytes())
    with pytest.raises(InputError, match="two runs are called system1"):
        neardup.trec([run, collection.folder / "system1"], collection.qrels, groups=collection.file)


def test_a_result_is_not_written_over(collection: Collection) -> None:
    collection.trec()
    with pytest.raises(OutputError, match="already holds a result"):
        collection.trec()
    collection.trec(overwrite=True)
    assert not list(collection.folder.glob("*.partial"))


def test_a_failed_run_leaves_nothing(collection: Collection) -> None:
    with pytest.raises(NeardupError):
        collection.trec(groups=None, documents=collection.folder / "none.jsonl")
    assert not (collection.folder / "out").exists()


def test_the_report_needs_nothing_and_trusts_nothing(tmp_path: Path) -> None:
    run = [ir_measures.ScoredDoc(HOSTILE, own, 9.0 - i) for i, own in enumerate(["a", HOSTILE])]
    qrels = [ir_measures.Qrel(HOSTILE, own, 1) for own in ("a", HOSTILE)]
    topics = tmp_path / "topics"
    topics.write_text(f"{HOSTILE}:{HOSTILE}\n")
    found = neardup.trec(
        {HOSTILE.replace("/", ""): run},
        qrels,
        groups=[["a", HOSTILE]],
        topics=topics,
        output=tmp_path / "out",
    )
    text = (found.folder / "report.html").read_text()
    assert "alert(1)" in text
    assert "<script" not in text
    assert "Content-Security-Policy" in text
    addresses = set(re.findall(r"(?:https?:)?//[^\s\"'<]*", text))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of a notation, which nobody opens"
    for words in ("Relevant documents", "Run-topics", "Origins", "Effectiveness", "Assumptions"):
        assert words in text


def test_the_name_of_a_run_is_no_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be the name of a run"):
        neardup.trec({"../r": RUN}, QRELS, groups=[], output=tmp_path / "out")


def call(*words: object) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_command(collection: Collection) -> None:
    runs, out = collection.folder / "runs", collection.folder / "o"
    given = ["trec", "--runs", runs, "--qrels", collection.qrels, "--groups", collection.file, "-o", out]
    done = call(*given, "--measures", "MAP P(rel=2)@5", "--depths", "5,10", "--keep", "relevant")
    assert done.exit_code == 0, done.output
    assert "3 runs, 3 topics, 75 judgements; near-duplicates in groups" in done.output
    assert "P(rel=2)@5" in done.output
    assert "equal scores" in done.output
    shown = call(*given, "--json", "--overwrite")
    content = json.loads(shown.output)
    assert {row["policy"] for row in content["effects"]} == {"runs", "irrelevant", "qrels", "both"}
    assert isinstance(call(*given, "--depths", "five").exception, SettingsError)
    assert not call(*given, "--overwrite", "--quiet").output
    assert "near-duplicates in groups" in call("show", out).output
    assert isinstance(call("explain", out, "a", "b").exception, InputError)
    assert "one file is needed" in str(call(*given, "--topics", runs, "--overwrite").exception)
    assert "a result of trec has no duplicates" in str(call("dedup", out, "-o", out / "x").exception)


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


def test_real_measures_are_those_of_ir_measures(web: TrecResult) -> None:
    clean = web.folder / "deduplicated"
    rows = web.table("effects").to_pylist()
    names = ["MAP", "nDCG@20", "P@20", "ERR@20"]
    for column, policy, qrels, diversity, where in (
        ("before", "runs", WEB / "qrels.adhoc.txt", WEB / "qrels.diversity.txt", WEB / "runs"),
        ("after", "qrels", clean / "qrels.txt", clean / "diversity.txt", WEB / "runs"),
        ("after", "runs", WEB / "qrels.adhoc.txt", WEB / "qrels.diversity.txt", clean / "runs"),
    ):
        ours = {(r["run"], r["measure"]): r[column] for r in rows if r["policy"] == policy}
        theirs = [*own_scores(qrels, where, names), *own_scores(diversity, where, DIVERSE)]
        assert {(run, name): value for run, name, value in theirs} == pytest.approx(ours, abs=1e-9)


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
    assert len(lines) - len(kept) == web.counts["removed from qrels"] == 2591
    sets: defaultdict[str, set[str]] = defaultdict(set)
    for topic, _, own, grade in lines:
        if int(grade) > 0:
            sets[topic].add(own)
    alike = {
        t: sum(any(group.get(a, a) == group.get(b) for b in s - {a}) for a in s) for t, s in sets.items()
    }
    rows = [r for r in web.table("prevalence").to_pylist() if r["scope"] == "relevant" and r["topic"]]
    assert {r["topic"]: r["near_duplicates"] for r in rows if r["documents"]} == alike
