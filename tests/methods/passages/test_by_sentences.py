"""Passages by signatures of sentences: what a plain judge finds, for every signature and setting."""

import itertools
import math
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import whole_runs
from tests.twins import passages as passage_twins
from tests.twins import sentences as twins

import neardup
from neardup.engines.local.engine import LocalEngine
from neardup.methods.passages import by_sentences
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.passages.tables import FOUND, TEXTS
from neardup.plan import Map, Plan
from neardup.readers.numbers import Split
from neardup.settings.run import RunSettings
from neardup.text import tokenise

Document = Sequence[str]  # its sentences
Row = dict[str, Any]
EVERY = ("imatch", "shingles:2", "shingles:4", "spotsigs")


class Text:
    """A document as words and sentences."""

    def __init__(self, sentences: Document) -> None:
        tokens = tokenise(" ".join(sentences))
        sizes = [len(tokenise(sentence).hashes) for sentence in sentences]
        self.words = tokens.hashes.tolist()
        self.starts, self.ends = tokens.starts.tolist(), tokens.ends.tolist()
        self.firsts = [0, *itertools.accumulate(sizes)][: len(sizes)]
        self.length = len(" ".join(sentences))

    @property
    def sentences(self) -> list[list[int]]:
        ends = [*self.firsts[1:], len(self.words)]
        return [self.words[a:b] for a, b in zip(self.firsts, ends, strict=bool(self.firsts))]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the words of a run of sentences."""
        return self.firsts[first], [*self.firsts, len(self.words)][last + 1]


class Texts:
    """The source of a table of texts; some documents make a split."""

    def __init__(self, documents: Sequence[Document], a_split: int = 3) -> None:
        self.texts = [Text(document) for document in documents]
        self.a_split = a_split
        self.schema = TEXTS
        self.names = ["texts"]
        self.holds_gil = False

    def splits(self) -> list[Split]:
        starts = range(0, len(self.texts), self.a_split)
        return [Split(i, 0, at, at + self.a_split, 16 << 20) for i, at in enumerate(starts)]

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        chosen = list(enumerate(self.texts))[split.begin : split.end]
        rows = [
            {
                "doc": doc,
                "size": len(text.words),
                "words": [word - (word >> 63 << 64) for word in text.words],
                "starts": text.starts,
                "ends": text.ends,
                "sentences": text.firsts,
                "length": text.length,
            }
            for doc, text in chosen
        ]
        yield pa.RecordBatch.from_pylist(rows, schema=TEXTS)

    def fingerprint(self) -> str:
        return ""


def same(batch: pa.RecordBatch, sides: Any) -> pa.RecordBatch:
    return batch


def run(
    documents: Sequence[Document],
    chosen: PassageSettings,
    boundary: int | None = None,
    wanted: Sequence[tuple[int, int]] | None = None,
    workers: int = 1,
    outputs: Sequence[str] = (),
) -> dict[str, list[Row]]:
    """Run the steps and return the rows of `found`, and of the other tables asked for."""
    steps = by_sentences.steps(chosen, boundary, wanted is not None)
    assert {"found", "repeated"} <= {step.name for step in steps}
    asked = pa.table(
        {"a": pa.array([a for a, _ in wanted or ()], pa.int64())}
        | {"b": pa.array([b for _, b in wanted or ()], pa.int64())}
    )
    sources = ("source",) if wanted is None else ("source", "wanted")
    names = ("found", *outputs)
    plan = Plan("test", sources, (Map("texts", "source", same, TEXTS), *steps), names)
    with tempfile.TemporaryDirectory() as folder:
        engine = LocalEngine(Path(folder), RunSettings(workers, 64 << 20))
        tables = engine.run(plan, {"source": Texts(documents)}, {"wanted": asked})
        assert tables["found"].schema == FOUND
        return {name: [r for b in tables[name].batches() for r in b.to_pylist()] for name in names}


# --- the judge


def signatures(texts: Sequence[Text], chosen: PassageSettings) -> list[list[set[int]]]:
    """Return the set of signatures of each sentence of each text."""

    def made(sign: Callable[[list[int]], Any]) -> list[list[set[int]]]:
        return [[set(sign(sentence)) for sentence in text.sentences] for text in texts]

    words = [text.words for text in texts if text.words]
    if chosen.signature == "imatch":
        counts, total = twins.count_words(words, once=True), len(words)

        def keeps(word: int) -> bool:
            if total < 10:
                return True
            idf = math.log(total / counts[word]) / math.log(total)
            return chosen.idf_low - 1e-9 <= idf <= chosen.idf_high + 1e-9

        return made(lambda sentence: twins.imatch(sentence, keeps, 3))
    if chosen.signature == "spotsigs":
        counts = twins.count_words(words, once=False)
        ordered = sorted(counts, key=lambda word: (-counts[word], (word >> 32) << 22 >> 32))
        sums = itertools.accumulate(counts[word] for word in ordered)
        shares = [total / counts.total() for total in sums]
        usual, stops = (sum(share <= most for share in shares) for most in (0.6, 0.4))
        number = usual if chosen.antecedents is None else chosen.antecedents
        most = dict.fromkeys(ordered[:number], chosen.spot_distance)
        return made(lambda s: twins.spots(s, most, ordered[: min(stops, 40)], chosen.spot_chain, 3))
    width = int(chosen.signature[-1])
    return made(lambda sentence: twins.sentence_shingles(sentence, width, 3))


def similar(a: set[int], b: set[int], threshold: float) -> bool:
    return bool(a & b) and len(a & b) / len(a | b) >= threshold


def judge(
    documents: Sequence[Document],
    chosen: PassageSettings,
    boundary: int | None = None,
    wanted: Sequence[tuple[int, int]] | None = None,
) -> list[Row]:
    """Compare every sentence with every other, and follow the diagonals."""
    texts = [Text(document) for document in documents]
    sets = signatures(texts, chosen)
    gap = 1 if chosen.max_gap is None else chosen.max_gap
    rows = []
    for a, b in itertools.combinations_with_replacement(range(len(texts)), 2):
        if a < b and boundary is not None and not a < boundary <= b:
            continue
        if a < b and wanted is not None and (a, b) not in wanted:
            continue
        if a == b and not chosen.within:
            continue
        places_a, places_b = ([*places_of(texts[d])] for d in (a, b))
        cells = {
            (places_a[i], places_b[j]): (i, j)
            for i, one in enumerate(sets[a])
            for j, other in enumerate(sets[b])
            if (a < b or i < j) and similar(one, other, chosen.threshold)
        }
        runs = twins.diagonals(cells, gap, chosen.min_sentences or 3, a == b)
        rows += [row_of(a, b, texts, [cells[place] for place in places]) for places in runs]
    return sorted(rows, key=lambda row: (row["a"], row["b"], row["start_a"], row["start_b"]))


def places_of(text: Text) -> list[int]:
    return twins.places([len(sentence) for sentence in text.sentences], 3, 2)


def row_of(a: int, b: int, texts: Sequence[Text], cells: Sequence[tuple[int, int]]) -> Row:
    one, other = texts[a], texts[b]
    begin_a, end_a = one.span(cells[0][0], cells[-1][0])
    begin_b, end_b = other.span(cells[0][1], cells[-1][1])
    in_a, in_b = passage_twins.matched(one.words[begin_a:end_a], other.words[begin_b:end_b])
    words = len(in_a)
    return {
        "a": a,
        "b": b,
        "start_a": one.starts[begin_a],
        "end_a": one.ends[end_a - 1],
        "start_b": other.starts[begin_b],
        "end_b": other.ends[end_b - 1],
        "sentences": len(cells),
        "similarity": 2 * words / (end_a - begin_a + end_b - begin_b),
        "words": words,
        "same_words": one.words[begin_a:end_a] == other.words[begin_b:end_b],
        "summary": False,
        "references": False,
        "matched_a": runs_of(begin_a + at for at in in_a),
        "matched_b": runs_of(begin_b + at for at in in_b),
    }


def runs_of(words: Iterable[int]) -> list[int]:
    """Return where runs of words begin and end, one after the other."""
    there = set(words)
    ends = {at for at in there if at - 1 not in there} | {at + 1 for at in there if at + 1 not in there}
    return sorted(ends)


WORDS = ["ash", "beech", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "yew"]


def corpus(seed: int) -> list[list[str]]:
    """Return documents of a small pool of sentences, with passages copied from others and changed."""
    rng = random.Random(seed)
    pool = [made_up(rng) for _ in range(rng.randrange(5, 30))]
    documents = [rng.choices(pool, k=rng.randrange(8)) for _ in range(rng.randrange(2, 12))]
    for _ in range(rng.randrange(1, 5)):
        begin = rng.randrange(4)
        passage = [changed(s, rng) for s in rng.choice(documents)[begin : begin + rng.randrange(2, 7)]]
        documents.append([*rng.choices(pool, k=rng.randrange(3)), *passage, made_up(rng)])
    return documents


def made_up(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.choice([1, 2, 4, 5, 6, 9]))) + "."


def changed(sentence: str, rng: random.Random) -> str:
    words = sentence.strip(".").split()
    if rng.random() < 0.3:
        words[rng.randrange(len(words))] = rng.choice(WORDS)
    return " ".join(words) + "."


CORPORA = st.integers(0, 10**6).map(corpus)


def assert_the_judge_agrees(documents: Sequence[Document], chosen: PassageSettings, **more: Any) -> None:
    chosen = replace(chosen, repeats=1000)
    assert run(documents, chosen, **more)["found"] == judge(documents, chosen, **more)


@pytest.mark.parametrize("signature", EVERY)
@whole_runs(12)
@given(
    documents=CORPORA,
    gap=st.sampled_from([None, 0, 2]),
    least=st.sampled_from([None, 1, 2]),
    threshold=st.sampled_from([0.5, 0.75, 0.9]),
    within=st.booleans(),
    antecedents=st.sampled_from([None, 5]),
)
def test_what_is_found_is_what_a_judge_finds(
    signature: str,
    documents: list[list[str]],
    gap: int | None,
    least: int | None,
    threshold: float,
    within: bool,
    antecedents: int | None,
) -> None:
    chosen = PassageSettings(
        signature=signature,
        max_gap=gap,
        min_sentences=least,
        threshold=threshold,
        within=within,
        antecedents=antecedents,
        spot_chain=1,
        idf_low=0.05,
    )
    assert_the_judge_agrees(documents, chosen)


@whole_runs(8)
@given(documents=CORPORA, data=st.data(), within=st.booleans())
def test_only_some_pairs_of_documents_count(
    documents: list[list[str]], data: st.DataObject, within: bool
) -> None:
    chosen = PassageSettings(signature="imatch", min_sentences=1, within=within)
    boundary = data.draw(st.integers(0, len(documents)))
    assert_the_judge_agrees(documents, chosen, boundary=boundary)
    pairs = [(a, b) for b in range(len(documents)) for a in range(b)]
    wanted = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    assert_the_judge_agrees(documents, chosen, wanted=wanted)


# --- examples to check by eye

STORY = (
    "The ferry left the harbour before dawn.",
    "Nobody on deck noticed the second lantern.",
    "Its keeper had written three letters that winter.",
    "Only the last of them ever reached the mainland.",
    "The others were found in a bottle years later.",
)
BEFORE = ("A report on lighthouses begins with their builders.", "Some of them are known by name only.")
AFTER = ("Nothing more is known about this affair.", "The archive closed its doors last summer.")
FERRY = "渡轮在黎明前离开了港口。", "甲板上没有人注意到第二盏灯。", "那年冬天守灯人写了三封信。"
FILLER = tuple((f"Filler{n} speaks{n} of something{n} else{n}.",) for n in range(12))


def one_passage(documents: Sequence[Document], **chosen: Any) -> tuple[str, str, Row]:
    """Return the only passage that is found: its text on both sides, and its row."""
    found = run(documents, PassageSettings(**chosen))["found"]
    assert len(found) == 1
    row = found[0]
    left, right = (" ".join(documents[row[side]]) for side in ("a", "b"))
    return left[row["start_a"] : row["end_a"]], right[row["start_b"] : row["end_b"]], row


@pytest.mark.parametrize("signature", EVERY)
def test_a_passage_is_found_and_located(signature: str) -> None:
    documents = [(*BEFORE, *STORY), (*STORY[:4], *AFTER), *FILLER]
    left, right, row = one_passage(documents, signature=signature, antecedents=6, spot_chain=1)
    assert left == right == " ".join(STORY[:4]).rstrip(".")
    assert (row["a"], row["b"], row["sentences"], row["similarity"]) == (0, 1, 4, 1.0)


@pytest.mark.parametrize("signature", EVERY)
def test_a_chinese_passage_is_found_and_located(signature: str) -> None:
    documents = [
        ("灯塔的历史始于它们的建造者。", *FERRY),
        (*FERRY, "档案馆去年夏天关闭了大门。"),
        *FILLER,
    ]
    left, right, row = one_passage(documents, signature=signature, antecedents=60, spot_chain=1)
    assert left == right == " ".join(FERRY).rstrip("。")
    assert row["sentences"] == 3


def test_a_changed_sentence_is_a_gap() -> None:
    changed = "Nobody believed what the captain told them afterwards."
    documents = [(*BEFORE, *STORY), (*STORY[:2], changed, *STORY[3:], *AFTER), *FILLER]
    _, right, row = one_passage(documents, signature="imatch")
    assert right == " ".join((*STORY[:2], changed, *STORY[3:])).rstrip(".")
    assert row["sentences"] == 4
    assert 0.75 < row["similarity"] < 1
    assert run(documents, PassageSettings(signature="imatch", max_gap=0))["found"] == []


def test_tiny_sentences_link_nobody_and_break_nothing() -> None:
    tiny = ("Yes.", "No, never.", "Yes.")
    strangers = [(*BEFORE, *tiny), (*tiny, *AFTER), *FILLER]
    for signature in ("imatch", "shingles:2"):
        chosen = PassageSettings(signature=signature, min_sentences=1, max_gap=0)
        assert run(strangers, chosen)["found"] == []
        halves = [(*STORY[:2], "Yes.", "No, never.", *STORY[2:4]), (*STORY[:4], *AFTER)]
        _, _, row = one_passage([*halves, *FILLER], signature=signature, max_gap=0)
        assert row["sentences"] == 4


def test_reuse_inside_a_document_on_request() -> None:
    documents = [(*STORY[:3], *BEFORE, *STORY[:3]), *FILLER]
    assert run(documents, PassageSettings(signature="imatch"))["found"] == []
    left, right, row = one_passage(documents, signature="imatch", within=True)
    assert left == right
    assert (row["a"], row["b"], row["end_a"] < row["start_b"]) == (0, 0, True)


def test_what_too_many_documents_share_is_boilerplate_and_counted() -> None:
    notice = ("All rights of the publisher are reserved.", *STORY[:2])
    # the documents have nothing else in common
    documents = [(*FILLER[n % 12][0:1], *notice, f"Ending w{n} x{n} y{n}.") for n in range(12)]
    whole = run(documents, PassageSettings(signature="shingles:2"), outputs=["too_common"])
    assert len(whole["found"]) == 66
    assert whole["too_common"] == []
    capped = PassageSettings(signature="shingles:2", max_documents=11)
    found = run(documents, capped, outputs=["too_common"])
    assert found["found"] == []
    assert found["too_common"]
    for row in found["too_common"]:
        assert (row["documents"], row["doc"]) == (12, 0)
        assert row["sentence"] in (1, 2, 3)


def test_a_sentence_repeated_very_often_is_no_trouble_and_is_counted() -> None:
    text = [(STORY[0],) * 30_000, (*STORY, *(STORY[0],) * 30_000), (*BEFORE, *STORY)]
    for signature in ("imatch", "shingles:4"):
        chosen = PassageSettings(signature=signature, within=True)
        found = run(text, chosen, outputs=["sentence_keys"])
        assert [(r["a"], r["b"], r["sentences"]) for r in found["found"] if r["b"] == 2] == [(1, 2, 5)]
        repeated = sum(row["repeat"] >= chosen.repeats for row in found["sentence_keys"])
        assert repeated >= 2 * 30_000 - 7


def test_the_paper_compares_all_sentences_and_shortens_no_filter() -> None:
    text = "Yes. No. Perhaps. Never. {} was seen by nobody on that day."
    rows = [{"id": name, "text": text.format(name)} for name in ("Ann", "Bob")]
    usual = neardup.passages(rows, signature="imatch")
    assert (usual.counts["sentences"], usual.counts["unsigned_sentences"]) == (10, 8)
    assert usual.counts["passages"] == 0
    printed = neardup.passages(rows, preset="paper", idf_low=0.0)
    assert printed.counts["unsigned_sentences"] == 0
    assert [r["sentences"] for r in printed.passages.to_pylist()] == [4]
    assert printed.settings["preset"] == "paper"
    # as printed, a word that both of two documents have is too common to count
    assert neardup.passages(rows, preset="paper").counts["unsigned_sentences"] == 8


def test_sentences_are_counted_and_those_without_a_signature_too() -> None:
    documents = [(*STORY, "Yes."), (), ("No.", *STORY[:3])]
    rows = run(documents, PassageSettings(signature="imatch"), outputs=["signatures"])["signatures"]
    assert [(row["sentences"], row["unsigned"]) for row in rows] == [(6, 1), (0, 0), (4, 1)]


def test_nothing_is_found_in_nothing() -> None:
    for documents in ([], [()], [(), ()], [STORY]):
        assert run(documents, PassageSettings(signature="spotsigs", within=True))["found"] == []


@pytest.mark.parametrize("signature", EVERY)
def test_any_number_of_workers_finds_the_same(signature: str) -> None:
    rng = random.Random(7)
    pool = [" ".join(rng.choices(WORDS, k=rng.randrange(3, 12))) + "." for _ in range(60)]
    documents = []
    for _ in range(40):
        begin = rng.randrange(50)
        documents.append([*rng.sample(pool, 5), *pool[begin : begin + 6], *rng.sample(pool, 5)])
    chosen = PassageSettings(signature=signature, antecedents=6, idf_low=0, within=True)
    one = run(documents, chosen, workers=1)["found"]
    assert len(one) > 50
    assert run(documents, chosen, workers=3)["found"] == one
