"""How much of each document stands elsewhere: the table `shares`."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from neardup.methods.passages.settings import PassageSettings
from neardup.plan import Map, Sides, Sql, Step
from neardup.steps.against import Against
from neardup.steps.columns import from_lists, schema_of

MATCHED = schema_of("doc side other verbatim rewritten all_verbatim all_rewritten int64")


def counted_words(settings: PassageSettings) -> list[Step]:
    """Return the steps from `located` to `counted`, the words that count, and `matched`, those found."""
    own = COUNTED_ALL if settings.by_sentences else COUNTED
    return [
        Sql("counted", own, keep=True),
        Sql("sides", BY_SIDE),
        Map("matched", "sides", CountMatched(), MATCHED, grouped=True),
    ]


def steps(against: Against) -> list[Step]:
    """Return the steps from `matched` and `counted` to `shares`, one row a document."""
    return [
        Sql("elsewhere", ELSEWHERE),
        Sql("bests", BESTS),
        Sql("shares", shares(against), keep=True),
    ]


def shares(against: Against) -> str:
    """Return the statement for what of each document stands elsewhere."""
    old = ", d.old as old" if against.is_given else ""
    return f"""
select d.id as id,
  coalesce(cast(e.verbatim + e.rewritten as double) / nullif(c.words, 0), 0) as share,
  coalesce(cast(e.verbatim as double) / nullif(c.words, 0), 0) as verbatim,
  coalesce(cast(e.rewritten as double) / nullif(c.words, 0), 0) as rewritten,
  coalesce(e.verbatim + e.rewritten, 0) as words, coalesce(b.sources, 0) as sources,
  o.id as best_source, cast(b.words as double) / nullif(c.words, 0) as best_share{old},
  d.doc as doc, b.other as best_doc
from {{documents}} d join {{counted}} c on c.doc = d.doc
left join {{elsewhere}} e on e.doc = d.doc left join {{bests}} b on b.doc = d.doc
left join {{documents}} o on o.doc = b.other
order by doc
"""


@dataclass(frozen=True)
class CountMatched:
    """Counts the words of a document that others have, too: with each of them, and with all together.

    A word that is in several passages counts once, and as there word for word if one of them is.
    """

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return a row for each side of a document that another one shares passages with."""
        from neardup.kernels.coverage import matched_words

        order = np.lexsort([batch[name].to_numpy() for name in ("other", "side", "doc")])
        batch = batch.take(pa.array(order))
        doc, side, other, verbatim = (c.to_numpy(zero_copy_only=False) for c in batch.columns[:4])
        firsts, *counts = matched_words(doc, side, other, verbatim, *from_lists(batch["matched"])).T
        columns = [doc[firsts], side[firsts], other[firsts], *counts]
        return pa.RecordBatch.from_arrays(columns, schema=MATCHED)


COUNTED_ALL = "select number as doc, size as words from {numbers}"

# Words of boilerplate do not count.
COUNTED = """
select n.number as doc, cast(greatest(n.size - coalesce(m.common_words, 0), 0) as bigint) as words
from {numbers} n left join {marks} m on m.doc = n.doc
"""

BY_SIDE = """
select doc_a as doc, cast(0 as bigint) as side, doc_b as other, verbatim, matched_a as matched
from {located}
union all select doc_b, cast(1 as bigint), doc_a, verbatim, matched_b from {located}
"""

ELSEWHERE = """
select doc, max(all_verbatim) as verbatim, max(all_rewritten) as rewritten
from {matched} where doc <> other group by doc
"""

BESTS = """
select doc, other, words, sources
from (
  select doc, other, verbatim + rewritten as words, count(*) over (partition by doc) as sources,
    row_number() over (
      partition by doc order by verbatim + rewritten desc, verbatim desc, other) as place
  from {matched} where doc <> other
) r where place = 1
"""
