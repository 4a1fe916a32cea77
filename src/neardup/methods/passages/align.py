"""Alignment: the passages that two texts share, found on their words and located in characters."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.arrays import Array, Bools, Hashes, Integers
from neardup.methods.passages.references import vocabulary
from neardup.methods.passages.tables import BOILERPLATE, FOUND
from neardup.plan import Sides
from neardup.signatures.winnowing import Winnowing
from neardup.signatures.word_counts import WordCounts
from neardup.steps.columns import Lookup, from_lists, list_column, schema_of, to_lists
from neardup.steps.exclusions import counted_only

TEXT = ("words", "starts", "ends", "sentences")
HITS = schema_of("a b int64, hits [int64], common_a common_b [int32]")
SIDES = ("a", "b")
SLICE = 1 << 22  # words of texts that are copied at once
LEAST_HITS = 3
REACH = 100  # words
MOST_KNOWN = 10_000  # documents whose reference lists are kept
WORD = 6  # characters of one, with the space behind it
MOST_PASSAGES = 1_000  # of two documents; the longest are kept


class CountedWords(WordCounts):
    """How often each word occurs, and the number of sentences: the state of a Fold."""

    def __init__(self, masked: bool = False) -> None:
        """Count all words, or those that are not masked, as some may be."""
        super().__init__(once=False)
        self.masked = masked
        self.sentences = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Count the words and sentences of some texts."""
        words, bounds = from_lists(batch["words"])
        if self.masked:
            words, bounds = counted_only(words, bounds)
        self.take(words.view(np.uint64), bounds)
        self.sentences += int(np.diff(batch["sentences"].offsets.to_numpy()).sum())

    def merge(self, other: Any) -> None:
        """Add the counts of other texts."""
        super().merge(other)
        self.sentences += other.sentences


