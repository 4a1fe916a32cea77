"""When documents are from: their dates as moments, by which they come one after the other."""

import pyarrow as pa

from neardup.plan import Map, Sides, Sql, Step
from neardup.steps.columns import schema_of
from neardup.text.dates import order_of, reading, spans

READINGS = schema_of("doc start_at end_at other_start other_end int64")


def steps() -> list[Step]:
    """Return the steps from `documents` to `moments` (doc, start_at, end_at) of those with dates."""
    return [Map("date_readings", "documents", read_dates, READINGS), Sql("moments", MOMENTS, keep=True)]


def moments_of(documents: pa.Table) -> pa.Table:
    """Return the table `moments` of documents that are all there."""
    found = spans(documents["date"], order_of(documents["date"]))
    columns = {
        "start_at": [own and own.start for own in found],
        "end_at": [own and own.end for own in found],
    }
    known = {name: pa.array(values, pa.int64()) for name, values in columns.items()}
    return pa.table({"doc": documents["doc"], **known})


def read_dates(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Read dates with the day first, and with the month first: from when to when each can be."""
    rows = zip(batch["doc"].to_pylist(), batch["date"].to_pylist(), strict=True)
    found = [(doc, *reading(text)) for doc, text in rows if text]
    nothing = None, None
    spans = [(doc, *(one or nothing), *(other or nothing)) for doc, one, other in found]
    columns = zip(*spans, strict=True) if spans else [()] * len(READINGS)
    return pa.RecordBatch.from_arrays([pa.array(c, pa.int64()) for c in columns], schema=READINGS)


def settled(own: str, other: str) -> str:
    """Return the SQL for one of two readings: the only one, or that which `text.dates.Order` says."""
    return f"""
  case when r.start_at is null or o.months_first and r.other_start is not null then r.{other}
    when o.days_first or r.other_start is null or r.other_start = r.start_at then r.{own} end"""


MOMENTS = f"""
select r.doc as doc,
  {settled("start_at", "other_start")} as start_at,
  {settled("end_at", "other_end")} as end_at
from {{date_readings}} r join (
  select days and not months as days_first, months and not days as months_first from (
    select coalesce(bool_or(other_start is null), false) as days,
      coalesce(bool_or(start_at is null), false) as months
    from {{date_readings}} where start_at is not null or other_start is not null
  ) n
) o on 1 = 1
"""
