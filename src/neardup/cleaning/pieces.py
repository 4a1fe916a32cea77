"""The stages `paragraphs` and `lines`: of those that are the same but for white space, one stays.

Or several, if so many copies may. They are split by the steps of the method `sentences`, and compared
by their texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from neardup.cleaning.spans import CUTS, cuts_of, joined, runs_of
from neardup.cleaning.texts import with_texts
from neardup.cleaning.within import within
from neardup.methods.sentences import plan as sentences
from neardup.methods.sentences.settings import SentenceSettings
from neardup.plan import Map, Sql, Step
from neardup.steps.against import EVERYTHING


def steps(
    label: str,
    settings: SentenceSettings,
    records: pa.Schema,
    base: str,
    units: str,
    left: str,
    at_most: int,
) -> list[Step]:
    """Return the steps to LABEL_cuts, from the texts of a corpus and the `ranks` of its documents."""
    split = sentences.units(settings, records, EVERYTHING)
    given = {"records": base, "files": "files"}
    names = {name: f"{{{label}_{name}}}" for name in ("units", "numbers", "same")}
    return [
        *within(split, label, given, left, ("units", "numbers")),
        Sql(f"{label}_same", SAME.format(**names)),
        Sql(f"{label}_by_doc", REPEATED.format(**names, of=f"{{{units}}}", at_most=at_most)),
        Map(
            *(f"{label}_cuts", f"{label}_by_doc", Reach(), CUTS),
            lookup=base,
            lookup_columns=("text",),
            lookup_keys=("doc",),
            grouped=True,
        ),
    ]


# Only pieces of a digest that others have are compared by their texts.
SAME = """
select n.doc as doc, s.start_at as start_at, s.end_at as end_at, s.digest as digest, s.text as text,
  r.rank as rank, r.per as per
from {units} s
join (select digest, characters from {units} group by digest, characters having count(*) > 1) c
  on c.digest = s.digest and c.characters = s.characters
join {numbers} n on n.number = s.number
join {{ranks}} r on r.doc = n.doc
"""
FIRST = "over (partition by digest, text, per order by rank, start_at)"
REPEATED = f"""
select s.doc as doc, s.start_at as start_at, s.end_at as end_at, s.keeper as keeper,
  s.keeper_start as keeper_start, s.keeper_end as keeper_end, u.length as length
from (
  select doc, start_at, end_at, first_value(doc) {FIRST} as keeper,
    first_value(start_at) {FIRST} as keeper_start, first_value(end_at) {FIRST} as keeper_end,
    row_number() {FIRST} as place
  from {{same}}
) s join {{of}} u on u.doc = s.doc
where s.place > {{at_most}}
"""


@dataclass(frozen=True)
class Reach:
    """Takes the white space to what is cut that goes with it."""

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one row a cut."""
        from neardup.methods.sentences.removal import reaches

        found = []
        for rows, which, texts in with_texts(batch, "doc", "start_at", sides["lookup"]):
            spans = np.empty((rows.num_rows, 2), np.int64)
            starts, ends = (rows[name].to_numpy() for name in ("start_at", "end_at"))
            places = list(zip(starts.tolist(), ends.tolist(), strict=True))
            for begin, end in runs_of(which):
                spans[begin:end] = reaches(texts[int(which[begin])].as_py(), places[begin:end])
            found.append(cuts_of(rows, spans, starts, ends))
        return joined(found, CUTS)
