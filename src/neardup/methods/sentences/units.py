"""From records to sentences: where each lies in its text, and what makes two of them the same."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.sentences.settings import SentenceSettings
from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, schema_of, with_carried

# A text: its sentences within the limits of length (white space made single), where each begins and
# ends in the text (characters, end excluded), and how many are outside the limits of length and depth.
SPLIT_TEXTS = schema_of(
    "doc length sentence_count too_short too_long too_deep int64, ordinals starts ends [int32], "
    "sentences [string]"
)

# A sentence: its number in the corpus, the number of its document and its own in there.
SENTENCES = schema_of(
    "sentence number ordinal start_at end_at characters digest scope int64, title text string"
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
    texts: list[str]
    too_short: int
    too_long: int
    too_deep: int


def split_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of split texts for these records; extra columns are named by number."""
    return with_carried(SPLIT_TEXTS, records)


@dataclass(frozen=True)
class SplitText:
    """Splits each record's text into sentences; a text without words becomes a problem."""

    settings: SentenceSettings
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one text a record."""
        del sides
        texts = [text.as_py() or "" for text in batch["text"]]
        split = [self.find(text) for text in texts]
        wordless = pa.array([not text.strip() for text in texts])
        wordless = pc.and_(wordless, pc.is_null(batch["problem"]))
        known = {
            "length": pa.array([len(text) for text in texts], pa.int64()),
            "sentence_count": pa.array([len(f.texts) for f in split], pa.int64()),
            "too_short": pa.array([f.too_short for f in split], pa.int64()),
            "too_long": pa.array([f.too_long for f in split], pa.int64()),
            "too_deep": pa.array([f.too_deep for f in split], pa.int64()),
            "ordinals": pa.array([f.ordinals for f in split], pa.list_(pa.int32())),
            "starts": pa.array([f.starts for f in split], pa.list_(pa.int32())),
            "ends": pa.array([f.ends for f in split], pa.list_(pa.int32())),
            "sentences": pa.array([f.texts for f in split], pa.list_(pa.string())),
            "problem": pc.if_else(wordless, NO_WORDS, batch["problem"]),
        }
        return carrying(self.schema, known, batch)

    def find(self, text: str) -> SentencesOfText:
        """Return the sentences of a text that are neither too short, too long nor too far down."""
        kept = SentencesOfText([], [], [], [], 0, 0, 0)
        short = long = deep = 0
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
            if len(sentence) < self.settings.min_length:
                short += 1
            elif len(sentence) > self.settings.max_length:
                long += 1
            elif start > self.settings.max_depth * len(text):
                deep += 1
            else:
                kept.ordinals.append(ordinal)
                kept.starts.append(start)
                kept.ends.append(begin + len(piece))
                kept.texts.append(sentence)
        return kept._replace(too_short=short, too_long=long, too_deep=deep)

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
            *(batch[name].flatten().cast(pa.int64()) for name in ("ordinals", "starts", "ends")),
            pc.utf8_length(texts).cast(pa.int64()),
            digests.view(np.int64),
            scopes.view(np.int64),
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
