"""From records to threads: a set of signatures for each field, with all that is known about a thread."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Array
from neardup.methods.threads.fields import FieldCounts, FieldSets, sets_of_texts, sets_of_words
from neardup.methods.threads.settings import ThreadSettings, signature_of
from neardup.plan import Sides
from neardup.readers.fields import column_of, without_fields
from neardup.signatures.signature import Signature
from neardup.steps.columns import NO_WORDS, carrying, from_lists, schema_of, to_lists, with_carried


def size_names(settings: ThreadSettings) -> list[str]:
    """Return the columns with the sizes of a thread's sets."""
    return [f"size_{number}" for number in range(len(settings.fields))]


def units_schema(settings: ThreadSettings, records: pa.Schema) -> pa.Schema:
    """Return the schema of threads: the sets of all fields are one list, in the order of the fields."""
    sizes = " ".join(size_names(settings))
    own = schema_of(f"doc size digest int64, signatures [int64], {sizes} int32, length int64")
    return with_carried(own, without_fields(records, settings.fields))


def signatures_of(settings: ThreadSettings) -> tuple[Signature, ...]:
    """Return the signature of each field."""
    return tuple(signature_of(text) for text in settings.signatures)


def make_threads(
    settings: ThreadSettings, schema: pa.Schema, batch: pa.RecordBatch, _: Sides
) -> pa.RecordBatch:
    """Make the sets of each record's fields; a record without any word becomes a problem.

    A field whose signature must know the corpus has the hashes of its words, for now.
    """
    texts = [batch[column_of(field, settings.fields)] for field in settings.fields]
    sets = sets_of(texts, signatures_of(settings))
    values, bounds = joined(sets)
    known = columns_of(settings, values, bounds, batch, digests=own_digests(sets))
    known |= {"length": pa.array(sum(s.characters for s in sets))}
    others = without_fields(batch.schema, settings.fields)
    return carrying(schema, known, batch.select(others.names))


def sets_of(texts: Sequence[pa.Array], signatures: Sequence[Signature]) -> list[FieldSets]:
    """Return the sets of each field."""
    return [
        sets_of_texts(signature, pc.fill_null(text.cast(pa.large_string()), ""), number)
        for number, (text, signature) in enumerate(zip(texts, signatures, strict=True))
    ]


def own_digests(sets: Sequence[FieldSets]) -> Array:
    """Return the digest of each thread's words, field by field: those that have the same are copies."""
    from neardup.kernels.hashing import BASE

    own = [sets_of_field.digests for sets_of_field in sets if sets_of_field.digests is not None]
    together = np.zeros(len(own[0]), np.uint64)
    for digests in own:
        together = together * BASE + digests
    return together.view(np.int64)


def joined(sets: Sequence[FieldSets]) -> tuple[Array, Array]:
    """Return the sets of all fields in the order of threads, and where each begins."""
    from neardup.kernels.threads import together

    parts = np.cumsum([0, *(len(s.bounds) for s in sets)])
    values, bounds = (np.concatenate([getattr(s, n) for s in sets]) for n in ("values", "bounds"))
    return together(values, bounds, parts)  # type: ignore[no-any-return]


def columns_of(
    settings: ThreadSettings,
    values: Array,
    bounds: Array,
    records: pa.RecordBatch,
    empty: str = NO_WORDS,
    digests: Array | None = None,
) -> dict[str, pa.Array]:
    """Return the columns that follow from the sets; to be `empty` in all weighty fields is a problem.

    Threads with the same digest, that of `records` if none is given, are copies. Where missing fields
    count as 0, one that has too little for any pair is nobody's copy.
    """
    from neardup.kernels.threads import CLOSE

    fields = len(settings.fields)
    own = bounds[::fields]
    sizes = np.diff(bounds).reshape(-1, fields)
    weights = np.array(settings.weights)
    weighty = sizes[:, weights > 0].any(axis=1)
    digests = records["digest"].to_numpy() if digests is None else digests
    if not settings.scaled:
        enough = (sizes > 0) @ weights >= settings.threshold * (1 - CLOSE) - CLOSE
        digests = np.where(enough, digests, records["doc"].to_numpy())
    problem = records["problem"]
    good = problem.is_null().to_numpy(zero_copy_only=False)
    wordless = pa.array(good & ~weighty)
    return {
        "size": pa.array(np.where(good & weighty, np.diff(own), 0)),
        "digest": pa.array(digests),
        "signatures": to_lists(values, own),
        **{n: pa.array(sizes[:, i].astype(np.int32)) for i, n in enumerate(size_names(settings))},
        "problem": pc.if_else(wordless, empty, problem),
    }


def bounds_in(batch: pa.RecordBatch, fields: int) -> tuple[Array, Array]:
    """Return the values of a batch of threads, and where the set of each field begins."""
    values, own = from_lists(batch["signatures"])
    sizes = np.stack([batch[f"size_{f}"].to_numpy() for f in range(fields)], axis=1)
    bounds = own[0] + np.concatenate([[0], np.cumsum(sizes.ravel(), dtype=np.int64)])
    return values.view(np.uint64), bounds


class CountFieldWords(FieldCounts):
    """The state of a Fold: word counts of fields."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Count the words of each field that needs it."""
        for field in self.counts:
            self.take(field, *words_in(batch, field, self.fields))


def words_in(batch: pa.RecordBatch, field: int, fields: int) -> tuple[Array, Array]:
    """Return the values of one field of a batch of threads end to end, and where each thread's begin."""
    from neardup.kernels.threads import one_field

    return one_field(*bounds_in(batch, fields), field, fields)  # type: ignore[no-any-return]


def sign_threads(
    settings: ThreadSettings, schema: pa.Schema, batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Make sets of the words of those fields whose signature must know the corpus."""
    fields = len(settings.fields)
    sets = []
    for number, signature in enumerate(signatures_of(settings)):
        values, bounds = words_in(batch, number, fields)
        if signature.counts:
            counts = sides["word_counts"].counts[number]
            sets.append(sets_of_words(signature, values, bounds, counts, number))
        else:
            sets.append(FieldSets(values, bounds, np.diff(bounds)))
    known = columns_of(settings, *joined(sets), batch)
    columns = [known.get(name, batch[name]) for name in schema.names]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
