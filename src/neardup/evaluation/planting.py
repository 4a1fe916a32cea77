"""A corpus with known duplicates: runs of sentences copied from document to document, some edited.

A sentence is the hashes of its words and their lengths; nothing else of the text is needed. Every
document either gives a passage or takes one, so that what was planted is known exactly.
"""

import csv
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Places
from neardup.errors import InputError
from neardup.evaluation.gold import LABELS
from neardup.methods.passages.tables import TEXTS
from neardup.readers.source import Source, Split
from neardup.showing.judged import read_text
from neardup.signatures.signature import LEAST_WORDS
from neardup.text import tokenise
from neardup.text.sentences import sentence_starts

LONGEST_PASSAGE = 10
EDITED = 0.1  # the share of copied sentences that are edited, as in the paper's labels
CHARACTERS = 400  # of text that are read for each sentence wanted
DOCUMENTS_A_SPLIT = 100
LARGE = 16 << 20  # a split of its own


class Sentence(NamedTuple):
    """The words of a sentence and their lengths."""

    words: tuple[int, ...]
    lengths: tuple[int, ...]


class SentencePair(NamedTuple):
    """A sentence of one document and one of a later document."""

    a: int
    i: int
    b: int
    j: int


Document = list[Sentence]


@dataclass(frozen=True)
class Corpus:
    """Documents, and the pairs of sentences that were planted in them, or that people call duplicates.

    If people have labelled pairs, `wrong` are those that they say are none, and no others count.
    """

    documents: list[Document]
    planted: frozenset[SentencePair]
    passages: int = 0
    edited: int = 0
    wrong: frozenset[SentencePair] | None = None

    @property
    def sentences(self) -> int:
        """Return the number of sentences."""
        return sum(map(len, self.documents))


def read_documents(
    source: Source,
    count: int,
    sentences: int,
    language: str,
    rng: random.Random,
    least: int = LEAST_WORDS,
) -> list[Document]:
    """Return a stretch of sentences of each of the first documents, from a random place."""
    found: list[Document] = []
    for split in source.splits():
        for batch in source.read(split):
            for text in batch["text"]:
                if len(found) == count:
                    return found
                if document := stretch(text.as_py() or "", sentences, language, rng, least):
                    found.append(document)
    return found


def stretch(
    text: str, sentences: int, language: str, rng: random.Random, least: int = LEAST_WORDS
) -> Document:
    """Return consecutive sentences of a text, without tiny ones and without halves at the ends."""
    length = sentences * CHARACTERS
    begin = rng.randrange(max(len(text) - length, 0) + 1)
    part = text[begin : begin + length]
    tokens = tokenise(part)
    starts = sentence_starts(part, tokens.starts, language).tolist()
    bounds = [*starts, len(tokens.hashes)]
    spans = list(pairwise(bounds))
    spans = spans[begin > 0 : len(spans) - (begin + length < len(text))]
    words, lengths = tokens.hashes.tolist(), (tokens.ends - tokens.starts).tolist()
    found = [Sentence(tuple(words[a:b]), tuple(lengths[a:b])) for a, b in spans]
    return [sentence for sentence in found if len(sentence.words) >= least][:sentences]


def labelled_corpus(pairs: Iterable[tuple[str, str, bool]]) -> Corpus:
    """Make a document of each sentence that people have compared with another."""
    numbers: dict[str, int] = {}
    labels: dict[bool, set[SentencePair]] = {True: set(), False: set()}
    for a, b, same in pairs:
        one, other = sorted(numbers.setdefault(text, len(numbers)) for text in (a, b))
        if one != other:
            labels[same].add(SentencePair(one, 0, other, 0))
    tokens = [tokenise(text) for text in numbers]
    documents = [
        [Sentence(tuple(t.hashes.tolist()), tuple((t.ends - t.starts).tolist()))] for t in tokens
    ]
    return Corpus(documents, frozenset(labels[True]), wrong=frozenset(labels[False]))


def read_labelled(path: Path) -> Corpus:
    """Read sentence pairs that people have labelled: CSV with the columns a, b and label, 1 or 0."""
    rows = csv.DictReader(StringIO(read_text(path), newline=""))
    found: list[tuple[str, str, bool]] = []
    for row in rows:
        label = LABELS.get(str(row.get("label")).strip().lower())
        if row.get("a") is None or row.get("b") is None or label is None:
            hint = "Sentence pairs have the columns a, b and label, which is 1 or 0."
            where = f"{path}:{rows.line_num}"
            raise InputError("this is not a labelled pair of sentences", where=where, hint=hint)
        found.append((row["a"], row["b"], label))
    corpus = labelled_corpus(found)
    if not corpus.planted or not corpus.wrong:
        what = "1" if not corpus.planted else "0"
        raise InputError(f"no pair of sentences is labelled {what}", where=str(path))
    return corpus


