"""The paper's experiments with signatures of sentences (PDC-MR, section 5), on any corpus.

Duplicates are planted, so they are known. What else is found is judged by a rule: two sentences that
are the same, or one small edit apart, may well be duplicates too and are left out; all others are
wrong. Both the sentences that match and the runs that are located are scored by pairs of sentences.
"""

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.chance import paired_tests
from neardup.durable import temporary
from neardup.engines.base import Advance, Progress, Silent, Table
from neardup.engines.local.engine import LocalEngine
from neardup.errors import InputError, SettingsError
from neardup.evaluation.levels import PARTS, Level, levels
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
from neardup.plan import Map, Plan, Sides, Step
from neardup.readers.source import Source
from neardup.settings.run import RunSettings
from neardup.signatures.imatch import IMatch
from neardup.signatures.signature import LEAST_WORDS, Signature

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
WIDTHS = (2, 3, 4)
IDF_RANGES = (
    *((0.0, 1.0), (0.1, 1.0), (0.2, 1.0), (0.3, 1.0), (0.4, 1.0)),
    *((0.0, 0.9), (0.1, 0.9), (0.0, 0.8), (0.1, 0.8)),
)
ANTECEDENTS = (5, 10, 20, 60, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
LEAST_DOCUMENTS = 4
ByDocuments = Mapping[tuple[int, int], float]  # F1 of each pair of them
DEFAULT = PassageSettings(signature="imatch", max_gap=0)
LOCATED = ((3, 0), (1, 0), (3, 1))  # the paper's two settings, and neardup's own gap


@dataclass(frozen=True)
class StudySettings:
    """How much is read, and how chance falls."""

    documents: int = 2_000
    sentences: int = 40
    seed: int = 1
    method: PassageSettings = DEFAULT


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
class Difference:
    """The mean F1 of pairs of documents with δ = 3 and δ = 1, and p of the paired t-test."""

    signature: str
    three: float
    one: float
    documents: int
    p: float | None


@dataclass(frozen=True)
class Study:
    """What was planted, all tables, and whether the least length of a run (δ) makes a difference."""

    settings: StudySettings
    counts: dict[str, int]
    tables: list[StudyTable]
    differences: list[Difference]
    levels: list[Level]

    def as_dict(self) -> dict[str, Any]:
        """Return the study as plain values, for `study.json`."""
        return {
            "settings": asdict(self.settings),
            "counts": self.counts,
            "tables": [
                {"name": t.name, "title": t.title, "rows": [row.as_dict() for row in t.rows]}
                for t in self.tables
            ],
            "differences": [asdict(own) for own in self.differences],
            "levels": [asdict(own) for own in self.levels],
        }


class Matched(NamedTuple):
    """Pairs of sentences, and how many signatures a sentence has."""

    pairs: list[SentencePair]
    signatures: float


def study_signatures(
    source: Source,
    settings: StudySettings,
    run: RunSettings,
    progress: Progress | None = None,
    labelled: Corpus | None = None,
) -> Study:
    """Plant duplicates in documents of the source and find them with every kind of signature.

    If there are `labelled` sentences, signatures are compared on those, and runs on what is planted.
    """
    rng = random.Random(settings.seed)
    method = with_kind(settings.method)
    least = method.min_words
    documents = read_documents(
        source, settings.documents, settings.sentences, method.language, rng, least
    )
    if len(documents) < LEAST_DOCUMENTS:
        raise InputError(
            f"only {len(documents)} documents have sentences of {least} words",
            hint=f"A study needs {LEAST_DOCUMENTS} at least.",
        )
    corpus = plant(documents, rng, least)
    counts = {
        "documents": len(corpus.documents),
        "sentences": corpus.sentences,
        "planted passages": corpus.passages,
        "planted sentences": len(corpus.planted),
        "edited sentences": corpus.edited,
    }
    judged = labelled or corpus
    if judged.wrong is not None:
        counts |= {"pairs labelled same": len(judged.planted), "others": len(judged.wrong)}
    idf_runs = len({1, LEAST_WORDS, least}) * len(IDF_RANGES)
    by_setting = (len(WIDTHS) + 1) * len(THRESHOLDS) + idf_runs + len(antecedents(judged))
    runs = by_setting + len(LOCATED) * (len(WIDTHS) + 2) + 2 * len(PARTS)
    with (progress or Silent()).step("study", runs, "runs") as advance:
        bench = Bench(corpus, run, advance, method)
        sentences = bench.over(judged)
        tables = [
            *(shingle_table(sentences, width) for width in WIDTHS),
            *imatch_tables(sentences),
            antecedent_table(sentences),
            spotsigs_table(sentences),
        ]
        located, differences = located_tables(bench, chosen_signatures(tables, method))
        sizes = list(levels(bench.over(Corpus(documents, frozenset()))))
    return Study(settings, counts, [*tables, *located], differences, sizes)


class Bench:
    """Runs steps over the corpus and judges what they find."""

    def __init__(
        self, corpus: Corpus, run: RunSettings, advance: Advance, method: PassageSettings = DEFAULT
    ) -> None:
        self.corpus = corpus
        self.method = method
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

    def runs(self, settings: PassageSettings) -> list[SentencePair]:
        """Return where each run begins."""
        found = self._tables(list(steps(settings, None, False)[:-3]), "runs")["runs"].to_pylist()
        return [SentencePair(row["a"], row["first_a"], row["b"], row["first_b"]) for row in found]

    def over(self, corpus: Corpus) -> "Bench":
        """Return the same bench for another corpus."""
        return Bench(corpus, self._run, self._advance, self.method)

    def by_document(self, found: Iterable[SentencePair]) -> ByDocuments:
        """Return F1 for each pair of documents in which anything was planted."""
        planted, pairs = by_documents(self.corpus.planted), by_documents(found)
        values = {}
        for documents, right in planted.items():
            both = len(right & pairs[documents])
            wrong = sum(not self._is_left_out(pair) for pair in pairs[documents] - right)
            values[documents] = pair_scores(both, wrong, len(right) - both).f1
        return values

    def scores(self, found: Iterable[SentencePair]) -> PairScores:
        """Return precision and recall of pairs of sentences."""
        pairs = set(found)
        right = len(pairs & self.corpus.planted)
        wrong = sum(not self._is_left_out(pair) for pair in pairs - self.corpus.planted)
        if self.corpus.wrong is not None:
            wrong = len(pairs & self.corpus.wrong)
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
            engine = LocalEngine(folder, self._run)
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


def unchanged(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Return what is given."""
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
    """Return whether a run puts two sentences side by side; with gaps, one side may be longer."""
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
    rows = by_threshold(bench, replace(bench.method, signature=f"shingles:{width}"))
    return StudyTable(f"shingles:{width}", f"Figure 6: {width}-shingles by threshold", rows)


def imatch_tables(bench: Bench) -> list[StudyTable]:
    """Return figure 7, with one word left as enough (as in the paper), and with three.

    That with as many as the settings say is called `imatch`: its best range is taken for table 2.
    """
    tables, own = [], bench.method
    for least in sorted({1, LEAST_WORDS, own.min_words}):
        title = "one word left is enough" if least == 1 else f"{least} words must be left"
        rows = []
        for low, high in IDF_RANGES:
            found = bench.matches(own, IMatch(low, high, least, own.idf_documents))
            scores = bench.scores(found.pairs)
            rows.append(Row(f"[{low}, {high}]", scores, {"signatures": found.signatures}))
        name = "imatch" if least == own.min_words else f"imatch, {least}"
        tables.append(StudyTable(name, f"Figure 7: I-Match by range of idf, {title}", rows))
    return tables


def antecedents(corpus: Corpus) -> list[int]:
    """Return the numbers of antecedents to try: fewer than there are different words."""
    vocabulary = len({word for document in corpus.documents for s in document for word in s.words})
    return [number for number in ANTECEDENTS if number < vocabulary] or [max(1, vocabulary // 2)]


def antecedent_table(bench: Bench) -> StudyTable:
    """Return figure 8: spotsigs by the number of antecedents, at threshold 0.9."""
    rows = []
    for number in antecedents(bench.corpus):
        found = bench.matches(spots(bench.method, number))
        scores = bench.scores(found.pairs)
        rows.append(Row(f"{number:,} antecedents", scores, {"signatures": found.signatures}))
    return StudyTable("antecedents", "Figure 8: SpotSigs by number of antecedents", rows)


def spotsigs_table(bench: Bench) -> StudyTable:
    """Return figure 9: spotsigs by threshold, at the default number of antecedents."""
    rows = by_threshold(bench, replace(bench.method, signature="spotsigs"))
    return StudyTable("spotsigs", "Figure 9: SpotSigs by threshold", rows)


def spots(settings: PassageSettings, antecedents: int) -> PassageSettings:
    """Return the settings with a number of antecedents."""
    return replace(settings, signature="spotsigs", antecedents=antecedents, spot_words=None)


def with_kind(settings: PassageSettings) -> PassageSettings:
    """Return the settings with a signature of sentences, and without a gap unless they say so."""
    unknown = ("within", "excludes", "exclude_same", "within_days")
    if wrong := [name for name in unknown if getattr(settings, name)]:
        what = " and ".join(wrong)
        raise SettingsError(f"a study of signatures compares all texts, so it has no {what}")
    return replace(settings, signature="imatch", max_gap=settings.max_gap or 0)


def chosen_signatures(
    tables: Sequence[StudyTable], method: PassageSettings
) -> dict[str, PassageSettings]:
    """Return the signatures of table 2 with the parameters that did best in figures 6 to 9."""
    best = {table.name: table.best.setting for table in tables}
    shingles = {
        f"{name}, {best[name]}": replace(method, signature=name, threshold=number_in(best[name]))
        for name in (f"shingles:{width}" for width in WIDTHS)
    }
    low, high = best["imatch"].strip("[]").split(", ")
    imatch = replace(method, signature="imatch", idf_low=float(low), idf_high=float(high))
    number, tau = number_in(best["antecedents"]), number_in(best["spotsigs"])
    spotsigs = replace(spots(method, int(number)), threshold=tau)
    return {
        **shingles,
        f"imatch, {best['imatch']}": imatch,
        f"spotsigs, {best['antecedents']}, {best['spotsigs']}": spotsigs,
    }


def number_in(setting: str) -> float:
    """Return the number that a setting has.

    >>> number_in("τ = 0.9"), number_in("10,000 antecedents")
    (0.9, 10000.0)
    """
    [found] = re.findall(r"[0-9][0-9,.]*", setting)
    return float(found.replace(",", ""))


def located_tables(
    bench: Bench, chosen: Mapping[str, PassageSettings]
) -> tuple[list[StudyTable], list[Difference]]:
    """Return table 2: how well each signature locates runs, and whether the least length matters."""
    tables, values = [], {}
    for least, gap in LOCATED:
        rows = []
        for name, settings in chosen.items():
            found = bench.located(replace(settings, min_sentences=least, max_gap=gap))
            rows.append(Row(name, bench.scores(found)))
            values[name, least, gap] = bench.by_document(found)
        title = f"Table 2: located, runs of {least} or more, gaps of up to {gap}"
        tables.append(StudyTable(f"located, {least}, {gap}", title, rows))
    differences = [
        difference(name, values[name, *LOCATED[0]], values[name, *LOCATED[1]]) for name in chosen
    ]
    return tables, differences


def difference(name: str, one: ByDocuments, other: ByDocuments) -> Difference:
    """Test whether runs of three or more sentences are located better than all are."""
    a, b = (np.array([[own[key] for key in one]]) for own in (one, other))
    [p] = paired_tests(a, b).tolist()
    return Difference(name, float(a.mean()), float(b.mean()), a.size, None if math.isnan(p) else p)
