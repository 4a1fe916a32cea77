"""The paper's experiments with signatures of sentences (PDC-MR, section 5), on any corpus.

Duplicates are planted, so they are known. What else is found is judged by a rule: two sentences that
are the same, or one small edit apart, may well be duplicates too and are left out; all others are
wrong. Both the sentences that match and the runs that are located are scored by pairs of sentences.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import pyarrow as pa

from neardup.durable import temporary
from neardup.engines.base import Advance, Progress, Silent, Table
from neardup.engines.local.engine import LocalEngine
from neardup.errors import InputError
from neardup.evaluation.measures import PairScores, pair_scores
from neardup.evaluation.planting import (
    Corpus,
    PlantedTexts,
    SentencePair,
    one_edit_apart,
    plant,
    read_documents,
)
from neardup.methods.passages.by_sentences import pair_steps, steps
from neardup.methods.passages.sentence_runs import MATCHES, Matching
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.passages.tables import TEXTS
from neardup.plan import Map, Plan, Step
from neardup.readers.source import Source
from neardup.settings.run import RunSettings
from neardup.signatures.imatch import IMatch
from neardup.signatures.signature import Signature

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
WIDTHS = (2, 3, 4)
IDF_RANGES = (
    *((0.0, 1.0), (0.1, 1.0), (0.2, 1.0), (0.3, 1.0), (0.4, 1.0)),
    *((0.0, 0.9), (0.1, 0.9), (0.0, 0.8), (0.1, 0.8)),
)
ANTECEDENTS = (5, 10, 20, 60, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
LEAST_DOCUMENTS = 4
DEFAULT = PassageSettings(signature="imatch", max_gap=0)
LOCATED = ((3, 0), (1, 0), (3, 1))  # the paper's two settings, and neardup's own gap


@dataclass(frozen=True)
class StudySettings:
    """How much is read, and how chance falls."""

    documents: int = 2_000
    sentences: int = 40
    seed: int = 1
    language: str = "auto"


@dataclass(frozen=True)
class Row:
    """One setting and how well it did."""

    setting: str
    scores: PairScores
    more: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the row as plain values."""
        return {"setting": self.setting, **self.more, **asdict(self.scores)}


@dataclass(frozen=True)
class StudyTable:
    """The figures of one experiment."""

    name: str
    title: str
    rows: list[Row]

    @property
    def best(self) -> Row:
        """Return the row with the highest F1, of several the first."""
        return max(self.rows, key=lambda row: row.scores.f1)


@dataclass(frozen=True)
class Study:
    """What was planted, and all tables."""

    settings: StudySettings
    counts: dict[str, int]
    tables: list[StudyTable]

    def as_dict(self) -> dict[str, Any]:
        """Return the study as plain values, for `study.json`."""
        return {
            "settings": asdict(self.settings),
            "counts": self.counts,
            "tables": [
                {"name": t.name, "title": t.title, "rows": [row.as_dict() for row in t.rows]}
                for t in self.tables
            ],
        }


class Matched(NamedTuple):
    """Pairs of sentences, and how many signatures a sentence has."""

    pairs: list[SentencePair]
    signatures: float


def study_signatures(
    source: Source, settings: StudySettings, run: RunSettings, progress: Progress | None = None
) -> Study:
    """Plant duplicates in documents of the source and find them with every kind of signature."""
    rng = random.Random(settings.seed)
    documents = read_documents(source, settings.documents, settings.sentences, settings.language, rng)
    if len(documents) < LEAST_DOCUMENTS:
        raise InputError(
            f"only {len(documents)} documents have sentences of three words",
            hint=f"A study needs {LEAST_DOCUMENTS} at least.",
        )
    corpus = plant(documents, rng)
    counts = {
        "documents": len(corpus.documents),
        "sentences": corpus.sentences,
        "planted passages": corpus.passages,
        "planted sentences": len(corpus.planted),
        "edited sentences": corpus.edited,
    }
    by_setting = (len(WIDTHS) + 1) * len(THRESHOLDS) + 2 * len(IDF_RANGES) + len(antecedents(corpus))
    runs = by_setting + len(LOCATED) * (len(WIDTHS) + 2)
    with (progress or Silent()).step("study", runs, "runs") as advance:
        bench = Bench(corpus, run, advance)
        tables = [
            *(shingle_table(bench, width) for width in WIDTHS),
            *imatch_tables(bench),
            antecedent_table(bench),
            spotsigs_table(bench),
            *located_tables(bench),
        ]
    return Study(settings, counts, tables)


