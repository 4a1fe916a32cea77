"""The settings of `passages`."""

import re
from dataclasses import dataclass
from typing import Annotated

from neardup.errors import SettingsError
from neardup.settings.base import About, Settings, check_language, in_range


@dataclass(frozen=True)
class PassageSettings(Settings):
    """How partial duplicates are found.

    `signature` says what proposes a match: `winnowing:n,w` are runs of n words, one of every w kept
    (`auto` chooses both by the size of the input); `imatch`, `shingles:n` and `spotsigs` are signatures
    of sentences. What more than `max_documents` documents share is boilerplate. For the settings that
    are None, each kind of signature has its own default.
    """

    signature: Annotated[
        str,
        About(
            "What proposes a match: winnowing:N,W (runs of N words, one in W kept), or of "
            "sentences imatch, shingles:N or spotsigs. auto is winnowing by the size of the input."
        ),
    ] = "auto"
    min_length: Annotated[int, About("winnowing: characters of a passage.", 1)] = 150
    min_sentences: Annotated[
        int | None, About("Sentences of a passage.", 1, otherwise="3; winnowing: 1")
    ] = None
    max_gap: Annotated[
        int | None, About("Changed sentences inside a passage.", 0, 1_000, otherwise="1; winnowing: 4")
    ] = None
    soft: Annotated[
        bool | None,
        About(
            "winnowing: find rewritten passages too.",
            otherwise="if the input is up to 64 MB",
            flags="--soft/--verbatim",
        ),
    ] = None
    within: Annotated[bool, About("Find what is repeated inside a document too.")] = False
    max_documents: Annotated[
        int, About("What more documents than this share is boilerplate, shown once.", 2)
    ] = 100
    threshold: Annotated[
        float, About("shingles, spotsigs: Jaccard similarity of two sentences.", above=0, most=1)
    ] = 0.9
    idf_low: Annotated[float, About("imatch: the least normalised idf of a word.", 0, 1)] = 0.1
    idf_high: Annotated[float, About("imatch: the highest one.", 0, 1)] = 1.0
    antecedents: Annotated[
        int | None, About("spotsigs: so many frequent words.", 1, otherwise="60 % of the text")
    ] = None
    spot_distance: Annotated[int, About("spotsigs: distance of chained words.", 1, 100)] = 1
    spot_chain: Annotated[int, About("spotsigs: words in a chain.", 1, 100)] = 2
    language: Annotated[
        str, About("The language for splitting sentences, such as en or zh; auto detects it.")
    ] = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not re.fullmatch(
            r"auto|imatch|spotsigs|shingles:[1-9]|winnowing:[1-9],[1-9]\d?", self.signature
        ):
            raise SettingsError(
                f"there is no signature {self.signature!r}",
                hint="Choose auto, imatch, spotsigs, winnowing:N,W or shingles:N; N is 1–9, W 1–99.",
            )
        check_language(self.language)

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        return [in_range("idf_low", self.idf_low, 0, self.idf_high)]

    @property
    def by_sentences(self) -> bool:
        """Say whether signatures of sentences propose matches, as in the paper."""
        return self.signature == "imatch" or self.signature.startswith(("shingles", "spotsigs"))
