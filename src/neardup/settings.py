"""The settings of methods and runs: checked when made, printed as the user writes them."""

import math
import os
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from neardup.containers import core_limit, memory_limit
from neardup.errors import SettingsError

Candidates = Literal["exact", "sampled", "minhash"]
Measure = Literal["resemblance", "containment"]
Clustering = Literal["star", "components"]
SentenceCandidates = Literal["rare", "minhash"]
Split = Literal["auto", "sentences", "records"]
PageMeasure = Literal["tlcs", "simhash", "cosine"]
Preset = Literal["paper-recall", "paper-precision"]  # of sentences
Mode = Literal["list", "annotate", "remove"]  # of what dedup does

LEAST_MEMORY = 32 << 20
SPARK_SUMMARIES = 1 << 30
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True)
class DocumentSettings:
    """How near-duplicate documents are found.

    `max_postings` is the number of documents from which on a shingle is too common to compare all its
    documents with each other; `max_copies` the number of identical documents that are listed pair by
    pair. Both limit work, are counted, and never limit verification.
    """

    threshold: float = 0.7
    measure: Measure = "resemblance"
    shingle: str = "word:5"
    candidates: Candidates = "exact"
    sample: int = 16
    bands: int = 14
    rows: int = 8
    max_postings: int = 10_000
    max_copies: int = 1_000
    clusters: Clustering = "star"
    keep: str = "longest"

    def __post_init__(self) -> None:
        problems = [
            in_range("threshold", self.threshold, 0, 1, above=True),
            one_of("measure", self.measure, get_args(Measure)),
            one_of("candidates", self.candidates, get_args(Candidates)),
            one_of("clusters", self.clusters, get_args(Clustering)),
            in_range("sample", self.sample, 1, 1_000_000),
            in_range("bands", self.bands, 1, 1_000),
            in_range("rows", self.rows, 1, 100),
            in_range("max_postings", self.max_postings, 2, 2**40),
            in_range("max_copies", self.max_copies, 1, 2**40),
        ]
        if self.candidates != "exact" and self.measure == "containment":
            problems.append(f"{self.candidates} candidates cannot find containment: take exact")
        raise_all(problems)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`."""
        return asdict(self)


@dataclass(frozen=True)
class PassageSettings:
    """How partial duplicates are found.

    `signature` says what proposes a match: `winnowing:n,w` are runs of n words, one of every w kept
    (`auto` chooses both by the size of the input); `imatch`, `shingles:n` and `spotsigs` are signatures
    of sentences. What more than `max_documents` documents share is boilerplate. For the settings that
    are None, each kind of signature has its own default.
    """

    signature: str = "auto"
    min_length: int = 150
    min_sentences: int | None = None
    max_gap: int | None = None
    soft: bool | None = None
    within: bool = False
    max_documents: int = 100
    threshold: float = 0.9
    idf_low: float = 0.1
    idf_high: float = 1.0
    antecedents: int | None = None
    spot_distance: int = 1
    spot_chain: int = 2
    language: str = "auto"

    def __post_init__(self) -> None:
        if not re.fullmatch(
            r"auto|imatch|spotsigs|shingles:[1-9]|winnowing:[1-9],[1-9]\d?", self.signature
        ):
            raise SettingsError(
                f"there is no signature {self.signature!r}",
                hint="Choose auto, imatch, spotsigs, winnowing:N,W or shingles:N; N is 1–9, W 1–99.",
            )
        _check_language(self.language)
        raise_all(
            [
                in_range("threshold", self.threshold, 0, 1, above=True),
                in_range("min_length", self.min_length, 1, 2**40),
                in_range(
                    "min_sentences", 1 if self.min_sentences is None else self.min_sentences, 1, 2**40
                ),
                in_range("max_gap", self.max_gap or 0, 0, 1_000),
                in_range("max_documents", self.max_documents, 2, 2**40),
                in_range("idf_low", self.idf_low, 0, self.idf_high),
                in_range("idf_high", self.idf_high, 0, 1),
                in_range("antecedents", 1 if self.antecedents is None else self.antecedents, 1, 2**40),
                in_range("spot_distance", self.spot_distance, 1, 100),
                in_range("spot_chain", self.spot_chain, 1, 100),
            ]
        )

    @property
    def by_sentences(self) -> bool:
        """Say whether signatures of sentences propose matches, as in the paper."""
        return self.signature == "imatch" or self.signature.startswith(("shingles", "spotsigs"))

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`."""
        return asdict(self)


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
    seconds that an answer may take, `concurrency` how many are worked on or wait at a time.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    max_body: int = 16 << 20
    max_text: int = 1_000_000
    timeout: float = 10.0
    concurrency: int = 64

    def __post_init__(self) -> None:
        raise_all(
            [
                in_range("port", self.port, 0, 65_535),
                in_range("max_body", self.max_body, 1, 2**40),
                in_range("max_text", self.max_text, 1, 2**40),
                in_range("timeout", self.timeout, 0, 86_400, above=True),
                in_range("concurrency", self.concurrency, 1, 10_000),
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
class SentenceSettings:
    """How similar sentences are found.

    `split` says what is compared: the `sentences` of a text, or whole `records`; `auto` takes records
    if most of them are a single sentence. `keys` belongs to `rare` candidates; `shingle` (characters, L
    in the paper), `signatures` (N), `rows` (K), `hash_bits` and `seed` to `minhash`. `max_bucket` and
    `max_copies` limit work, are counted, and never limit verification. With `revisions`, revisions of
    a page are compared with each other, and with nothing else.
    """

    max_distance: float = 0.25
    min_length: int = 20
    max_length: int = 1_000
    split: Split = "auto"
    language: str = "auto"
    candidates: SentenceCandidates = "rare"
    keys: int = 12
    shingle: int = 10
    signatures: int = 10
    rows: int = 8
    hash_bits: int = 32
    seed: int = 1
    max_bucket: int = 100
    max_copies: int = 20
    clusters: Clustering = "star"
    revisions: bool = False

    def __post_init__(self) -> None:
        _check_language(self.language)
        problems = [
            in_range("max_distance", self.max_distance, 0, 1, above=True),
            in_range("min_length", self.min_length, 1, 2**31),
            in_range("max_length", self.max_length, self.min_length, 2**31),
            one_of("split", self.split, get_args(Split)),
            one_of("candidates", self.candidates, get_args(SentenceCandidates)),
            one_of("clusters", self.clusters, get_args(Clustering)),
            in_range("keys", self.keys, 1, 1_000),
            in_range("shingle", self.shingle, 1, 1_000),
            in_range("signatures", self.signatures, 1, 1_000),
            in_range("rows", self.rows, 1, 100),
            in_range("hash_bits", self.hash_bits, 1, 64),
            in_range("seed", self.seed, 0, 2**63 - 1),
            in_range("max_bucket", self.max_bucket, 2, 2**40),
            in_range("max_copies", self.max_copies, 1, 2**40),
        ]
        raise_all(problems)

    @classmethod
    def make(cls, preset: str | None = None, **given: Any) -> "SentenceSettings":
        """Fill in what is not given (None): what the preset says, else the default."""
        if preset is not None and preset not in PRESETS:
            raise SettingsError(f"there is no preset {preset!r}", hint=f"Choose {' or '.join(PRESETS)}.")
        chosen = {name: value for name, value in given.items() if value is not None}
        return cls(**{**PRESETS.get(preset or "", {}), **chosen})

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`."""
        return asdict(self)


