"""Which sentences are compared: those that share a rare run of words, or a signature of the paper.

`rare` takes the rarest words, pairs and triples of words of a sentence that occur in another one too:
what was not changed is in both, so it is there. `minhash` takes the paper's N signatures of K least
hashes of character shingles. Both write rows of (key, sentence, characters, place), with counts of the
letters. Of those that share a key, nothing that the distance allows is left out.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Bytes, Hashes, Integers, Places
from neardup.methods.sentences.settings import SentenceSettings
from neardup.plan import Fold, Map, Sql, Step
from neardup.signatures.shingles import utf8
from neardup.steps.columns import schema_of
from neardup.steps.counters import Counters
from neardup.steps.postings import HUBS, SHARED, shared_rows
from neardup.steps.rounding import raised
from neardup.text import unicode_table

LETTERS = 4  # numbers of 64 bits with the counts of a sentence's letters, a byte each
COUNTS = [f"letters_{k}" for k in range(LETTERS)]
KEYS = schema_of(f"key sentence characters int64, place int32, {' '.join(COUNTS)} int64")
PROBES = schema_of("sentence found int64")
MOST_PROBES = 1000
FULL = 0.95  # of the limit: a probe is edited so far at least, if its words allow it


def steps(settings: SentenceSettings, counters: int) -> list[Step]:
    """Return the steps from `units`, `copies` and `firsts` to `shared`, and to `probes`."""
    rare = settings.candidates == "rare"
    maker: KeyMaker = RareRuns(settings.keys) if rare else Signatures.of(settings)
    distance = 1.0 if settings.grouping == "candidates" else settings.max_distance
    pair = PairSentences(settings.max_bucket, distance)
    sides = ("counts",) if rare else ()
    count = [Fold("counts", "units", partial(CountedRuns, counters), only="firsts")] if rare else []
    return [
        *count,
        Map("keys", "units", MakeKeys(maker), KEYS, sides=sides, only="firsts"),
        Map("shared", "keys", pair, SHARED, grouped=True),
        Sql("probed", PROBED),
        Fold("probe_words", "units", ProbeWords, only="probed"),
        Map(
            "probes",
            "units",
            Probe(maker, settings.max_distance),
            PROBES,
            sides=(*sides, "probe_words"),
            only="probed",
        ),
    ]


PROBED = f"""
select sentence from (
  select sentence, digest from {{copies}} where sentence = first
  order by digest, sentence limit {MOST_PROBES}
) p order by sentence
"""


class Keyed(NamedTuple):
    """Keys end to end, the place of each in its sentence, where each sentence's begin, and its letters.

    Letters are counted by kind; where nothing is counted, nothing is known.
    """

    values: Hashes
    places: Places
    bounds: Integers
    letters: Bytes


class Texts(NamedTuple):
    """Sentences as the kernels read them, and the scope of each: only those of one are compared."""

    data: Bytes
    offsets: Integers
    scopes: Hashes

    @classmethod
    def of(cls, texts: pa.Array, scopes: Hashes) -> "Texts":
        """Take them from a column."""
        return cls(*utf8(texts.cast(pa.large_string())), scopes)


def texts_of(batch: pa.RecordBatch) -> Texts:
    """Return the sentences of a batch."""
    return Texts.of(batch["text"], batch["scope"].to_numpy().view(np.uint64))


class CountedRuns(Counters):
    """How many sentences have a run of words, roughly: the state of a Fold."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Count each run of words of each sentence."""
        from neardup.kernels.counters import count_values
        from neardup.kernels.sentence_keys import runs_of_words

        count_values(self.table, runs_of_words(*texts_of(batch), unicode_table())[0])


@dataclass(frozen=True)
class RareRuns:
    """Takes a number of the rarest runs of words of each sentence that occur in another one."""

    most: int

    def keys(self, texts: Texts, sides: Mapping[str, Any]) -> Keyed:
        """Return the keys of some sentences."""
        from neardup.kernels.sentence_keys import rarest_runs, runs_of_words

        *runs, letters = runs_of_words(*texts, unicode_table())
        extra = np.zeros(len(runs[0]), np.uint8)
        values, places, bounds = rarest_runs(*runs, extra, self.most, sides["counts"].table)
        return Keyed(values, places, bounds, letters)

    def keys_of_both(self, old: Texts, new: Texts, sides: Mapping[str, Any]) -> tuple[Keyed, Keyed]:
        """Return the keys of sentences and of edited copies, as if these were in the corpus too."""
        from neardup.kernels.sentence_keys import rarest_runs, runs_of_words

        runs = [runs_of_words(*texts, unicode_table()) for texts in (old, new)]
        own, theirs = (np.repeat(np.arange(len(old.scopes)), np.diff(side[2])) for side in runs)
        copied = set(zip(theirs.tolist(), runs[1][0].tolist(), strict=True))
        shared = [pair in copied for pair in zip(own.tolist(), runs[0][0].tolist(), strict=True)]
        extras = np.array(shared, np.uint8), np.ones(len(theirs), np.uint8)
        one, other = (
            Keyed._make((*rarest_runs(*side[:3], extra, self.most, sides["counts"].table), side[3]))
            for side, extra in zip(runs, extras, strict=True)
        )
        return one, other


