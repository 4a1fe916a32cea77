"""The settings of methods and runs: checked when made, printed as the user writes them."""

import math
import os
import re
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, get_args

from neardup.containers import core_limit, memory_limit
from neardup.errors import SettingsError
from neardup.settings_base import About, Settings, in_range, one_of, raise_all

Candidates = Literal["exact", "sampled", "minhash"]
Measure = Literal["resemblance", "containment"]
Sync = Literal["soon", "each"]  # of documents that are added to an index a few at a time
Clustering = Literal["star", "components"]
Mode = Literal["list", "annotate", "remove"]  # of what dedup does

LEAST_MEMORY = 32 << 20
SPARK_SUMMARIES = 1 << 30
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


CLUSTERS = About("Around one keeper, or everything that is connected.")


@dataclass(frozen=True)
class DocumentSettings(Settings):
    """How near-duplicate documents are found.

    `max_postings` is the number of documents from which on a shingle is too common to compare all its
    documents with each other; `max_copies` the number of identical documents that are listed pair by
    pair. Both limit work, are counted, and never limit verification.
    """

    threshold: Annotated[
        float, About("The least similarity of a pair, above 0 to 1.", above=0, most=1)
    ] = 0.7
    measure: Annotated[Measure, About("Resemblance of the wholes, or one inside the other.")] = (
        "resemblance"
    )
    candidates: Annotated[
        Candidates, About("exact finds every pair; sampled and minhash are cheaper.")
    ] = "exact"
    shingle: Annotated[
        str, About("What is compared: runs of N words (word:N) or characters (char:N).")
    ] = "word:5"
    clusters: Annotated[Clustering, CLUSTERS] = "star"
    keep: Annotated[str, About("The keeper of a cluster: longest, first, newest or a column.")] = (
        "longest"
    )
    sample: Annotated[int, About("sampled: one shingle in so many.", 1, 1_000_000)] = 16
    bands: Annotated[int, About("minhash: number of bands.", 1, 1_000)] = 14
    rows: Annotated[int, About("minhash: rows in a band.", 1, 100)] = 8
    max_postings: Annotated[
        int, About("Documents of one shingle that are all compared with each other.", 2)
    ] = 10_000
    max_copies: Annotated[int, About("Identical documents that are listed pair by pair.", 1)] = 1_000

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        if self.candidates != "exact" and self.measure == "containment":
            return [f"{self.candidates} candidates cannot find containment: take exact"]
        return []


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


@dataclass(frozen=True)
class IndexSettings:
    """What an index remembers of each text: chosen when it is built, for good.

    `shingle` is what whole documents are compared by, the other settings are those of `passages`, with
    runs of words as signature.
    """

    shingle: str = "word:5"
    signature: str = "auto"
    min_length: int = 150
    max_gap: int | None = None
    soft: bool | None = None
    max_documents: int = 100

    def __post_init__(self) -> None:
        if self.passages.by_sentences:
            hint = "Take auto or winnowing:N,W."
            raise SettingsError(f"an index cannot have the signature {self.signature!r}", hint=hint)

    @property
    def passages(self) -> PassageSettings:
        """Return the settings of `passages`, of which some may be open."""
        own = {name: value for name, value in asdict(self).items() if name != "shingle"}
        return PassageSettings(**own)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for the index."""
        return asdict(self)


@dataclass(frozen=True)
class QuerySettings:
    """What counts as found: whole documents by a measure and a threshold; passages in any case.

    Of what was found, the best `limit` are reported; None reports all.
    """

    threshold: float = 0.7
    measure: Measure = "containment"
    limit: int | None = 20

    def __post_init__(self) -> None:
        raise_all(
            [
                in_range("threshold", self.threshold, 0, 1, above=True),
                one_of("measure", self.measure, get_args(Measure)),
                in_range("limit", 1 if self.limit is None else self.limit, 1, 2**40),
            ]
        )


@dataclass(frozen=True)
class ServerSettings:
    """Where a server listens, who may ask, and how much.

    `max_body` are the bytes of a request, `max_text` the characters of a text to look up; `timeout` the
    seconds that an answer may take, `concurrency` how many are worked on or wait at a time. `sync` says
    when added documents are on the disk: with each request, or a tenth of a second later.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    max_body: int = 16 << 20
    max_text: int = 1_000_000
    timeout: float = 10.0
    concurrency: int = 64
    sync: Sync = "soon"

    def __post_init__(self) -> None:
        raise_all(
            [
                in_range("port", self.port, 0, 65_535),
                in_range("max_body", self.max_body, 1, 2**40),
                in_range("max_text", self.max_text, 1, 2**40),
                in_range("timeout", self.timeout, 0, 86_400, above=True),
                in_range("concurrency", self.concurrency, 1, 10_000),
                one_of("sync", self.sync, get_args(Sync)),
            ]
        )
        if not self.is_local and not self.token:
            hint = "Give one with --token."
            raise SettingsError("a server that others can reach needs a token", hint=hint)

    @property
    def is_local(self) -> bool:
        """Say whether only this machine can reach the server."""
        return is_loopback(self.host)


@dataclass(frozen=True)
class SparkSettings:
    """Where Spark runs: in a session that is open already, or one to be opened at a master."""

    master: str = "local[*]"
    conf: tuple[tuple[str, str], ...] = ()
    session: Any = None


@dataclass(frozen=True)
class RunSettings:
    """Where and with what a run works: none of this changes its result."""

    workers: int
    memory: int
    keep_steps: bool = False
    stop_after: str | None = None
    spark: SparkSettings | None = None

    @classmethod
    def make(
        cls,
        workers: int | None = None,
        memory: str | int | None = None,
        keep_steps: bool = False,
        stop_after: str | None = None,
        spark: SparkSettings | None = None,
    ) -> "RunSettings":
        """Fill in what is not given: all cores, half of the memory."""
        half = max(total_memory() // 2, LEAST_MEMORY)
        size = half if memory is None else parse_size(memory)
        cores = available_cores() if workers is None else workers
        found = cls(cores, size, keep_steps, stop_after, spark)
        problems = [in_range("workers", found.workers, 1, 1_000)]
        if found.memory < LEAST_MEMORY:
            problems.append(f"memory must be at least {LEAST_MEMORY >> 20}MB")
        raise_all(problems)
        return found

    @property
    def summary_memory(self) -> int:
        """Return the memory by which summaries are sized; Spark sends them through its driver."""
        return self.memory if self.spark is None else min(self.memory, SPARK_SUMMARIES)


def is_loopback(host: str) -> bool:
    """Say whether an address is that of this machine, as it knows itself.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, False)
    """
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.\d+){3}", host) is not None


def parse_size(text: str | int) -> int:
    """Read a number of bytes.

    >>> parse_size("2GB"), parse_size("512 MiB")
    (2147483648, 536870912)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(text).lower())
    if not found:
        raise SettingsError(f"{text!r} is not a size", hint="Write it like 512MB or 2GB.")
    return int(float(found[1]) * UNITS[found[2]])


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    return math.ceil(min(cores, core_limit()))


def total_memory() -> int:
    """Return the memory of the machine, or of the container that this process is in, in bytes."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        size = 4 << 30
    return int(min(size, memory_limit()))


def check_language(language: str) -> None:
    """Refuse what is no code of a language."""
    if not re.fullmatch(r"auto|[a-z]{2,3}(-[a-z]{2,8})?", language):
        raise SettingsError(
            f"there is no language {language!r}", hint="Take a code such as en or zh, or auto."
        )
