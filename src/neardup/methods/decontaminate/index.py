"""The index of test items: what words weigh, what is boilerplate, and where each run of words stands."""

import threading
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.arrays import Array
from neardup.methods.decontaminate.items import PARTS
from neardup.methods.decontaminate.settings import FIELDS, DecontaminateSettings
from neardup.signatures.shingles import utf8
from neardup.text import unicode_table

HEAVY, LIGHT, NEXT_TO_NOTHING = 64, 16, 4  # weights: of a rare word, of one in all items, of boilerplate
FEW_OWN = 2 * HEAVY  # what an item's own words must weigh for others to differ
CERTAIN = 6, 6  # words of a part that must all be the same, and how many more make it long
PASSAGE, ANSWER = FIELDS.index("passage"), FIELDS.index("answer")
SHARE = 6  # one run in six of an item must be there for it to be aligned
MARKS = ("'", "’")  # of letters that are left out
LOCK = threading.Lock()


class ItemIndex:
    """All parts of test items: the state of a Fold, and what it knows when all are there."""

    def __init__(self, settings: DecontaminateSettings) -> None:
        self.settings = settings
        self.batches: list[pa.RecordBatch] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in some parts."""
        self.batches.append(batch)

    def merge(self, other: "ItemIndex") -> None:
        """Take in the parts of another one."""
        self.batches += other.batches

    def __getstate__(self) -> dict[str, Any]:
        return {"settings": self.settings, "batches": self.batches}

    @property
    def built(self) -> "BuiltIndex":
        """Return the index of all parts, which is built once."""
        with LOCK:
            return self._built

    @cached_property
    def _built(self) -> "BuiltIndex":
        table = pa.Table.from_batches(self.batches, PARTS).sort_by("part")
        return BuiltIndex(table, self.settings)


class BuiltIndex:
    """What is known of the parts of all test items."""

    def __init__(self, table: pa.Table, settings: DecontaminateSettings) -> None:
        from neardup.kernels.item_words import keys_of, words_of

        self.settings = settings
        self.texts: list[str] = table["text"].to_pylist()
        self.items: Array = table["item"].to_numpy()
        self.fields: Array = table["field"].to_numpy()
        texts = pa.array(self.texts, pa.large_string())
        found = words_of(*utf8(texts), unicode_table())
        self.raw, self.raw_bounds, self.words, self.bounds, self.starts, self.ends = found
        self.keys: Array = keys_of(self.words, self.bounds)
        self.part_of: Array = np.repeat(np.arange(len(self.texts)), np.diff(self.bounds))
        self.shared: Array = self._items_with(self.keys) > settings.max_items
        self.repeated: Array = covered(self.shared & (self.keys != 0))
        self.weights: Array = self._weights()
        alone = self._long_enough & (self.fields != ANSWER)  # an answer alone may stand anywhere
        self.anchors: Array = (self.keys != 0) & ~self.shared & alone[self.part_of]
        self.totals: Array = self.sums(self.weights)

    @cached_property
    def sizes(self) -> Array:
        """Return how many words each part has."""
        return np.diff(self.raw_bounds)

    @cached_property
    def letters(self) -> Array:
        """Say which words are single letters, as lists and formulas have them; not those of *it's*."""
        found: Array = self.ends - self.starts == 1
        for at in np.flatnonzero(found):
            start, text = self.starts[at], self.texts[self.part_of[at]]
            letter, before, behind = text[start], text[start - 1 : start], text[start + 1 : start + 2]
            marked = behind in MARKS or (letter.islower() and before in (*MARKS, "("))
            found[at] = letter.isascii() and letter not in "aAiI" and not marked
        return found

    @cached_property
    def _long_enough(self) -> Array:
        return self.sizes - self.sums(self.letters.astype(np.int64)) >= self.settings.min_words

    @cached_property
    def _number_of_item(self) -> Array:
        """Return a number for each part's item, or passage, that is the same for the same words."""
        known: dict[bytes, int] = {}
        found = np.zeros(len(self.texts), np.int64)
        firsts = np.flatnonzero(np.diff(self.items, prepend=-1))
        for first, last in zip(firsts, [*firsts[1:], len(self.texts)], strict=True):
            own = self.raw[self.raw_bounds[first] : self.raw_bounds[last]].tobytes()
            found[first:last] = known.setdefault(own, len(known))
        for part in np.flatnonzero(self.fields == PASSAGE):  # which many items may share
            own = self.raw[self.raw_bounds[part] : self.raw_bounds[part + 1]].tobytes()
            found[part] = known.setdefault(own, len(known))
        return found

    def _items_with(self, values: Array) -> Array:
        """Return how many different items have each of some values, one for each word."""
        if not len(values):
            return np.zeros(0, np.int64)
        number = numbered(values)
        width = len(self.texts) + 1
        both = np.sort(number * width + self._number_of_item[self.part_of])
        counts: Array = np.bincount(both[np.diff(both, prepend=-1) != 0] // width)[number]
        return counts

    def _weights(self) -> Array:
        """Return what words weigh: the rarer among items the more, and boilerplate next to nothing."""
        from neardup.kernels.item_words import NUMBER

        total = len(np.unique(self._number_of_item)) + 1
        counts = np.maximum(self._items_with(self.words), 1)
        rarity = np.log(total / counts) / np.log(max(total, 2))
        found: Array = np.rint(LIGHT + (HEAVY - LIGHT) * rarity).astype(np.int64)
        found[self.repeated | self.letters | (self.words == NUMBER)] = NEXT_TO_NOTHING
        return found

    def sums(self, values: Array) -> Array:
        """Return the sum of the words' values for each part."""
        sums = np.concatenate([[0], np.cumsum(values)])
        found: Array = sums[self.bounds[1:]] - sums[self.bounds[:-1]]
        return found

    def options_of(self, item: int) -> Array:
        """Return the parts of an item that are options."""
        first, last = np.searchsorted(self.items, (item, item + 1))
        found: Array = first + np.flatnonzero(self.fields[first:last] == FIELDS.index("options"))
        return found

    def boilerplate(self, part: int) -> list[str]:
        """Return the runs of words of a part that are boilerplate, in small letters."""
        begin, end = self.bounds[part], self.bounds[part + 1]
        if not self.repeated[begin:end].any():
            return []
        edges = np.flatnonzero(np.diff(self.repeated[begin:end], prepend=False, append=False))
        words = [self._written(part, at) for at in range(begin, end)]
        return [" ".join(words[first:last]) for first, last in edges.reshape(-1, 2).tolist()]

    def _written(self, part: int, at: int) -> str:
        """Return a word of a part in small letters; any number is #."""
        text = self.texts[part][self.starts[at] : self.ends[at]]
        return "#" if text[:1].isdigit() and not text.isalpha() else text.lower()

    @cached_property
    def needs(self) -> Array:
        """Return how many runs of a part must be there for it to be aligned; 0: it is too short."""
        anchors = self.sums(self.anchors.astype(np.int64))
        found: Array = np.where(anchors > 0, np.maximum(anchors // SHARE, 1), 0)
        return found

    @cached_property
    def parts(self) -> Any:
        """Return what the kernel takes."""
        from neardup.kernels.item_words import hashed
        from neardup.kernels.items import Parts

        counting = self.weights > NEXT_TO_NOTHING
        own = self.sums(np.where(counting, self.weights, 0))
        sure = np.clip((self.sums(counting.astype(np.int64)) - CERTAIN[0]) / CERTAIN[1], 0, 1)
        limits = np.floor(self.totals * (1 - self.settings.threshold) * sure + 1e-9).astype(np.int64)
        limits[own < FEW_OWN] = -1
        at = np.flatnonzero(self.anchors)
        number = numbered(self.keys[at])
        keys = np.zeros(int(number.max(initial=-1)) + 1, np.uint64)
        keys[number] = self.keys[at]
        order = np.argsort(number, kind="stable")
        ends = np.cumsum(np.bincount(number, minlength=len(keys)))  # one row more behind each key's
        rows = np.arange(len(order)) + number[order]
        owners = np.full(len(at) + len(keys), -1, np.int32)
        places = np.zeros(len(owners), np.int32)
        owners[rows] = self.part_of[at][order]
        places[rows] = (at - self.bounds[self.part_of[at]])[order]
        table, numbers, bits = hashed(keys)
        begins = np.concatenate([[0], ends + np.arange(1, len(keys) + 1)])
        last = int(self.items[-1]) + 1 if len(self.items) else 0
        return Parts(
            self.words,
            self.bounds,
            self.weights,
            self.raw,
            self.raw_bounds,
            limits,
            self.needs,
            self.items,
            np.searchsorted(self.items, np.arange(last + 1)),
            self.fields,
            table,
            begins[numbers].astype(np.int32),
            owners,
            places,
            bits,
        )


def numbered(values: Array) -> Array:
    """Return a number for each value, the same for equal ones, from 0 in their order."""
    order = np.argsort(values)
    found = np.zeros(len(values), np.int64)
    found[order] = np.cumsum(np.diff(values[order], prepend=values[order][:1]) != 0)
    return found


def covered(runs: Array) -> Array:
    """Say of each word whether it is in one of the runs, of which the first words are marked."""
    found: Array = runs.copy()
    for step in (1, 2):
        found[step:] |= runs[:-step]
    return found
