"""A plan as a part of a larger one."""

from functools import partial

import pyarrow as pa
import pytest

from neardup.cleaning.within import under_its_names, within
from neardup.methods.documents.plan import plan
from neardup.methods.documents.settings import DocumentSettings
from neardup.plan import Map, Plan
from neardup.readers.numbers import with_numbers
from neardup.readers.records import records_schema

RECORDS = with_numbers(records_schema({}))


@pytest.mark.parametrize("candidates", ["exact", "sampled", "minhash"])
def test_steps_read_each_other_under_their_new_names(candidates: str) -> None:
    whole = plan(DocumentSettings(candidates=candidates), RECORDS)  # type: ignore[arg-type]
    steps = within(whole.steps, "near", {"records": "texts", "files": "files"}, "left", ["clusters"])
    made = Plan("larger", ("texts", "files", "left"), tuple(steps), ("near_clusters",))
    assert {step.name for step in made.steps} < {f"near_{step.name}" for step in whole.steps}
    first = next(step for step in made.steps if isinstance(step, Map))
    assert (first.name, first.input, first.only) == ("near_units", "texts", "left")
    assert not any(step.name in ("near_rejected", "near_facts") for step in made.steps)


def test_functions_get_summaries_by_the_names_that_they_know() -> None:
    batch = pa.record_batch({"doc": [1]})
    function = partial(
        under_its_names,
        lambda given, sides: given.append_column("n", [sides["counts"]]),
        {"counts": "near_counts"},
    )
    assert function(batch, {"near_counts": 7, "lookup": None})["n"].to_pylist() == [7]
