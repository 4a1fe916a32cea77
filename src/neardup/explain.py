"""Why two documents are a pair: their common passages and differences, located in the originals."""

from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.kernels.alignment import matching_runs
from neardup.readers.source import fetch
from neardup.result import Result
from neardup.signatures.shingles import Shingles
from neardup.text import Tokens, tokenise


class Passage(NamedTuple):
    """A passage that two texts share word for word: characters, end excluded."""

    start_a: int
    end_a: int
    start_b: int
    end_b: int
    words: int


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
            shown = " ".join(self.text_a[p.start_a : p.end_a].split())
            if len(shown) > 100:
                shown = f"{shown[:60]} … {shown[-37:]}"
            lines.append(f"  {p.start_a}-{p.end_a} = {p.start_b}-{p.end_b}: {shown}")
        return "\n".join(lines)


def explain(result: Result, id_a: str, id_b: str) -> Explanation:
    """Fetch both texts again and compare them with the settings of the run."""
    where = [locate(result, given) for given in (id_a, id_b)]
    text_a, text_b = fetch(result.source(), where)
    if text_a is None or text_b is None:
        raise InputError("the text is no longer there", where=id_a if text_a is None else id_b)
    return compare(text_a, text_b, Shingles.parse(result.run["settings"]["shingle"]), id_a, id_b)


def locate(result: Result, given: str) -> tuple[int, int]:
    """Return the file's number and the record's position, from 0, of a document."""
    documents = result.documents
    at = pc.index(documents["id"], given).as_py()
    if at < 0:
        some = ", ".join(documents["id"].slice(0, 3).to_pylist())
        raise InputError(f"no document has the id {given!r}", hint=f"Ids look like: {some}, …")
    names = [file["name"] for file in result.run["input"].get("files", [])]
    source = documents["source"][at].as_py()
    return (names.index(source) if names else 0), documents["position"][at].as_py() - 1


def compare(text_a: str, text_b: str, shingles: Shingles, id_a: str, id_b: str) -> Explanation:
    """Compare two texts."""
    sets = shingles.of(pa.array([text_a, text_b], pa.large_string()))
    a, b = (set(sets.values[sets.bounds[i] : sets.bounds[i + 1]].tolist()) for i in (0, 1))
    common = len(a & b)
    return Explanation(
        id_a=id_a,
        id_b=id_b,
        text_a=text_a,
        text_b=text_b,
        resemblance=common / max(len(a | b), 1),
        containment_a=common / max(len(a), 1),
        containment_b=common / max(len(b), 1),
        common_shingles=common,
        shingles_a=len(a),
        shingles_b=len(b),
        passages=tuple(common_passages(tokenise(text_a), tokenise(text_b), least_words(shingles))),
    )


def least_words(shingles: Shingles) -> int:
    """Return the length from which on a common run of words is shown."""
    return min(shingles.width, 5) if shingles.kind == "word" else 5


def common_passages(a: Tokens, b: Tokens, width: int) -> list[Passage]:
    """Find the maximal runs of at least `width` equal words, each word of `a` used once."""
    runs = matching_runs(a.hashes, b.hashes, min(width, len(a.hashes), len(b.hashes)))
    return [
        Passage(
            int(a.starts[i]),
            int(a.ends[i + n - 1]),
            int(b.starts[j]),
            int(b.ends[j + n - 1]),
            int(n),
        )
        for i, j, n in runs.tolist()
    ]
