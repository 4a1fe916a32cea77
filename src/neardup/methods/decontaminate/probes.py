"""Probes: questions and passages of test items with words exchanged, to see how many are found."""

import random

import pyarrow as pa

from neardup.methods.decontaminate.units import NAMES, PASSAGE, QUESTION, located
from neardup.plan import Map, Sides, Sql, Step
from neardup.signatures.shingles import utf8
from neardup.steps.columns import schema_of
from neardup.steps.facts import probed

PROBES = schema_of("part found int64")
MOST_PROBES = 200
EXCHANGED = 8  # one word in eight


def steps() -> list[Step]:
    """Return the steps from `parts` and `judged` to `probes`."""
    searched = f"searched = 1 and field in ({PASSAGE}, {QUESTION})"
    return [
        Sql("probed", probed("{judged}", MOST_PROBES, searched, unit="part", number="part")),
        Map("probes", "parts", probe, PROBES, sides=("index",), only="probed"),
    ]


def probe(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Exchange one word in eight of each part, and look for its item in what is left."""
    from neardup.kernels.items import COLUMNS, find_parts
    from neardup.text import unicode_table

    parts, index = batch["part"].to_pylist(), sides["index"].built
    edited = [exchanged(index.texts[part], random.Random(part)) for part in parts]
    texts = pa.array(edited, pa.large_string())
    rows, *_ = find_parts(*utf8(texts), unicode_table(), index.parts)
    found = located(texts, rows.reshape(-1, COLUMNS), index)
    items = [found.get(row, [])[:: len(NAMES)] for row in range(len(parts))]
    right = [int(index.items[part] in own) for part, own in zip(parts, items, strict=True)]
    return pa.record_batch([pa.array(parts), pa.array(right)], schema=PROBES)


def exchanged(text: str, rng: random.Random) -> str:
    """Return a text in which one word in eight, or the only one, is another that nobody uses."""
    words = text.split()
    for place in rng.sample(range(len(words)), max(len(words) // EXCHANGED, 1)):
        words[place] = f"{words[place][::-1]}o"
    return " ".join(words)
