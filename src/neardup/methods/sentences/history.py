"""Who changed what when: sentences of a page that another revision of it has in other words.

A change is between two revisions that follow each other by date: the older one has a sentence that the
newer one lacks, and the newer one has a similar one that the older one lacks. What was changed back is
another change.
"""

import pyarrow as pa

from neardup.plan import Sql, Step
from neardup.readers.records import CONTRIBUTOR
from neardup.steps.naming import carried_columns


def steps(records: pa.Schema) -> list[Step]:
    """Return the steps from `verified`, `copies`, `units` and `documents` to `changes`."""
    name = carried_columns(records).get(CONTRIBUTOR)
    return [
        Sql("turns", TURNS),
        Sql("stands", STANDS),
        Sql("spans", SPANS),
        Sql("edits", EDITS),
        Sql("changes", CHANGES.replace("WHO", f"d.{name}" if name else "nullif('', '')")),
    ]


# revisions of a page in the order of their dates, those without one first
TURNS = """
select number, scope, row_number() over (partition by scope order by since nulls first, number) as turn
from (
  select distinct u.number as number, u.scope as scope, m.start_at as since
  from {units} u left join {moments} m on m.doc = u.number
) r
"""

# where each of identical sentences stands that is similar to others: in every revision once
STANDS = """
select t.scope as scope, t.turn as turn, c.first as sentence, min(u.sentence) as place
from {copies} c
join (select a as sentence from {verified} union select b from {verified}) v on v.sentence = c.first
join {units} u on u.sentence = c.sentence
join {turns} t on t.number = u.number
group by t.scope, t.turn, c.first
"""

SPANS = """
select scope, turn, sentence, place,
  coalesce(lag(turn) over (partition by sentence order by turn), -1) < turn - 1 as begins,
  coalesce(lead(turn) over (partition by sentence order by turn), turn + 2) > turn + 1 as ends
from {stands}
"""

EDITS = """
select before, after, kind, types, words_a, words_b from (
  select x.place as before, y.place as after, v.kind as kind, v.types as types,
    v.words_a as words_a, v.words_b as words_b,
    row_number() over (partition by y.place order by v.distance, x.place) as nearest
  from {spans} x join {spans} y on y.scope = x.scope and y.turn = x.turn + 1
  join (
    select a, b, distance, kind, types, words_a, words_b from {verified}
    union all select b, a, distance, kind, types, words_b, words_a from {verified}
  ) v on v.a = x.sentence and v.b = y.sentence
  where x.ends and y.begins
) n where nearest = 1
"""

CHANGES = """
select d.date as date, d.title as title, WHO as contributor, e.kind as kind, e.types as types,
  e.words_a as words_a, e.words_b as words_b, x.text as text_a, y.text as text_b,
  o.id as id_a, x.ordinal as sentence_a, d.id as id_b, y.ordinal as sentence_b,
  o.doc as doc_a, d.doc as doc_b
from {edits} e join {units} x on x.sentence = e.before join {units} y on y.sentence = e.after
join {documents} o on o.doc = x.number join {documents} d on d.doc = y.number
left join {moments} m on m.doc = d.doc
order by m.start_at nulls first, d.doc, y.ordinal
"""
