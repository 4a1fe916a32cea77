"""Two functions in one task make what they make one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.engines.spark.pieces import chained
from neardup.plan import Map

NUMBERS = pa.schema([("n", pa.int64())])
WORDS = pa.schema([("word", pa.string())])


@dataclass(frozen=True)
class Add:
    """Adds what is given at its side."""

    side: str

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([pc.add(batch["n"], sides[self.side])], schema=NUMBERS)


def written(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [pc.binary_join_element_wise(batch["n"].cast("string"), sides["ending"], "")], schema=WORDS
    )


def test_the_second_maps_what_the_first_makes() -> None:
    first = Map("more", "given", Add("ten"), NUMBERS, sides=("ten",), lookup="known", task_rows=7)
    second = Map("words", "more", written, WORDS, sides=("ending",), holds_gil=True)
    both = chained(first, second)
    assert (both.name, both.input, both.schema) == ("words", "given", WORDS)
    assert (both.sides, both.lookup, both.task_rows) == (("ten", "ending"), "known", 7)
    batch = pa.RecordBatch.from_pydict({"n": [1, 2]}, NUMBERS)
    made = both.function(batch, {"ten": 10, "ending": "!"})
    assert made.to_pydict() == {"word": ["11!", "12!"]}
