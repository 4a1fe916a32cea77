"""300 rephrasings of test items at four strengths, and how many of them are found.

Strengths 1 and 2 are made by rules: one word in ten, or one in four, becomes another that means the
same, or a filler comes or goes. Strengths 3 and 4 are written by hand (`rephrased.txt`: a question, the
same with its clauses in another order, the same in other words).
"""

import json
import random
import re
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

SHARES = {1: 0.1, 2: 0.25}  # of the words that are changed
EACH = 114  # rephrasings by rules of a strength
OTHERS = {
    "which": "what",
    "what": "which",
    "many": "numerous",
    "famous": "well-known",
    "people": "persons",
    "house": "home",
    "car": "vehicle",
    "road": "street",
    "longest": "greatest",
    "takes": "needs",
    "take": "need",
    "travel": "go",
    "travels": "goes",
    "first": "earliest",
    "main": "chief",
    "reason": "cause",
    "although": "though",
    "different": "distinct",
    "build": "construct",
    "decide": "choose",
    "great": "big",
    "best": "most easily",
    "way": "manner",
    "ways": "manners",
    "happens": "occurs",
    "stays": "remains",
    "part": "portion",
    "needed": "required",
    "wide": "broad",
    "land": "set foot",
    "return": "come back",
    "old": "ancient",
    "money": "cash",
    "left": "remaining",
    "rest": "remainder",
    "spends": "pays",
    "fall": "drop",
    "use": "take",
    "measure": "determine",
    "fast": "quickly",
    "important": "significant",
    "effect": "influence",
    "ideas": "thoughts",
    "larger": "bigger",
    "larger one": "bigger one",
    "gas": "vapour",
    "make": "produce",
    "makes": "produces",
    "help": "aid",
    "should": "must",
    "steep": "sharp",
    "single": "sole",
    "long": "much time",
    "low": "deep",
    "shows": "indicates",
    "believe": "trust",
    "smallest": "least",
    "both": "each of",
    "lies": "is found",
    "change": "alter",
    "work": "labour",
    "greater": "higher",
    "human": "person's",
    "cleans": "purifies",
    "really": "truly",
    "quickly": "fast",
    "used": "employed",
    "each": "every",
    "country": "nation",
    "give": "grant",
    "right": "permission",
    "the": "that",
    "a": "one",
    "of": "among",
    "in": "within",
}
FILLERS = ("exactly", "really", "then", "actually", "please")
WORD = re.compile(r"\w+")


def reworded(text: str, share: float, rng: random.Random) -> str:
    """Change a share of the words of a text, those that have meaning first."""
    words = text.split()
    known = [at for at, word in enumerate(words) if re.sub(r"\W", "", word).lower() in OTHERS]
    rng.shuffle(known)
    known.sort(key=lambda at: len(words[at]) < 3)
    todo = max(round(share * len(words)), 1)
    for at in known[:todo]:
        found = WORD.search(words[at])
        if found:
            new = OTHERS[found[0].lower()]
            new = new.capitalize() if found[0][0].isupper() else new
            words[at] = words[at].replace(found[0], new, 1)
    for _ in range(todo - len(known[:todo])):
        words.insert(rng.randrange(1, len(words)), rng.choice(FILLERS))
    return " ".join(words)


def questions() -> list[tuple[str, str, str]]:
    """Return questions, each with what was written by hand."""
    lines = Path(__file__).with_name("rephrased.txt").read_text("utf-8").splitlines()
    return list(zip(lines[::3], lines[1::3], lines[2::3], strict=True))


def rephrasings(seed: int) -> Iterator[tuple[int, int, str]]:
    """Yield the number of a question, the strength, and a rephrasing of it."""
    rng = random.Random(seed)
    known = questions()
    for strength, share in SHARES.items():
        for turn in range(EACH):
            number = turn % len(known)
            yield number, strength, reworded(known[number][0], share, rng)
    for number, (_, moved, other) in enumerate(known):
        yield number, 3, moved
        yield number, 4, other


def measure_rephrased(corpus: Path, seed: int) -> None:
    """Plant all rephrasings in documents, one in each, and print what is found by threshold."""
    import neardup

    rng, planted = random.Random(seed), list(rephrasings(seed))
    items = [{"id": str(number), "question": own} for number, (own, _, _) in enumerate(questions())]
    with tempfile.TemporaryDirectory() as name, corpus.open(encoding="utf-8") as lines:
        bench = Path(name) / "bench.jsonl"
        bench.write_text("\n".join(map(json.dumps, items)))
        records = []
        for line, (_, _, text) in zip(islice(lines, len(planted)), planted, strict=True):
            words = json.loads(line)["text"][:20_000].split(" ")
            at = rng.randrange(len(words))
            records.append(" ".join([*words[:at], text, *words[at:]]))
        print(f"{'threshold':>10}", *(f"{f'strength {s}':>12}" for s in range(1, 5)), "      wrong")
        for threshold in (0.9, 0.75, 0.6, 0.5):
            found = neardup.decontaminate(records, bench, threshold=threshold)
            pairs = {(p["doc_a"], int(p["doc_b"])) for p in found.pairs.to_pylist()}
            right = {(doc, number) for doc, (number, _, _) in enumerate(planted)}
            shares = []
            for strength in range(1, 5):
                own = [(doc, n) for doc, (n, s, _) in enumerate(planted) if s == strength]
                shares.append(sum(pair in pairs for pair in own) / len(own))
            print(f"{threshold:10}", *(f"{share:12.3f}" for share in shares), f"{len(pairs - right):11}")
