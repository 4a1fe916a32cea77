"""Which repeated passages can go: whole sentences that stand word for word in a text that stays.

Documents are taken in the order of their worth. A sentence goes if it is inside a passage that a better
document has too, and if the same words are a sentence of that passage there. If that one has gone
itself, its own keeper is taken. So each sentence that goes is still there once, whatever the passages'
similarity.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.results.cutting import Cut
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import ranks
from neardup.results.removing import new_documents
from neardup.signatures.shingles import utf8
from neardup.text import unicode_table

SPACE = re.compile(r"\s+")


class Kept(NamedTuple):
    """The sentence that stays in place of another: document, number, similarity of the passage."""

    doc: int
    sentence: int
    similarity: float


@dataclass(frozen=True)
class Sentences:
    """The sentences of a text: where each begins and ends, and a digest of its words.

    `firsts` and `lasts` are where the first and the last word begin; `lines` the line feeds before it.
    """

    length: int
    begins: list[int]
    ends: list[int]
    firsts: npt.NDArray[np.int32]
    lasts: npt.NDArray[np.int32]
    lines: list[int]
    keys: list[bytes]

    def inside(self, start: int, end: int) -> range:
        """Return the sentences that are inside a span as a whole."""
        first = int(np.searchsorted(self.firsts, start))
        return range(first, max(int(np.searchsorted(self.lasts, end)), first))


def find_cuts(result: ResultFolder, keep: str, threshold: float) -> dict[int, list[Cut]]:
    """Return what can be cut out of each document, in the order of its text."""
    table = result.passages
    table = table.filter(pc.greater_equal(table["similarity"], threshold))
    docs = set(table["doc_a"].to_pylist()) | set(table["doc_b"].to_pylist())
    rank = ranks(result.documents, keep)
    new = set(new_documents(result)["doc"].to_pylist())
    by_later: dict[int, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        later = max(row["doc_a"], row["doc_b"], key=rank.__getitem__)
        if later in new:
            by_later.setdefault(later, []).append(row)
    texts = read_sentences(result, docs)
    gone: dict[int, dict[int, Kept]] = {}
    for doc in sorted(by_later, key=rank.__getitem__):
        gone[doc] = repeated(doc, by_later[doc], texts, gone)
    return {doc: list(cuts(doc, found, texts)) for doc, found in gone.items() if found}


def repeated(
    doc: int,
    passages: Iterable[Mapping[str, Any]],
    texts: Mapping[int, Sentences],
    gone: Mapping[int, Mapping[int, Kept]],
) -> dict[int, Kept]:
    """Return the sentences of a document that better ones have, or that it has before.

    Those of other documents first: then all that is before a sentence is decided when its turn comes.
    """
    found: dict[int, Kept] = {}
    within: list[tuple[int, int, float]] = []
    for row in passages:
        spans = [(row["start_a"], row["end_a"]), (row["start_b"], row["end_b"])]
        if row["doc_a"] == row["doc_b"]:
            here, there = texts[doc].inside(*max(spans)), texts[doc].inside(*min(spans))
            same = matches(texts[doc], here, texts[doc], there)
            within += [(k, at, row["similarity"]) for k, at in same if at < k]
            continue
        own, other = spans if row["doc_a"] == doc else spans[::-1]
        keeper = row["doc_b"] if row["doc_a"] == doc else row["doc_a"]
        here, there = texts[doc].inside(*own), texts[keeper].inside(*other)
        for k, at in matches(texts[doc], here, texts[keeper], there):
            if k not in found:
                stays = gone.get(keeper, {}).get(at)
                found[k] = Kept(keeper, at, row["similarity"]) if stays is None else stays
    for k, at, similarity in sorted(within):
        if k not in found:
            found[k] = found.get(at, Kept(doc, at, similarity))
    return found


def matches(own: Sentences, here: range, other: Sentences, there: range) -> Iterator[tuple[int, int]]:
    """Yield the sentences of one span with the same words as one of the other, if possible the next."""
    first: dict[bytes, int] = {}
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
    text = texts[doc]
    order = sorted(gone)
    first = 0
    for i in range(1, len(order) + 1):
        if i < len(order) and follows(gone, order[i - 1], order[i]):
            continue
        one, last = order[first], order[i - 1]
        start, end = reach(text, gone, one, last)
        keeper, at, similarity = gone[one]
        stays = texts[keeper]
        yield Cut(doc, start, end, keeper, stays.begins[at], stays.ends[gone[last].sentence], similarity)
        first = i


def follows(gone: Mapping[int, Kept], one: int, other: int) -> bool:
    """Return whether two sentences stand next to each other, and also where they stay."""
    a, b = gone[one], gone[other]
    return other == one + 1 and b == a._replace(sentence=a.sentence + 1)


def reach(text: Sentences, gone: Mapping[int, Kept], one: int, last: int) -> tuple[int, int]:
    """Return what to cut for some sentences: with the space behind them, or with that before.

    Of two breaks the greater stays, so that paragraphs stay apart; and the end of the text.
    """
    count = len(text.begins)
    begin, end = one, last  # the whole run of sentences that go
    while begin - 1 in gone:
        begin -= 1
    while end + 1 in gone:
        end += 1
    if begin == 0 and end == count - 1:
        start, stop = 0, text.length
    elif begin > 0 and (end == count - 1 or text.lines[end + 1] > text.lines[begin]):
        start, stop = text.ends[begin - 1], text.ends[end]
    else:
        start, stop = text.begins[begin], text.begins[end + 1]
    return (
        start if one == begin else text.begins[one],
        stop if last == end else text.begins[last + 1],
    )


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

    if not len(texts):
        return
    words, starts, ends, bounds, firsts, counts, _ = split_texts(
        *utf8(texts), unicode_table(), PARAGRAPHS
    )
    for number, text in enumerate(texts.to_pylist()):
        own = slice(bounds[number], bounds[number + 1])
        begins = firsts[counts[number] : counts[number + 1]]
        yield sentences_of(text, words[own], starts[own], ends[own], begins)


def sentences_of(
    text: str,
    words: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int32],
    firsts: npt.NDArray[np.int32],
) -> Sentences:
    """Return the sentences of a text, of which the words are known; a text without words has none."""
    begins = [len(text) - len(text.lstrip())] if len(words) else []
    for first in firsts[1:].tolist():
        behind = int(ends[first - 1])
        begins.append(behind + break_in(text[behind : int(starts[first])]))
    after = [*begins, len(text)][1:]
    finishes = [b + len(text[b:e].rstrip()) for b, e in zip(begins, after, strict=True)]
    gaps = zip([0, *finishes][:-1], begins, strict=True)
    edges = np.append(firsts, len(words))
    return Sentences(
        length=len(text),
        begins=begins,
        ends=finishes,
        firsts=starts[firsts],
        lasts=starts[edges[1:] - 1],
        lines=[text.count("\n", a, b) for a, b in gaps],
        keys=[blake2b(words[a:b].tobytes(), digest_size=16).digest() for a, b in pairwise(edges)],
    )


def break_in(gap: str) -> int:
    """Return where in what is between two sentences the second one begins.

    >>> break_in(' "'), break_in("\\n\\n* ")
    (1, 2)
    """
    if "\n" in gap:
        return gap.rfind("\n") + 1
    space = SPACE.search(gap)
    return space.end() if space else 0
