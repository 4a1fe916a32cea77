"""How common a record's words are in what is left of a corpus, for those who weigh records by that.

Of each run of four words, its share of all such runs in the corpus; of these the mean, over all runs
of the record. SoftDedup gives records weights that fall with a like mean, of a model of four words.
"""

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers
from neardup.plan import Map, Sides, Sql, Step
from neardup.signatures.shingles import utf8
from neardup.steps.columns import schema_of
from neardup.text import unicode_table

WORDS = 4  # of a run
GRAMS = schema_of("gram doc times int64")
SUMS = schema_of("doc among int64")  # the runs of the corpus that are like one of the document's, summed
RUNS = f"case when u.size < {WORDS} then 1 else u.size - {WORDS - 1} end"
COMMONNESS = f"""
select s.doc as doc, cast(sum(s.among) as double) / max({RUNS}) / max(t.runs) as commonness
from {{commonness_sums}} s join {{units}} u on u.doc = s.doc
cross join (
  select cast(sum({RUNS}) as bigint) as runs from {{units}} u join {{left}} l on l.doc = u.doc
) t
group by s.doc
"""


def steps(texts: str, units: str, left: str) -> list[Step]:
    """Return the steps to `commonness`, from what is left of a corpus."""
    names = {"commonness_sums": "{commonness_sums}", "units": f"{{{units}}}", "left": f"{{{left}}}"}
    return [
        Map("commonness_grams", texts, take_grams, GRAMS, only=left),
        Map("commonness_sums", "commonness_grams", sum_shares, SUMS, grouped=True),
        Sql("commonness", COMMONNESS.format(**names)),
    ]


def take_grams(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Return a row for each run of words of a text."""
    from neardup.kernels.grams import counted_grams

    grams, owners, times = counted_grams(*utf8(batch["text"]), WORDS, unicode_table())
    columns = grams.view(np.int64), batch["doc"].to_numpy()[owners], times
    return pa.RecordBatch.from_arrays([pa.array(own) for own in columns], schema=GRAMS)


def sum_shares(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Count each run in the corpus, and sum that up: a row a document."""
    grams, docs, times = (column.to_numpy() for column in batch.columns)
    which, totals = summed(grams, times)[1:]
    own, _which, among = summed(docs, times * totals[which])
    return pa.RecordBatch.from_arrays([pa.array(own), pa.array(among)], schema=SUMS)


def summed(keys: Integers, values: Integers) -> tuple[Integers, Integers, Integers]:
    """Return the distinct keys, which of them each is, and the sum of their values."""
    distinct, which = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(distinct), np.int64)
    np.add.at(sums, which, values)
    return distinct, which, sums
