"""From records to sentences: where each lies in its text, and what makes two of them the same."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.sentences.settings import DEEPEST, SentenceSettings
from neardup.readers.records import HEADINGS
from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, schema_of, with_carried

# A text: its sentences within the limits of length (white space made single), where each begins and
# ends in the text (characters, end excluded), the headings over them, if these are known, and how many
# are outside the limits of length, depth and level.
SPLIT_TEXTS = schema_of(
    "doc length sentence_count too_short too_long too_deep too_nested int64, "
    "ordinals starts ends levels [int32], sections sentences [string]"
)

PLACES = ("ordinals", "starts", "ends", "levels")
UNKNOWN = -1  # level of a heading; lists of numbers have no nulls on Spark

# A sentence: its number in the corpus, the number of its document and its own in there.
SENTENCES = schema_of(
    "sentence number ordinal start_at end_at level characters digest scope int64, "
    "section title text string"
)


BREAKS = {
    "lines": re.compile(r"\r\n|\n|\r"),
    "paragraphs": re.compile(r"(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))+"),
}


class SentencesOfText(NamedTuple):
    """The sentences of one text."""

    ordinals: list[int]
    starts: list[int]
    ends: list[int]
    levels: list[int]
    sections: list[str | None]
    sentences: list[str]
    too_short: int = 0
    too_long: int = 0
    too_deep: int = 0
    too_nested: int = 0


class Outline:
    """The headings of a text: where each stands, of which level, and its name."""

    def __init__(self, headings: str | None) -> None:
        """Take what a reader says of a text; None if it knows of no headings."""
        lines = (line.split(" ", 2) for line in (headings or "").splitlines())
        known = [(int(start), int(level), name) for start, level, name in lines]
        self._starts = [start for start, _, _ in known]
        before = UNKNOWN if headings is None else 0
        self._sections: list[tuple[int, str | None]] = [
            (before, None),
            *((level, name) for _, level, name in known),
        ]

    def section(self, place: int) -> tuple[int, str | None]:
        """Return the level and the name of the heading over a place; 0 is before the first one."""
        return self._sections[bisect_right(self._starts, place)]


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

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one text a record."""
        del sides
        texts = [text.as_py() or "" for text in batch["text"]]
        known_headings = HEADINGS in batch.schema.names
        headings = batch[HEADINGS].to_pylist() if known_headings else [None] * len(texts)
        split = [self.find(*one) for one in zip(texts, headings, strict=True)]
        wordless = pa.array([not text.strip() for text in texts])
        wordless = pc.and_(wordless, pc.is_null(batch["problem"]))
        known = {
            "length": pa.array([len(text) for text in texts], pa.int64()),
            "sentence_count": pa.array([len(f.sentences) for f in split], pa.int64()),
            **{
                field.name: pa.array([getattr(found, field.name) for found in split], field.type)
                for field in SPLIT_TEXTS
                if field.name in SentencesOfText._fields
            },
            "problem": pc.if_else(wordless, NO_WORDS, batch["problem"]),
        }
        return carrying(self.schema, known, batch.drop_columns([HEADINGS]) if known_headings else batch)

    def find(self, text: str, headings: str | None = None) -> SentencesOfText:
        """Return the sentences of a text that are neither too short, too long nor too far down."""
        kept = SentencesOfText([], [], [], [], [], [])
        short = long = deep = nested = 0
        outline = Outline(headings)
        deepest = DEEPEST if self.settings.max_level is None else self.settings.max_level
        begins = [
            begin
            for begin, end in pairwise([*self._starts(text), len(text)])
            if not text[begin:end].isspace()
        ]
        ends = [*begins[self.settings.unit :], len(text)]
        for ordinal, (begin, end) in enumerate(zip(begins, ends, strict=False)):
            piece = text[begin:end].rstrip()
            sentence = piece.lstrip()
            start = begin + len(piece) - len(sentence)
            if "  " in sentence or not sentence.isprintable():  # as line feeds and tabs are not
                sentence = " ".join(sentence.split())
            level, section = outline.section(start)
            if len(sentence) < self.settings.min_length:
                short += 1
            elif len(sentence) > self.settings.max_length:
                long += 1
            elif start > self.settings.max_depth * len(text):
                deep += 1
            elif level > deepest:
                nested += 1
            else:
                kept.ordinals.append(ordinal)
                kept.starts.append(start)
                kept.ends.append(begin + len(piece))
                kept.levels.append(level)
                kept.sections.append(section)
                kept.sentences.append(sentence)
        return kept._replace(too_short=short, too_long=long, too_deep=deep, too_nested=nested)

    def _starts(self, text: str) -> Iterable[int]:
        """Return where sentences begin."""
        from neardup.text.sentences import detected, sentence_offsets

        if self.settings.split == "records":
            return [0] if text else []
        if self.settings.split in BREAKS:
            return [0, *(found.end() for found in BREAKS[self.settings.split].finditer(text))]
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
        digests = text_digests(*utf8(texts.cast(pa.large_string())), scopes)
        columns = [
            first + np.arange(len(owner)),
            numbers["number"].to_numpy()[owner],
            *(batch[name].flatten().cast(pa.int64()) for name in PLACES),
            pc.utf8_length(texts).cast(pa.int64()),
            digests.view(np.int64),
            scopes.view(np.int64),
            batch["sections"].flatten(),
            batch["title"].take(pa.array(owner)),
            texts,
        ]
        return pa.RecordBatch.from_arrays([pa.array(c) for c in columns], schema=SENTENCES)

    def _scopes(self, ids: pa.Array) -> npt.NDArray[np.uint64]:
        from neardup.kernels.sentence_keys import text_digests

        if not self.by_page:
            return np.zeros(len(ids), np.uint64)
        pages = pa.array([(i.as_py() or "").partition("@")[0] for i in ids], pa.large_string())
        return text_digests(*utf8(pages), np.zeros(len(ids), np.uint64))  # type: ignore[no-any-return]
