"""What a corpus knows of kinds of change, and an editor's work list: what most have, and what differs.

A frame is what two sentences have in common, with gaps for what differs; what stands in the gaps is a
filling. A frame with many fillings is a template: page headings, rows of lists. So is one that documents
repeat, and a pair of which one sentence has a nearer counterpart, in the other's document or its own:
row seven is not what row six became, and what stands in a list belongs to it. If the same two names are
exchanged in very many frames, that is a matter of style: the Lord, Jehovah. What is left is drift. Where
one filling of a frame is in more sentences than any other, the others are `suggestions`.
"""

from neardup.methods.sentences.changes import MEASURES
from neardup.methods.sentences.kinds import COPY_EDIT, DRIFT, TEMPLATE, VERSIONED
from neardup.methods.sentences.kinds import FILLED as SEVERAL
from neardup.plan import Cluster, Sql, Step
from neardup.steps.clusters import number_by, part_of, rows_before

MANY_FILLINGS = 5  # different ones make a template of a frame
SOME_FILLINGS = 3  # do, if each stands once, under a title of its own
RUNNING = 2  # times that documents repeat a frame: page headings, rows of lists
COPIES = 5  # copies make a phrase that is passed on, whatever else stands in the texts that have it
MANY_FRAMES, SHARE_OF_FRAMES = 25, 0.002  # in which two names are exchanged, if that is a style
OF_VERSIONS = 1 / 3  # of the sentences of the shorter one: two documents are versions of one text
SURE, FAIRLY_SURE = 0.95, 0.85


def steps() -> list[Step]:
    """Return the steps from `compared` to `verified`."""
    return [
        Sql("frames", FRAMES),
        Sql("running", RUNNING_FRAMES),
        Sql("repeated", REPEATED, keep=True),
        Sql("doubted", DOUBTED, keep=True),
        Sql("versions", VERSIONS),
        Sql("crowded", CROWDED),
        Sql("styles", STYLES),
        Sql("subjects", SUBJECTS),
        Sql("nearest", NEAREST),
        Sql("stock", STOCK, keep=True),
        Sql("either", EITHER),
        Sql("judged", JUDGED),
        Sql("verified", VERIFIED, keep=True),
    ]


DRIFTS = f"kind in ('{DRIFT}', '{VERSIONED}')"

FRAMES = f"""
select f.frame as frame from (
  select frame, filling_a as filling, a as sentence from {{compared}} where frame is not null
  union select frame, filling_b as filling, b as sentence from {{compared}} where frame is not null
) f join {{units}} u on u.sentence = f.sentence join {{documents}} d on d.doc = u.number
group by f.frame having count(distinct f.filling) >= {MANY_FILLINGS}
  or count(distinct f.filling) >= {SOME_FILLINGS} and count(distinct f.filling) = count(*)
    and count(distinct d.title) = count(*)
"""

# Frames that one document has several times, with whatever filling.
RUNNING_FRAMES = f"""
select distinct frame from (
  select f.frame as frame from (
    select frame, a as sentence from {{compared}} where {DRIFTS} and frame is not null
    union select frame, b from {{compared}} where {DRIFTS} and frame is not null
  ) f join {{copies}} c on c.first = f.sentence join {{units}} u on u.sentence = c.sentence
  group by f.frame having count(*) - count(distinct u.number) >= {RUNNING}
) r
"""

# The sentences of each document that have copies.
REPEATED = """
select distinct u.number as number, c.first as first
from {copies} c join {units} u on u.sentence = c.sentence
where c.first in (select first from {copies} where rank = 2)
"""

# Those of documents that may have drifted from others. These are a table, as one join of all three might
# compare all documents that have what very many have.
DOUBTED = f"""
select w.doc_a as doc_a, w.doc_b as doc_b, r.first as first from (
  select distinct doc_a, doc_b from {{compared}} where {DRIFTS} and alike >= 0
) w join {{repeated}} r on r.number = w.doc_a
"""

