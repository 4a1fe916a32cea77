"""The settings of threads: fields with weights, and a signature for each field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any, ClassVar, Literal

from neardup.errors import SettingsError
from neardup.settings.base import (
    CLUSTERS,
    PAPER,
    PRESET,
    About,
    Clustering,
    Expert,
    Preset,
    Settings,
    in_range,
    raise_all,
)
from neardup.signatures import SIGNATURES
from neardup.signatures.signature import Signature, forms, read

IndexOfThreads = Literal["term", "doc"]
Missing = Literal["ignore", "zero"]
MOST_FIELDS = 16
# what other columns of the same tables are called
NO_FIELDS = ("id", "id_a", "id_b", "doc_a", "doc_b", "similarity", "kind")
SIGNATURE = "shingles:3"
PARAMETERS = {"imatch": {"low": 0.1, "high": 0.9}}  # as in the paper


@dataclass(frozen=True)
class ThreadSettings(Settings):
    """How near-duplicate threads are found.

    `fields` are compared by their `signatures`, and the similarities add up by weight. `index` says how
    candidates are found: by posting lists (`term`) or by blocks of threads (`doc`). Signatures that more
    than `max_shared` threads have are boilerplate and do not count (0: all count). `max_postings` (for
    `term`; 0: no limit) and `max_copies` limit work, are counted, and never limit verification. Without
    `keep`, the longest thread of a cluster is kept, or in a dump of Stack Exchange the one with the
    highest score. A field that is `missing` in both threads is ignored, or has the similarity 0.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {"missing": "zero", "max_copies": 1_000_000}
    }

    fields: tuple[str, ...] = ("title", "body", "answer")
    weights: tuple[float, ...] = (0.4, 0.2, 0.4)
    signatures: tuple[str, ...] = ("shingles:3", "shingles:3", "shingles:3")
    threshold: Annotated[
        float, About("The lowest weighted similarity of a pair: above 0, at most 1.", above=0, most=1)
    ] = 0.5
    max_shared: Annotated[
        int, About("Ignore signatures that more threads than this have, as boilerplate; 0: ignore none.")
    ] = 0
    index: Annotated[
        IndexOfThreads,
        Expert("How to find pairs: by lists of threads for each signature (term), or by blocks (doc)."),
    ] = "term"
    clusters: Annotated[Clustering, CLUSTERS] = "star"
    keep: Annotated[
        str | None,
        About(
            "Which thread of a cluster to keep: longest, first, newest, oldest, a column (score or "
            "score:asc) or a source (source:wikipedia>books); several with commas.",
            otherwise="longest; in dumps of Stack Exchange score,answers,longest",
        ),
    ] = None
    max_postings: Annotated[
        int, Expert("term: if more threads than this share a key, do not compare them all; 0: no limit.")
    ] = 10_000
    max_copies: Annotated[
        int, Expert("If more threads than this are identical, pair the rest with the first only.", 1)
    ] = 1_000

    missing: Annotated[
        Missing,
        Expert(
            "Fields that both threads lack: ignore them and scale the other weights up, or count "
            "them as zero.",
            heading=PAPER,
        ),
    ] = "ignore"
    answer_containment: Annotated[
        bool,
        About(
            "Compare answers by containment: an answer that another one copies and continues is "
            "the same. The answer is the field of this name, or else the last.",
            heading=PAPER,
        ),
    ] = False
    preset: Annotated[Preset | None, PRESET] = None

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        total = sum(self.weights)
        return [
            "max_shared must be 0 or at least 2: got 1" if self.max_shared == 1 else None,
            *(in_range(f"the weight of {n}", w, 0, 1) for n, w in self.weighted.items()),
            None if abs(total - 1) < 1e-6 else f"the weights must sum to 1: got {total:g}",
            *(_reserved(name) for name in self.fields),
            None
            if 1 <= len(self.fields) <= MOST_FIELDS
            else f"there must be 1 to {MOST_FIELDS} fields: got {len(self.fields)}",
            "a field is given twice" if len(set(self.fields)) < len(self.fields) else None,
        ]

    @classmethod
    def make(
        cls,
        fields: str | Mapping[str, float] | None = None,
        signature: str | Iterable[str] | Mapping[str, str] | None = None,
        **given: Any,
    ) -> "ThreadSettings":
        """Read fields written title=0.4,body=0.6 and signatures written shingles:3 or body=imatch.

        What is not given (None) has its default; one error lists everything that is wrong.

        >>> ThreadSettings.make("title=0.5,body=0.5", ["shingles:2", "body=winnowing:5,3"]).signed
        {'title': 'shingles:2', 'body': 'winnowing:5,3'}
        """
        problems: list[str | None] = []
        weights = _weights(fields, problems) if fields is not None else cls().weighted
        signed = _signatures(signature, list(weights), problems)
        chosen = {name: value for name, value in given.items() if value is not None}
        try:
            names = tuple(weights)
            made = cls(names, tuple(weights.values()), tuple(signed[n] for n in names), **chosen)
        except SettingsError as error:
            problems.append(error.what)
            made = cls()
        raise_all(problems)
        return made

    @property
    def weighted(self) -> dict[str, float]:
        """Return the weight of each field."""
        return dict(zip(self.fields, self.weights, strict=True))

    @property
    def signed(self) -> dict[str, str]:
        """Return the signature of each field."""
        return dict(zip(self.fields, self.signatures, strict=True))

    @property
    def contained(self) -> tuple[bool, ...]:
        """Say of each field whether it is compared by containment."""
        answer = "answer" if "answer" in self.fields else self.fields[-1]
        return tuple(self.answer_containment and name == answer for name in self.fields)

    @property
    def scaled(self) -> bool:
        """Return whether fields that both threads lack leave their weight to the others."""
        return self.missing == "ignore"

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`: what `make` takes."""
        given = ("fields", "weights", "signatures")
        others = {name: value for name, value in super().as_dict().items() if name not in given}
        return {"fields": self.weighted, "signature": self.signed, **others}


def _reserved(name: str) -> str | None:
    return f"a field cannot be called {name!r}" if name in NO_FIELDS else None


def _weights(given: str | Mapping[str, float], problems: list[str | None]) -> dict[str, float]:
    """Read the fields and their weights; without weights, all count alike."""
    if isinstance(given, Mapping):
        wrong = [name for name, weight in given.items() if not isinstance(weight, Real)]
        problems += [f"the weight of {name} is not a number: {given[name]!r}" for name in wrong]
        return {str(name): float(weight) for name, weight in given.items() if name not in wrong}
    parts = [part.strip() for part in given.split(",") if part.strip()]
    if parts and not any("=" in part for part in parts):
        return dict.fromkeys(parts, 1 / len(parts))
    found = {}
    for part in parts:
        name, _, weight = (piece.strip() for piece in part.rpartition("="))
        try:
            found[name] = float(weight)
        except ValueError:
            problems.append(f"the field {part!r} has no weight: write it like title=0.4")
        if not name:
            problems.append(f"{part!r} does not name a field")
    return found


def _signatures(given: Any, fields: list[str], problems: list[str | None]) -> dict[str, str]:
    """Read the signature of each field."""
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        listed = [given] if isinstance(given, str) else list(given or [])
        pairs = [item.partition("=")[::2] if "=" in item else ("", item) for item in listed]
    found = dict.fromkeys(fields, SIGNATURE)
    for name, kind in sorted(pairs, key=lambda pair: bool(pair[0])):
        if name and name not in fields:
            problems.append(f"there is no field {name!r} for the signature {kind!r}")
            continue
        try:
            signature_of(kind)
        except SettingsError as error:
            problems.append(f"{error.what} (choose {forms(SIGNATURES.values())})")
        found |= dict.fromkeys([name] if name else fields, kind)
    return found


def signature_of(text: str) -> Signature:
    """Return the signature of a field, which even one word has.

    >>> signature_of("winnowing:5,3")
    Winnowing(width=5, window=3, least=1)
    """
    written = read(text, SIGNATURES)
    return written.made(**PARAMETERS.get(written.notation.name, {}), least=1)