class Bench:
    """Runs steps over the corpus and judges what they find."""

    def __init__(self, corpus: Corpus, run: RunSettings, advance: Advance) -> None:
        self.corpus = corpus
        self._run = run
        self._advance = advance
        self._left_out: dict[SentencePair, bool] = {}

    def matches(self, settings: PassageSettings, kind: Signature | None = None) -> Matched:
        """Return the pairs of sentences that match."""
        parts = [*pair_steps(settings, None, False, kind), match_step(settings)]
        tables = self._tables(parts, "matches", "signatures")
        total = sum(map(len, tables["signatures"]["signatures"].to_pylist()))
        return Matched(pairs_of(tables["matches"]), total / self.corpus.sentences)

    def located(self, settings: PassageSettings) -> set[SentencePair]:
        """Return the pairs of sentences, matching or planted, that lie side by side in a run."""
        tables = self._tables(
            [*steps(settings, None, False)[:-3], match_step(settings)], "runs", "matches"
        )
        beside = by_documents([*self.corpus.planted, *pairs_of(tables["matches"])])
        return {
            pair
            for row in tables["runs"].to_pylist()
            for pair in beside[row["a"], row["b"]]
            if side_by_side(pair, row)
        }

    def scores(self, found: Iterable[SentencePair]) -> PairScores:
        """Return precision and recall of pairs of sentences."""
        pairs = set(found)
        right = len(pairs & self.corpus.planted)
        wrong = sum(not self._is_left_out(pair) for pair in pairs - self.corpus.planted)
        return pair_scores(right, wrong, len(self.corpus.planted) - right)

    def _is_left_out(self, pair: SentencePair) -> bool:
        if pair not in self._left_out:
            documents = self.corpus.documents
            one, other = documents[pair.a][pair.i], documents[pair.b][pair.j]
            self._left_out[pair] = one_edit_apart(one.words, other.words)
        return self._left_out[pair]

    def _tables(self, parts: list[Step], *names: str) -> dict[str, pa.Table]:
        plan = Plan("study", ("planted",), (Map("texts", "planted", unchanged, TEXTS), *parts), names)
        with temporary() as folder:
            engine = LocalEngine(folder, workers=self._run.workers, memory=self._run.memory)
            found = engine.run(plan, {"planted": PlantedTexts(self.corpus)}, {})
            # in memory, as the files they are mapped from go away
            tables = {n: in_memory(found[n]) for n in names}
        self._advance(1)
        return tables


def in_memory(table: Table) -> pa.Table:
    """Return a copy of a table that the engine delivered."""
    buffer = pa.BufferOutputStream()
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        for batch in table.batches():
            writer.write_batch(batch)
    return pa.ipc.open_stream(buffer.getvalue()).read_all()


