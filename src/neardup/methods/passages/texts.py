"""From records to texts: words with their places, and sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, list_column, to_lists
from neardup.text import unicode_table


@dataclass(frozen=True)
class MakeTexts:
    """Splits each record's text into words and sentences; a text without words becomes a problem.

    Without a language, sentences are what simple rules of all languages say, which is much faster.
    """

    language: str | None
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one text a record."""
        from neardup.kernels.texts import PARAGRAPHS, split_texts

        del sides
        split = split_texts(*utf8(batch["text"]), unicode_table(), PARAGRAPHS)
        words, starts, ends, bounds, sentences, sentence_bounds, lengths = split
        sizes = np.diff(bounds)
        wordless = pc.and_(pc.equal(pa.array(sizes), 0), pc.is_null(batch["problem"]))
        known = {
            "size": pa.array(sizes),
            "words": to_lists(words, bounds),
            "starts": list_column(starts, bounds),
            "ends": list_column(ends, bounds),
            "sentences": list_column(sentences, sentence_bounds)
            if self.language is None
            else self._sentences(batch["text"], starts, bounds),
            "length": pa.array(lengths),
            "problem": pc.if_else(wordless, NO_WORDS, batch["problem"]),
        }
        return carrying(self.schema, known, batch)

    def _sentences(
        self, texts: pa.Array, starts: npt.NDArray[np.int32], bounds: npt.NDArray[np.int64]
    ) -> pa.ListArray:
        from neardup.text.sentences import sentence_starts

        starts_of_texts = [
            sentence_starts(text.as_py() or "", starts[begin:end], str(self.language))
            for text, begin, end in zip(texts, bounds, bounds[1:], strict=False)
        ]
        ends = np.cumsum([0, *map(len, starts_of_texts)])
        return list_column(np.concatenate([np.empty(0, np.int32), *starts_of_texts]), ends)
