"""Real texts on like subjects of which nobody copied the other: what is reported there is false.

As `tests.quality`, on data that are no part of the project. What two texts share word for word is real,
wherever it comes from: such pairs do not count.
"""

import csv
import html
import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tests.quality import ANSWERS, DATA, decoded

import neardup
from neardup.results.texts import texts_of

SHORTEST = 500  # characters of an answer or article
NEAREST = 5  # newspaper articles that are compared with each
NEEDED = (DATA / "wiki", DATA / "ocr-news", DATA / "stackexchange", ANSWERS)

Texts = dict[str, str]
Pairs = set[frozenset[str]]


class Reports(NamedTuple):
    """How many pairs were looked at, and how many of them are reported."""

    pairs: int
    rewritten: int
    summaries: int


def wikipedia() -> tuple[Texts, Pairs]:
    """Return articles, each with each."""
    [dump] = (DATA / "wiki").glob("*.bz2")
    result = neardup.documents(dump)
    ids = result.documents["id"].to_pylist()
    texts = {f"wiki-{name}": text for name, text in zip(ids, texts_of(result, ids), strict=True)}
    return texts, set(map(frozenset, combinations(texts, 2)))


def newspapers() -> tuple[Texts, Pairs]:
    """Return articles as they were corrected, each with those that are most like it."""
    parts = defaultdict(list)
    with (DATA / "ocr-news" / "train.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            parts[f"news-{row['Sample ID']}-{row['Date']}"].append(row["Ground Truth"])
    texts = {name: " ".join(own) for name, own in parts.items()}
    texts = {name: text for name, text in texts.items() if len(text) >= SHORTEST}
    return texts, nearest(texts)


def nearest(texts: Texts) -> Pairs:
    """Return each text with those whose rare words are most like its own."""
    counts = [Counter(re.findall(r"\w+", text.lower())) for text in texts.values()]
    often = Counter(word for own in counts for word in own)
    number = {word: n for n, word in enumerate(often)}
    matrix = np.zeros((len(texts), len(often)), np.float32)
    for row, own in enumerate(counts):
        for word, count in own.items():
            matrix[row, number[word]] = (1 + np.log(count)) * np.log(len(texts) / often[word])
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9
    alike = matrix @ matrix.T
    np.fill_diagonal(alike, -1)
    names = list(texts)
    chosen = np.argsort(-alike, axis=1)[:, :NEAREST]
    return {frozenset((names[a], names[b])) for a, row in enumerate(chosen) for b in row.tolist()}


def forums() -> tuple[Texts, Pairs]:
    """Return answers, each with the others to its question; what they quote is left out."""
    texts: Texts = {}
    pairs: Pairs = set()
    for path in sorted((DATA / "stackexchange").glob("*/Posts.xml")):
        by_question = defaultdict(list)
        for post in ET.parse(path).getroot():
            text = plain(post.get("Body", ""))
            if post.get("PostTypeId") == "2" and len(text) >= SHORTEST:
                name = f"{path.parent.name}-{post.get('Id')}"
                texts[name] = text
                by_question[post.get("ParentId")].append(name)
        pairs |= {frozenset(two) for own in by_question.values() for two in combinations(own, 2)}
    return texts, pairs


def plain(body: str) -> str:
    unquoted = re.sub(r"<(blockquote|pre).*?</\1>", " ", body, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", unquoted)).split())


def students() -> tuple[Texts, Pairs]:
    """Return independent answers to a question and the article that others copied, each with each."""
    by_task = defaultdict(list)
    texts: Texts = {}
    with (ANSWERS / "file_information.csv").open() as file:
        for row in csv.DictReader(file):
            if row["Category"] in ("non", "orig"):
                by_task[row["Task"]].append(row["File"])
                texts[row["File"]] = decoded(ANSWERS / row["File"])
    return texts, {frozenset(two) for own in by_task.values() for two in combinations(own, 2)}


CORPORA = (wikipedia, newspapers, forums, students)


def missing(folders: Sequence[Path] = NEEDED) -> str:
    """Say why this cannot be measured, or nothing."""
    absent = [str(folder) for folder in folders if not folder.is_dir()]
    return f"skipped: no data in {', '.join(absent)} (set NEARDUP_DATA)" if absent else ""


@cache
def reports() -> dict[str, Reports]:
    """Look for passages in all corpora together, and count the pairs that are reported, by corpus."""
    corpora = {own.__name__: own() for own in CORPORA}
    records = [{"id": n, "text": t} for texts, _ in corpora.values() for n, t in texts.items()]
    kinds: dict[frozenset[str], set[str]] = defaultdict(set)
    for row in neardup.passages(records).passages.to_pylist():
        kinds[frozenset((row["id_a"], row["id_b"]))].add(row["kind"])
    return {name: counted(pairs, kinds) for name, (_, pairs) in corpora.items()}


def counted(pairs: Pairs, kinds: dict[frozenset[str], set[str]]) -> Reports:
    real = {pair for pair in pairs if kinds.get(pair, set()) & {"identical", "edited"}}
    found = [kinds[pair] for pair in pairs - real if pair in kinds]
    return Reports(len(pairs - real), len(found), sum("summary" in own for own in found))


def lines() -> Iterator[tuple[str, Reports]]:
    """Return the reports of each corpus, and of all."""
    yield from reports().items()
    yield "all", Reports(*map(sum, zip(*reports().values(), strict=True)))