VERSIONS = f"""
select b.doc_a as doc_a, b.doc_b as doc_b from (
  select d.doc_a as doc_a, d.doc_b as doc_b, count(*) as sentences
  from {{doubted}} d join {{repeated}} r on r.first = d.first and r.number = d.doc_b
  group by d.doc_a, d.doc_b
) b
join (select number, count(*) as sentences from {{units}} group by number) x on x.number = b.doc_a
join (select number, count(*) as sentences from {{units}} group by number) y on y.number = b.doc_b
where b.sentences >= {OF_VERSIONS} * least(x.sentences, y.sentences)
"""

# Sentences that are like more than one other.
CROWDED = """
select sentence from (
  select a as sentence from {compared} where holds union all select b from {compared} where holds
) s group by sentence having count(*) > 1
"""

# The documents of every phrase that is passed on.
STOCK = f"""
select s.first as first, s.number as number, count(*) over (partition by s.first) as docs from (
  select distinct c.first as first, u.number as number
  from {{copies}} c join {{units}} u on u.sentence = c.sentence
  where c.first in (select first from {{copies}} where rank = {COPIES})
) s
"""

# Two of them that seldom stand together: one text has this, another that, for whatever reason.
# If the reason is a number, and there are many, it may be that each text has its own.
EITHER = """
select c.a as a, c.b as b,
  c.filling_a between '0' and ':' and c.filling_b between '0' and ':' as numbers
from {compared} c
join (select distinct first, docs from {stock}) p on p.first = c.a
join (select distinct first, docs from {stock}) q on q.first = c.b
left join (
  select n.a as a, n.b as b, count(*) as docs from {compared} n
  join {stock} x on x.first = n.a join {stock} y on y.first = n.b and y.number = x.number
  where n.frame is not null group by n.a, n.b
) t on t.a = c.a and t.b = c.b
where c.frame is not null and 2 * coalesce(t.docs, 0) < least(p.docs, q.docs)
"""

STYLES = f"""
select style from {{compared}} where style is not null group by style
having count(distinct frame) >= {MANY_FRAMES} and count(distinct frame) >= {SHARE_OF_FRAMES} * (
  select count(*) from {{compared}} where holds
)
"""

# Two values that two documents exchange more than once are what each of them is about.
SUBJECTS = f"""
select doc_a, doc_b, filling_a, filling_b from {{compared}}
where frame is not null and kind <> '{COPY_EDIT}' and doc_a <> doc_b
group by doc_a, doc_b, filling_a, filling_b having count(distinct frame) > 1
"""

# How near the nearest counterpart of a sentence is in a document, its own too; identical ones of others.
NEAREST = """
select sentence, doc, min(distance) as distance from (
  select a as sentence, doc_b as doc, distance from {compared} where holds
  union all select b, doc_a, distance from {compared} where holds
  union all select s.first, s.number, cast(0 as double) from (
    select c.first as first, u.number as number,
      max(case when c.sentence = c.first then u.number end) over (partition by c.first) as own
    from {copies} c join {units} u on u.sentence = c.sentence
  ) s where s.number <> s.own
) n group by sentence, doc
"""

# The documents are no versions of one text: drift only if each sentence is like the other alone.
STRANGE = f"c.kind = '{DRIFT}' and c.alike >= 0 and p.doc_a is null"

JUDGED = f"""
select c.a as a, c.b as b, s.style is not null as style,
  r.frame is not null or g.sentence is not null or h.sentence is not null
    or (f.frame is not null or t.doc_a is not null) and (
      not c.{DRIFTS} or e.a is null or e.numbers
    ) or c.kind = '{VERSIONED}' and p.doc_a is null as many,
  c.doc_a <> c.doc_b and e.a is null and c.distance > least(x.distance, y.distance,
    coalesce(v.distance, c.distance), coalesce(w.distance, c.distance)) as nearer
from {{compared}} c
left join {{frames}} f on f.frame = c.frame
left join {{running}} r on r.frame = c.frame and c.{DRIFTS}
left join {{versions}} p on p.doc_a = c.doc_a and p.doc_b = c.doc_b
left join {{crowded}} g on g.sentence = c.a and {STRANGE}
left join {{crowded}} h on h.sentence = c.b and {STRANGE}
left join {{styles}} s on s.style = c.style
left join {{subjects}} t on t.doc_a = c.doc_a and t.doc_b = c.doc_b and p.doc_a is null
  and t.filling_a = c.filling_a and t.filling_b = c.filling_b and c.{DRIFTS}
left join {{nearest}} x on x.sentence = c.a and x.doc = c.doc_b
left join {{nearest}} y on y.sentence = c.b and y.doc = c.doc_a
left join {{nearest}} v on v.sentence = c.a and v.doc = c.doc_a
left join {{nearest}} w on w.sentence = c.b and w.doc = c.doc_b
left join {{either}} e on e.a = c.a and e.b = c.b
where c.holds and c.frame is not null
"""

