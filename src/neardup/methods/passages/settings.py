"""The settings of `passages`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

from neardup.settings.base import PAPER, PRESET, About, Expert, Preset, check_language, in_range
from neardup.settings.exclusions import HEADING, ExclusionSettings
from neardup.signatures import SIGNATURES
from neardup.signatures.imatch import FEW_DOCUMENTS
from neardup.signatures.signature import LEAST_WORDS, Notation, Signature, Written, forms, read
from neardup.signatures.spotsigs import listed_words
from neardup.signatures.winnowing import Winnowing

SMALL_CORPUS = 64 << 20  # bytes, up to which even runs of three words are rare enough
AUTO: Notation[Signature] = Notation("auto", partial(Winnowing, 3, 1))  # of a small corpus
AUTO_OF_LARGE = Winnowing(5, 6)
# settings that are parameters of signatures
PARAMETERS = {
    "imatch": {
        "low": "idf_low",
        "high": "idf_high",
        "least": "min_words",
        "few": "idf_documents",
    },
    "spotsigs": {
        "antecedents": "antecedents",
        "distance": "spot_distance",
        "chain": "spot_chain",
        "words": "spot_words",
        "least": "min_words",
    },
    "shingles": {"least": "min_words"},
}
ALL = 1_000_000  # as good as no limit


@dataclass(frozen=True)
class PassageSettings(ExclusionSettings):
    """How partial duplicates are found.

    `signature` says what proposes a match: `winnowing:n,w` are runs of n words, one of every w kept
    (`auto` chooses both by the size of the input); the others are signatures of sentences. What more
    than `max_documents` documents share is boilerplate. For the settings that are None, each kind of
    signature has its own default. Sentences of fewer than `min_words` words have no signature, and of
    each signature `repeats` sentences of a document are compared. I-Match filters words where there are
    `idf_documents`.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {
            "signature": "imatch",
            "max_gap": 0,
            "max_documents": ALL,
            "min_words": 1,
            "repeats": ALL,
            "idf_documents": 1,
            "raw": True,
        }
    }

    signature: Annotated[
        str,
        About(
            f"What proposes a match: {forms([AUTO, *SIGNATURES.values()])}. winnowing keeps one in W "
            "runs of N words; auto is winnowing with N and W for the size of the input; the others "
            "compare sentence by sentence."
        ),
    ] = "auto"
    min_length: Annotated[
        int, About("winnowing: the fewest characters of a passage; try 60 for verses or proverbs.", 1)
    ] = 150
    min_sentences: Annotated[
        int | None, About("The fewest sentences of a passage.", 1, otherwise="3; winnowing: 1")
    ] = None
    max_gap: Annotated[
        int | None,
        About(
            "The most changed sentences in a row inside a passage.",
            0,
            1_000,
            otherwise="1; winnowing: 4",
        ),
    ] = None
    soft: Annotated[
        bool,
        About(
            "winnowing: find rewritten passages too, or only those copied word for word.",
            flags="--soft/--verbatim",
        ),
    ] = True
    within: Annotated[bool, About("Also find passages that are repeated inside one document.")] = False
    max_documents: Annotated[
        int,
        About(
            "Treat text that more documents than this share as boilerplate, and list it separately.", 2
        ),
    ] = 100
    threshold: Annotated[
        float,
        About("shingles, spotsigs: the lowest Jaccard similarity of two sentences.", above=0, most=1),
    ] = 0.9
    idf_low: Annotated[float, Expert("imatch: ignore words of lower normalised idf (common).", 0, 1)] = (
        0.1
    )
    idf_high: Annotated[float, Expert("imatch: ignore words of higher normalised idf (rare).", 0, 1)] = (
        1.0
    )
    antecedents: Annotated[
        int | None,
        Expert(
            "spotsigs: how many frequent words start chains.",
            1,
            otherwise="those that make up 60 % of the text",
        ),
    ] = None
    spot_distance: Annotated[
        int, Expert("spotsigs: how far apart the words of a chain are.", 1, 100)
    ] = 1
    spot_chain: Annotated[int, Expert("spotsigs: how many words follow in a chain.", 1, 100)] = 2
    spot_words: Annotated[
        str | None,
        Expert(
            "spotsigs: the words that start chains, each with its distance, such as "
            "the:2,is:1,of:0; words of distance 0 are skipped.",
            otherwise="frequent words of the input",
            heading=PAPER,
        ),
    ] = None
    language: Annotated[
        str, About("The language for splitting sentences, such as en or zh; auto detects it.")
    ] = "auto"
    min_words: Annotated[
        int,
        Expert("Sentence signatures: the fewest words of a sentence to compare.", 1, heading=PAPER),
    ] = LEAST_WORDS
    repeats: Annotated[
        int,
        Expert(
            "Sentence signatures: the most sentences of a document to compare with one.",
            1,
            heading=PAPER,
        ),
    ] = 4
    idf_documents: Annotated[
        int, Expert("imatch: with fewer documents than this, all words count.", 1, heading=PAPER)
    ] = FEW_DOCUMENTS
    exclude_same: Annotated[
        str | None,
        About(
            "Do not compare documents with the same value in this column, such as author; site is "
            "the host of the url.",
            heading=HEADING,
        ),
    ] = None
    within_days: Annotated[
        int | None,
        About("Do not compare documents more than this many days apart.", 0, heading=HEADING),
    ] = None
    preset: Annotated[Preset | None, PRESET] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_language(self.language)
        _ = self.kind  # refuses numbers that do not go together
        if self.spot_words is not None:
            listed_words(self.spot_words, self.spot_distance)

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        notation, numbers = self._written
        both = [own for name, own in PARAMETERS.get(notation.name, {}).items() if name in numbers]
        twice = [own for own in both if getattr(self, own) != getattr(type(self), own)]
        return [
            in_range("idf_low", self.idf_low, 0, self.idf_high),
            *(f"{own} is given twice: {self.signature} says it too" for own in twice),
            "give antecedents or spot_words, not both"
            if self.spot_words and (self.antecedents or "antecedents" in numbers)
            else None,
        ]

    @property
    def _written(self) -> Written[Signature]:
        return read(self.signature, {"auto": AUTO, **SIGNATURES})

    @property
    def kind(self) -> Signature:
        """Return the signature; for auto, that of a small corpus."""
        written = self._written
        own = PARAMETERS.get(written.notation.name, {})
        return written.made(**{parameter: getattr(self, setting) for parameter, setting in own.items()})

    @property
    def by_sentences(self) -> bool:
        """Return whether signatures of sentences propose matches, as in the paper."""
        return not isinstance(self.kind, Winnowing)
