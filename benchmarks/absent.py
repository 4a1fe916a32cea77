"""Test items that a corpus of RFCs cannot contain, though many look like its sentences.

Half are made from templates with the words of networks and computers, among them fragments to be
completed, lists of letters and answers that are phrases of every day; the others are fragments of
Wikipedia, titles of bug reports, lines of newspapers of the 19th century and verses.
"""

import csv
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORD = re.compile(r"\w+")
NAMES = ("Amara", "Bilal", "Chidi", "Dagny", "Eluned", "Farouk", "Gudrun", "Hamza", "Ilse", "Katya")
THINGS = ("marbles", "plums", "lanterns", "tickets", "ribbons", "stamps", "pancakes", "kites")
PLACES = ("village fair", "corner bakery", "school library", "riverside market", "summer camp")
NOUNS = (
    *("server", "client", "packet", "header", "router", "protocol", "message", "field", "address"),
    *("session", "buffer", "queue", "network", "system", "process", "request", "response", "link"),
    *("node", "record", "table", "key", "file", "service", "port", "cache", "byte", "user"),
)
ACTS = ("store", "forward", "encrypt", "compress", "route", "verify", "discard", "merge")
ODD = ("zorbic", "pluvian", "harkness", "quimby", "brindle", "ostler", "marrow", "tansy")
PHRASES = (
    "the number of bytes in the header of the packet",
    "it is sent to the server by the client",
    "the value of the field is set to zero",
    "none of the above is true in all cases",
    "both the first and the second of these are correct",
    "it depends on the size of the data that is sent",
    "the length of the message is not known in advance",
    "all of the nodes in the network are up",
    "at the end of the list of all known users",
    "only when the connection has been closed by both sides",
    "a set of rules that is used by all of the systems",
    "the chairman of the Joint Chiefs of Staff",
    "the United States Department of Health and Human Services",
    "the secretary general of the United Nations",
    "the Massachusetts Institute of Technology in Cambridge",
    "the first and the last of the two are the same",
)
TEMPLATES = (
    "Which of the following is an example of a {odd} {noun}?",
    "Which of the following is the main purpose of the {noun} in the {odd} {noun2}?",
    "In the {odd} {noun}, what is the {noun2} used to {act} at the end of each round?",
    "Suppose that a {noun} and a {noun2} both {act} the same {noun3}. Who pays the ferryman?",
    "The {noun} that is used to {act} the {noun2} is called the",
    "nodes ({letters}) are",
    "Statement 1 | Every {noun} is a {noun2}. Statement 2 | No {noun3} is a {odd}.",
    "Given the {noun}s {letters}, the {noun2} will {act} to the",
    "A {noun} in the {odd} system may {act} at most how many {noun2}s in one hour?",
    "If the {noun} is not a {noun2}, then the {noun3} of the {odd} one",
    "What is the name of the {noun} that must {act} before the {odd} {noun2} is closed?",
    "As of 1987, how many of the {noun}s in the {noun2} did the {odd} office {act}?",
)


def sums(rng: random.Random) -> dict[str, Any]:
    """Make a word problem of arithmetic."""
    who, other = rng.sample(NAMES, 2)
    what, place = rng.choice(THINGS), rng.choice(PLACES)
    a, b, c = (rng.randint(3, 90) for _ in range(3))
    question = rng.choice(
        (
            f"{who} has {a} {what} and buys {b} more at the {place}. If {other} takes {c} of them, how "
            f"many {what} does {who} have left?",
            f"At the {place}, {who} sells {a} {what} a day for {b} days. How many is that?",
            f"{who} and {other} share {a * b} {what} among {a} friends. How many does each get?",
        )
    )
    solved = f"{who} has {a} + {b} = {a + b} in all. Then {who} has {a + b} - {c} = {a + b - c} of them."
    return {"question": question, "answer": rng.choice((solved, str(a + b - c)))}


def from_template(rng: random.Random) -> dict[str, Any]:
    """Make a question about computers with four options, as tests of knowledge have them."""
    noun, noun2, noun3 = rng.sample(NOUNS, 3)
    letters = ", ".join(sorted(rng.sample("ABCDEFGH", rng.randint(3, 6)))[:-1]) + ", and G"
    question = rng.choice(TEMPLATES).format(
        odd=rng.choice(ODD), noun=noun, noun2=noun2, noun3=noun3, act=rng.choice(ACTS), letters=letters
    )
    options = rng.sample(PHRASES, 4)
    if rng.random() < 0.5:
        options = [f"the {a} of the {b}" for a, b in (rng.sample(NOUNS, 2) for _ in range(4))]
    return {"question": question, "choices": options, "answer": rng.randrange(4)}


def fragments(texts: Iterator[str], rng: random.Random, most: int) -> Iterator[dict[str, Any]]:
    """Cut questions and answers of 8 words or a few more out of texts."""
    pool = [" ".join(text.split()) for text in texts if len(text.split()) >= 20]
    rng.shuffle(pool)
    for text in pool[:most]:
        words = text.split()
        at, size, more = rng.randrange(len(words) - 16), rng.randint(8, 14), rng.randint(2, 10)
        question, rest = words[at : at + size], words[at + size : at + size + more]
        yield {"question": " ".join(question), "answer": " ".join(rest) or "yes"}


def bugs(data: Path) -> Iterator[str]:
    """Yield titles and texts of bug reports."""
    with (data / "bug-reports" / "reports.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            report = json.loads(line)
            yield f"{report['title']} {report['body']}"


def news(data: Path) -> Iterator[str]:
    """Yield sentences of newspapers."""
    with (data / "ocr-news" / "train.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield row["Ground Truth"] or ""


def absent_items(data: Path, each: int, seed: int) -> dict[str, list[dict[str, Any]]]:
    """Return items by benchmark, `each` of each kind."""
    from benchmarks.decontaminate import facts, verses

    rng = random.Random(seed)
    told = (one for article in facts(data) for one in article)
    return {
        "sums": [sums(rng) for _ in range(each)],
        "templates": [from_template(rng) for _ in range(each)],
        "wikipedia": [*fragments(told, rng, each)],
        "bugs": [*fragments(bugs(data), rng, each)],
        "news": [*fragments(news(data), rng, each)],
        "verses": [*fragments((text for text, _ in verses(data)), rng, each)],
    }