_COLUMNS = ", ".join(f"c.{name} as {name}" for name in MEASURES if name not in ("kind", "confidence"))
VERIFIED = f"""
select c.a as a, c.b as b, {_COLUMNS},
  case when j.style then '{COPY_EDIT}' when j.many or j.nearer then '{TEMPLATE}'
    when c.kind = '{VERSIONED}' then '{DRIFT}' else c.kind end as kind,
  case when j.style or j.many then {SURE} when j.nearer then {FAIRLY_SURE} else c.confidence end
    as confidence,
  c.frame as frame, c.filling_a as filling_a, c.filling_b as filling_b
from {{compared}} c left join {{judged}} j on j.a = c.a and j.b = c.b where c.holds
"""


def suggested(revisions: bool) -> list[Step]:
    """Return the steps from `verified`, `copies`, `units` and `sentences` to `suggestions`.

    Each page's revisions are by themselves then, and only what stands in its newest one is suggested.
    """
    stands = "d.doc in (select doc from {latest})" if revisions else "d.doc is not null"
    return [
        *([Sql("latest", LATEST)] if revisions else []),
        Sql("filled", FILLED, keep=True),
        Sql("drifted", DRIFTED),
        Sql("most", MOST),
        Sql("earliest", EARLIEST),
        Sql("suggestions", suggestions(stands)),
    ]


LATEST = """
select number as doc from (
  select number, row_number() over (partition by scope order by turn desc) as back from {turns}
) t where back = 1
"""

# every sentence of a frame with one gap, identical copies among them, with what stands there: where
# several places differ, it is another version, and nobody can say which of them is wrong
FILLED = f"""
select u.scope as scope, f.frame as frame, f.filling as filling, f.sentence as first,
  u.number as doc, u.ordinal as ordinal, m.start_at as since, m.end_at as until,
  case when m.start_at is not null then d.date end as date
from (
  select frame, a as sentence, filling_a as filling from {{verified}} where kind = '{DRIFT}'
  union select frame, b, filling_b from {{verified}} where kind = '{DRIFT}'
) f join {{copies}} c on c.first = f.sentence
join {{units}} u on u.sentence = c.sentence join {{documents}} d on d.doc = u.number
left join {{moments}} m on m.doc = u.number
where f.frame is not null and f.filling not like '%{SEVERAL}%'
"""

# What a sentence itself drifted from, and how sure that is: of 12, nine, and not twelve.
DRIFTED = f"""
select frame, sentence, filling, max(confidence) as confidence from (
  select frame, a as sentence, filling_b as filling, confidence from {{verified}} where kind = '{DRIFT}'
  union all select frame, b, filling_a, confidence from {{verified}} where kind = '{DRIFT}'
) v where frame is not null group by frame, sentence, filling
"""

MOST = """
select scope, frame, filling, sentences, newest, newest_since from (
  select scope, frame, filling, sentences, newest, newest_since, row_number() over (
      partition by scope, frame order by sentences desc, filling
    ) as place,
    lead(sentences) over (partition by scope, frame order by sentences desc, filling) as next
  from (
    select scope, frame, filling, count(*) as sentences, max(newest) as newest,
      max(since) as newest_since
    from (
      select scope, frame, filling, since, first_value(date) over (
          partition by scope, frame, filling order by since desc nulls last, doc, ordinal
        ) as newest
      from {filled}
    ) n group by scope, frame, filling
  ) c
) m where place = 1 and sentences > coalesce(next, 0)
"""

