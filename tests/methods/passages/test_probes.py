"""What `passages` expects to miss, told by copies that it makes: held against copies of others."""

import random
from functools import partial
from pathlib import Path

import pytest

import neardup

WORDS = [a + b + c for a in "bdfgklmnprst" for b in ("an", "el", "ir", "os", "um") for c in "aeiou"]
LEAST = 210  # characters of a passage: half of 50 words


def text(rng: random.Random, words: int) -> list[str]:
    """Return words, most of which are rare."""
    rare = [rng.choice(WORDS) + rng.choice(WORDS) for _ in range(words)]
    return [word if rng.random() < 0.7 else rng.choice(WORDS[:20]) for word in rare]


def copy(words: list[str], rng: random.Random) -> list[str]:
    """Return 50 words of a text, of which six are exchanged, among others."""
    begin = rng.randrange(len(words) - 50)
    own = words[begin : begin + 50]
    for place in rng.sample(range(50), 6):
        own[place] = rng.choice(words)
    own[0], own[-1] = own[0].capitalize(), f"{own[-1]}."
    return [*text(rng, 40), "end.", *own, "Begin", *text(rng, 40)]


@pytest.mark.parametrize(
    ("signature", "soft"), [("winnowing:3,1", True), ("winnowing:3,1", False), ("winnowing:6,5", False)]
)
def test_the_recall_that_is_told_is_that_of_copies_that_others_made(signature: str, soft: bool) -> None:
    look = partial(neardup.passages, signature=signature, soft=soft, min_length=LEAST)
    rng = random.Random(5)
    sources = [text(rng, 200) for _ in range(200)]
    copies = [copy(words, rng) for words in sources]
    told = look([" ".join(words) for words in sources])
    recall = told.counts["probes_found"] / told.counts["probes"]
    assert told.counts["probes"] == len(sources)
    assert 0.05 < recall < 0.98  # neither all nor nothing
    result = look([" ".join(words) for words in (*sources, *copies)])
    pairs = {(p["doc_a"], p["doc_b"]) for p in result.passages.to_pylist()}
    found = sum((number, number + len(sources)) in pairs for number in range(len(sources)))
    assert found / len(sources) == pytest.approx(recall, abs=0.12)


def test_nothing_is_tried_where_texts_are_short_or_all_is_boilerplate() -> None:
    rng = random.Random(6)
    short = [" ".join(text(rng, 20)) for _ in range(20)]
    assert neardup.passages(short).counts["probes"] == 0
    same = [" ".join(text(rng, 200))] * 12
    assert neardup.passages(same, max_documents=5).counts["probes"] == 0
    assert neardup.passages(same).counts["probes"] == len(same)


def test_what_is_excluded_is_not_copied(tmp_path: Path) -> None:
    rng = random.Random(7)
    task = " ".join(text(rng, 300))
    (tmp_path / "task.txt").write_text(task)
    texts = [f"{task} {' '.join(text(rng, 20))}" for _ in range(10)]
    assert neardup.passages(texts, exclude=tmp_path / "task.txt").counts["probes"] == 0
    assert neardup.passages(texts).counts["probes"] == len(texts)
