"""How two sentences differ: edit distance, the words that were changed, and the kind of change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.methods.kinds import describe

VERIFIED = pa.schema(
    [
        ("a", pa.int64()),
        ("b", pa.int64()),
        ("distance", pa.float64()),
        ("kind", pa.string()),
        ("types", pa.list_(pa.string())),
        ("words_a", pa.list_(pa.string())),
        ("words_b", pa.list_(pa.string())),
    ]
)


@dataclass(frozen=True)
class Compare:
    """Keeps the pairs within a normalised edit distance, and says what differs in them."""

    distance: float

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return the pairs that hold."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist

        a, b = batch["a"].to_numpy(), batch["b"].to_numpy()
        known = np.unique(np.concatenate([a, b]))
        if not len(known):
            return pa.RecordBatch.from_pylist([], schema=VERIFIED)
        rows = sides["lookup"].take(pa.array(known))
        texts, titles = rows["text"].to_pylist(), rows["title"].to_pylist()
        left, right = np.searchsorted(known, a).tolist(), np.searchsorted(known, b).tolist()
        distances = cpdist(
            [texts[i] for i in left],
            [texts[i] for i in right],
            scorer=Levenshtein.normalized_distance,
            score_cutoff=self.distance,
            dtype=np.float64,
            workers=1,
        )
        kept = np.flatnonzero(distances <= self.distance)
        found = [
            describe(texts[left[i]], texts[right[i]], titles[left[i]], titles[right[i]])
            for i in kept.tolist()
        ]
        columns = [
            pa.array(a[kept]),
            pa.array(b[kept]),
            pa.array(distances[kept]),
            pa.array([f.kind for f in found], pa.string()),
            pa.array([[c.type for c in f.changes] for f in found], pa.list_(pa.string())),
            pa.array([[c.words_a for c in f.changes] for f in found], pa.list_(pa.string())),
            pa.array([[c.words_b for c in f.changes] for f in found], pa.list_(pa.string())),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=VERIFIED)
