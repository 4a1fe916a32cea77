"""What editors want of a result of `sentences`: pairs with their texts and titles, sizes, exports."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from neardup.results.folder import ResultFolder
from neardup.steps.columns import schema_of

DRIFT = "factual drift"
NOT_WRONG = ("template", "reference")  # kinds on which no editor acts
BY_URGENCY = (DRIFT, "copy edit", "identical", "other", *NOT_WRONG)
BUCKETS = (2, 3, 4, 5, 6, 11, 21, 51, 101, 301)  # the sizes with which bars of the histogram begin


class SentencePair(NamedTuple):
    """Two similar sentences, where they are from, and what differs."""

    id_a: str
    id_b: str
    title_a: str | None
    title_b: str | None
    sentence_a: int
    sentence_b: int
    text_a: str
    text_b: str
    distance: float
    kind: str
    changes: tuple[tuple[str, str, str], ...]

    @property
    def difference(self) -> str:
        """Say what differs: `number: 80 → 82`."""
        return difference_of(self.changes)


def difference_of(changes: Iterable[tuple[str, str, str]]) -> str:
    """Say what differs: the type of each change, and the words before and after.

    >>> difference_of([("number", "80", "82"), ("other", "very", "")])
    'number: 80 → 82; other: very → ∅'
    """
    return "; ".join(f"{kind}: {a or '∅'} → {b or '∅'}" for kind, a, b in changes)


def pairs_with_texts(result: ResultFolder, rows: pa.Table) -> list[SentencePair]:
    """Return rows of the table of pairs with all that is known of them."""
    texts = _texts(result, rows)
    titles = dict(
        zip(result.documents["doc"].to_pylist(), result.documents["title"].to_pylist(), strict=True)
    )
    return [
        SentencePair(
            row["id_a"],
            row["id_b"],
            titles[row["doc_a"]],
            titles[row["doc_b"]],
            row["sentence_a"],
            row["sentence_b"],
            texts[row["doc_a"], row["sentence_a"]],
            texts[row["doc_b"], row["sentence_b"]],
            row["distance"],
            row["kind"],
            tuple(zip(row["types"] or (), row["words_a"] or (), row["words_b"] or (), strict=True)),
        )
        for row in rows.to_pylist()
    ]


def _texts(result: ResultFolder, rows: pa.Table) -> dict[tuple[int, int], str]:
    """Return the texts of the sentences of some pairs, by document and number."""
    docs = pa.chunked_array([*rows["doc_a"].chunks, *rows["doc_b"].chunks], pa.int64()).unique()
    table = result.sentences.filter(pc.is_in(result.sentences["doc"], docs))
    columns = (table[name].to_pylist() for name in ("doc", "sentence", "text"))
    return {(doc, number): text for doc, number, text in zip(*columns, strict=True)}


def pairs_of_kind(result: ResultFolder, kind: str | None) -> pa.Table:
    """Return the pairs of a kind, or all: those of different documents first, in the order of pairs."""
    return others_first(
        result.pairs if kind is None else result.pairs.filter(pc.equal(result.pairs["kind"], kind))
    )


def others_first(table: pa.Table) -> pa.Table:
    """Return pairs of different documents first, but templates and references behind all others.

    Drifts and edits come before what is the same, then by distance; if all are of one kind, the surest.
    """
    ranks = {
        "passed": pc.is_in(table["kind"], pa.array(NOT_WRONG)).cast(pa.int8()),
        "within": pc.equal(table["doc_a"], table["doc_b"]).cast(pa.int8()),
        "urgent": pc.index_in(table["kind"], pa.array(BY_URGENCY)),
    }
    for name, rank in ranks.items():
        table = table.append_column(name, rank)
    names = (*ranks, "distance", "doc_a", "sentence_a", "doc_b", "sentence_b")
    order = [(name, "ascending") for name in names]
    if len(pc.unique(table["kind"])) == 1:
        order.insert(len(ranks), ("confidence", "descending"))
    return table.sort_by(order)


def drift(result: ResultFolder) -> list[SentencePair]:
    """Return the drifted facts, the surest first."""
    return pairs_with_texts(result, pairs_of_kind(result, DRIFT))


def histogram(result: ResultFolder) -> list[tuple[str, int]]:
    """Return how many clusters have a size, by ranges of sizes (figure 3 of the paper)."""
    table = result.sentences
    keepers = table.filter(pc.and_(table["keeper"], pc.is_valid(table["cluster"])))
    sizes = Counter(keepers["size"].to_pylist())
    bars = []
    for begin, end in zip(BUCKETS, [*BUCKETS[1:], None], strict=True):
        total = sum(n for size, n in sizes.items() if begin <= size and (end is None or size < end))
        last = None if end is None else end - 1
        name = f"{begin}" if last == begin else f"{begin}–{last}" if last else f"{begin} or more"
        bars.append((name, total))
    while bars and not bars[-1][1]:
        bars.pop()
    return bars


def exported(result: ResultFolder, name: str) -> pa.Table:
    """Return a table for editors: pairs, and the drifted facts of them, with titles and texts."""
    if name not in ("pairs", "drift"):
        return result.table(name)
    rows = pairs_with_texts(result, pairs_of_kind(result, DRIFT if name == "drift" else None))
    columns = {
        column.name: pa.array([getattr(pair, column.name) for pair in rows], column.type)
        for column in EDITORS
    }
    return pa.table(columns)


EDITORS = schema_of(
    "kind id_a title_a text_a id_b title_b text_b difference string, sentence_a sentence_b int64, "
    "distance float64"
)
