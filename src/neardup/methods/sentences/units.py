"""From records to sentences: where each lies in its text, and what makes two of them the same."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Hashes, Integers, Places
from neardup.methods.sentences.settings import DEEPEST, SentenceSettings
from neardup.readers.records import HEADINGS
from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, schema_of, with_carried
from neardup.text import unicode_table

# A text: its sentences within the limits of length (white space made single), where each begins and
# ends in the text (characters, end excluded), the headings over them, if these are known, and how many
# are outside the limits of length, depth and level.
SPLIT_TEXTS = schema_of(
    "doc length sentence_count too_short too_long too_deep too_nested int64, "
    "ordinals starts ends levels [int32], sections sentences [string]"
)

PLACES = ("ordinals", "starts", "ends", "levels")
LEFT_OUT = ("too_short", "too_long", "too_deep", "too_nested")
UNKNOWN = -1  # level of a heading; lists of numbers have no nulls on Spark

# A sentence: its number in the corpus, the number of its document and its own in there. The context is
# a sketch of the words around it; the name of a document is its title, or its id if it has none.
SENTENCES = schema_of(
    "sentence number ordinal start_at end_at level characters digest scope context int64, "
    "section name text string, titled bool"
)


class Headings(NamedTuple):
    """The headings of texts end to end, each text's after one of no name that is before it."""

    starts: list[int]
    levels: list[int]
    names: list[str | None]
    bounds: list[int]

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> "Headings":
        """Take what a reader says of each text; None if it knows of no headings."""
        known = cls([], [], [], [0])
        for headings in texts:
            rows = [line.split(" ", 2) for line in (headings or "").splitlines()]
            known.starts.extend((0, *(int(start) for start, _, _ in rows)))
            known.levels.extend((UNKNOWN if headings is None else 0, *(int(row[1]) for row in rows)))
            known.names.extend((None, *(name for _, _, name in rows)))
            known.bounds.append(len(known.starts))
        return known


class Cut(NamedTuple):
    """The sentences of texts end to end, and how many were left out of each text."""

    ordinals: Places
    starts: Places
    ends: Places
    levels: Places
    sections: pa.StringArray
    sentences: pa.StringArray
    bounds: Places  # where the sentences of each text begin
    lengths: Integers  # of the texts
    left_out: Mapping[str, Integers]

    def lists(self, name: str) -> pa.ListArray:
        """Return something that sentences have as a list a text."""
        return pa.ListArray.from_arrays(self.bounds, pa.array(getattr(self, name)))


def carried(records: pa.Schema) -> pa.Schema:
    """Return the schema of records without their headings: these belong to sentences."""
    return pa.schema([field for field in records if field.name != HEADINGS])


