"""What `sentences` says of pairs, without a corpus around them."""

from collections.abc import Iterable

import pyarrow as pa
from tests.twins.kinds import Change, Description, Place

from neardup.methods.sentences.changes import NEAR, Describe


def describe(
    a: str, b: str, title_a: str | None = None, title_b: str | None = None, place: Place | None = None
) -> Description:
    """Return the kind of change between two sentences, with the words that differ."""
    return described([(a, b, title_a, title_b, place or Place())])[0]


def described(pairs: Iterable[tuple[str, str, str | None, str | None, Place]]) -> list[Description]:
    """Return the same of many pairs at a time."""
    rows = [
        dict.fromkeys(("a", "b", "doc_a", "doc_b"), number)
        | {
            "distance": 0.1,
            "holds": True,
            "text_a": a,
            "name_a": title_a,
            "text_b": b,
            "name_b": title_b,
        }
        | place._asdict()
        for number, (a, b, title_a, title_b, place) in enumerate(pairs)
    ]
    found = Describe()(pa.RecordBatch.from_pylist(rows, schema=NEAR), {}).to_pylist()
    return [
        Description(
            row["kind"],
            tuple(map(Change, row["types"], row["words_a"], row["words_b"])),
            row["frame"],
            row["style"],
            row["confidence"],
        )
        for row in found
    ]
