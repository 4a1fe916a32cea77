"""All similar sentences of two documents."""

from typing import NamedTuple

import pyarrow.compute as pc

from neardup.methods.sentences.tables import SentencePair, pairs_with_texts
from neardup.results.folder import ResultFolder
from neardup.results.texts import locate
from neardup.showing.console import titled
from neardup.showing.differing import differing_html
from neardup.showing.explaining import compare
from neardup.signatures.shingles import Shingles

WORDS = Shingles("word", 1)


class SentenceExplanation(NamedTuple):
    """All similar sentences of two documents."""

    id_a: str
    id_b: str
    pairs: tuple[SentencePair, ...]

    def __str__(self) -> str:
        lines = [f"{self.id_a} and {self.id_b}: {len(self.pairs):,} similar sentences"]
        lines += [f"  {p.kind} {p.distance:.3f}: {p.text_a} | {p.text_b}" for p in self.pairs]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        named = ((titled(p.title_a, p.id_a), titled(p.title_b, p.id_b), p) for p in self.pairs)
        compared = ((p.kind, compare(p.text_a, p.text_b, WORDS, a, b)) for a, b, p in named)
        return differing_html(str(self).partition("\n")[0], compared)


def between(result: ResultFolder, id_a: str, id_b: str) -> SentenceExplanation:
    """Return the similar sentences of two documents, in the order of the first."""
    table = result.pairs
    found: list[SentencePair] = []
    for one, other in ((id_a, id_b), (id_b, id_a)):
        rows = table.filter(pc.and_(pc.equal(table["id_a"], one), pc.equal(table["id_b"], other)))
        found += pairs_with_texts(result, rows)
        if id_a == id_b:
            break
    return SentenceExplanation(id_a, id_b, tuple(found))


def explain(result: ResultFolder, id_a: str, id_b: str) -> SentenceExplanation:
    """Return the similar sentences of two documents that the result has."""
    for given in (id_a, id_b):
        locate(result, given)
    return between(result, id_a, id_b)
