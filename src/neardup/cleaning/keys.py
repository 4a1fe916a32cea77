"""The stage `keys`: records with the same URL, however it is written, or the same value of a column."""

import re
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from neardup.cleaning.recipe import KeysSettings
from neardup.plan import Map, Sides, Step
from neardup.steps.columns import schema_of
from neardup.text.addresses import page_of

KEYS = schema_of("doc int64, key string")


def steps(label: str, settings: KeysSettings, texts: str, left: str) -> list[Step]:
    """Return the step to LABEL_keys: what has no key is not there."""
    function = TakeKeys(settings.column, settings.is_url)
    return [Map(f"{label}_keys", texts, function, KEYS, only=left, holds_gil=True)]


def plain(column: str) -> str:
    """Return the name of a column as it can stand in a statement."""
    return re.sub(r"[^\w .-]", " ", column)


@dataclass(frozen=True)
class TakeKeys:
    """Takes the key of each record that has one."""

    column: str
    is_url: bool

    def __call__(self, batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
        """Return one row for each record with a key."""
        keys = [key.strip() for key in batch[self.column].cast(pa.string()).fill_null("").to_pylist()]
        made = pa.array([page_of(key) if self.is_url and key else key for key in keys], pa.string())
        rows = pa.RecordBatch.from_arrays([batch["doc"], made], schema=KEYS)
        return rows.filter(pc.not_equal(made, ""))
