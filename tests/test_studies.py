"""Studies: what is planted is known, judged rightly, and found again by the command."""

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.cli import main
from neardup.errors import InputError
from neardup.evaluation import planting, studies
from neardup.evaluation.planting import Corpus, Sentence, SentencePair, edited, one_edit_apart, plant
from neardup.evaluation.studies import Bench, StudySettings, side_by_side, study_signatures
from neardup.methods.passages.settings import PassageSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, open_source
from neardup.settings.run import RunSettings

SENTENCES = st.lists(st.integers(0, 5), min_size=1, max_size=8).map(
    lambda words: Sentence(tuple(words), (4,) * len(words))
)


def texts(count: int, seed: int = 5) -> list[str]:
    """Return texts of made-up sentences, no two of which are alike."""
    rng = random.Random(seed)
    vocabulary = [f"w{n}" for n in range(400)]
    return [
        " ".join(f"{' '.join(rng.choices(vocabulary, k=12)).capitalize()}." for _ in range(15))
        for _ in range(count)
    ]


def source(found: list[str]) -> Source:
    return open_source(found, ReaderSettings())


def documents(count: int) -> list[planting.Document]:
    return planting.read_documents(source(texts(count)), count, 10, "en", random.Random(1))


# --- what is planted


def test_a_document_is_a_stretch_of_its_sentences() -> None:
    rng = random.Random(1)
    whole = planting.stretch("One two three. Yes. Four five six! Seven eight nine.", 9, "en", rng)
    assert [len(sentence.words) for sentence in whole] == [3, 3, 3]
    assert whole[0].lengths == (3, 3, 5)
    long = "".join(f"This is the sentence number {n} of a long text. " for n in range(1000))
    part = planting.stretch(long, 5, "en", rng)
    assert len(part) == 5
    assert {len(sentence.words) for sentence in part} == {10}  # no halves


@given(SENTENCES, SENTENCES, st.integers(0, 10**6))
def test_an_edited_sentence_is_one_edit_apart(one: Sentence, two: Sentence, seed: int) -> None:
    changed = edited(one, two, random.Random(seed))
    assert one_edit_apart(one.words, changed.words)
    assert len(changed.words) == len(changed.lengths)


@given(st.lists(st.integers(0, 2), max_size=5), st.lists(st.integers(0, 2), max_size=5))
def test_one_edit_apart(a: list[int], b: list[int]) -> None:
    near = {tuple(a)}
    for at in range(len(a) + 1):
        near |= {(*a[:at], word, *a[at:]) for word in range(3)}
        near |= {(*a[:at], word, *a[at + 1 :]) for word in range(3) if at < len(a)}
        near.add((*a[:at], *a[at + 1 :]))
        near.add((*a[:at], *a[at : at + 2][::-1], *a[at + 2 :]))
    assert one_edit_apart(tuple(a), tuple(b)) == (tuple(b) in near)


def test_what_is_planted_is_known() -> None:
    given_documents = documents(40)
    corpus = plant(given_documents, random.Random(3))
    assert corpus.passages == 20
    assert corpus.sentences == 400 + len(corpus.planted)
    same = 0
    for a, i, b, j in corpus.planted:
        assert a < b
        one, other = corpus.documents[a][i], corpus.documents[b][j]
        assert one_edit_apart(one.words, other.words)
        same += one == other
    assert len(corpus.planted) - corpus.edited <= same <= len(corpus.planted)
    assert corpus == plant(given_documents, random.Random(3))
    assert corpus != plant(given_documents, random.Random(4))


# --- how it is judged


def test_a_run_puts_sentences_side_by_side() -> None:
    run = {"first_a": 2, "last_a": 5, "first_b": 7, "last_b": 10}
    beside = {
        (i, j) for i in range(12) for j in range(12) if side_by_side(SentencePair(0, i, 1, j), run)
    }
    assert beside == {(2, 7), (3, 8), (4, 9), (5, 10)}
    longer = {**run, "last_b": 11}  # one more sentence on the right
    assert side_by_side(SentencePair(0, 4, 1, 10), longer)
    assert not side_by_side(SentencePair(0, 4, 1, 8), longer)


