"""Figures 10 and 11 of the paper on partial duplicates: passages against whole documents.

A document is taken as one long sentence, so that SpotSigs of whole documents go through the same steps
as those of sentences. What it finds is held against what runs of sentences find, and how long both take.
Nothing is planted for this: what is found was there.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from neardup.evaluation.planting import Corpus, Document, Sentence, SentencePair
from neardup.methods.passages.settings import PassageSettings

if TYPE_CHECKING:
    from neardup.evaluation.studies import Bench

# As in the paper on SpotSigs: five common words are antecedents, and so much is shared. What is
# boilerplate is for the settings of passages to say.
WHOLE = PassageSettings(signature="spotsigs:5", threshold=0.44)
PARTS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Level:
    """What both find in a part of the corpus, and the seconds that they take."""

    documents: int
    found_by_documents: int
    found_by_passages: int
    only_by_passages: int
    document_seconds: float
    passage_seconds: float


def levels(bench: "Bench") -> Iterator[Level]:
    """Yield what is found in larger and larger parts of a corpus."""
    whole = bench.corpus.documents
    spots = replace(WHOLE, max_documents=bench.method.max_documents)
    for part in PARTS:
        documents = whole[: round(part * len(whole))]
        begun = time.perf_counter()
        found = documents_of(bench.over(as_sentences(documents)).matches(spots).pairs)
        between = time.perf_counter()
        runs = documents_of(bench.over(Corpus(documents, frozenset(), 0, 0)).runs(bench.method))
        seconds = between - begun, time.perf_counter() - between
        yield Level(
            len(documents),
            len(found),
            len(runs),
            len(runs - found),
            *(round(each, 3) for each in seconds),
        )


def as_sentences(documents: Sequence[Document]) -> Corpus:
    """Return documents of one sentence each, which has all of their words."""
    return Corpus([[joined(document)] for document in documents], frozenset(), 0, 0)


def joined(document: Document) -> Sentence:
    """Return all sentences of a document as one."""
    words = tuple(word for sentence in document for word in sentence.words)
    return Sentence(words, tuple(length for sentence in document for length in sentence.lengths))


def documents_of(pairs: Iterable[SentencePair]) -> set[int]:
    """Return the documents that are in any pair."""
    return {doc for pair in pairs for doc in (pair.a, pair.b)}