def unchanged(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
    """Return what is given."""
    del sides
    return batch


def match_step(settings: PassageSettings) -> Map:
    """Return the step from `sentence_pairs` to `matches`."""
    return Map(
        "matches",
        "sentence_pairs",
        Matching(settings.threshold),
        MATCHES,
        grouped=True,
        lookup="signatures",
        lookup_columns=("signatures", "sizes"),
    )


def pairs_of(matches: pa.Table) -> list[SentencePair]:
    """Return the rows of `matches`."""
    columns = (matches[name].to_pylist() for name in ("a", "sentence_a", "b", "sentence_b"))
    return [SentencePair(*row) for row in zip(*columns, strict=True)]


def by_documents(pairs: Iterable[SentencePair]) -> dict[tuple[int, int], set[SentencePair]]:
    """Group pairs of sentences by their documents."""
    found: defaultdict[tuple[int, int], set[SentencePair]] = defaultdict(set)
    for pair in pairs:
        found[pair.a, pair.b].add(pair)
    return found


def side_by_side(pair: SentencePair, run: Mapping[str, int]) -> bool:
    """Say whether a run puts two sentences side by side; with gaps, one side may be longer."""
    down, across = pair.i - run["first_a"], pair.j - run["first_b"]
    length_a, length_b = run["last_a"] - run["first_a"], run["last_b"] - run["first_b"]
    shifts = sorted((0, length_b - length_a))
    return 0 <= down <= length_a and 0 <= across <= length_b and shifts[0] <= across - down <= shifts[1]


def by_threshold(bench: Bench, settings: PassageSettings) -> list[Row]:
    """Match at each threshold."""
    found = [(t, bench.matches(replace(settings, threshold=t))) for t in THRESHOLDS]
    return [Row(f"τ = {t}", bench.scores(matches.pairs)) for t, matches in found]


def shingle_table(bench: Bench, width: int) -> StudyTable:
    """Return figure 6 for one width of shingles."""
    rows = by_threshold(bench, replace(DEFAULT, signature=f"shingles:{width}"))
    return StudyTable(f"shingles:{width}", f"Figure 6: {width}-shingles by threshold", rows)


def imatch_tables(bench: Bench) -> list[StudyTable]:
    """Return figure 7, with one word left as enough (as in the paper), and with three."""
    tables = []
    for least, title in ((1, "one word left is enough"), (3, "three words must be left")):
        rows = []
        for low, high in IDF_RANGES:
            found = bench.matches(DEFAULT, IMatch(low, high, least))
            scores = bench.scores(found.pairs)
            rows.append(Row(f"[{low}, {high}]", scores, {"signatures": found.signatures}))
        name = "imatch" if least > 1 else "imatch, one word"
        tables.append(StudyTable(name, f"Figure 7: I-Match by range of idf, {title}", rows))
    return tables


def antecedents(corpus: Corpus) -> list[int]:
    """Return the numbers of antecedents to try: fewer than there are different words."""
    vocabulary = len({word for document in corpus.documents for s in document for word in s.words})
    return [number for number in ANTECEDENTS if number < vocabulary]


def antecedent_table(bench: Bench) -> StudyTable:
    """Return figure 8: spotsigs by the number of antecedents, at threshold 0.9."""
    rows = []
    for number in antecedents(bench.corpus):
        found = bench.matches(replace(DEFAULT, signature="spotsigs", antecedents=number))
        scores = bench.scores(found.pairs)
        rows.append(Row(f"{number:,} antecedents", scores, {"signatures": found.signatures}))
    return StudyTable("antecedents", "Figure 8: SpotSigs by number of antecedents", rows)


def spotsigs_table(bench: Bench) -> StudyTable:
    """Return figure 9: spotsigs by threshold, at the default number of antecedents."""
    rows = by_threshold(bench, replace(DEFAULT, signature="spotsigs"))
    return StudyTable("spotsigs", "Figure 9: SpotSigs by threshold", rows)


def located_tables(bench: Bench) -> list[StudyTable]:
    """Return table 2: how well each signature locates runs, at threshold 0.9 and the default idf."""
    kinds = [*(f"shingles:{width}" for width in WIDTHS), "imatch", "spotsigs"]
    tables = []
    for least, gap in LOCATED:
        chosen = replace(DEFAULT, min_sentences=least, max_gap=gap)
        rows = [
            Row(kind, bench.scores(bench.located(replace(chosen, signature=kind)))) for kind in kinds
        ]
        title = f"Table 2: located, runs of {least} or more, gaps of up to {gap}"
        tables.append(StudyTable(f"located, {least}, {gap}", title, rows))
    return tables
