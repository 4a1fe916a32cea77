"""Two functions in one task: what the first makes only for the second does not go through Java."""

from dataclasses import dataclass, replace

import pyarrow as pa

from neardup.plan import Map, MapFunction, Sides


def chained(first: Map, second: Map) -> Map:
    """Return the step that does what two do, one after the other."""
    return replace(
        first,
        name=second.name,
        function=Chained(first.function, second.function),
        schema=second.schema,
        sides=(*first.sides, *second.sides),
    )


@dataclass(frozen=True)
class Chained:
    """Maps rows, and then what comes of them."""

    first: MapFunction
    second: MapFunction

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return what the second function makes of what the first makes."""
        return self.second(self.first(batch, sides), sides)