def split_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of split texts for these records; extra columns are named by number."""
    return with_carried(SPLIT_TEXTS, carried(records))


@dataclass(frozen=True)
class SplitText:
    """Splits each record's text into sentences; a text without words becomes a problem."""

    settings: SentenceSettings
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, _: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one text a record."""
        given = pc.fill_null(batch["text"], "")
        texts = given.to_pylist()
        known_headings = HEADINGS in batch.schema.names
        cut = self.cut(given, batch[HEADINGS].to_pylist() if known_headings else [None] * len(texts))
        wordless = pa.array([not text or text.isspace() for text in texts], pa.bool_())
        wordless = pc.and_(wordless, pc.is_null(batch["problem"]))
        known = {
            "length": pa.array(cut.lengths),
            "sentence_count": pa.array(np.diff(cut.bounds).astype(np.int64)),
            **{name: pa.array(count) for name, count in cut.left_out.items()},
            **{name: cut.lists(name) for name in (*PLACES, "sections", "sentences")},
            "problem": pc.if_else(wordless, NO_WORDS, batch["problem"]),
        }
        return carrying(self.schema, known, batch.drop_columns([HEADINGS]) if known_headings else batch)

    def count(self, text: str) -> int:
        """Return how many sentences a text has that are not too long, without a kernel: before a run."""
        pieces = (text[a:b].split() for a, b in pairwise([*self._starts(text), len(text)]))
        return sum(0 < len(" ".join(words)) <= self.settings.max_length for words in pieces)

    def cut(self, texts: pa.Array, headings: Sequence[str | None]) -> Cut:
        """Return the sentences of texts, with the headings that a reader knows of."""
        from neardup.kernels.sentence_texts import breaks, cut_sentences

        own = self.settings
        over = Headings.of(headings)
        data, offsets = utf8(texts)
        if own.split in ("lines", "paragraphs"):
            begins, of_texts = breaks(data, offsets, own.split == "paragraphs")
        else:
            found = [self._starts(text) for text in texts.to_pylist()]
            begins = np.array(list(chain.from_iterable(found)), np.int64)
            of_texts = np.cumsum([0, *map(len, found)])
        deepest = DEEPEST if own.max_level is None else own.max_level
        rows, written, ends, bounds, lengths, fates = cut_sentences(
            *(data, offsets, begins, of_texts),
            *(np.array(column, np.int64) for column in (over.starts, over.levels, over.bounds)),
            own.unit,
            np.array([own.min_length, own.max_length, own.max_depth, deepest], np.float64),
        )
        ordinals, starts, stops, levels, over_it = rows.T
        strings = pa.LargeStringArray.from_buffers(len(rows), pa.py_buffer(ends), pa.py_buffer(written))
        return Cut(
            ordinals,
            starts,
            stops,
            levels,
            pa.array(over.names, pa.string()).take(pa.array(over_it)),
            strings.cast(pa.string()),
            bounds.astype(np.int32),
            lengths,
            dict(zip(LEFT_OUT, fates.T, strict=False)),
        )

    def _starts(self, text: str) -> list[int]:
        """Return where sentences begin, in characters."""
        from neardup.text.sentences import detected, sentence_offsets

        if self.settings.split == "records":
            return [0] if text else []
        language = self.settings.language
        return sentence_offsets(text, detected(text) if language == "auto" else language)


@dataclass(frozen=True)
class MakeSentences:
    """Gives each sentence of each text a row; `numbers` has the number of each text's first one.

    With `by_page`, sentences of different pages are never compared: a document's id begins with that
    of its page.
    """

    by_page: bool

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one row a sentence."""
        from neardup.kernels.contexts import contexts
        from neardup.kernels.sentence_keys import text_digests

        batch = batch.filter(pc.is_null(batch["problem"]))
        if not batch.num_rows:
            return pa.RecordBatch.from_pylist([], schema=SENTENCES)
        numbers = sides["lookup"].take(batch["doc"])
        sizes = batch["sentence_count"].to_numpy()
        owner = np.repeat(np.arange(batch.num_rows), sizes)
        before = np.cumsum(sizes) - sizes
        first = np.repeat(numbers["first_sentence"].to_numpy() - before, sizes)
        texts = batch["sentences"].flatten()
        scopes = self._scopes(batch["id"])[owner]
        data, offsets = utf8(texts.cast(pa.large_string()))
        digests = text_digests(data, offsets, scopes)
        around = contexts(data, offsets, np.append(before, len(owner)), unicode_table())
        columns = [
            first + np.arange(len(owner)),
            numbers["number"].to_numpy()[owner],
            *(batch[name].flatten().cast(pa.int64()) for name in PLACES),
            pc.utf8_length(texts).cast(pa.int64()),
            digests.view(np.int64),
            scopes.view(np.int64),
            around.view(np.int64),
            batch["sections"].flatten(),
            pc.coalesce(batch["title"], batch["id"]).take(pa.array(owner)),
            texts,
            pc.is_valid(batch["title"]).take(pa.array(owner)),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=SENTENCES)

    def _scopes(self, ids: pa.Array) -> Hashes:
        from neardup.kernels.sentence_keys import text_digests

        if not self.by_page:
            return np.zeros(len(ids), np.uint64)
        pages = pa.array([(i.as_py() or "").partition("@")[0] for i in ids], pa.large_string())
        return text_digests(*utf8(pages), np.zeros(len(ids), np.uint64))  # type: ignore[no-any-return]
