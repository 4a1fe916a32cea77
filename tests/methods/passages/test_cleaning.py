"""Repeated passages are cut out, and no sentence is lost."""

import gzip
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.methods.passages.records import COPIED, FORMATS, OWN, RECORDS, decoded, written

import neardup
from neardup.methods.passages.cleaning import find_cuts, split_sentences
from neardup.readers.records import ReaderSettings
from neardup.readers.source import TableSource
from neardup.results.cutting import without

REMOVED = "neardup-removed.parquet"


# --- dedup


@pytest.mark.parametrize("kind", FORMATS)
def test_remove_cuts_repeated_sentences_and_leaves_all_else(kind: str, tmp_path: Path) -> None:
    source = written(kind, tmp_path / "in")
    before = {path: path.read_bytes() for path in (tmp_path / "in").iterdir()}
    found = neardup.passages(source, output=tmp_path / "out")
    done = neardup.dedup(found, tmp_path / "clean", mode="remove", threshold=0.9)
    assert (done.kept, done.removed) == (4, 3)
    if kind == "txt":
        left = {p.name[2:-4]: p.read_bytes().decode() for p in done.files}
    else:
        rows = decoded(done.files[0])
        assert [str(row["score"]) for row in rows] == ["1", "2", "3", "4"]
        left = {row["id"]: row["text"] for row in rows}
    texts = {record["id"]: record["text"] for record in RECORDS}
    assert left == {"first": texts["first"], "alone": texts["alone"], **OWN}
    assert {path: path.read_bytes() for path in before} == before, "the input was changed"
    if kind == "parquet":
        assert pq.read_schema(done.files[0]).equals(pq.read_schema(source), check_metadata=True)


def test_the_table_says_what_was_removed_and_where_it_stays(tmp_path: Path) -> None:
    found = neardup.passages(written("jsonl", tmp_path / "in"), output=tmp_path / "out")
    done = neardup.dedup(found, tmp_path / "clean", threshold=0.9)
    texts = {record["id"]: record["text"] for record in RECORDS}
    rows = pq.read_table(tmp_path / "clean" / REMOVED).to_pylist()
    assert [row["id"] for row in rows] == ["second", "third", "edited"]
    for row in rows:
        assert row["keeper_id"] == "first"
        gone = texts[row["id"]][row["start"] : row["end"]]
        assert gone.split() == texts["first"][row["keeper_start"] : row["keeper_end"]].split()
    assert [row["position"] for row in rows] == [3, 4, 5]
    assert done.characters == sum(row["end"] - row["start"] for row in rows)
    assert sorted(path.name for path in done.output.iterdir()) == [REMOVED]


def test_only_passages_as_similar_as_the_threshold_are_looked_at(tmp_path: Path) -> None:
    found = neardup.passages(written("jsonl", tmp_path / "in"), output=tmp_path / "out")
    neardup.dedup(found, tmp_path / "clean", threshold=1.0)
    rows = pq.read_table(tmp_path / "clean" / REMOVED).to_pylist()
    assert [row["id"] for row in rows] == ["second", "third"]


@pytest.mark.parametrize(
    ("keep", "keeper"), [("first", "first"), ("longest", "second"), ("score", "third")]
)
def test_the_copy_that_stays_can_be_chosen(keep: str, keeper: str, tmp_path: Path) -> None:
    path = written("jsonl", tmp_path / "in")
    found = neardup.passages(path, output=tmp_path / "out", columns=["score"])
    neardup.dedup(found, tmp_path / "clean", keep=keep, threshold=0.9)
    rows = pq.read_table(tmp_path / "clean" / REMOVED).to_pylist()
    assert keeper in {row["keeper_id"] for row in rows}
    with pytest.raises(neardup.SettingsError, match="cannot keep by 'beauty'"):
        neardup.dedup(found, tmp_path / "other", keep="beauty")
    with pytest.raises(neardup.SettingsError, match="no clusters"):
        neardup.dedup(found, tmp_path / "other", clusters="star")
    assert not (tmp_path / "other").exists()


