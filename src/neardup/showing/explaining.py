"""Why two documents are a pair: their common passages and differences, located in the originals."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.results.folder import ResultFolder
from neardup.results.texts import Pages, texts_of, where
from neardup.showing.differing import Passage, differing_html
from neardup.showing.excluded import counted_texts
from neardup.signatures.shingles import Shingles
from neardup.text import Tokens, tokenise
from neardup.text.masks import masked_text, parsed

WITHIN_PASSAGES = Shingles("word", 3)  # shorter runs than for whole texts, to show what was kept


def on_a_line(text: str) -> str:
    """Return a text on one line, without its middle if it is long."""
    shown = " ".join(text.split())
    return f"{shown[:60]} … {shown[-37:]}" if len(shown) > 100 else shown


@dataclass(frozen=True)
class Explanation:
    """Two texts, what they have in common, and how similar they are."""

    id_a: str
    id_b: str
    text_a: str
    text_b: str
    resemblance: float
    containment_a: float
    containment_b: float
    common_shingles: int
    shingles_a: int
    shingles_b: int
    passages: tuple[Passage, ...]

    def __str__(self) -> str:
        lines = [
            f"{self.id_a} and {self.id_b}: resemblance {self.resemblance:.4f}, "
            f"{self.common_shingles:,} common shingles of {self.shingles_a:,} and {self.shingles_b:,}"
        ]
        for p in self.passages:
            shown = on_a_line(self.text_a[p.start_a : p.end_a])
            lines.append(f"  {p.start_a}-{p.end_a} = {p.start_b}-{p.end_b}: {shown}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return differing_html(str(self).partition("\n")[0], [("", self)])


@dataclass(frozen=True)
class LocatedPassage:
    """A passage of two documents as a run found it, and how its two texts differ.

    `difference` compares the two texts by themselves: its offsets begin with the passage.
    """

    start_a: int
    end_a: int
    start_b: int
    end_b: int
    sentences: int
    words: int
    similarity: float
    kind: str
    difference: Explanation
    page_a: str | None = None
    page_b: str | None = None


@dataclass(frozen=True)
class PairExplanation:
    """The passages that two documents share, how much of each that is, and what that makes of it.

    The containments are the shares of the words that are there word for word, or nearly so; what is
    rewritten is told apart. `kind` is None, and there are no passages, if the run found none.
    """

    id_a: str
    id_b: str
    kind: str | None
    containment_a: float
    containment_b: float
    rewritten_a: float
    rewritten_b: float
    passages: tuple[LocatedPassage, ...]

    def __str__(self) -> str:
        if self.kind is None:
            return f"{self.id_a} and {self.id_b}: no common passage was found"
        lines = [
            f"{self.id_a} and {self.id_b}: {self.kind}, "
            f"{100 * self.containment_a:.1f} % and {100 * self.containment_b:.1f} % word for word, "
            f"{100 * self.rewritten_a:.1f} % and {100 * self.rewritten_b:.1f} % rewritten"
        ]
        for p in self.passages:
            shown = on_a_line(p.difference.text_a)
            lines.append(
                f"  {p.start_a}-{p.end_a} = {p.start_b}-{p.end_b} {p.kind} {p.similarity:.3f}: {shown}"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *_ = str(self).split("\n")
        return differing_html(
            head, ((placed(n, p), p.difference) for n, p in enumerate(self.passages, 1))
        )


def placed(at: int, passage: LocatedPassage) -> str:
    """Say where a passage is, and how similar its two texts are."""
    return f"{at}. {passage.kind} {passage.similarity:.3f}: {where(vars(passage), ' and ')}"


class Explained(Protocol):
    """Why two documents are a pair."""

    @property
    def id_a(self) -> str:
        """Return the id of the first document."""

    @property
    def id_b(self) -> str:
        """Return the id of the second document."""


def explain_texts(result: ResultFolder, id_a: str, id_b: str) -> Explanation:
    """Fetch two texts and compare them by the shingles of the run."""
    text_a, text_b = texts = texts_of(result, [id_a, id_b])
    shingles = Shingles.parse(result.settings.get("shingle", "word:5"))
    own_a, own_b = counted_texts(result, [id_a, id_b], texts)
    found = compare(own_a, own_b, shingles, id_a, id_b)
    if masks := parsed(result.settings.get("mask") or ""):  # what both have is shown as it stands
        own_a, own_b = masked_text(own_a, masks), masked_text(own_b, masks)
        found = replace(compare(own_a, own_b, shingles, id_a, id_b), passages=found.passages)
    return replace(found, text_a=text_a, text_b=text_b)


def explain_passages(result: ResultFolder, id_a: str, id_b: str) -> PairExplanation:
    """Return the passages of a pair that a run found, each with its differences."""
    text_a, text_b = texts_of(result, [id_a, id_b])
    pair = next(iter(of_pair(result.pairs, id_a, id_b)), {})
    pages = Pages(result)
    rows = [row | pages.of(row) for row in of_pair(result.passages, id_a, id_b)]
    located = [located_passage(row, text_a, text_b, id_a, id_b) for row in rows]
    return PairExplanation(
        id_a,
        id_b,
        pair.get("kind"),
        pair.get("containment_a", 0.0),
        pair.get("containment_b", 0.0),
        pair.get("rewritten_a", 0.0),
        pair.get("rewritten_b", 0.0),
        tuple(sorted(located, key=lambda p: (p.start_a, p.start_b))),
    )


def compare(text_a: str, text_b: str, shingles: Shingles, id_a: str, id_b: str) -> Explanation:
    """Compare two texts."""
    sets = shingles.of(pa.array([text_a, text_b], pa.large_string()))
    a, b = (sets.values[sets.bounds[i] : sets.bounds[i + 1]] for i in (0, 1))
    common = len(np.intersect1d(a, b, assume_unique=True))
    return Explanation(
        id_a=id_a,
        id_b=id_b,
        text_a=text_a,
        text_b=text_b,
        resemblance=common / max(len(a) + len(b) - common, 1),
        containment_a=common / max(len(a), 1),
        containment_b=common / max(len(b), 1),
        common_shingles=common,
        shingles_a=len(a),
        shingles_b=len(b),
        passages=tuple(common_passages(tokenise(text_a), tokenise(text_b), least_words(shingles))),
    )


def of_pair(table: pa.Table, id_a: str, id_b: str) -> list[dict[str, Any]]:
    """Return the rows of two documents, in the order asked for; a table has them in one order only."""
    rows = between(table, id_a, id_b).to_pylist()
    return rows or [turned(row) for row in between(table, id_b, id_a).to_pylist()]


def between(table: pa.Table, id_a: str, id_b: str) -> pa.Table:
    """Return the rows that name two documents in this order."""
    return table.filter(pc.and_(pc.equal(table["id_a"], id_a), pc.equal(table["id_b"], id_b)))


def turned(row: dict[str, Any]) -> dict[str, Any]:
    """Exchange what a row says of its two documents.

    >>> turned({"id_a": "x", "id_b": "y", "words": 3})
    {'id_a': 'y', 'id_b': 'x', 'words': 3}
    """
    other = {"_a": "_b", "_b": "_a"}
    return {name: row[name[:-2] + other[name[-2:]]] if name[-2:] in other else row[name] for name in row}


def located_passage(
    row: dict[str, Any], text_a: str, text_b: str, id_a: str, id_b: str
) -> LocatedPassage:
    """Compare the two texts of one passage."""
    own_a, own_b = text_a[row["start_a"] : row["end_a"]], text_b[row["start_b"] : row["end_b"]]
    names = ("start_a", "end_a", "start_b", "end_b", "sentences", "words", "similarity", "kind")
    difference = compare(own_a, own_b, WITHIN_PASSAGES, id_a, id_b)
    known = {name: row[name] for name in names} | {name: row.get(name) for name in ("page_a", "page_b")}
    return LocatedPassage(**known, difference=difference)


def least_words(shingles: Shingles) -> int:
    """Return the length of the shortest common run of words that is shown."""
    return min(shingles.width, 5) if shingles.kind == "word" else 5


def common_passages(a: Tokens, b: Tokens, width: int) -> list[Passage]:
    """Find the maximal runs of at least `width` equal words, each word of `a` used once."""
    from neardup.kernels.alignment import matching_runs

    runs = matching_runs(a.hashes, b.hashes, min(width, len(a.hashes), len(b.hashes)))
    return [
        Passage(
            int(a.starts[i]), int(a.ends[i + n - 1]), int(b.starts[j]), int(b.ends[j + n - 1]), int(n)
        )
        for i, j, n in runs.tolist()
    ]
