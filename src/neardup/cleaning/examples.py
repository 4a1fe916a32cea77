"""A few changes of each stage to look at, with their texts."""

from typing import Any

import numpy as np
import pyarrow as pa

from neardup.plan import Map, Sides, Sql, Step
from neardup.steps.columns import schema_of

EACH = 5  # of a stage
MOST = 400  # characters of a text
TEXTS = schema_of("row side int64, text string")
CHOSEN = f"""
select row_number() over (order by c.number, c.place, c.action) as row, r.*
from {{changes}} r
join (
  select number, action, record, start_at, row_number() over (partition by number, action
    order by (record % 9973) * 7919 % 9973, record, start_at) as place
  from {{changes}}
) c on c.number = r.number and c.action = r.action and c.record = r.record and c.start_at = r.start_at
where c.place <= {EACH}
"""
SIDES = """
select record, cast(row as bigint) as row, cast(0 as bigint) as side, start_at, end_at from {chosen}
union all
select keeper as record, cast(row as bigint) as row, cast(1 as bigint) as side,
  coalesce(keeper_start, 0) as start_at, coalesce(keeper_end, 1000000000) as end_at
from {chosen} where keeper is not null
"""
SHOWN = """
select s.stage as stage, c.reason as reason, c.id as id, t.text as text, c.keeper_id as keeper_id,
  k.text as keeper_text
from {chosen} c join {stages} s on s.number = c.number
join {example_texts} t on t.row = c.row and t.side = 0
left join {example_texts} k on k.row = c.row and k.side = 1
order by c.row
"""


def steps() -> list[Step]:
    """Return the steps to `shown`."""
    lookup: dict[str, Any] = {"lookup": "texts", "lookup_columns": ("text",), "lookup_keys": ("record",)}
    return [
        Sql("chosen", CHOSEN, keep=True),
        Sql("example_places", SIDES),
        Map("example_texts", "example_places", take_text, TEXTS, **lookup),
        Sql("shown", SHOWN),
    ]


def take_text(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Return what stands at a place of a text, or how it begins: a row a place."""
    if not batch.num_rows:
        return pa.RecordBatch.from_pylist([], schema=TEXTS)
    records, which = np.unique(batch["record"].to_numpy(), return_inverse=True)
    texts = sides["lookup"].take(pa.array(records))["text"]
    places = zip(which.tolist(), *(batch[n].to_pylist() for n in ("start_at", "end_at")), strict=True)
    cut = [texts[at].as_py()[start : min(end, start + MOST)] for at, start, end in places]
    columns = [batch["row"], batch["side"], pa.array(cut, pa.string())]
    return pa.RecordBatch.from_arrays(columns, schema=TEXTS)