def plant(documents: list[Document], rng: random.Random, least: int = LEAST_WORDS) -> Corpus:
    """Copy a passage of 1 to 10 sentences from every second document to another."""
    order = rng.sample(range(len(documents)), len(documents))
    planted: set[SentencePair] = set()
    grown = list(documents)
    passages = edits = 0
    for source, target in zip(order[::2], order[1::2], strict=False):
        size = min(rng.randint(1, LONGEST_PASSAGE), len(documents[source]))
        first = rng.randint(0, len(documents[source]) - size)
        at = rng.randint(0, len(documents[target]))
        copies = list(documents[source][first : first + size])
        for k in range(size):
            if rng.random() < EDITED:
                copies[k] = edited(copies[k], rng.choice(rng.choice(documents)), rng, least)
                edits += 1
            here, there = (source, first + k), (target, at + k)
            planted.add(SentencePair(*min(here, there), *max(here, there)))
        grown[target] = [*documents[target][:at], *copies, *documents[target][at:]]
        passages += 1
    return Corpus(grown, frozenset(planted), passages, edits)


def edited(
    sentence: Sentence, other: Sentence, rng: random.Random, least: int = LEAST_WORDS
) -> Sentence:
    """Change, drop, insert or swap one word; new words come from another sentence."""
    words = list(zip(*sentence, strict=True))
    at, new = rng.randrange(len(words)), rng.choice(list(zip(*other, strict=True)))
    kind = rng.choice(["change", "drop", "insert", "swap"])
    if kind == "drop" and len(words) > least:
        del words[at]
    elif kind == "insert":
        words.insert(at, new)
    elif kind == "swap" and len(words) > 1:
        at = max(at, 1)
        words[at - 1], words[at] = words[at], words[at - 1]
    else:
        words[at] = new
    return Sentence(*zip(*words, strict=True))


def one_edit_apart(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Return whether two sentences are the same but for one word changed, dropped, inserted or swapped.

    >>> one_edit_apart((1, 2, 3), (1, 3, 2)), one_edit_apart((1, 2, 3), (4, 2, 5))
    (True, False)
    """
    if abs(len(a) - len(b)) > 1:
        return False
    begin = 0
    while begin < min(len(a), len(b)) and a[begin] == b[begin]:
        begin += 1
    end = 0
    while end < min(len(a), len(b)) - begin and a[-1 - end] == b[-1 - end]:
        end += 1
    left, right = a[begin : len(a) - end], b[begin : len(b) - end]
    swapped = (left[0], left[-1]) == (right[-1], right[0]) if left and right else False
    return max(len(left), len(right)) <= 1 or (len(left) == len(right) == 2 and swapped)


class PlantedTexts:
    """The corpus as a source of texts."""

    def __init__(self, corpus: Corpus) -> None:
        self._documents = corpus.documents
        self.schema = TEXTS
        self.names = ["study"]
        self.holds_gil = False

    def splits(self) -> list[Split]:
        """Cut the documents into parts."""
        starts = range(0, len(self._documents), DOCUMENTS_A_SPLIT)
        return [Split(n, 0, at, at + DOCUMENTS_A_SPLIT, LARGE) for n, at in enumerate(starts)]

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Yield the texts of one part as one batch."""
        chosen = self._documents[split.begin : split.end]
        rows = [text_of(split.begin + n, document) for n, document in enumerate(chosen)]
        yield pa.RecordBatch.from_pylist(rows, schema=TEXTS)

    def fingerprint(self) -> str:
        """Return nothing: a study is not resumed."""
        return ""


def text_of(doc: int, document: Document) -> dict[str, Any]:
    """Return a document as a row of texts, a space after each word."""
    words = [word for sentence in document for word in sentence.words]
    lengths = np.array([length for sentence in document for length in sentence.lengths], np.int32)
    ends: Places = np.cumsum(lengths + 1, dtype=np.int32) - 1
    sizes = [len(sentence.words) for sentence in document]
    return {
        "doc": doc,
        "size": len(words),
        "words": np.array(words, np.uint64).view(np.int64),
        "starts": ends - lengths,
        "ends": ends,
        "sentences": np.cumsum([0, *sizes])[:-1],
        "length": int(lengths.sum()) + len(words),
    }