def test_what_may_be_a_duplicate_anyway_is_left_out() -> None:
    def sentence(*words: int) -> Sentence:
        return Sentence(words, (3,) * len(words))

    left = [sentence(1, 2, 3, 4), sentence(5, 6, 7, 8)]
    right = [sentence(1, 2, 3, 4), sentence(5, 6, 9, 8), sentence(5, 6, 0, 0)]
    planted = frozenset({SentencePair(0, 0, 1, 0)})
    bench = Bench(Corpus([left, right], planted, 1, 0), RunSettings.make(1), lambda amount: None)
    scores = bench.scores(SentencePair(0, 1, 1, j) for j in range(3))
    assert (scores.right, scores.wrong, scores.missed) == (0, 2, 1)


def test_planted_sentences_are_found_and_located() -> None:
    corpus = plant(documents(60), random.Random(2))
    bench = Bench(corpus, RunSettings.make(2, "64MB"), lambda amount: None)
    loose = bench.matches(PassageSettings(signature="shingles:2", threshold=0.5))
    strict = bench.matches(PassageSettings(signature="shingles:4", threshold=1.0))
    assert bench.scores(loose.pairs).f1 > 0.99
    assert strict.signatures == pytest.approx(9, abs=0.1)
    missed = bench.scores(strict.pairs).missed
    assert 0 < missed <= corpus.edited
    runs = bench.located(PassageSettings(signature="shingles:4", threshold=1.0, min_sentences=1))
    assert bench.scores(runs).missed <= missed
    without = PassageSettings(signature="shingles:4", threshold=1.0, min_sentences=1, max_gap=0)
    assert bench.scores(bench.located(without)).missed == missed


# --- the whole study


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try fewer settings."""
    monkeypatch.setattr(studies, "THRESHOLDS", (0.6, 0.9))
    monkeypatch.setattr(studies, "WIDTHS", (2, 4))
    monkeypatch.setattr(studies, "IDF_RANGES", ((0.0, 1.0),))
    monkeypatch.setattr(studies, "ANTECEDENTS", (60, 20_000))
    monkeypatch.setattr(studies, "LOCATED", ((3, 0), (1, 0)))


@pytest.mark.usefixtures("short")
def test_a_study_has_the_figures_of_the_paper_and_repeats_itself() -> None:
    settings = StudySettings(documents=40, sentences=10, seed=7, language="en")
    run = RunSettings.make(2, "64MB")
    found = study_signatures(source(texts(50)), settings, run)
    assert found.counts["documents"] == 40
    assert found.counts["sentences"] == 400 + found.counts["planted sentences"]
    assert [table.name for table in found.tables] == [
        *("shingles:2", "shingles:4", "imatch, one word", "imatch"),
        *("antecedents", "spotsigs", "located, 3, 0", "located, 1, 0"),
    ]
    assert [len(table.rows) for table in found.tables] == [2, 2, 1, 1, 1, 2, 4, 4]
    assert found.tables[0].best.setting == "τ = 0.6"  # nothing else in these texts is alike
    assert study_signatures(source(texts(50)), settings, run).as_dict() == found.as_dict()


def test_a_study_needs_documents() -> None:
    with pytest.raises(InputError, match="only 2 documents"):
        study_signatures(source([*texts(2), "Too short."]), StudySettings(), RunSettings.make(1))


@pytest.mark.usefixtures("short")
def test_the_command_prints_tables_and_writes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out"
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts(20)))

    def command(*arguments: object) -> tuple[Any, str, str]:
        with monkeypatch.context() as patch:
            words = ["neardup", "study", "signatures", corpus, "--documents", 12, *arguments]
            patch.setattr(sys, "argv", list(map(str, words)))
            patch.setattr(sys, "meta_path", list(sys.meta_path))
            code: Any = 0
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    code, printed, _ = command("-o", out)
    assert code == 0
    assert "12 documents" in printed
    for title in ("Figure 6: 4-shingles", "Figure 7", "Figure 8", "Figure 9", "Table 2"):
        assert title in printed
    written = json.loads((out / "study.json").read_text(encoding="utf-8"))
    assert written["settings"]["documents"] == 12
    code, _, error = command("-o", out)
    assert code == 1
    assert "already holds a study" in error
    code, printed, _ = command("--json", "-o", out, "--overwrite")
    assert (code, json.loads(printed)) == (0, written)