def test_scores_that_are_text_choose_the_copy_as_numbers(tmp_path: Path) -> None:
    scores = zip(RECORDS, ["9", "8", "10", *["7"] * len(RECORDS)], strict=False)
    path = written("csv", tmp_path / "in", [record | {"score": score} for record, score in scores])
    found = neardup.passages(path, output=tmp_path / "out", columns=["score"])
    neardup.dedup(found, tmp_path / "clean", keep="score", threshold=0.9)
    rows = pq.read_table(tmp_path / "clean" / REMOVED).to_pylist()
    assert RECORDS[2]["id"] in {row["keeper_id"] for row in rows}


@pytest.mark.parametrize("kind", FORMATS[:-1])
def test_annotate_adds_the_spans(kind: str, tmp_path: Path) -> None:
    path = written(kind, tmp_path / "in")
    found = neardup.passages(path, output=tmp_path / "out")
    done = neardup.dedup(found, tmp_path / "clean", mode="annotate")
    rows = {row["id"]: row for row in decoded(done.files[0])}
    assert [row["text"] for row in rows.values()] == [record["text"] for record in RECORDS]
    assert not rows["first"]["neardup_passages"]
    notes = rows["third"]["neardup_passages"]
    start = RECORDS[0]["text"].index(COPIED)
    expected = {"start": 0, "end": len(COPIED), "keeper": "first"}
    expected |= {"keeper_start": start, "keeper_end": start + len(COPIED)}
    assert (json.loads(notes) if kind == "csv" else notes) == [expected]
    again = neardup.passages(done.files[0], output=tmp_path / "again")
    twice = neardup.dedup(again, tmp_path / "twice", mode="annotate")
    assert decoded(twice.files[0]) == decoded(done.files[0])


def test_formats_that_cannot_be_cut_or_annotated_are_refused(tmp_path: Path) -> None:
    folder = written("txt", tmp_path / "texts")
    found = neardup.passages(folder, output=tmp_path / "out")
    with pytest.raises(neardup.InputError, match="no place for notes"):
        neardup.dedup(found, tmp_path / "clean", mode="annotate")
    (tmp_path / "pages").mkdir()
    for record in RECORDS:
        page = f"<html><body><main><p>{record['text']}</p></main></body></html>"
        (tmp_path / "pages" / f"{record['id']}.html").write_text(page)
    found = neardup.passages(tmp_path / "pages", output=tmp_path / "out2", raw=True)
    with pytest.raises(neardup.InputError, match="cannot be cut") as caught:
        neardup.dedup(found, tmp_path / "clean", mode="remove")
    assert "JSONL" in str(caught.value.hint)
    assert not (tmp_path / "clean").exists()


def test_data_in_memory_is_listed_but_not_rewritten(tmp_path: Path) -> None:
    found = neardup.passages(RECORDS)
    assert neardup.dedup(found, tmp_path / "list").removed == 3
    with pytest.raises(neardup.InputError, match="in memory"):
        neardup.dedup(found, tmp_path / "clean", mode="remove")


def test_a_nested_text_and_a_compressed_one_in_utf_16_are_cut(tmp_path: Path) -> None:
    nested = [{"id": r["id"], "meta": {"body": r["text"], "n": 1.50}} for r in RECORDS]
    found = neardup.passages(written("jsonl", tmp_path / "a", nested), text_column="meta.body")
    done = neardup.dedup(found, tmp_path / "clean", mode="remove")
    rows = {row["id"]: row for row in decoded(done.files[0])}
    assert rows["second"]["meta"] == {"body": OWN["second"], "n": 1.5}
    (tmp_path / "b").mkdir()
    for record in (RECORDS[0], RECORDS[2]):
        data = gzip.compress(record["text"].encode("utf-16"))
        (tmp_path / "b" / f"{record['id']}.txt.gz").write_bytes(data)
    found = neardup.passages(tmp_path / "b")
    neardup.dedup(found, tmp_path / "clean2", mode="remove")
    left = gzip.decompress((tmp_path / "clean2" / "second.txt.gz").read_bytes())
    assert left.decode("utf-16") == OWN["second"]


# --- nothing is lost


WORDS = ["sea", "bell", "cat", "quay", "night", "town", "sleep", "ring", "old", "long", "baker"]


def sentences_in(texts: list[str]) -> set[tuple[int, int]]:
    found = split_sentences(pa.array(texts, pa.large_string()))
    return {key for sentences in found for key in sentences.keys}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("within", [False, True])
