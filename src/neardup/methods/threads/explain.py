"""Two threads, field by field."""

from dataclasses import dataclass

import pyarrow as pa

from neardup.methods.threads.fields import sets_of_texts
from neardup.methods.threads.settings import ThreadSettings, signature_of
from neardup.readers.fields import column_of
from neardup.readers.source import fetch
from neardup.results.folder import ResultFolder
from neardup.results.texts import locate
from neardup.showing.differing import differing_html
from neardup.showing.explaining import WITHIN_PASSAGES, Explanation, compare, of_pair


@dataclass(frozen=True)
class FieldExplanation:
    """One field of two threads: its weight, similarity (None if both lack it), and differences."""

    name: str
    weight: float
    signature: str
    similarity: float | None
    difference: Explanation


@dataclass(frozen=True)
class ThreadExplanation:
    """Two threads, field by field; `similarity` is None if they are not a pair of the result."""

    id_a: str
    id_b: str
    similarity: float | None
    fields: tuple[FieldExplanation, ...]

    def __str__(self) -> str:
        shown = "no pair" if self.similarity is None else f"similarity {self.similarity:.4f}"
        lines = [f"{self.id_a} and {self.id_b}: {shown}"]
        for field in self.fields:
            score = "missing in both" if field.similarity is None else f"{field.similarity:.4f}"
            lines.append(f"  {field.name} ({field.weight:g}, {field.signature}): {score}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *lines = str(self).split("\n")
        return differing_html(head, zip(lines, (own.difference for own in self.fields), strict=True))


def explain_threads(result: ResultFolder, id_a: str, id_b: str) -> ThreadExplanation:
    """Return the fields of two threads; the similarities of a pair are those of the result."""
    settings = result.run["settings"]
    contained = ThreadSettings.make(**{**settings, "preset": None}).contained
    pair = next(iter(of_pair(result.pairs, id_a, id_b)), {})
    places = [locate(result, given) for given in (id_a, id_b)]
    source = result.texts()
    fields = []
    for number, (name, weight) in enumerate(settings["fields"].items()):
        signature = settings["signature"][name]
        texts = [t or "" for t in fetch(source, places, column_of(name, settings["fields"]))]
        score = pair[name] if pair else None
        if not pair and not settings.get("max_shared"):
            score = field_similarity(signature, texts, number, contained[number])
        difference = compare(texts[0], texts[1], WITHIN_PASSAGES, id_a, id_b)
        fields.append(FieldExplanation(name, weight, signature, score, difference))
    return ThreadExplanation(id_a, id_b, pair.get("similarity"), tuple(fields))


def field_similarity(
    signature: str, texts: list[str], number: int, contained: bool = False
) -> float | None:
    """Compare one field of two threads; None if both lack it, or if its signature needs the corpus."""
    kind = signature_of(signature)
    if kind.counts:
        return None
    values, bounds, *_ = sets_of_texts(kind, pa.array(texts, pa.large_string()), number)
    a, b = (set(values[bounds[i] : bounds[i + 1]].tolist()) for i in (0, 1))
    whole = min(len(a), len(b)) if contained else len(a | b)
    return len(a & b) / max(whole, 1) if a or b else None
