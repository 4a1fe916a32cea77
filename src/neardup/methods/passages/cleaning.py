"""Which repeated passages can go: whole sentences that stand word for word in a text that stays.

Documents are taken in the order of their worth. A sentence goes if it is inside a passage that a better
document has too, and if the same words are a sentence of that passage there. If that one has gone
itself, its own keeper is taken. So each sentence that goes is still there once, whatever the passages'
similarity.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.results.cutting import Cut
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import ranks
from neardup.results.removing import new_documents
from neardup.signatures.shingles import utf8
from neardup.text import unicode_table

SPACE = re.compile(r"\s+")
LEADING = re.compile(r"\s*")


class Passage(NamedTuple):
    """What two documents share, as far as it matters here."""

    doc_a: int
    start_a: int
    end_a: int
    doc_b: int
    start_b: int
    end_b: int
    similarity: float


class Kept(NamedTuple):
    """The sentence that stays in place of another: document, number, similarity of the passage."""

    doc: int
    sentence: int
    similarity: float


@dataclass(frozen=True)
class Sentences:
    """The sentences of a text: where their words are, and digests of these.

    `firsts` and `lasts` are where the first and the last word begin, `behind` where the last one ends.
    """

    text: str
    firsts: Sequence[int]
    lasts: Sequence[int]
    behind: Sequence[int]
    keys: list[tuple[int, int]]

    def inside(self, start: int, end: int) -> range:
        """Return the sentences that are inside a span as a whole."""
        first = bisect_left(self.firsts, start)
        return range(first, max(bisect_left(self.lasts, end), first))

    def begin(self, number: int) -> int:
        """Return where a sentence begins; the one behind the last at the end of the text."""
        if number == len(self.firsts):
            return len(self.text)
        if number == 0:
            return LEADING.match(self.text).end()  # type: ignore[union-attr]
        behind = self.behind[number - 1]
        return behind + break_in(self.text[behind : self.firsts[number]])

    def end(self, number: int) -> int:
        """Return where a sentence ends."""
        begin = self.begin(number)
        return begin + len(self.text[begin : self.begin(number + 1)].rstrip())

    def lines(self, number: int) -> int:
        """Return the line feeds before a sentence."""
        return self.text.count("\n", self.end(number - 1) if number else 0, self.begin(number))


def find_cuts(result: ResultFolder, keep: str, threshold: float) -> dict[int, list[Cut]]:
    """Return what can be cut out of each document, in the order of its text."""
    table = result.passages
    table = table.filter(pc.greater_equal(table["similarity"], threshold))
    docs = set(table["doc_a"].to_pylist()) | set(table["doc_b"].to_pylist())
    rank = ranks(result.documents, keep)
    new = set(new_documents(result)["doc"].to_pylist())
    by_later: dict[int, list[Passage]] = {}
    for row in map(
        Passage._make, zip(*(table[name].to_pylist() for name in Passage._fields), strict=True)
    ):
        later = max(row.doc_a, row.doc_b, key=rank.__getitem__)
        if later in new:
            by_later.setdefault(later, []).append(row)
    texts = read_sentences(result, docs)
    gone: dict[int, dict[int, Kept]] = {}
    for doc in sorted(by_later, key=rank.__getitem__):
        gone[doc] = repeated(doc, by_later[doc], texts, gone)
    return {doc: list(cuts(doc, found, texts)) for doc, found in gone.items() if found}


def repeated(
    doc: int,
    passages: Iterable[Passage],
    texts: Mapping[int, Sentences],
    gone: Mapping[int, Mapping[int, Kept]],
) -> dict[int, Kept]:
    """Return the sentences of a document that better ones have, or that it has before.

    Those of other documents first: then all that is before a sentence is decided when its turn comes.
    """
    found: dict[int, Kept] = {}
    within: list[tuple[int, int, float]] = []
    for doc_a, start_a, end_a, doc_b, start_b, end_b, similarity in passages:
        spans = [(start_a, end_a), (start_b, end_b)]
        if doc_a == doc_b:
            here, there = texts[doc].inside(*max(spans)), texts[doc].inside(*min(spans))
            same = matches(texts[doc], here, texts[doc], there)
            within += [(k, at, similarity) for k, at in same if at < k]
            continue
        own, other = spans if doc_a == doc else spans[::-1]
        keeper = doc_b if doc_a == doc else doc_a
        here, there = texts[doc].inside(*own), texts[keeper].inside(*other)
        for k, at in matches(texts[doc], here, texts[keeper], there):
            if k not in found:
                stays = gone.get(keeper, {}).get(at)
                found[k] = Kept(keeper, at, similarity) if stays is None else stays
    for k, at, similarity in sorted(within):
        if k not in found:
            found[k] = found.get(at, Kept(doc, at, similarity))
    return found


def matches(own: Sentences, here: range, other: Sentences, there: range) -> Iterator[tuple[int, int]]:
    """Yield the sentences of one span with the same words as one of the other, if possible the next."""
    first: dict[tuple[int, int], int] = {}
    for at in there:
        first.setdefault(other.keys[at], at)
    last = -1
    for k in here:
        key = own.keys[k]
        if key in first:
            follows = last + 1 in there and other.keys[last + 1] == key
            last = last + 1 if follows else first[key]
            yield k, last


def cuts(doc: int, gone: Mapping[int, Kept], texts: Mapping[int, Sentences]) -> Iterator[Cut]:
    """Yield what goes, in as few pieces as the places where it stays allow."""
    text, order = texts[doc], sorted(gone)
    firsts = (number for number in order if number - 1 not in gone)
    lasts = (number for number in order if number + 1 not in gone)
    for first, last in zip(firsts, lasts, strict=True):
        (start, stop), one = reach(text, first, last), first
        for number in range(first, last + 1):
            keeper, at, similarity = gone[one]
            if number < last and gone[number + 1] == gone[number]._replace(sentence=gone[number][1] + 1):
                continue  # they stand next to each other where they stay, too
            begin = start if one == first else text.begin(one)
            end = stop if number == last else text.begin(number + 1)
            stays = texts[keeper].begin(at), texts[keeper].end(gone[number].sentence)
            yield Cut(doc, begin, end, keeper, *stays, similarity)
            one = number + 1


def reach(text: Sentences, first: int, last: int) -> tuple[int, int]:
    """Return what to cut for some sentences: with the space behind them, or with that before.

    Of two breaks the greater stays, so that paragraphs stay apart; and the end of the text.
    """
    is_end = last == len(text.firsts) - 1
    if first == 0 and is_end:
        return 0, len(text.text)
    if first > 0 and (is_end or text.lines(last + 1) > text.lines(first)):
        return text.end(first - 1), text.end(last)
    return text.begin(first), text.begin(last + 1)


def read_sentences(result: ResultFolder, docs: set[int]) -> dict[int, Sentences]:
    """Read the documents again and split them into sentences."""
    own = result.documents.filter(pc.is_in(result.documents["doc"], pa.array(sorted(docs), pa.int64())))
    names = [file["name"] for file in result.run["input"].get("files", [])]
    files = {name: place for place, name in enumerate(names)}
    rows = zip(*(own[name].to_pylist() for name in ("source", "position", "doc")), strict=True)
    wanted = {(files.get(source, 0), position - 1): doc for source, position, doc in rows}
    needed = {file for file, _ in wanted}
    source = result.source()
    seen: dict[int, int] = {}
    found: dict[int, Sentences] = {}
    for split in source.splits():
        if split.file not in needed:
            continue
        for batch in source.read(split):
            first = seen.get(split.file, 0)
            seen[split.file] = first + batch.num_rows
            here = [row for row in range(batch.num_rows) if (split.file, first + row) in wanted]
            chosen = batch["text"].take(pa.array(here, pa.int64()))
            for row, sentences in zip(here, split_sentences(chosen), strict=True):
                found[wanted[split.file, first + row]] = sentences
    return found


def split_sentences(texts: pa.LargeStringArray) -> Iterator[Sentences]:
    """Split texts into sentences, by rules that need no language."""
    from neardup.kernels.texts import PARAGRAPHS, split_texts
    from neardup.kernels.word_digests import run_digests

    if not len(texts):
        return
    words, starts, ends, bounds, firsts, counts, _ = split_texts(
        *utf8(texts), unicode_table(), PARAGRAPHS
    )
    for number, text in enumerate(texts.to_pylist()):
        own = slice(bounds[number], bounds[number + 1])
        begins = firsts[counts[number] : counts[number + 1]]
        edges = np.append(begins, len(words[own])).astype(np.int64)
        last = edges[1:] - 1
        places = starts[own][begins], starts[own][last], ends[own][last]
        first, final, behind = (array("i", place.tobytes()) for place in places)
        keys = [*zip(*run_digests(words[own], edges).tolist(), strict=True)]
        yield Sentences(text, first, final, behind, keys)


def break_in(gap: str) -> int:
    """Return where in what is between two sentences the second one begins.

    >>> break_in(' "'), break_in("\\n\\n* ")
    (1, 2)
    """
    if "\n" in gap:
        return gap.rfind("\n") + 1
    space = SPACE.search(gap)
    return space.end() if space else 0