def test_every_sentence_of_a_corpus_still_occurs(seed: int, within: bool, tmp_path: Path) -> None:
    chance = random.Random(seed)
    stock = [" ".join(chance.choices(WORDS, k=chance.randint(4, 12))).capitalize() for _ in range(25)]
    texts = []
    for _ in range(15):
        begin = chance.randrange(len(stock) - 5)
        run = stock[begin : begin + chance.randint(3, 12)] + chance.choices(stock, k=3)
        marks = chance.choices([". ", "! ", ".\n\n", "?\n", '." '], k=len(run))
        texts.append("".join(s + m for s, m in zip(run, marks, strict=True)))
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    found = neardup.passages(path, min_length=30, within=within, signature="winnowing:3,2")
    done = neardup.dedup(found, tmp_path / "clean", mode="remove", threshold=0.5)
    left = [row["text"] for row in decoded(done.files[0])]
    assert done.removed > 5
    assert sentences_in(left) == sentences_in(texts)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[dict[str, Any]]]:
    """Draw texts of few sentences, and passages at any place, right or wrong."""
    stock = [
        "Ab cd ef. ",
        "“Gh,” ij! ",
        "Kl mn\n\n",
        "(Op qr.) ",
        "港町の朝市。",
        "Uv wx?\n",
        "* Yz ab. ",
    ]
    texts = draw(
        st.lists(st.lists(st.sampled_from(stock), min_size=1, max_size=8), min_size=1, max_size=5)
    )
    whole = ["".join(parts) for parts in texts]
    passages = []
    for _ in range(draw(st.integers(0, 12))):
        a, b = sorted(draw(st.integers(0, len(whole) - 1)) for _ in range(2))
        row: dict[str, Any] = {
            "doc_a": a,
            "doc_b": b,
            "similarity": draw(st.sampled_from([0.9, 0.95, 1.0])),
        }
        for side, doc in (("a", a), ("b", b)):
            ends = sorted(draw(st.integers(0, len(whole[doc]))) for _ in range(2))
            row |= {f"start_{side}": ends[0], f"end_{side}": ends[1]}
        passages.append(row)
    return whole, passages


@given(corpora(), st.sampled_from(["first", "longest"]))
@settings(max_examples=100)
def test_nothing_is_lost_whatever_the_passages_say(
    corpus: tuple[list[str], list[dict[str, Any]]], keep: str
) -> None:
    texts, passages = corpus
    names = ["doc_a", "doc_b", "start_a", "end_a", "start_b", "end_b"]
    schema = pa.schema([*((name, pa.int64()) for name in names), ("similarity", pa.float64())])
    numbers = range(len(texts))
    documents = pa.table(
        {
            "doc": pa.array(numbers, pa.int64()),
            "id": [f"d{i}" for i in numbers],
            "source": ["memory"] * len(texts),
            "position": pa.array([i + 1 for i in numbers], pa.int64()),
            "length": pa.array([len(text) for text in texts], pa.int64()),
        }
    )
    result = SimpleNamespace(
        passages=pa.Table.from_pylist(passages, schema),
        documents=documents,
        run={"input": {}},
        source=lambda: TableSource.open(texts, ReaderSettings()),
    )
    found = find_cuts(cast("neardup.Result", result), keep, 0.95)
    left = [without(t, [(c.start, c.end) for c in found.get(n, [])]) for n, t in enumerate(texts)]
    assert sentences_in(left) == sentences_in(texts)
    for doc, cuts in found.items():
        for cut in cuts:
            own, kept = (
                texts[doc][cut.start : cut.end],
                texts[cut.keeper][cut.keeper_start : cut.keeper_end],
            )
            assert sentences_in([own]) == sentences_in([kept])
            for other in found.get(cut.keeper, []):
                assert not (other.start < cut.keeper_end and cut.keeper_start < other.end), "not kept"


def test_a_corpus_without_repeats_is_copied_as_it_is(tmp_path: Path) -> None:
    path = written("jsonl", tmp_path / "in", RECORDS[:2])
    found = neardup.passages(path, output=tmp_path / "out")
    done = neardup.dedup(found, tmp_path / "clean", mode="remove")
    assert (done.removed, done.kept, done.characters) == (0, 2, 0)
    assert done.files[0].read_bytes() == path.read_bytes()