# Of those of one time, nobody had it first.
EARLIEST = """
select scope, frame, case when until <= coalesce(next, until) then doc end as doc, date from (
  select scope, frame, doc, date, until,
    lead(since) over (partition by scope, frame order by since, doc) as next,
    row_number() over (partition by scope, frame order by since, doc) as place
  from (
    select distinct scope, frame, doc, date, since, until from {filled} where since is not null
  ) d
) e where place = 1
"""


def suggestions(stands: str) -> str:
    """Return the statement for what is suggested; `stands` says of which documents.

    Of each text, it is what is surest, and the first of the places that have it. With `by_page`, texts
    of different pages are different ones, as their digests are.
    """
    return f"""
select s.cluster as cluster, f.filling as words, f.most_have as most_have, f.agreeing as agreeing,
  f.places as places, f.confidence as confidence,
  s.id as id, s.sentence as sentence, s.start_at as start_at, s.end_at as end_at, s.text as text,
  f.date as date, f.most_date as most_date, f.until <= f.most_since as stale, o.id as first_id,
  e.date as first_date, f.doc as doc
from (
  select f.scope as scope, f.frame as frame, f.filling as filling, v.confidence as confidence,
    f.doc as doc, f.ordinal as ordinal, m.filling as most_have, m.sentences as agreeing,
    m.newest as most_date, m.newest_since as most_since,
    count(*) over (partition by f.first, f.frame, f.filling) as places,
    first_value(f.date) over (
      partition by f.first, f.frame, f.filling order by f.since desc nulls last, f.doc, f.ordinal
    ) as date,
    first_value(f.until) over (
      partition by f.first, f.frame, f.filling order by f.since desc nulls last, f.doc, f.ordinal
    ) as until,
    row_number() over (
      partition by f.first order by v.confidence desc, m.sentences desc, f.frame, f.filling,
      f.doc, f.ordinal
    ) as place
  from {{filled}} f
  join {{most}} m on m.scope = f.scope and m.frame = f.frame and m.filling <> f.filling
  join {{drifted}} v on v.frame = f.frame and v.sentence = f.first and v.filling = m.filling
  join {{documents}} d on d.doc = f.doc
  where {stands}
) f
join {{sentences}} s on s.doc = f.doc and s.sentence = f.ordinal
left join {{earliest}} e on e.scope = f.scope and e.frame = f.frame
left join {{documents}} o on o.doc = e.doc
where f.place = 1
order by f.confidence desc, f.agreeing desc, s.cluster, f.doc, f.ordinal
"""


def chained() -> list[Step]:
    """Return the steps from `articles` to `chains`: documents that shared sentences connect."""
    both = "select doc_a as doc from {articles} union select doc_b from {articles}"
    nodes = f"""
select {number_by("n.doc")} as node, n.doc as doc
from {{sharing}} n join ({rows_before("{sharing}", part_of("doc"))}) p on p.part = {part_of("n.doc")}
order by 1
"""
    return [
        Sql("sharing", both),
        Sql("article_nodes", nodes, keep=True),
        Sql("article_edges", ARTICLE_EDGES),
        Cluster("linked", "article_nodes", "article_edges", "components"),
        Sql("chains", CHAINS),
    ]


ARTICLE_EDGES = """
select y.node as worse, x.node as better, cast(1 as double) as similarity
from {articles} a join {article_nodes} x on x.doc = a.doc_a join {article_nodes} y on y.doc = a.doc_b
order by 1, 2
"""

CHAINS = """
select k.doc as chain, d.id as id, d.title as title, c.others as others, c.sentences as sentences,
  count(*) over (partition by k.doc) as size, d.doc as doc
from {linked} l
join {article_nodes} n on n.node = l.node join {article_nodes} k on k.node = l.keeper
join {documents} d on d.doc = n.doc
join (
  select doc, count(*) as others, cast(sum(sentences) as bigint) as sentences from (
    select doc_a as doc, sentences from {articles} union all select doc_b, sentences from {articles}
  ) s group by doc
) c on c.doc = n.doc
order by size desc, chain, doc
"""
