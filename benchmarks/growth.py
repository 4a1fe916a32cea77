"""Measures how runs grow with hard corpora: python -m benchmarks growth [CORPUS …] --methods sentences.

Each corpus is made in three sizes, every one twice the one before, and every method runs on it. Printed
are the seconds, the pairs, and the steps that grew more than the pairs from the middle to the largest.
"""

import argparse
import json
import random
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import NEARDUP

import neardup

Lines = Iterator[str]
WORDS = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("", *"lnrst", "mon", "ka", "vit")]
SHORT, TEXT = 12, 100  # words of a sentence and of a text
NOTICEABLE, LINEAR = 0.5, 2.6  # seconds, and how much more time twice the texts may take
METHODS = {
    "documents": ["documents"],
    "low": ["documents", "--threshold", "0.2"],
    "minhash": ["documents", "--candidates", "minhash"],
    "passages": ["passages"],
    "sentences": ["sentences"],
    "threads": ["threads", "--fields", "title=0.4,body=0.6"],
    "pages": ["pages"],
    "clean": ["clean"],
}


def said(rng: random.Random, words: int, vocabulary: int = 10**6) -> str:
    """Return sentences of made-up words, of as many different ones as are asked for."""
    drawn = (rng.randrange(vocabulary) for _ in range(words))
    names = [
        WORDS[n % len(WORDS)] + (WORDS[n // len(WORDS) % len(WORDS)] if n >= len(WORDS) else "")
        for n in drawn
    ]
    cut = (names[at : at + SHORT] for at in range(0, words, SHORT))
    return " ".join(f"{' '.join(own).capitalize()}." for own in cut)


def identical(count: int, rng: random.Random) -> Lines:
    """One text many times."""
    text = said(rng, TEXT)
    yield from (text for _ in range(count))


def periodic(count: int, rng: random.Random) -> Lines:
    """Texts of two words each, over and over, of which a few tell them apart."""
    for _ in range(count):
        yield f"{said(rng, SHORT)} {' '.join(['la', 'lo'] * TEXT)}"


def paragraph(count: int, rng: random.Random) -> Lines:
    """Make a paragraph that all share, and one of their own."""
    shared = said(rng, TEXT)
    yield from (f"{shared}\n\n{said(rng, TEXT)}" for _ in range(count))


def template(count: int, rng: random.Random) -> Lines:
    """Fill a form with five words of their own."""
    form = said(rng, TEXT).split(" ")
    for _ in range(count):
        filled = list(form)
        for place in rng.sample(range(TEXT), 5):
            filled[place] = said(rng, 1).rstrip(".").lower()
        yield " ".join(filled)


def alphabet(count: int, rng: random.Random) -> Lines:
    """Sixty words of thirty."""
    yield from (said(rng, 60, 30) for _ in range(count))


def chain(count: int, rng: random.Random) -> Lines:
    """Texts that share four fifths with the next."""
    parts = [said(rng, TEXT // 5) for _ in range(count + 4)]
    yield from (" ".join(parts[at : at + 5]) for at in range(count))


def stock(count: int, rng: random.Random) -> Lines:
    """Five of fifty sentences that all know, and some of their own."""
    known = [said(rng, SHORT) for _ in range(50)]
    yield from (" ".join([*rng.sample(known, 5), said(rng, SHORT * 3)]) for _ in range(count))


def giant(count: int, rng: random.Random) -> Lines:
    """Make texts, and one of all of them."""
    texts = [said(rng, TEXT) for _ in range(count - 1)]
    yield from texts
    yield "\n\n".join(texts)


def lines(count: int, rng: random.Random) -> Lines:
    """Lines of a log: ten forms, filled with numbers."""
    forms = [said(rng, SHORT).rstrip(".") for _ in range(10)]
    yield from (
        f"{rng.choice(forms)} {rng.randrange(1000)} {rng.randrange(100)} ms" for _ in range(count)
    )


CORPORA: dict[str, Callable[[int, random.Random], Lines]] = {
    own.__name__: own
    for own in (identical, periodic, paragraph, template, alphabet, chain, stock, giant, lines)
}


def write(corpus: str, count: int, path: Path) -> None:
    """Write a corpus that every method reads; a thread's body is the text."""
    rng = random.Random(count)
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(CORPORA[corpus](count, rng)):
            title = text[:40].rsplit(" ", 1)[0]
            file.write(
                json.dumps({"id": f"d{number}", "title": title, "body": text, "text": text}) + "\n"
            )


def timed(method: str, source: Path, out: Path, seconds: float) -> tuple[dict[str, float], int] | None:
    """Run a method; return the seconds of its steps and its pairs, or nothing if it took too long."""
    command = [*NEARDUP, *METHODS[method], source, "-o", out, "--workers", "2", "--quiet"]
    try:
        subprocess.run(command, check=True, timeout=seconds, stdout=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    folder = out.with_name(out.name + ".removed") if method == "clean" else out
    steps = json.loads((folder / "timings.json").read_text())["steps"]
    return steps, neardup.Result(folder).counts.get("pairs", 0)


def grown(method: str, corpus: str, count: int, limit: float) -> str:
    """Return a line on how a method grows with a corpus."""
    told = list[str]()
    before: tuple[dict[str, float], int] = ({}, 0)
    for size in (count, 2 * count, 4 * count):
        with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
            source = Path(folder, "texts.jsonl")
            write(corpus, size, source)
            found = timed(method, source, Path(folder, "out"), limit)
        if found is None:
            return "  ".join([*told, f"{size:,}: more than {limit:.0f} s"])
        steps, pairs = found
        told.append(f"{size:,}: {sum(steps.values()):.1f} s, {pairs:,} pairs")
        output = max(LINEAR, 1.3 * pairs / max(before[1], 1))
        steep = {
            name: round(own / before[0].get(name, own), 1)
            for name, own in steps.items()
            if own > NOTICEABLE and own > output * before[0].get(name, own)
        }
        before = found
    return "  ".join([*told, f"steep: {steep}" if steep else ""])


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", choices=list(CORPORA), default=list(CORPORA))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--texts", type=int, default=2_000, help="of the smallest corpus")
    parser.add_argument("--limit", type=float, default=300, help="seconds for a run")
    given = parser.parse_args()
    for corpus in given.corpora:
        for method in given.methods:
            print(
                f"{corpus:10} {method:10} {grown(method, corpus, given.texts, given.limit)}", flush=True
            )


if __name__ == "__main__":
    main()
