"""The study of signatures: its figures, and how they are judged."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.evaluation.planting_texts import documents, source, texts

from neardup.errors import InputError
from neardup.evaluation import levels, studies
from neardup.evaluation.planting import (
    Corpus,
    Sentence,
    SentencePair,
    plant,
    read_documents,
    read_labelled,
)
from neardup.evaluation.studies import DEFAULT, Bench, StudySettings, side_by_side, study_signatures
from neardup.methods.passages.settings import PassageSettings
from neardup.settings.run import RunSettings

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
    settings = StudySettings(documents=40, sentences=10, seed=7, method=replace(DEFAULT, language="en"))
    run = RunSettings.make(2, "64MB")
    found = study_signatures(source(texts(50)), settings, run)
    assert found.counts["documents"] == 40
    assert found.counts["sentences"] == 400 + found.counts["planted sentences"]
    assert [table.name for table in found.tables] == [
        *("shingles:2", "shingles:4", "imatch, 1", "imatch"),
        *("antecedents", "spotsigs", "located, 3, 0", "located, 1, 0"),
    ]
    assert [len(table.rows) for table in found.tables] == [2, 2, 1, 1, 1, 2, 4, 4]
    assert found.tables[0].best.setting == "τ = 0.6"  # nothing else in these texts is alike
    again = study_signatures(source(texts(50)), settings, run)
    assert again.tables == found.tables and again.differences == found.differences
    names = [table.rows[0].setting for table in found.tables[-2:]]
    assert names == [f"shingles:2, {found.tables[0].best.setting}"] * 2, "what did best in figure 6"
    assert [d.documents for d in found.differences] == [20] * 4
    # with δ = 1 passages of one or two sentences are found, too
    assert all(d.one >= d.three and d.p is not None and 0 <= d.p <= 1 for d in found.differences)
    last = found.levels[-1]
    assert last.documents == 40
    assert last.found_by_passages == 0, "nothing here is alike but what was planted"


def test_whole_documents_have_no_limit_that_passages_do_not_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(levels, "PARTS", (1.0,))
    same, *others = texts(9)
    copied = read_documents(source([same] * 120 + others), 128, 15, "en", random.Random(1))
    for most, found in ((100, 0), (2**31, 120)):
        method = replace(DEFAULT, max_documents=most)
        bench = Bench(
            Corpus(copied, frozenset(), 0, 0), RunSettings.make(2), lambda amount: None, method
        )
        [level] = levels.levels(bench)
        assert level.found_by_documents == found


def test_a_study_needs_documents() -> None:
    with pytest.raises(InputError, match="only 2 documents"):
        study_signatures(source([*texts(2), "Too short."]), StudySettings(), RunSettings.make(1))


@pytest.mark.usefixtures("short")
@pytest.mark.slow
def test_the_command_prints_tables_and_writes_them(tmp_path: Path, command: Command) -> None:
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out"
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts(20)))

    asked = ["study", "signatures", corpus, "--documents", 12]
    done = command(*asked, "-o", out)
    assert done.code == 0
    assert "12 documents" in done.out
    for title in ("Figure 6: 4-shingles", "Figure 7", "Figure 8", "Figure 9", "Table 2"):
        assert title in done.out
    written = json.loads((out / "study.json").read_text(encoding="utf-8"))
    assert written["settings"]["documents"] == 12
    done = command(*asked, "-o", out)
    assert done.code == 1
    assert "already holds a study" in done.err
    page = (out / "report.html").read_text()
    for title in ("Figure 6", "Figure 7", "Figure 10", "Figure 11", "paired t-test"):
        assert title in page
    assert (out / "plots" / "figure-11-seconds.csv").is_file()
    again = command(*asked, "--json", "-o", out, "--overwrite").json
    assert {**again, "levels": 0} == {**written, "levels": 0}


@pytest.mark.usefixtures("short")
def test_signatures_are_compared_on_labelled_sentences(tmp_path: Path) -> None:
    said = "the ferry to the island leaves at nine in the morning from the old pier"
    rows = [
        (said, f"{said} again", True),
        (said, "the ferry to the mainland stays in harbour because of a storm from the west", False),
        (
            "a new bridge across the river opens in may",
            "a new bridge across the river opens in june",
            True,
        ),
    ]
    path = tmp_path / "labelled.csv"
    path.write_text("a,b,label\n" + "".join(f"{a},{b},{int(label)}\n" for a, b, label in rows))
    corpus = read_labelled(path)
    assert (len(corpus.documents), len(corpus.planted), len(corpus.wrong or ())) == (5, 2, 1)
    settings = StudySettings(documents=20, sentences=10, seed=7, method=replace(DEFAULT, language="en"))
    found = study_signatures(source(texts(20)), settings, RunSettings.make(1), labelled=corpus)
    assert found.counts["pairs labelled same"] == 2
    loose, strict = found.tables[0].rows
    assert (loose.scores.right, loose.scores.wrong) == (2, 0)
    assert strict.scores.right == 1
    path.write_text("a,b,label\nx,y,maybe\n")
    with pytest.raises(InputError, match=r"labelled.csv:2: this is not a labelled pair"):
        read_labelled(path)
