"""Test items in training data: found, labelled, located, counted, shown, and removed."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.corpora import prose
from tests.reports.embedded import docs_of, embedded, texts_in, whole

import neardup
from neardup.errors import InputError, SettingsError
from neardup.methods.decontaminate.items import read_items
from neardup.methods.decontaminate.items import texts_in as options_in
from neardup.methods.decontaminate.settings import DecontaminateSettings
from neardup.server.result_part import ResultPart

MOONS = "Which planet of the solar system has the greatest number of known moons today?"
SHEEP = "A farmer has 17 sheep and buys 25 more at the market; how many sheep does he have?"
FERRY = "Why did the ferry to the islands stay in harbour on that stormy evening in March?"
TREES = ("oak", "elm", "ash", "yew", "fir", "fig", "box", "lime", "pear", "plum", "sloe", "rowan")
QUIZ = [
    {"id": "moons", "question": MOONS, "choices": ["Jupiter", "Saturn", "Mars", "Venus"], "answer": 1},
    {"id": "sheep", "question": SHEEP, "answer": "42"},
    {"id": "ferry", "question": FERRY, "answer": "Because of the waves."},
    {"id": "short", "question": "How come?", "answer": "Because."},
    *(
        {"id": f"t{n}", "question": f"Choose the correct answer to this question: what is {word}?"}
        for n, word in enumerate(TREES)
    ),
]
FILLER = prose(40, 3)
TEXTS = {
    "whole": f"{FILLER} {MOONS}\nA) Jupiter\nB) Saturn\nC) Mars\nD) Venus\nAnswer: Saturn\n{FILLER}",
    "turned": f"{MOONS} (a) Venus (b) Saturn (c) Jupiter (d) Mars",
    "lines": "Which planet of the\nsolar system has the greatest\nnumber of known moons today?",
    "numbers": f"{FILLER} {SHEEP.replace('17', '1,904').replace('25', '6')} {FILLER}",
    "near": FERRY.replace("islands", "isles").replace("that stormy", "a stormy"),
    "boilerplate": f"{FILLER} Choose the correct answer to this question: what is love? {FILLER}",
    "tree": "Choose the correct answer to this question: what is elm?",
    "other": FILLER,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with training data, a benchmark, and the result."""
    folder = tmp_path_factory.mktemp("decontaminate")
    lines = (json.dumps({"id": name, "text": text}) for name, text in TEXTS.items())
    (folder / "train.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "quiz.jsonl").write_text("\n".join(map(json.dumps, QUIZ)), encoding="utf-8")
    neardup.decontaminate(folder / "train.jsonl", folder / "quiz.jsonl", output=folder / "out")
    return folder


@pytest.fixture
def result(folder: Path) -> neardup.Result:
    return neardup.Result(folder / "out")


def test_items_are_found_and_labelled(result: neardup.Result) -> None:
    found = [(row["id_a"], row["id_b"], row["kind"], row["fields"]) for row in result.pairs.to_pylist()]
    assert found == [
        ("whole", "quiz#moons", "verbatim", "question, options, answer"),
        ("turned", "quiz#moons", "reordered", "question, options"),
        ("lines", "quiz#moons", "split", "question"),
        ("numbers", "quiz#sheep", "numbers", "question"),
        ("near", "quiz#ferry", "near", "question"),
        ("tree", "quiz#t1", "verbatim", "question"),
    ]
    assert result.pairs["similarity"].to_pylist()[4] < 1


def test_they_are_located_to_the_character(result: neardup.Result) -> None:
    spans = {
        (row["id"], row["field"]): TEXTS[row["id"]][row["start"] : row["end"]]
        for row in result.matches.to_pylist()
    }
    assert spans["whole", "question"] == MOONS
    assert spans["whole", "options"] == "Jupiter\nB) Saturn\nC) Mars\nD) Venus"
    assert spans["whole", "answer"] == "Saturn"
    assert spans["lines", "question"] == TEXTS["lines"]
    assert spans["near", "question"] == TEXTS["near"]


def test_they_are_counted_by_benchmark_and_source(result: neardup.Result) -> None:
    [row] = result.benchmarks.to_pylist()
    assert (row["items"], row["searched"], row["found"], row["documents"]) == (16, 15, 4, 6)
    assert (row["question"], row["options"], row["answer"]) == (4, 1, 1)
    assert [row[kind] for kind in ("verbatim", "split", "numbers", "reordered", "near")] == [
        2,
        0,
        1,
        0,
        1,
    ]
    [source] = result.sources.to_pylist()
    assert source == {"source": "train.jsonl", "benchmark": "quiz", "items": 4, "documents": 6}
    assert result.counts["items_not_searched.too short"] == 1
    assert result.boilerplate["text"][0].as_py() == "choose the correct answer to this question what is"
    assert result.boilerplate["items"].to_pylist() == [12]


def test_they_are_shown_and_explained(result: neardup.Result, command: Any) -> None:
    shown = command("show", result.folder).out
    assert "quiz#sheep in numbers" in shown
    assert "in 12 items: choose the correct" in command("show", result.folder, "boilerplate").out
    told = json.loads(command("show", result.folder, "--json").out)
    assert told["rows"][0]["located"][1]["field"] == "options"
    explained = command("explain", result.folder, "numbers", "sheep").out
    assert "{+ 17 +}" in explained
    assert "1,904" in str(result.explain("numbers", "quiz#sheep"))
    with pytest.raises(InputError, match="no test item has the id"):
        result.explain("numbers", "quiz#nobody")


def test_the_commands_that_a_run_names_work(folder: Path, tmp_path: Path, command: Any) -> None:
    out = tmp_path / "out"
    ran = command(
        "decontaminate",
        folder / "train.jsonl",
        "--benchmarks",
        (folder / "quiz.jsonl").as_uri(),
        "-o",
        out,
    )
    [named] = [line.split() for line in ran.out.splitlines() if "boilerplate" in line and "show" in line]
    assert named == ["neardup", "show", str(out), "boilerplate"]
    cut = command("dedup", out, "--mode", "remove", "-o", tmp_path / "clean")
    assert cut.out.startswith("6 places of test items removed")


def test_a_report_has_items_as_a_side_of_their_own(result: neardup.Result, tmp_path: Path) -> None:
    made = neardup.report(result, tmp_path / "report.html")
    assert (made.pairs, made.texts, made.left_out) == (6, 6, [])
    data = embedded(made.path)
    items = data["items"]
    assert (data["title"], data["old"]) == ("Test items in train.jsonl", "Test items")
    assert items["id"][-4:] == ["quiz#moons", "quiz#sheep", "quiz#ferry", "quiz#t1"]
    assert (items["old"][-5:], items["title"][-4]) == ([False, True, True, True, True], MOONS)
    shown = {docs_of(data, row)[0]: view for row, view in texts_in(made.path).items()}[0]
    fields = [
        (kind, whole(shown.a)[a:b], whole(shown.b)[c:d]) for kind, _, _, a, b, c, d, _ in shown.matches
    ]
    assert fields == [
        ("verbatim", MOONS, MOONS),
        ("verbatim", "Jupiter\nB) Saturn\nC) Mars\nD) Venus", "Jupiter\nSaturn\nMars\nVenus"),
        ("verbatim", "Saturn", "Saturn"),
    ]
    assert "<title>quiz: 25" in made.path.read_text()  # per cent of the items were found
    served = ResultPart(result).pair("near", "ferry")
    assert served is not None
    assert served["b"]["text"] == [(0, f"{FERRY}\nBecause of the waves.")]


def test_texts_are_kept_of_documents_and_of_nothing_else(tmp_path: Path) -> None:
    texts = [{"id": "only", "text": MOONS}]
    found = neardup.decontaminate(texts, QUIZ[::-1], output=tmp_path / "out", keep_texts=True)
    assert found.pairs["doc_b"].to_pylist() == [15]
    kept = neardup.Result(tmp_path / "out")
    assert kept.table("texts").num_rows == 1
    assert MOONS in str(kept.explain("only", "moons"))


def test_they_are_cut_out_dropped_or_marked(folder: Path, tmp_path: Path) -> None:
    before = (folder / "quiz.jsonl").read_bytes()
    cut = neardup.dedup(folder / "out", tmp_path / "cut", mode="remove")
    assert (cut.removed, cut.kept, cut.what) == (6, 4, "place of test items")
    rows = [json.loads(line) for line in (tmp_path / "cut" / "train.jsonl").read_text().splitlines()]
    texts = {row["id"]: row["text"] for row in rows}
    assert set(TEXTS) - set(texts) == {"turned", "lines", "near", "tree"}  # nothing is left of these
    assert texts["numbers"] == f"{FILLER}  {FILLER}"
    dropped = neardup.dedup(folder / "out", tmp_path / "drop", mode="remove", least_left=1)
    assert dropped.kept == 2
    neardup.dedup(folder / "out", tmp_path / "mark", mode="annotate")
    rows = [json.loads(line) for line in (tmp_path / "mark" / "train.jsonl").read_text().splitlines()]
    assert rows[3]["neardup_items"][0]["item"] == "quiz#sheep"
    assert not rows[-1]["neardup_items"]
    assert (folder / "quiz.jsonl").read_bytes() == before
    listed = neardup.dedup(folder / "out", tmp_path / "list", threshold=1)
    assert listed.removed == 5
    with pytest.raises(SettingsError, match="from all documents"):
        neardup.dedup(folder / "out", tmp_path / "no", keep="first")


def test_benchmarks_are_read_from_the_usual_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Question,A,B,C,D,Answer\nWho?,one,two,three,four,C\n")
    rows = [{"ctx": "He sat", "endings": ["down", "up"], "label": "1"}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "b.parquet")
    nested = {"problem": "Where?", "choices": {"text": ["here", "there"], "label": ["A", "B"]}}
    (tmp_path / "c.json").write_text(json.dumps([nested | {"answerKey": "B"}]))
    (tmp_path / "d.txt").write_text("What is the meaning of all this?")
    names = ("id", "question", "options", "answer")
    found = read_items(tmp_path, {}, "auto").items.select(names).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("a#1", "Who?", "one\ntwo\nthree\nfour", "three"),
        ("b#1", "He sat", "down\nup", "up"),
        ("c#1", "Where?", "here\nthere", "there"),
        ("d#d.txt", "What is the meaning of all this?", "", ""),
    ]
    assert options_in("['a', \"b\"]") == ["a", "b"]