# The paper's two combinations: for recall before a filter by edit distance, and for few false positives.
PAPER = {"candidates": "minhash", "signatures": 10, "clusters": "components"}
PRESETS: dict[str, dict[str, Any]] = {
    "paper-recall": {**PAPER, "rows": 8, "shingle": 10},
    "paper-precision": {**PAPER, "rows": 10, "shingle": 12},
}


@dataclass(frozen=True)
class PageSettings:
    """How near-duplicate web pages are found.

    `measure` tlcs takes two pages for near-duplicates if the resemblance or the containment of their
    trustable common subsequence reaches its limit; cosine if that of their words is at least `cosine`;
    simhash if at most `distance` of so many `bits` differ. `subsets`, `turns`, `chosen` and `shortest`
    make the signatures that propose pairs; `window` the filtered sketch; `slope` and `rounds` the
    trustable regions; only the first `limit` characters of a page count. What so many `site_pages` of a
    site have in common, while they differ in the rest, is boilerplate. Signatures on over `max_pages`
    pages, or over `max_site_pages` mostly of one site, propose nothing. `max_list` and `max_copies`
    limit work, are counted, and never limit verification.
    """

    measure: PageMeasure = "tlcs"
    resemblance: float = 0.28
    containment: float = 0.7
    slope: float = 0.1
    rounds: int = 8
    window: int = 16
    limit: int = 10_000
    subsets: int = 7
    turns: int = 16
    chosen: int = 2
    shortest: int = 16
    site_pages: int = 3
    max_pages: int = 10_000
    max_site_pages: int = 400
    cosine: float = 0.95
    bits: int = 64
    distance: int = 5
    max_list: int = 100
    max_copies: int = 1_000
    clusters: Clustering = "star"
    keep: str = "longest"

    def __post_init__(self) -> None:
        problems = [
            one_of("measure", self.measure, get_args(PageMeasure)),
            in_range("resemblance", self.resemblance, 0, 1, above=True),
            in_range("containment", self.containment, 0, 1, above=True),
            in_range("slope", self.slope, 0, 1),
            in_range("rounds", self.rounds, 1, 1_000),
            in_range("window", self.window, 1, 1_000),
            in_range("limit", self.limit, 100, 1_000_000),
            in_range("subsets", self.subsets, 1, 1_000),
            in_range("turns", self.turns, 1, 16),
            in_range("chosen", self.chosen, 1, 100),
            in_range("shortest", self.shortest, 0, 10_000),
            in_range("site_pages", self.site_pages, 0, 2**40),
            in_range("max_pages", self.max_pages, 2, 2**40),
            in_range("max_site_pages", self.max_site_pages, 2, 2**40),
            in_range("cosine", self.cosine, 0, 1, above=True),
            None if self.bits in (64, 128) else f"bits must be 64 or 128: got {self.bits}",
            in_range("distance", self.distance, 0, 8),
            in_range("max_list", self.max_list, 2, 2**40),
            in_range("max_copies", self.max_copies, 1, 2**40),
            one_of("clusters", self.clusters, get_args(Clustering)),
        ]
        raise_all(problems)

    @property
    def threshold(self) -> float:
        """Return the least similarity of a pair that is not found by its containment."""
        least = {"tlcs": self.resemblance, "cosine": self.cosine}
        return least.get(self.measure, 1 - self.distance / self.bits)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings for `run.json`."""
        return asdict(self) | {"threshold": self.threshold}


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


def _check_language(language: str) -> None:
    if not re.fullmatch(r"auto|[a-z]{2,3}(-[a-z]{2,8})?", language):
        raise SettingsError(
            f"there is no language {language!r}", hint="Take a code such as en or zh, or auto."
        )


def in_range(name: str, value: float, low: float, high: float, above: bool = False) -> str | None:
    """Return what is wrong with a number, if it is not in its range."""
    if (low < value if above else low <= value) and value <= high:
        return None
    return f"{name} must be {'above' if above else 'at least'} {low} and at most {high}: got {value}"


def one_of(name: str, value: str, allowed: tuple[str, ...]) -> str | None:
    """Return what is wrong with a choice, if it is none of those allowed."""
    return None if value in allowed else f"{name} must be one of {', '.join(allowed)}: got {value!r}"


def raise_all(problems: list[str | None]) -> None:
    """Refuse settings with all that is wrong in one message; None stands for nothing wrong."""
    found = [problem for problem in problems if problem]
    if found:
        raise SettingsError("; ".join(found))
