"""What `decontaminate` expects to miss: its own edits of items, held against edits in training data."""

import random

import pytest
from tests.corpora import prose

import neardup
from neardup.methods.decontaminate.probes import exchanged


def items(count: int) -> list[dict[str, str]]:
    """Return questions of 12 to 20 words."""
    words = prose(count * 20, 8).replace(".", "").split()
    rng = random.Random(9)
    runs = (words[at : at + rng.randint(12, 20)] for at in range(0, len(words), 20))
    return [{"question": f"{' '.join(run)}?", "answer": "42"} for run in runs][:count]


@pytest.mark.parametrize("threshold", [0.75, 0.9])
def test_the_recall_that_is_told_is_that_of_edited_items_in_the_data(threshold: float) -> None:
    questions, rng = items(60), random.Random(10)
    texts = []
    for item in questions:
        words = item["question"].split()
        for place in rng.sample(range(len(words)), len(words) // 8):
            words[place] = rng.choice(("pelican", "harbour", "zinc"))
        texts.append(f"{prose(10, 11)} {' '.join(words)} {prose(10, 12)}")
    result = neardup.decontaminate(texts, questions, threshold=threshold)
    recall = result.counts["probes_found"] / result.counts["probes"]
    assert result.counts["probes"] == len(questions)
    assert result.counts["items_found"] / len(questions) == pytest.approx(recall, abs=0.15)
    assert (recall > 0.9) == (threshold < 0.8)


def test_an_edit_is_small_and_repeatable() -> None:
    text = " ".join(f"w{number}" for number in range(40))
    edited = exchanged(text, random.Random(1))
    assert sum(a != b for a, b in zip(text.split(), edited.split(), strict=True)) == 5
    assert edited == exchanged(text, random.Random(1))
    assert exchanged("alone", random.Random(1)) == "enolao"