def test_other_columns_are_named_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps({"frage": "Wer war es?", "antwort": "Ich."}))
    with pytest.raises(InputError, match="looks like a question") as refused:
        read_items(path, {}, "auto")
    assert "frage, antwort" in str(refused.value)
    columns = DecontaminateSettings(fields="question=frage, answer=antwort").columns
    [row] = read_items(path, columns, "auto").items.to_pylist()
    assert (row["question"], row["answer"]) == ("Wer war es?", "Ich.")
    with pytest.raises(InputError, match="no column 'wer'"):
        read_items(path, {"question": ("wer",)}, "auto")
    with pytest.raises(SettingsError, match="cannot read the fields"):
        DecontaminateSettings(fields="who=me")
    with pytest.raises(InputError, match="no test items"):
        read_items([], {}, "auto")


PASSAGE = prose(60, 40)
READING = [
    {"id": f"p{n}", "context": PASSAGE, "question": f"What is word {n}?", "answer": "It is this."}
    for n in range(15)
]


def test_a_passage_is_found_however_many_items_share_it() -> None:
    texts = [f"{FILLER}\n{PASSAGE}\n{FILLER}", f"{PASSAGE} What is word 3? It is this.", FILLER]
    found = neardup.decontaminate(texts, READING)
    fields = {(row["doc_a"], row["id_b"]): row["fields"] for row in found.pairs.to_pylist()}
    assert len({item for _, item in fields}) == 15
    assert sorted(set(fields.values())) == ["passage", "passage, question, answer"]
    assert found.benchmarks["passage"].to_pylist() == [15]
    assert found.items["passage"].to_pylist() == [PASSAGE] * 15


ANSWER = "the number of bytes in the header of the packet that was sent last"


def test_an_answer_alone_is_no_contamination() -> None:
    items = [
        {"id": "long", "question": MOONS, "answer": ANSWER},
        {"id": "one", "question": FERRY, "choices": [ANSWER, "yes", "no"], "answer": "A"},
        {"id": "only", "answer": ANSWER},
    ]
    assert neardup.decontaminate([f"{FILLER} {ANSWER} {FILLER}"], items).counts["pairs"] == 0
    [row] = neardup.decontaminate([f"{FILLER} {MOONS} {ANSWER}."], items).pairs.to_pylist()
    assert (row["id_b"], row["fields"]) == ("memory#long", "question, answer")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("one way to reproduce this is to create", "One way to do this is to create one."),
        ("of the bonds is similar to that of", "The size of the message is similar to that of others."),
        ("nodes (B, C, E, F, and G) are", "The nodes (B, C, E, F, and G) are up."),
    ],
)
def test_a_short_question_is_not_found_where_much_of_it_differs(asked: str, text: str) -> None:
    others = [{"question": prose(20, seed)} for seed in range(50, 80)]
    assert neardup.decontaminate([text], [{"question": asked}, *others]).counts["pairs"] == 0
