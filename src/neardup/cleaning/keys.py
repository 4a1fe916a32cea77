"""The stage `keys`: records with the same URL, however it is written, or the same value of a column."""

import re
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from neardup.cleaning.recipe import KeysSettings
from neardup.plan import Map, Sides, Step
from neardup.steps.columns import schema_of
from neardup.text.addresses import page_of

KEYS = schema_of("doc int64, key string")


def steps(label: str, settings: KeysSettings, texts: str, left: str) -> list[Step]:
    """Return the step to LABEL_keys: what has no key is not there."""
    function = partial(take_keys, settings.column, settings.is_url)
    return [Map(f"{label}_keys", texts, function, KEYS, only=left, holds_gil=True)]


def plain(column: str) -> str:
    """Return the name of a column as it can stand in a statement."""
    return re.sub(r"[^\w .-]", " ", column)


def take_keys(column: str, is_url: bool, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Take the key of each record that has one."""
    keys = [key.strip() for key in batch[column].cast(pa.string()).fill_null("").to_pylist()]
    made = pa.array([page_of(key) if is_url and key else key for key in keys], pa.string())
    rows = pa.RecordBatch.from_arrays([batch["doc"], made], schema=KEYS)
    return rows.filter(pc.not_equal(made, ""))
