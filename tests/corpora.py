"""Made-up texts of many kinds: documents and edited copies of them, prose, stories, forums."""

import itertools
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

import neardup

DEMO = Path(neardup.__file__).parent / "data" / "demo.jsonl"
USUAL = 20  # examples of a property test; `make test-all` draws more
WORDS = ["ash", "beech", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "yew"]
SHORT = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def whole_runs(count: int) -> settings:
    """Let each example be a whole run, which costs more than any number of texts: few, of many texts."""
    return settings(max_examples=max(count * settings().max_examples // USUAL, 1))


def edited(text: str, edits: Sequence[tuple[int, str]]) -> str:
    words = text.split()
    for at, word in edits:
        if words:
            words[at % len(words)] = word
    return " ".join(words)


@st.composite
def corpora(draw: st.DrawFn) -> list[str]:
    """Draw a few texts, and edited copies of some."""
    texts = draw(st.lists(SHORT, min_size=1, max_size=20))
    changes = st.lists(st.tuples(st.integers(0, 20), st.sampled_from(WORDS)), max_size=3)
    for _ in range(draw(st.integers(0, 20))):
        texts.append(edited(draw(st.sampled_from(texts)), draw(changes)))
    return texts


FIELDS = ("title", "body", "answer")


def forum(count: int, seed: int) -> list[dict[str, str | None]]:
    """Return threads of which every second is an edited copy of an earlier one."""
    dice = random.Random(seed)
    vocabulary = [f"w{int(dice.paretovariate(0.7))}" for _ in range(4000)]
    threads: list[dict[str, str | None]] = []
    for number in range(count):
        sizes = {"title": 6, "body": 40, "answer": 25}
        thread: dict[str, str | None] = {
            n: " ".join(dice.choices(vocabulary, k=k)) for n, k in sizes.items()
        }
        if number % 2:
            thread = dict(dice.choice(threads))
            for name in FIELDS:
                words = (thread[name] or "").split()
                for _ in range(dice.randrange(4) if words else 0):
                    words[dice.randrange(len(words))] = dice.choice(vocabulary)
                thread[name] = " ".join(words) if dice.random() > 0.05 else None
        threads.append(thread)
    return threads


SYLLABLES = ["ba", "den", "ki", "lor", "mu", "nas", "pe", "ril", "sto", "tam", "vu", "wex", "zo"]
VOCABULARY = ["".join(parts) for parts in itertools.product(SYLLABLES, repeat=3)]


def prose(words: int, seed: int, vocabulary: Sequence[str] = VOCABULARY) -> str:
    """Return a text of sentences of some ten words."""
    rng = random.Random(seed)
    chosen = rng.choices(vocabulary, k=words)
    cuts = [at for at in range(words) if at % 10 == 0]
    return " ".join(" ".join(chosen[at : at + 10]).capitalize() + "." for at in cuts)


def replaced(text: str, every: int) -> str:
    """Return a text in which one word in every few is another one."""
    words = text.split(" ")
    return " ".join(f"Other{at}" if at % every == every - 1 else word for at, word in enumerate(words))


MANY_WORDS = [f"word{n}" for n in range(300)]


def stories(count: int, seed: int) -> list[str]:
    """Write texts of some sentences, of which later ones repeat passages of earlier ones."""
    dice = random.Random(seed)
    known: list[str] = []
    texts = []
    for _ in range(count):
        new = [
            " ".join(dice.choices(MANY_WORDS, k=dice.randint(6, 12))).capitalize() + "."
            for _ in range(8)
        ]
        start = dice.randrange(max(len(known) - 4, 1))
        own = new[:4] + known[start : start + 4] + new[4:]
        known += new
        texts.append(" ".join(own))
    return texts


def write_corpus(path: Path, megabytes: float, seed: int) -> Path:
    """Write unique texts of some 300 words, every fifth of them an edited copy of an earlier one."""
    rng = random.Random(seed)
    recent: list[str] = []
    size = number = 0
    with path.open("w") as file:
        while size < megabytes * (1 << 20):
            text = rng.randbytes(840).hex(" ", 3)
            if number % 5 == 4:
                old, at = rng.choice(recent), 7 * rng.randrange(200)
                text = old[:at] + text[: 7 * rng.randrange(60)] + old[at:]
            recent = [*recent[-100:], text]
            size += file.write(json.dumps({"id": f"{path.stem}-{number}", "text": text}) + "\n")
            number += 1
    return path


def write(path: Path, rows: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def labelled_forum(tmp_path: Path) -> tuple[Path, Path, list[tuple[str, str]]]:
    """Write threads of which copies share the body, while titles are alike by chance."""
    dice = random.Random(2)
    words = [f"w{i}" for i in range(300)]
    rows, right = [], []
    for number in range(60):
        body = dice.choices(words, k=30)
        for copy in range(2):
            own = [w if dice.random() > 0.03 else dice.choice(words) for w in body]
            title = dice.choice(["please help me now", "one more question here", "what is this thing"])
            rows.append({"id": f"t{number}-{copy}", "title": title, "body": " ".join(own)})
        right.append((f"t{number}-0", f"t{number}-1"))
    labels = tmp_path / "labels.csv"
    labels.write_text("id_a,id_b\n" + "".join(f"{a},{b}\n" for a, b in right))
    return write(tmp_path / "forum.jsonl", rows), labels, right


EGG = {"title": "How do I boil an egg", "body": "I have an egg and a pot", "answer": "For six minutes"}
TEA = {"title": "Tea or coffee", "body": "What do you drink in the morning", "answer": "Tea of course"}


def write_prose(folder: Path) -> list[Path]:
    """Write files of texts that share passages across and inside files."""
    rng = random.Random(5)
    written = []
    for number, name in enumerate("abc"):
        lines = []
        for at in range(40):
            blocks = [prose(40, seed=rng.randrange(60)) for _ in range(3)]
            text = " ".join([prose(60, seed=1000 * number + at + 100), *blocks])
            lines.append(json.dumps({"id": f"{name}{at}", "text": text}))
        written.append(folder / f"{name}.jsonl")
        written[-1].write_text("\n".join(lines))
    return written
