"""The stage `decontaminate`: test items of benchmarks, cut out of records, or these dropped."""

import hashlib
from typing import Any

import pyarrow as pa

from neardup.cleaning.recipe import ItemSettings
from neardup.cleaning.within import within
from neardup.methods.decontaminate import plan as decontaminate
from neardup.methods.decontaminate.items import read_items
from neardup.methods.decontaminate.settings import DecontaminateSettings
from neardup.methods.decontaminate.units import UNIT
from neardup.plan import Sql, Step
from neardup.readers.source import Named

GIVEN = ("test_items", "item_parts")  # tables that the steps start from
REASON = "concat('the test item ', i.id)"


def read(settings: ItemSettings) -> tuple[dict[str, pa.Table], str]:
    """Return the items of all benchmarks as tables by name, and a digest of them."""
    paths = [Named(path.strip()) for path in settings.benchmarks.split(",")]
    found = read_items(paths, settings.columns, "auto")
    digest = hashlib.sha256(repr(found.items.to_pylist()).encode()).hexdigest()
    return dict(zip(GIVEN, found, strict=True)), digest


def steps(
    label: str, settings: DecontaminateSettings, records: pa.Schema, base: str, left: str
) -> list[Step]:
    """Return the steps to LABEL_cuts, from the texts of a corpus; the keeper is -2 less the item."""
    given: dict[str, Any] = {"records": base, "files": "files"}
    given |= {name: f"{label}_{name}" for name in GIVEN}
    plan = decontaminate.plan(settings, records).steps
    found = within(plan, f"{label}_found", given, left, ("located",))
    return [*found, Sql(f"{label}_cuts", CUTS.format(located=f"{{{label}_found_located}}"))]


def holders(label: str) -> str:
    """Return the statement for the records that have items."""
    return f"""
select g.doc as doc, cast(null as bigint) as keeper, g.similarity as similarity, {REASON} as reason
from (
  select doc, max(keeper) as keeper, max(similarity) as similarity from {{{label}_cuts}} group by doc
) g join {{{label}_test_items}} i on i.item = -2 - g.keeper
"""


BEFORE = "over (partition by doc order by start_at, end_at, item rows between unbounded preceding and"
CUTS = f"""
select doc, min(start_at) as start_at, max(end_at) as end_at, max(-2 - item) as keeper,
  cast(0 as bigint) as keeper_start, cast(1 as bigint) as keeper_end, cast(0 as bigint) as before,
  cast(0 as bigint) as behind, min(similarity) as similarity
from (
  select doc, item, start_at, end_at, similarity, sum(apart) {BEFORE} current row) as place
  from (
    select doc, item, start_at, end_at, similarity,
      case when start_at < max(end_at) {BEFORE} 1 preceding) then 0 else 1 end as apart
    from (
      select doc, item, min(start_at) as start_at, max(end_at) as end_at,
        min(cast(likeness as double) / {UNIT}) as similarity
      from {{located}} group by doc, item, occurrence
    ) o
  ) a
) p
group by doc, place
"""
