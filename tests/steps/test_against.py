"""New against old: the pairs are those of a run over both, without those of two old documents."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import corpora, forum, prose, stories, whole_runs

import neardup
from neardup.errors import InputError, SettingsError

Row = tuple[Any, ...]
Method = Callable[..., neardup.Result]


def rows(result: neardup.Result, new: int, within: bool) -> list[Row]:
    """Return the pairs that are asked for, of documents by their place in the input."""
    numbers = [p - 1 for p in result.documents["position"].to_pylist()]
    columns = [name for name in result.pairs.column_names if not name.startswith("id_")]
    found = []
    for row in result.pairs.select(columns).to_pylist():
        a, b = numbers[row["doc_a"]], numbers[row["doc_b"]]
        if a < new and (within or b >= new):
            found.append((a, b, *(row[name] for name in columns if name not in ("doc_a", "doc_b"))))
    return sorted(found, key=repr)


def run(method: Method, source: Sequence[Any], **chosen: Any) -> neardup.Result:
    return method(list(source), workers=1, memory="64MB", **chosen)


def assert_as_over_both(
    method: Method, texts: Sequence[Any], new: int, within: bool, **chosen: Any
) -> neardup.Result:
    """Hold a run of the first texts against the others beside a run over all."""
    both = run(method, texts, **chosen)
    found = run(method, texts[:new], against=list(texts[new:]), within=within, **chosen)
    assert rows(found, len(texts), True) == rows(both, new, within)
    assert found.counts["old_documents"] == sum(p > new for p in both.documents["position"].to_pylist())
    assert found.documents.drop(
        ["same_as", "old"] if "same_as" in found.documents.column_names else ["old"]
    ) == (both.documents.drop(["same_as"] if "same_as" in both.documents.column_names else []))
    return found


def assert_stars(found: neardup.Result) -> None:
    """Judge the clusters: the best keepers first, old before new, each with the rest of its pairs."""
    documents = found.documents.to_pylist()
    order = sorted(documents, key=lambda d: (not d["old"], -d["length"], d["id"]))
    neighbours: dict[int, dict[int, float]] = {d["doc"]: {} for d in documents}
    for row in found.pairs.to_pylist():
        for one, other in ((row["doc_a"], row["doc_b"]), (row["doc_b"], row["doc_a"])):
            neighbours[one][other] = row["similarity"]
    keepers: dict[int, int] = {}
    for document in (d["doc"] for d in order):
        own = [d["doc"] for d in order if d["doc"] in neighbours[document]]
        keepers[document] = next((d for d in own if keepers.get(d) == d), document)
    several = {k for d, k in keepers.items() if d != k}
    ids = [d["id"] for d in documents]
    expected = {(ids[d], ids[k]) for d, k in keepers.items() if k in several}
    members = found.clusters.to_pylist()
    assert {(m["id"], m["keeper_id"]) for m in members} == expected
    for member in members:
        keeper = ids.index(member["keeper_id"])
        assert member["similarity"] == neighbours[member["doc"]].get(keeper, 1.0)
    old = {d["id"] for d in documents if d["old"]}
    assert not {m["id"] for m in members if m["id"] != m["keeper_id"]} & old


EVERY_CANDIDATE = [
    {},
    {"measure": "containment"},
    {"candidates": "minhash", "bands": 40, "rows": 1},
    {"candidates": "sampled"},
    {"max_shared": 4},
    {"max_postings": 2},
]


@pytest.mark.parametrize("chosen", EVERY_CANDIDATE, ids=str)
@whole_runs(3)
@given(
    texts=corpora(), new=st.integers(1, 9), within=st.booleans(), threshold=st.sampled_from([0.2, 0.7])
)
def test_documents_are_those_of_a_run_over_both(
    chosen: dict[str, Any], texts: list[str], new: int, within: bool, threshold: float
) -> None:
    texts = [text or "yew" for text in (*texts, *texts)]
    new = min(new, len(texts) - 1)
    if "max_shared" in chosen:
        texts.append("never said before")
    found = assert_as_over_both(
        neardup.documents, texts, new, within, threshold=threshold, shingle="word:2", **chosen
    )
    if chosen.get("measure") != "containment":
        assert_stars(found)


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("index", ["term", "doc"])
def test_threads_are_those_of_a_run_over_both(
    index: str, within: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neardup.methods.threads.candidates.BLOCK", 8)
    threads = forum(50, seed=11)
    threads = [*threads, threads[3], threads[45], threads[45]]
    chosen = {"index": index, "threshold": 0.4}
    found = assert_as_over_both(neardup.threads, threads, 20, within, **chosen)
    assert found.counts["pairs"] > 10
    assert_stars(found)


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("measure", ["tlcs", "simhash", "cosine"])
def test_pages_are_those_of_a_run_over_both(measure: str, within: bool) -> None:
    texts = [*stories(8, 7), *stories(6, 7), stories(4, 7)[3].replace("word12 ", "")]
    texts = [*texts[:5], *texts[8:10], *texts[5:]]
    found = assert_as_over_both(neardup.pages, texts, 6, within, measure=measure)
    assert found.counts["pairs"] > 1


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("candidates", ["rare", "minhash"])
def test_sentences_are_those_of_a_run_over_both(candidates: str, within: bool) -> None:
    texts = stories(8, 9)
    texts += [text.replace("word12 ", "word13 ") for text in texts[:6]]
    found = assert_as_over_both(neardup.sentences, texts, 5, within, candidates=candidates)
    assert found.counts["pairs.identical"] > 5
    side = dict(zip(*(found.documents[name].to_pylist() for name in ("doc", "old")), strict=True))
    clusters: dict[int, list[dict[str, Any]]] = {}
    for row in found.sentences.to_pylist():
        clusters.setdefault(row["cluster"], []).append(row)
    for members in clusters.values():
        sides = {side[row["doc"]] for row in members}
        assert sides != {True}
        assert within or len(sides) == 2
        assert all(side[row["doc"]] == (True in sides) for row in members if row["keeper"])


def test_copies_of_both_sides_are_counted_apart() -> None:
    text = "one two three four five six"
    near = f"{text} seven"
    texts = [*[text] * 6, near, *[text] * 5]
    found = run(neardup.documents, texts[:7], against=texts[7:], max_copies=2, threshold=0.6)
    assert found.counts["copies_with_first_only"] == 7
    removed = {row["id"] for row in found.clusters.to_pylist() if row["id"] != row["keeper_id"]}
    assert removed == {f"memory#{n}" for n in range(1, 8)}
    alone = run(
        neardup.documents, texts[:7], against=texts[7:], max_copies=2, threshold=0.6, within=False
    )
    removed = {row["id"] for row in alone.clusters.to_pylist() if row["id"] != row["keeper_id"]}
    assert removed == {f"memory#{n}" for n in range(1, 8)}


@pytest.mark.parametrize("clusters", ["star", "components"])
def test_dedup_writes_new_files_only_and_removes_nothing_old(tmp_path: Path, clusters: Any) -> None:
    story, other = prose(60, 7), prose(60, 8)
    for folder, texts in {
        "new": {"a": story, "b": f"{other} Indeed.", "c": prose(60, 9), "d": prose(60, 9)},
        "old": {"x": f"{story} Well.", "y": f"Well. {story}", "z": other},
    }.items():
        (tmp_path / folder).mkdir()
        for name, text in texts.items():
            (tmp_path / folder / f"{name}.txt").write_text(text)
    out = tmp_path / "out"
    result = neardup.documents(
        tmp_path / "new", against=tmp_path / "old", output=out, clusters=clusters, keep="first"
    )
    assert [file.get("old", False) for file in result.run["input"]["files"]] == [False] * 4 + [True] * 3
    for keep in (None, "longest", "first"):
        cleaned = neardup.dedup(out, tmp_path / f"{keep}", mode="remove", keep=keep)
        assert sorted(path.name for path in cleaned.files) == ["c.txt"]
        assert (cleaned.kept, cleaned.removed) == (1, 3)
    moved = neardup.Result(out).rethreshold(0.99)
    assert moved.counts["pairs"] < result.counts["pairs"]


def test_a_column_of_the_same_name_cannot_be_carried_along() -> None:
    texts = [{"text": "one two three", "old": "1"}]
    with pytest.raises(SettingsError, match="'old' cannot be carried along"):
        neardup.documents(texts, against=texts, columns=["old"])


def test_an_index_is_what_the_files_are_that_it_was_built_from(tmp_path: Path) -> None:
    texts = [*stories(5, 7), *stories(4, 7), stories(3, 7)[2].replace("word12 ", "")]
    new, old, index = (tmp_path / name for name in ("new.jsonl", "old.jsonl", "old.neardup"))
    for path, first, some in ((new, 0, texts[:4]), (old, 4, texts[4:])):
        rows = (
            {"id": f"d{n}", "text": text, "url": f"http://{n}.org"} for n, text in enumerate(some, first)
        )
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    neardup.Index.build(index, old).close()
    methods: list[Method] = [neardup.documents, neardup.passages]
    for method in methods:
        files, stored = (method(new, against=side, workers=1, memory="64MB") for side in (old, index))
        assert files.counts == stored.counts
        assert files.counts["pairs"] > 1
        for name in files.tables.names():
            columns = [column for column in files.table(name).column_names if column != "source"]
            assert files.table(name).select(columns) == stored.table(name).select(columns), name
    out = tmp_path / "out"
    found = neardup.documents(new, against=index, workers=1, memory="64MB", output=out)
    pair = found.pairs.to_pylist()[0]
    given = pair["id_a"], pair["id_b"]
    assert neardup.Result(out).explain(*given).text_b == texts[int(given[1][1:])]
    with neardup.Index(index) as grown:
        grown.add([{"id": "later", "text": "It goes on growing when the run is over."}])
    with pytest.raises(InputError, match="changed since the run"):
        neardup.Result(out).explain(*given)
    cleaned = neardup.dedup(out, tmp_path / "clean", mode="remove")
    assert [path.name for path in cleaned.files] == ["new.jsonl"]
    assert cleaned.removed
