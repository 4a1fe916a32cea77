"""Examples of what a stage took are told with their texts, in whatever order they come."""

import pyarrow as pa

from neardup.cleaning.examples import take_text
from neardup.engines.local.lookup import BatchLookup
from neardup.steps.columns import schema_of


def test_texts_are_taken_from_all_parts_of_the_corpus() -> None:
    parts = [[(1, "first text"), (4, "second text")], [(7, "third text"), (9, "fourth text")]]
    schema = pa.schema([("doc", pa.int64()), ("text", pa.large_string())])
    lookup = BatchLookup(
        [pa.RecordBatch.from_pylist([{"doc": d, "text": t} for d, t in part], schema) for part in parts]
    )
    places = [(9, 1, 0, 0, 6), (1, 1, 1, 0, 10**9), (9, 2, 0, 7, 11), (4, 2, 1, 0, 6)]
    names = ("record", "row", "side", "start_at", "end_at")
    rows = [dict(zip(names, place, strict=True)) for place in places]
    given = pa.RecordBatch.from_pylist(rows, schema_of("record row side start_at end_at int64"))
    found = take_text(given, {"lookup": lookup}).to_pylist()
    assert [row["text"] for row in found] == ["fourth", "first text", "text", "second"]
    assert [(row["row"], row["side"]) for row in found] == [(1, 0), (1, 1), (2, 0), (2, 1)]
