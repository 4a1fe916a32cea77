"""What one does with a result of passages: look at it, explain a pair, remove what is repeated."""

import csv
import gzip
import io
import json
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from neardup.cli import main
from neardup.methods.passages.cleaning import find_cuts, split_sentences, without
from neardup.readers.records import ReaderSettings
from neardup.readers.source import TableSource

REMOVED = "neardup-removed.parquet"
COPIED = (
    "The harbour master rang the bell at six, as he did on every day of his life. "
    "Nobody came, for the whole town slept behind its shutters after the long night. "
    "Only the baker's cat sat on the quay and looked at the empty sea for a while."
)
EDITED = COPIED.replace("baker's cat", "grocer's dog")
RECORDS: list[dict[str, Any]] = [
    {"id": "first", "text": f"A story from the coast, told by an old man.\n\n{COPIED}\n", "score": 1},
    {"id": "alone", "text": "There is no copy of these few words in any other text here.", "score": 2},
    {"id": "second", "text": f"I heard this in a pub. {COPIED} What do you make of it?", "score": 3},
    {"id": "third", "text": f"{COPIED}", "score": 9},
    {"id": "edited", "text": f"It is told otherwise, too. {EDITED} So it goes.", "score": 4},
]
OWN = {
    "second": "I heard this in a pub. What do you make of it?",
    "edited": "It is told otherwise, too. Only the grocer's dog sat on the quay and looked at the empty "
    "sea for a while. So it goes.",
}
FORMATS = ["jsonl", "jsonl.gz", "json", "parquet", "arrow", "csv", "txt"]


def encoded(kind: str, records: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(records), sink)
        return sink.getvalue()
    if kind == "arrow":
        table = pa.Table.from_pylist(records)
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        return sink.getvalue()
    if kind == "csv":
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
        return out.getvalue().encode()
    if kind == "json":
        return json.dumps(records, indent=1).encode()
    lines = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    return gzip.compress(lines) if kind == "jsonl.gz" else lines


def decoded(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    if path.suffix == ".arrow":
        return list(pa.ipc.open_file(data).read_all().to_pylist())
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    if path.suffix == ".json":
        return list(json.loads(data))
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in data.splitlines()]


