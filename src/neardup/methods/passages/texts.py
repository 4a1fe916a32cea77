"""From records to texts: words with their places, and sentences."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Integers, Places
from neardup.methods.passages.apart import Apart
from neardup.plan import Sides
from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, list_column, to_lists
from neardup.steps.exclusions import ONLY_EXCLUDED, SPANS, Excluding, SplitWords
from neardup.text import unicode_table
from neardup.text.disguised import disguised


@dataclass(frozen=True)
class MakeTexts:
    """Splits each record's text into words and sentences; a text without words becomes a problem.

    Without a language, sentences are what simple rules of all languages say, which is much faster.
    """

    language: str | None
    schema: pa.Schema
    excluding: Excluding | None = None
    apart: Apart | None = None

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one text a record."""
        from neardup.kernels.excluded import mask_covered
        from neardup.kernels.texts import PARAGRAPHS, split_texts

        split = split_texts(*utf8(batch["text"]), unicode_table(), PARAGRAPHS)
        words, starts, ends, bounds, sentences, sentence_bounds, lengths = split
        sizes, more = np.diff(bounds), {} if self.apart is None else self.apart.columns(batch)
        why = pc.if_else(pa.array(sizes > 0), ONLY_EXCLUDED, NO_WORDS)
        if self.excluding is not None:
            found = self.excluding.found(batch["text"], SplitWords(words, starts, ends, bounds), sides)
            sizes = mask_covered(words, bounds, batch["doc"].to_numpy(), found.covered)
            more[SPANS.name] = found.column
        wordless = pc.and_(pc.equal(pa.array(sizes), 0), pc.is_null(batch["problem"]))
        known = {
            **more,
            "size": pa.array(sizes),
            "words": to_lists(words, bounds),
            "starts": list_column(starts, bounds),
            "ends": list_column(ends, bounds),
            "sentences": list_column(sentences, sentence_bounds)
            if self.language is None
            else self._sentences(batch["text"], starts, bounds),
            "length": pa.array(lengths),
            "disguised": disguised(batch["text"]),
            "problem": pc.if_else(wordless, why, batch["problem"]),
        }
        return carrying(self.schema, known, batch)

    def _sentences(self, texts: pa.Array, starts: Places, bounds: Integers) -> pa.ListArray:
        from neardup.text.sentences import sentence_starts

        starts_of_texts = [
            sentence_starts(text.as_py() or "", starts[begin:end], str(self.language))
            for text, begin, end in zip(texts, bounds, bounds[1:], strict=False)
        ]
        ends = np.cumsum([0, *map(len, starts_of_texts)])
        return list_column(np.concatenate([np.empty(0, np.int32), *starts_of_texts]), ends)
