"""A model's answers to test items: scored on those that stand in training data, and on the others."""

import json
from pathlib import Path

import pytest
from tests.command_line import Command

import neardup
from neardup.errors import InputError, OutputError
from neardup.evaluation import answer_scores, evaluate

ASKED = [
    "Which planet of the solar system has the greatest number of known moons today?",
    "Why did the ferry to the islands stay in harbour on that stormy evening in March?",
    "How many apples are left once seven hungry children have eaten two of them each?",
    "Who was the first of her family to cross the desert on a borrowed bicycle?",
]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return a result in which the first two of four items are found, and one is not searched."""
    items = [{"id": f"q{n}", "question": text, "answer": "Forty two."} for n, text in enumerate(ASKED)]
    items.append({"id": "q4", "question": "How come?", "answer": "Because."})
    (tmp_path / "quiz.jsonl").write_text("\n".join(map(json.dumps, items)))
    train = [f"Nothing else is in here. {text} Nor here." for text in ASKED[:2]]
    neardup.decontaminate(train, tmp_path / "quiz.jsonl", output=tmp_path / "out")
    return tmp_path / "out"


def test_items_are_clean_or_dirty_or_were_not_searched(out: Path) -> None:
    items = neardup.Result(out).items
    assert items["status"].to_pylist() == ["dirty", "dirty", "clean", "clean", "too short"]


def test_scores_are_told_apart_with_intervals(out: Path, tmp_path: Path, command: Command) -> None:
    gold = tmp_path / "answers.csv"
    gold.write_text("id,correct\nquiz#q0,1\nq1,true\nq2,0.5\nq3,false\nq4,1\nother,1\nq0,0\n")
    found = answer_scores(out, gold)
    told = {row.status: (row.items, row.answered, row.score) for row in found.rows}
    assert told == {"clean": (2, 2, 0.25), "dirty": (2, 2, 1.0), "not searched": (1, 1, 1.0)}
    assert (found.unknown, found.duplicates) == (1, 1)
    clean = found.rows[0]
    assert clean.low < 0.25 < clean.high < 1
    printed = command("evaluate", out, "--gold", gold).out
    assert "dirty" in printed and "1 answer to no item" in printed
    assert json.loads(command("evaluate", out, "--gold", gold, "--json").out)["unknown"] == 1


def test_what_a_model_said_is_compared_by_its_words(out: Path, tmp_path: Path) -> None:
    gold = tmp_path / "said.jsonl"
    said = {"q0": "FORTY TWO", "q1": "forty", "q2": "42"}
    gold.write_text("\n".join(json.dumps({"id": i, "prediction": p}) for i, p in said.items()))
    found = {row.status: row.score for row in answer_scores(out, gold).rows}
    assert found == {"clean": 0.0, "dirty": 0.5, "not searched": None}


def test_what_is_wrong_with_answers_is_said(out: Path, tmp_path: Path) -> None:
    gold = tmp_path / "answers.csv"
    gold.write_text("id,correct\nq0,maybe\n")
    with pytest.raises(InputError, match="from 0 to 1: got 'maybe'"):
        answer_scores(out, gold)
    with pytest.raises(InputError, match="answers to test items"):
        evaluate(out, gold)
    other = neardup.documents(["One text of a few words.", "Another."], output=tmp_path / "other")
    with pytest.raises(OutputError, match="does not have"):
        answer_scores(other, gold)