def written(kind: str, folder: Path, records: list[dict[str, Any]] = RECORDS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "txt":
        for number, record in enumerate(records):
            (folder / f"{number}-{record['id']}.txt").write_text(record["text"])
        return folder
    path = folder / f"data.{kind}"
    path.write_bytes(encoded(kind, records))
    return path


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> neardup.Result:
    folder = tmp_path_factory.mktemp("stories")
    return neardup.passages(written("jsonl", folder), output=folder / "out")


def printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> tuple[int, str]:
    """Run the command and return its exit code and all that it printed."""
    monkeypatch.setattr(sys, "argv", ["neardup", *words])
    code = 0
    try:
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    caught = capsys.readouterr()
    return code, caught.out + caught.err


# --- the result


def test_a_result_has_the_tables_of_its_method(result: neardup.Result) -> None:
    assert result.method == "passages"
    assert result.passages.num_rows == result.counts["passages"] == 6
    assert result.boilerplate.num_rows == 0
    assert repr(result) == f"<Result {str(result.folder)!r}: 5 documents, 6 pairs, 6 passages>"
    page = result._repr_html_()
    assert "<th>passages</th>" in page
    assert "near-duplicate" in page


@pytest.mark.parametrize("ask", [lambda r: r.clusters, lambda r: r.rethreshold(0.95)])
def test_there_are_no_clusters_and_the_error_says_what_to_do(ask: Any, result: neardup.Result) -> None:
    with pytest.raises(neardup.OutputError, match="a result of passages has no clusters") as caught:
        ask(result)
    assert "passages" in str(caught.value.hint)


def test_a_result_of_documents_has_no_passages() -> None:
    found = neardup.documents(["one two three four five six", "one two three four five six"])
    with pytest.raises(neardup.OutputError, match="has no passages") as caught:
        found.passages  # noqa: B018
    assert "explain" in str(caught.value.hint)
    with pytest.raises(neardup.OutputError, match="has no boilerplate"):
        found.boilerplate  # noqa: B018


# --- show


def test_show_pages_through_the_pairs_with_excerpts(
    result: neardup.Result, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, text = printed(capsys, monkeypatch, "show", str(result.folder), "--per-page", "2")
    assert code == 0
    assert "6 pairs, page 1 of 3" in text
    assert "The harbour master rang the bell" in text
    assert "at the empty sea for a while." in text
    assert max(map(len, text.splitlines())) <= 80
    _, last = printed(capsys, monkeypatch, "show", str(result.folder), "--per-page", "2", "--page", "3")
    assert last.splitlines()[0] != text.splitlines()[0]
    code, wrong = printed(capsys, monkeypatch, "show", str(result.folder), "--page", "9")
    assert code and "there is no page 9" in wrong


@pytest.mark.parametrize("sort", ["coverage", "passages", "similarity", "number"])
def test_show_sorts_the_pairs(
    sort: str,
    result: neardup.Result,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, text = printed(capsys, monkeypatch, "show", str(result.folder), "--sort", sort)
    assert code == 0
    first = [line for line in text.splitlines() if line][1]
    if sort == "number":
        assert first.split() == ["first", "second"]
    if sort == "similarity":
        assert "edited" in first
    code, wrong = printed(capsys, monkeypatch, "show", str(result.folder), "--sort", "size")
    assert code and "coverage" in wrong


def test_show_pages_through_boilerplate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [" ".join(f"w{number}x{i}" for i in range(40)) for number in range(6)]
    records = [{"id": f"d{n}", "text": f"{text}. {COPIED}"} for n, text in enumerate(own)]
    found = neardup.passages(
        written("jsonl", tmp_path, records), output=tmp_path / "out", max_documents=4
    )
    assert found.boilerplate.num_rows == 1
    code, text = printed(capsys, monkeypatch, "show", str(found.folder), "--boilerplate")
    assert code == 0
    assert "1 passage of boilerplate, page 1 of 1" in text
    assert "in 6 documents, such as d0" in text
    assert "The harbour master" in text


# --- explain


def test_explain_locates_the_passages_of_a_pair_in_either_order(result: neardup.Result) -> None:
    found = result.explain("first", "edited")
    [passage] = found.passages
    texts = {record["id"]: record["text"] for record in RECORDS}
    assert texts["first"][passage.start_a : passage.end_a] == COPIED
    assert texts["edited"][passage.start_b : passage.end_b] == EDITED
    assert (found.kind, passage.kind) == ("near-duplicate", "edited")
    assert "first and edited: near-duplicate" in str(found)
    turned = result.explain("edited", "first")
    assert turned.passages[0].start_a == passage.start_b
    assert (turned.containment_a, turned.containment_b) == (found.containment_b, found.containment_a)


def test_explain_marks_the_differences(
    result: neardup.Result, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, text = printed(capsys, monkeypatch, "explain", str(result.folder), "first", "edited")
    assert code == 0
    assert "[- baker's cat -]{+ grocer's dog +}" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    code, found = printed(
        capsys, monkeypatch, "explain", str(result.folder), "first", "edited", "--json"
    )
    [passage] = json.loads(found)["passages"]
    assert passage["kind"] == "edited"
    assert len(passage["common"]) == 2
    text_a = RECORDS[0]["text"]
    assert text_a[passage["common"][0]["start_a"] :].startswith("The harbour master")


def test_explain_says_so_if_there_is_no_passage(
    result: neardup.Result, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert result.explain("first", "alone").passages == ()
    code, text = printed(capsys, monkeypatch, "explain", str(result.folder), "first", "alone")
    assert code == 0
    assert "No common passage of first and alone was found." in text
    code, text = printed(capsys, monkeypatch, "explain", str(result.folder), "first", "nobody")
    assert code and "no document has the id 'nobody'" in text


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


def sentences_in(texts: list[str]) -> set[bytes]:
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
@settings(max_examples=300, deadline=None)
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