@dataclass(frozen=True)
class Signatures:
    """Takes the paper's signatures: each of the least values of some functions over all shingles."""

    shingle: int
    signatures: int
    rows: int
    bits: int
    seed: int

    @classmethod
    def of(cls, settings: SentenceSettings) -> "Signatures":
        """Take the parameters from the settings."""
        s = settings
        return cls(s.shingle, s.signatures, s.rows, s.hash_bits, s.seed)

    def keys(self, texts: Texts, _: Mapping[str, Any]) -> Keyed:
        """Return the keys of some sentences; a signature has no place."""
        from neardup.kernels.sentence_keys import hash_family, signatures

        family = hash_family(self.signatures * self.rows, self.seed)
        signed = signatures(*texts, unicode_table(), self.shingle, self.rows, *family, self.bits)
        bounds = np.arange(len(signed) + 1) * self.signatures
        letters = np.zeros((len(signed), 8 * LETTERS), np.uint8)
        return Keyed(signed.ravel(), np.zeros(signed.size, np.int32), bounds, letters)

    def keys_of_both(self, old: Texts, new: Texts, sides: Mapping[str, Any]) -> tuple[Keyed, Keyed]:
        """Return the keys of sentences and of edited copies."""
        return self.keys(old, sides), self.keys(new, sides)


KeyMaker = RareRuns | Signatures


@dataclass(frozen=True)
class MakeKeys:
    """Writes the keys of each sentence."""

    maker: KeyMaker

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the rows of keys."""
        keys = self.maker.keys(texts_of(batch), sides)
        sizes = np.diff(keys.bounds)
        columns = [
            keys.values.view(np.int64),
            np.repeat(batch["sentence"].to_numpy(), sizes),
            np.repeat(batch["characters"].to_numpy(), sizes),
            keys.places,
            *(np.repeat(column, sizes) for column in keys.letters.view(np.int64).T),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=KEYS)


@dataclass(frozen=True)
class PairSentences:
    """Pairs the sentences that share a key, if lengths, letters and places allow the distance."""

    cap: int
    distance: float

    def __call__(self, batch: pa.RecordBatch, _: Mapping[str, Any]) -> pa.RecordBatch:
        """Return pairs (a, b) with a before b, some more than once, and heads of lists too long."""
        from neardup.kernels.sentence_keys import near_pairs

        rows, bounds = lists_of(batch["key"].to_numpy())
        sentences = batch["sentence"].to_numpy()
        letters = np.column_stack([batch[name].to_numpy() for name in COUNTS])
        a, b = near_pairs(
            rows,
            bounds,
            sentences,
            batch["place"].to_numpy(),
            batch["characters"].to_numpy(),
            letters.view(np.uint8),
            self.cap,
            HUBS,
            raised(self.distance),
        )
        return shared_rows(a, b, sentences[rows[bounds[:-1][np.diff(bounds) > self.cap]]])


def lists_of(keys: Integers) -> tuple[Integers, Integers]:
    """Return the rows in the order of their keys, and where those of each key begin."""
    rows = np.argsort(keys)
    changes = np.flatnonzero(np.diff(keys[rows])) + 1
    return rows, np.concatenate([[0], changes, [len(keys)]])


class ProbeWords:
    """The words of some sentences: what edits are made with."""

    def __init__(self) -> None:
        self.words: set[str] = set()

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in the words of each sentence."""
        for text in batch["text"]:
            self.words.update(text.as_py().split())

    def merge(self, other: "ProbeWords") -> None:
        """Take in those of other sentences."""
        self.words |= other.words


@dataclass(frozen=True)
class Probe:
    """Edits sentences up to the limit and says whether the candidates would have them: the recall.

    Words are exchanged, dropped and added all over a sentence, which is harder than most real edits.
    """

    maker: KeyMaker
    distance: float

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return a row a sentence: found is 1 or 0."""
        words = sorted(sides["probe_words"].words)
        old = texts_of(batch)
        edited = [
            edit(text.as_py(), self.distance, words, random.Random(digest.as_py()))
            for text, digest in zip(batch["text"], batch["digest"], strict=True)
        ]
        new = Texts.of(pa.array(edited, pa.string()), old.scopes)
        keys, edited_keys = self.maker.keys_of_both(old, new, sides)
        found = [bool(set(_slice(keys, i)) & set(_slice(edited_keys, i))) for i in range(batch.num_rows)]
        columns = [batch["sentence"], pa.array(found).cast(pa.int64())]
        return pa.RecordBatch.from_arrays(columns, schema=PROBES)


def _slice(keys: Keyed, number: int) -> list[int]:
    return keys.values[keys.bounds[number] : keys.bounds[number + 1]].tolist()  # type: ignore[no-any-return]


def edit(text: str, limit: float, words: list[str], rng: random.Random) -> str:
    """Return the text with words exchanged, dropped and added in random places, within the limit."""
    from rapidfuzz.distance import Levenshtein

    parts = text.split()
    places = list(range(len(parts)))
    rng.shuffle(places)
    for place in places:
        old, chance = parts[place], rng.random()
        other = rng.choice(words)
        parts[place] = other if chance < 0.7 else "" if chance < 0.85 else f"{old} {other}"
        changed = " ".join(part for part in parts if part)
        distance = Levenshtein.normalized_distance(text, changed)
        if distance > limit:
            parts[place] = old
        elif distance > limit * FULL:
            break
    return " ".join(part for part in parts if part)
