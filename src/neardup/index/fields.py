"""What is remembered of a thread: the sets of its fields, by which it is found, and what it is made of.

How common words are, and what is boilerplate, is what the run over the first threads counted.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup.index.analysis import Owned, Remembered, Sets, Words, owned
from neardup.methods.threads.fields import sets_of_words
from neardup.methods.threads.nearest import cells_of
from neardup.methods.threads.settings import ThreadSettings
from neardup.methods.threads.units import CountFieldWords, joined, sets_of, signatures_of
from neardup.readers.fields import column_of
from neardup.signatures.word_counts import WordCounts
from neardup.steps.counters import KeySet
from neardup.steps.too_common import without
from neardup.store.postings import Numbers

BOILERPLATE, WORDS, COUNTED = "boilerplate", "words of field ", "documents of field "
NONE: Any = np.empty(0, np.int64)
NO_WORDS = Words(*[NONE] * 6)


@dataclass(frozen=True)
class Fields:
    """Makes the sets of threads, and the cells by which they are near to others, always in one way."""

    settings: ThreadSettings
    counts: Mapping[int, WordCounts]
    boilerplate: KeySet

    @classmethod
    def of(cls, settings: ThreadSettings, facts: Mapping[str, Any]) -> "Fields":
        """Return what makes the sets of an index, by what it says of itself."""
        counts = CountFieldWords(signatures_of(settings)).counts
        for field, own in counts.items():
            own.table = np.frombuffer(zlib.decompress(facts[f"{WORDS}{field}"]), np.uint32)
            own.documents = int(facts[f"{COUNTED}{field}"])
        boilerplate = KeySet()
        boilerplate.values = np.frombuffer(facts.get(BOILERPLATE, b""), np.int64)
        return cls(settings, counts, boilerplate)

    def facts(self) -> dict[str, bytes | str]:
        """Return what an index has to say of itself for that."""
        found: dict[str, bytes | str] = {}
        if len(self.boilerplate.values):
            found[BOILERPLATE] = self.boilerplate.values.tobytes()
        for field, own in self.counts.items():
            found[f"{WORDS}{field}"] = zlib.compress(own.table.tobytes(), 1)
            found[f"{COUNTED}{field}"] = str(own.documents)
        return found

    def texts_in(self, batch: pa.RecordBatch) -> list[bytes]:
        """Return the fields of records, each as a text to be kept."""
        names = self.settings.fields
        fields = [batch[column_of(name, names)].to_pylist() for name in names]
        return [packed(thread) for thread in zip(*fields, strict=True)]

    def has_words(self, text: bytes) -> bool:
        """Return whether a thread has anything to compare."""
        return bool(self.remembered(np.arange(1), [text]).sizes[0])

    def remembered(self, docs: Numbers, texts: Sequence[bytes]) -> Remembered:
        """Return what is remembered of threads with these numbers: their sets, in place of shingles."""
        values, bounds = self.sets(self.columns(texts))
        sizes = np.diff(bounds).reshape(-1, len(self.settings.fields))
        weighty = sizes[:, np.array(self.settings.weights) > 0].any(axis=1)
        whole = Sets(values, bounds[:: sizes.shape[1]])
        runs = Owned(np.empty(0, np.uint64), NONE)
        return Remembered(np.where(weighty, sizes.sum(axis=1), 0), owned(docs, whole), runs, NO_WORDS)

    def columns(self, texts: Sequence[bytes]) -> dict[str, pa.Array]:
        """Return the fields of threads that were kept."""
        threads = [json.loads(text) for text in texts]
        return {
            name: pa.array([thread[field] for thread in threads], pa.large_string())
            for field, name in enumerate(self.settings.fields)
        }

    def sets(self, fields: Mapping[str, pa.Array]) -> tuple[npt.NDArray[np.uint64], Numbers]:
        """Return the sets of the fields of threads, and where each begins."""
        signatures = signatures_of(self.settings)
        sets = sets_of(list(fields.values()), signatures)
        for field, counts in self.counts.items():
            own = sets[field]
            sets[field] = sets_of_words(signatures[field], own.values, own.bounds, counts, field)
        values, bounds = joined(sets)
        return without(values, bounds, self.boilerplate.has(values.view(np.int64)))

    def apart(self, texts: Sequence[bytes]) -> tuple[tuple[Any, Any], tuple[Any, Any, Any]]:
        """Return the sets of threads, and their cells; with both, where those of each begin."""
        fields = self.columns(texts)
        return self.sets(fields), cells_of(fields)


def packed(thread: Sequence[str | None]) -> bytes:
    """Return the fields of a thread as a text that is kept.

    >>> packed(["How?", None])
    b'["How?",null]'
    """
    return json.dumps(thread, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
