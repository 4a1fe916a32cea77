"""What a run is given that reads a part of the old documents only: what follows from all of them."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from neardup.methods.passages.align import CountedWords
from neardup.methods.passages.proposals import KEPT, MARKS, CommonKeys, KeptRuns, MarkRuns
from neardup.plan import Fold, Map, Sql, Step
from neardup.signatures.winnowing import Winnowing
from neardup.steps.columns import schema_of

PAIRS = schema_of("a b int64")
COMMON = schema_of("key documents doc int64")
WORDS = schema_of("cell amount int64")
SENTENCES = -1  # the cell of their number


class Given(NamedTuple):
    """Pairs that share enough rare runs; runs that very many documents have; how often words occur.

    Of a run, `doc` is the first of those that are read.
    """

    pairs: pa.Table
    common: pa.Table
    words: pa.Table

    def tables(self) -> dict[str, pa.Table]:
        """Return what the plan starts from."""
        return dict(zip(NAMES, self, strict=True))


NAMES = tuple(f"given_{name}" for name in Given._fields)


class GivenWords(CountedWords):
    """How often each word occurs, as it was counted before: the state of a Fold."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in counters, and the number of sentences."""
        cells, counts = (column.to_numpy() for column in batch.columns)
        words = cells != SENTENCES
        self.table[cells[words]] += counts[words].astype(np.uint32)
        self.sentences += int(counts[~words].sum())


def steps(winnowing: Winnowing) -> list[Step]:
    """Return the steps from `texts` and what is given to `proposed`, `common` and `marks`."""
    return [
        Map("kept", "texts", KeptRuns(winnowing), KEPT),
        Sql("proposed", "select a, b from {given_pairs}"),
        Sql("common", "select key, documents, doc from {given_common} order by key", keep=True),
        Fold("boilerplate_keys", "common", CommonKeys),
        Map("marks", "kept", MarkRuns(winnowing), MARKS, sides=("boilerplate_keys",)),
        Sql("all_words", "select cell, amount from {given_words} order by cell"),
    ]
