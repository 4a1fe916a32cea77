"""Probes: copies of stretches of the texts, with words exchanged, to see how many a run would find."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Array
from neardup.methods.passages.align import TEXT, Align, FindHits
from neardup.methods.passages.proposals import KeptRuns, MarkRuns
from neardup.plan import Map, Sides, Sql, Step
from neardup.signatures.winnowing import Winnowing
from neardup.steps.columns import from_lists, list_column, schema_of, to_lists
from neardup.steps.facts import probed

if TYPE_CHECKING:
    from neardup.kernels.lists import Lists

PROBES = schema_of("doc found int64")
PAIRS = schema_of("a b int64")
MOST_PROBES = 200
LONGER = 2  # than the least passage: so long is the stretch that is copied
EXCHANGED = 8  # one of so many words of it
AROUND, LETTERS = 40, 5  # words that nobody else has, before and behind it, and their letters
SEEN = 0.5  # of a copy is in passages: it was found

Span = tuple[int, int]


class Text(NamedTuple):
    """A text as it is aligned: the columns of `TEXT`."""

    words: Array
    starts: Array
    ends: Array
    sentences: Array


def steps(align: Align, winnowing: Winnowing) -> list[Step]:
    """Return the steps from `texts` and `numbers` to `probes`."""
    sides = ("words", "counts", "boilerplate_keys")
    return [
        Sql("probed", probed("{numbers}", MOST_PROBES)),
        Map("probes", "texts", Probe(align, winnowing), PROBES, sides=sides, only="probed"),
    ]


class Copy(NamedTuple):
    """A copy of a stretch of a text: the row of that text, and where the stretch is in the copy."""

    row: int
    text: Text
    begin: int  # characters
    end: int


@dataclass(frozen=True)
class Probe:
    """Copies a stretch of each text with words exchanged, and looks for the copy as a run does.

    Nothing is copied in which words are excluded or boilerplate.
    """

    align: Align
    winnowing: Winnowing

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return a row a text that is long enough: found is 1 or 0."""
        kept, marks = self._signed(batch, sides)
        size, docs = LONGER * self.align.least_length, batch["doc"].to_pylist()
        copies = list[Copy]()
        for row, (text, common) in enumerate(zip(texts_of(batch), lists(marks["common"]), strict=True)):
            rng = random.Random(docs[row])
            if (stretch := chosen(text, common, size, rng)) is not None:
                copies.append(copied(row, text, stretch, rng))
        if not copies:
            return pa.RecordBatch.from_pylist([], schema=PROBES)
        made = batch_of([copy.text for copy in copies])
        own_kept, own_marks = self._signed(made, sides)
        pairs = [
            pa.array([copy.row for copy in copies]),
            pa.array(batch.num_rows + np.arange(len(copies))),
        ]
        found = self._found(
            pa.RecordBatch.from_arrays(pairs, schema=PAIRS),
            InMemory(pa.concat_batches([marks, own_marks])),
            InMemory(pa.concat_batches([batch.select(TEXT), made.select(TEXT)])),
            sides,
        )
        keys = lists(kept["keys"])
        rows = [
            {
                "doc": docs[copy.row],
                "found": int(
                    covered(found.get(batch.num_rows + number, []), copy) >= SEEN
                    and self._proposes(np.intersect1d(keys[copy.row], own), sides)
                ),
            }
            for number, (copy, own) in enumerate(zip(copies, lists(own_kept["keys"]), strict=True))
        ]
        return pa.RecordBatch.from_pylist(rows, schema=PROBES)

    def _signed(self, batch: pa.RecordBatch, sides: Sides) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        """Return the kept runs of texts, and their marks."""
        kept = KeptRuns(self.winnowing)(batch, {})
        return kept, MarkRuns(self.winnowing)(kept, {"boilerplate_keys": sides["boilerplate_keys"]})

    def _found(
        self, pairs: pa.RecordBatch, marks: "InMemory", texts: "InMemory", sides: Sides
    ) -> dict[int, list[Span]]:
        """Return where passages of each pair are in the second text."""
        hits = FindHits()(pairs, {"lookup": marks})
        if not hits.num_rows:
            return {}
        align = replace(self.align)  # which keeps what it knows of texts by numbers; these are rows
        rows = align(hits, {"lookup": texts, "words": sides["words"]})
        spans = defaultdict[int, list[Span]](list)
        for b, start, end in zip(*(rows[n].to_pylist() for n in ("b", "start_b", "end_b")), strict=True):
            spans[b].append((start, end))
        return spans

    def _proposes(self, shared: Array, sides: Sides) -> bool:
        """Return whether two texts that share these runs are worth aligning; a copy counts, too."""
        from neardup.kernels.winnowing import UNIT

        often = sides["counts"].counts(shared.view(np.uint64)) + 1
        return int((UNIT / np.log2(np.maximum(often, 2))).sum()) >= self.winnowing.least_worth


