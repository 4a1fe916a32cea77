"""How two sentences differ: edit distance, the words that were changed, and the kind of change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.methods.sentences.lexicon import REFERENCE_HEADINGS
from neardup.signatures.shingles import utf8
from neardup.steps.columns import schema_of
from neardup.steps.rejected import REACH, worth_keeping

NEAR = schema_of(
    "a b int64, distance float64, doc_a doc_b apart int64, alike float64, cited titled bool, "
    "text_a name_a text_b name_b string, holds bool"
)
COMPARED = schema_of(
    "a b int64, distance float64, doc_a doc_b int64, alike float64, kind string, confidence float64, "
    "types words_a words_b [string], frame style int64, filling_a filling_b string, holds bool"
)
LOOKED_UP = ("number", "ordinal", "context", "section", "name", "text", "titled")
MEASURES = ("distance", "kind", "confidence", "types", "words_a", "words_b")


@dataclass(frozen=True)
class MeasureDistance:
    """Keeps the pairs within a normalised edit distance, or nearly."""

    distance: float

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the pairs with their texts and their documents' names, and which of them hold."""
        from neardup.kernels.contexts import alikeness
        from neardup.kernels.edits import code_points, edit_distances

        if not batch.num_rows:
            return pa.RecordBatch.from_pylist([], schema=NEAR)
        a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
        known = np.unique(np.concatenate([a, b]))
        rows = sides["lookup"].take(pa.array(known))
        texts = code_points(*utf8(rows["text"].cast(pa.large_string())))
        left, right = np.searchsorted(known, a), np.searchsorted(known, b)
        distances = edit_distances(*texts, left, right, min(self.distance + REACH, 1.0))
        kept, holds = worth_keeping(a, b, -distances, -self.distance)
        sides_of = [rows.take(pa.array(side[kept])) for side in (left, right)]
        docs, ordinals, contexts = (
            [side[name].to_numpy() for side in sides_of] for name in ("number", "ordinal", "context")
        )
        headings = pa.array(REFERENCE_HEADINGS.split(";"))
        columns = [
            *(column[kept] for column in (a, b, distances)),
            *docs,
            np.where(docs[0] == docs[1], np.abs(ordinals[1] - ordinals[0]), -1),
            alikeness(*(context.view(np.uint64) for context in contexts)),
            pc.and_(*(pc.is_in(pc.utf8_lower(s["section"]), headings) for s in sides_of)),
            pc.and_(*(side["titled"] for side in sides_of)),
            *(side[name] for side in sides_of for name in ("text", "name")),
            holds,
        ]
        return pa.RecordBatch.from_arrays(columns, schema=NEAR)


@dataclass(frozen=True)
class Describe:
    """Says of each pair within the distance what differs, of what kind that is, in which frame."""

    def __call__(self, batch: pa.RecordBatch, _: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the pairs without their texts."""
        from neardup.methods.sentences.kinds import described

        own = (batch[name] for name in ("a", "b", "distance", "doc_a", "doc_b", "alike"))
        columns = [*own, *described(batch), batch["holds"]]
        return pa.RecordBatch.from_arrays(columns, schema=COMPARED)
