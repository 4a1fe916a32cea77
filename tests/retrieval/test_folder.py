"""`neardup.trec`: what it finds, refuses and leaves."""

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.retrieval.collection import Collection, Found, Judged

import neardup
from neardup.errors import InputError, NeardupError, OutputError, SettingsError
from neardup.retrieval import folder as trec_folder
from neardup.retrieval.folder import TrecResult


def test_the_same_input_gives_the_same_bytes(collection: Collection) -> None:
    first, second = collection.folder / "first", collection.folder / "second"
    for folder in (first, second):
        collection.trec(output=folder)
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert len(files) == 15
    for name in files:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


RUN = [Found("1", own, 9.0 - i) for i, own in enumerate(["a", "a2", "b", "gone"])]
QRELS = [Judged("1", own, 1) for own in ("a", "a2", "b")]


def test_near_duplicates_are_found_in_documents(tmp_path: Path, texts: Path) -> None:
    given: dict[str, Any] = {"measures": ["MAP"], "thresholds": [0.9, 0.5, 0.1]}
    found = neardup.trec({"r": RUN}, QRELS, documents=texts, output=tmp_path / "out", **given)
    assert [(r["id"], r["keeper"]) for r in found.table("removed").to_pylist()] == [("a2", "a")] * 2
    inner = neardup.Result(tmp_path / "out" / "near-duplicates")
    assert inner.counts["skipped.not asked for"] == 1
    assert "ferries" in str(inner.explain("a", "a2"))
    assert any(
        r.startswith("1 of 4 documents are not in the collection, such as gone") for r in found.remarks
    )
    assert found.counts["origins.editorial variation"] == 1
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
    run = [Found("1", "x", 1.0)]
    with pytest.raises(InputError, match="none of the documents that the runs name"):
        neardup.trec({"r": run}, [Judged("1", "x", 1)], documents=texts)


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
        ({"measures": ["P"]}, "P needs a depth"),
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


def test_only_other_measures_need_a_library(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    assert len(set(collection.trec().table("effects")["measure"].to_pylist())) == 6
    with pytest.raises(InputError, match=r"NRBP needs the package ir-measures(.|\n)*'\.\[trec\]'"):
        collection.trec(measures=["NRBP"], overwrite=True)


def test_without_judgements_near_duplicates_are_counted(collection: Collection) -> None:
    found = neardup.trec(
        collection.folder / "runs", groups=collection.file, output=collection.folder / "out"
    )
    assert found.counts["runs"] == 3
    assert not found.table("effects").num_rows
    cells = found.table("cumulative").to_pylist()
    assert any(cell["near_duplicates"] > cell["redundant"] > 0 for cell in cells)
    assert not (found.folder / "deduplicated" / "qrels.txt").exists()
    assert len(found.runs()) == 3
    assert "Effectiveness" not in (found.folder / "report.html").read_text()


def test_the_report_is_written_wherever_one_likes(collection: Collection) -> None:
    found = collection.trec(output=collection.folder / "out")
    written = found.folder / "report.html"
    made = neardup.report(found.folder, collection.folder / "mine.html")
    assert made.path.read_bytes() == written.read_bytes()
    assert neardup.report(found.folder).path == written
    written.unlink()
    with pytest.raises(InputError, match=r"report\.html: no such file") as refused:
        neardup.report(found.folder)
    assert refused.value.hint == "Run neardup trec again to write it."


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


def test_the_name_of_a_run_is_no_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be the name of a run"):
        neardup.trec({"../r": RUN}, QRELS, groups=[], output=tmp_path / "out")