@dataclass(frozen=True)
class FindHits:
    """Finds the places where two documents have the same run of words.

    Hits that do not lie together say nothing: a pair without `least` ones within `reach` words is left
    out.
    """

    least: int = LEAST_HITS
    reach: int = REACH

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the pairs (a, b) that have hits, with their hits."""
        lookup = sides["lookup"]
        return pa.concat_batches([self._find(part, lookup) for part in lookup.portions(batch)])

    def _find(self, batch: pa.RecordBatch, lookup: Lookup) -> pa.RecordBatch:
        from neardup.kernels.hits import hits_of_pairs
        from neardup.kernels.lists import end_to_end

        a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
        marks = lookup.lists("marks", a), lookup.lists("marks", b)
        hits, bounds = hits_of_pairs(*marks, a == b, self.least, self.reach)
        common = (list_column(*end_to_end(lookup.lists("common", docs))) for docs in (a, b))
        pairs = pa.RecordBatch.from_arrays(
            [*batch.columns, to_lists(hits, bounds), *common], schema=HITS
        )
        return pairs.filter(pa.array(np.diff(bounds) > 0))


@dataclass(frozen=True)
class Align:
    """Finds the passages of each pair of documents."""

    least_length: int
    least_sentences: int
    gap: int
    soft: bool

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the passages of the pairs (a, b)."""
        lookup, words = sides["lookup"], sides["words"]
        return pa.concat_batches(
            [
                self._align(piece, lookup, words)
                for part in lookup.portions(batch)
                for piece in pieces(part, lookup)
            ]
        )

    def _align(self, batch: pa.RecordBatch, lookup: Lookup, counted: CountedWords) -> pa.RecordBatch:
        (a, words_a), (b, words_b) = (texts_of(lookup, batch, side) for side in SIDES)
        itself = batch["a"].to_numpy() == batch["b"].to_numpy()
        lists = *self._lists(batch["a"], lookup), *self._lists(batch["b"], lookup)
        numbers, *columns = self.passages((a, b, itself, *from_lists(batch["hits"])), counted, lists)
        del words_a, words_b  # whose addresses are in a and b
        pairs = batch.select(["a", "b"]).take(pa.array(numbers))
        return pa.RecordBatch.from_arrays([*pairs.columns, *columns], schema=FOUND)

    def _lists(self, docs: pa.Array, lookup: Lookup) -> tuple[Integers, Integers]:
        """Return the reference lists of documents end to end, and where those of each begin."""
        from neardup.kernels.reference_lists import lists_of_texts

        numbers = docs.to_pylist()
        own: dict[int, Any] = {doc: self._known_lists.get(doc) for doc in numbers}
        if new := sorted(doc for doc, runs in own.items() if runs is None):
            texts = (lookup.lists(name, np.array(new)) for name in ("words", "sentences"))
            found, bounds = lists_of_texts(*texts, vocabulary())
            fresh = dict(zip(new, np.split(found, bounds[1:-1]), strict=True))
            own |= fresh
            if len(self._known_lists) > MOST_KNOWN:
                self._known_lists.clear()
            self._known_lists.update(fresh)
        runs = [np.empty(0, np.int64), *(own[doc] for doc in numbers)]
        return np.concatenate(runs), np.cumsum([len(part) for part in runs])

    @cached_property
    def _known_lists(self) -> dict[int, Integers]:
        """Return the reference lists of documents that were looked at: most are, many times."""
        return {}

    @cached_property
    def options(self) -> Any:
        """Return how passages are found."""
        from neardup.kernels.passages import Options

        return Options(self.least_length, verbatim=least_words(self.least_length), gap=self.gap)

    def passages(self, pairs: Any, counted: CountedWords, lists: Any = None) -> list[Array]:
        """Return columns: the number of the pair of each passage, and those of `FOUND` behind a and b.

        `pairs` are the texts of both sides, whether both are the same, sorted hits and where each pair's
        begin; `lists` are the reference lists of both sides, as they are before words are masked.
        """
        from neardup.kernels.passages import located
        from neardup.kernels.reference_lists import are_of_lists, lists_of_texts

        if lists is None:
            known = vocabulary()
            found = [lists_of_texts(own.words, own.sentences, known) for own in pairs[:2]]
            lists = *found[0], *found[1]
        rows = longest(self._found(pairs, counted, lists))
        return self.columns(rows, are_of_lists(rows, *lists), *located(*pairs[:2], rows))

    def columns(
        self, rows: Integers, references: Bools, passages: Integers, *matched: Array
    ) -> list[Any]:
        """Return the columns of passages, which are given in words and as they are located."""
        from neardup.kernels.passages import SUMMARY

        *places, sentences, words, both, same = passages.T
        similarity = 2 * words / np.maximum(both, 1)
        summary = rows[:, 5] == SUMMARY
        runs = list_column(*matched[:2]), list_column(*matched[2:])
        columns = (
            rows[:, 0],
            *places,
            sentences,
            similarity,
            words,
            same == 1,
            summary,
            *runs,
            references,
        )
        if self.least_sentences == 1:
            return [*columns]
        enough = pa.array(np.flatnonzero(sentences >= self.least_sentences))
        return [pa.array(column).take(enough) for column in columns]

    def _found(self, pairs: Any, counted: CountedWords, lists: Any) -> Integers:
        """Return rows (pair, start in a, end in a, start in b, end in b, kind), in words, by pair."""
        from neardup.kernels.excluded import counted_passages
        from neardup.kernels.passages import PART, VERBATIM, verbatim_pairs
        from neardup.kernels.soft_passages import soft_pairs

        options = self.options
        rows: Integers = verbatim_pairs(*pairs, options)
        if self.soft:
            soft = soft_pairs(*pairs, lists, rows, options, counted.table, counted.sentences)
            rows = np.concatenate([rows[rows[:, 5] == VERBATIM], soft])
            rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
        rows[rows[:, 5] == PART, 5] = VERBATIM
        words = counted.table, counted.sentences
        found: Integers = counted_passages(*pairs[:2], rows, options, *words)
        return found