class InMemory:
    """Texts that a step looks up by their rows."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self.columns = {
            name: from_lists(batch[name])
            for name in batch.schema.names
            if pa.types.is_list(batch[name].type)
        }

    def lists(self, column: str, keys: Array) -> "Lists":
        """Return where the lists of some rows lie."""
        from neardup.kernels.lists import Lists

        values, bounds = self.columns[column]
        begins = values.__array_interface__["data"][0] + bounds[keys] * values.itemsize
        return Lists(begins, np.diff(bounds)[keys].astype(np.int32))

    def portions(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield a batch whole: all is in memory."""
        yield batch


def lists(column: pa.ListArray) -> list[Array]:
    """Return the lists of a column."""
    values, bounds = from_lists(column)
    return [values[i:j] for i, j in pairwise(bounds.tolist())]


def texts_of(batch: pa.RecordBatch) -> Iterator[Text]:
    """Yield the texts of a batch."""
    yield from map(Text, *(lists(batch[name]) for name in TEXT))


def batch_of(texts: Sequence[Text]) -> pa.RecordBatch:
    """Make a batch of texts, whose numbers mean nothing."""
    columns = []
    for name, own in zip(TEXT, zip(*texts, strict=True), strict=True):
        bounds = np.cumsum([0, *map(len, own)])
        make = to_lists if name == "words" else list_column
        columns.append(make(np.concatenate(own), bounds))
    return pa.RecordBatch.from_arrays([pa.array(np.arange(len(texts))), *columns], ["doc", *TEXT])


def chosen(text: Text, common: Array, size: int, rng: random.Random) -> Span | None:
    """Return a stretch of so many characters, in words, if the text has one of which all words count."""
    from neardup.kernels.excluded import are_counted

    last = int(np.searchsorted(text.starts, text.ends[-1] - size, "right")) - 1 if len(text.ends) else -1
    if last < 0:
        return None
    begin = rng.randint(0, last)
    end = int(np.searchsorted(text.ends, text.starts[begin] + size)) + 1
    counted = are_counted(text.words[begin:end].view(np.uint64))
    in_common = (common[::2] < end) & (common[1::2] > begin)
    return (begin, end) if counted.all() and not in_common.any() else None


def copied(row: int, text: Text, stretch: Span, rng: random.Random) -> Copy:
    """Copy a stretch of a text with words exchanged for others of it, among words that no text has."""
    begin, end = stretch
    words = text.words[begin:end].copy()
    for place in rng.sample(range(end - begin), (end - begin) // EXCHANGED):
        words[place] = text.words[rng.randrange(len(text.words))]
    strange = np.array([rng.getrandbits(47) for _ in range(2 * AROUND)], np.int64)
    around = np.arange(AROUND) * (LETTERS + 1)
    first = AROUND * (LETTERS + 1)  # the character with which the stretch begins
    behind = first + int(text.ends[end - 1] - text.starts[begin])

    def placed(places: Array, more: int) -> Array:
        moved = places[begin:end] - text.starts[begin] + first
        return np.concatenate([around + more, moved, around + behind + 1 + more]).astype(np.int32)

    inner = text.sentences[(text.sentences > begin) & (text.sentences < end)] - begin + AROUND
    sentences = np.array([0, AROUND, *inner, AROUND + end - begin], np.int32)
    all_words = np.concatenate([strange[:AROUND], words, strange[AROUND:]])
    made = Text(all_words, placed(text.starts, 0), placed(text.ends, LETTERS), sentences)
    return Copy(row, made, first, behind)


def covered(spans: Sequence[Span], copy: Copy) -> float:
    """Return the share of the copied stretch that lies in some spans."""
    inside = np.zeros(copy.end - copy.begin, np.bool_)
    for start, end in spans:
        inside[max(start - copy.begin, 0) : max(end - copy.begin, 0)] = True
    return float(inside.mean())