def least_words(characters: int) -> int:
    """Return how many verbatim words a verbatim passage has at least, by its least length.

    These keep chains of short runs apart from copies; a short quotation has no more than it has.

    >>> [least_words(characters) for characters in (30, 60, 150, 1000)]
    [5, 10, 25, 25]
    """
    from neardup.kernels.passages import Options

    usual = Options(characters)
    return max(min(usual.verbatim, characters // WORD), usual.run)


def pieces(batch: pa.RecordBatch, lookup: Lookup, most: int = SLICE) -> Iterator[pa.RecordBatch]:
    """Cut a batch of pairs so that the texts that are copied for a piece have at most so many words.

    A text is copied once for a side of a piece: the more pairs it has, the less is copied for each.
    """
    begin = words = 0
    known: tuple[set[int], ...] = (set(), set())
    sizes = [copied_words(batch, lookup, side).tolist() for side in SIDES]
    for row, docs in enumerate(zip(*(batch[side].to_pylist() for side in SIDES), strict=True)):
        new = sum(own[row] for own, doc, seen in zip(sizes, docs, known, strict=True) if doc not in seen)
        if words + new > most and row > begin:
            yield batch.slice(begin, row - begin)
            begin, words, known = row, 0, (set(), set())
            new = sum(own[row] for own in sizes)
        words += new
        for doc, seen in zip(docs, known, strict=True):
            seen.add(doc)
    yield batch.slice(begin)


def copied_words(batch: pa.RecordBatch, lookup: Lookup, side: str) -> Integers:
    """Return how many words of a side of each pair are copied: those of texts of which not all count."""
    some = np.diff(batch[f"common_{side}"].offsets.to_numpy()) > 0
    return np.where(some, lookup.lists("words", batch[side].to_numpy()).sizes, 0)


def texts_of(lookup: Lookup, batch: pa.RecordBatch, side: str) -> tuple[Any, Hashes]:
    """Return the texts of one side of some pairs as the kernels take them, and words of theirs.

    Words that do not count are masked in a copy, which comes second: it must live as long as the texts.
    """
    from neardup.kernels.hits import masked_texts
    from neardup.kernels.lists import Lists, lists_in
    from neardup.kernels.passages import Texts

    docs = batch[side].to_numpy()
    words, *others = (lookup.lists(name, docs) for name in TEXT)
    values, bounds = from_lists(batch[f"common_{side}"])
    _, firsts, numbers = np.unique(docs, return_index=True, return_inverse=True)
    some = np.diff(bounds)[firsts] > 0
    chosen = firsts[some]
    runs = Lists(*lists_in(values, bounds))
    copies, starts = masked_texts(
        *(Lists(found.addresses[chosen], found.sizes[chosen]) for found in (words, runs)),
        SIDES.index(side) << 40,
    )
    addresses = words.addresses[firsts]
    addresses[some] = lists_in(copies, starts)[0]
    return Texts(Lists(addresses[numbers], words.sizes), *others), copies


def longest(rows: Integers) -> Integers:
    """Leave out, of the passages of each pair, all but the longest if there are very many."""
    if len(rows) <= MOST_PASSAGES:
        return rows
    _, firsts, counts = np.unique(rows[:, 0], return_index=True, return_counts=True)
    order = np.lexsort((rows[:, 1] - rows[:, 2], rows[:, 0]))
    rank = np.arange(len(rows)) - np.repeat(firsts, counts)
    return rows[np.sort(order[rank < MOST_PASSAGES])]


@dataclass(frozen=True)
class ShowBoilerplate:
    """Locates, in the first document of each, the passages that very many documents share."""

    winnowing: Winnowing
    least_length: int

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return the passages of boilerplate that these texts are the first to have."""
        rows = list(self._rows(batch, *sides["boilerplate_keys"].arrays()))
        columns = [*zip(*rows, strict=True)] if rows else [()] * len(BOILERPLATE)
        return pa.RecordBatch.from_arrays(columns, schema=BOILERPLATE)

    def _rows(
        self, batch: pa.RecordBatch, keys: Hashes, counts: Integers, first: Integers
    ) -> Iterator[tuple[int, ...]]:
        from neardup.kernels.passages import boilerplate_of

        (words, bounds), (starts, _), (ends, _) = (from_lists(batch[name]) for name in TEXT[:3])
        options = self.least_length, *self.winnowing.shape
        for number, doc in enumerate(batch["doc"].to_pylist()):
            own = slice(bounds[number], bounds[number + 1])
            text = words[own].view(np.uint64), starts[own], ends[own]
            new = first == doc
            passages = boilerplate_of(*text, keys[new], counts[new], *options)
            yield from ((doc, *row) for row in passages.tolist())
