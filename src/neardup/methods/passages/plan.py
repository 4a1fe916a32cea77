"""passages: partial duplicates, located to the character.

Documents that share rare runs of words (`proposals`) are aligned word by word (`align`); or, as in
Zhang et al. (2010), sentences with equal signatures are matched and their runs reported
(`by_sentences`). Both write the table `found`; the rest is the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

import pyarrow as pa

from neardup.errors import InputError
from neardup.methods.passages import by_sentences, families, given, probes, proposals, shares
from neardup.methods.passages import declared as own
from neardup.methods.passages.align import HITS, TEXT, Align, CountedWords, FindHits, ShowBoilerplate
from neardup.methods.passages.apart import COLUMNS, Apart, without
from neardup.methods.passages.proposals import KEPT, MARKS, KeptRuns, MarkRuns
from neardup.methods.passages.settings import AUTO_OF_LARGE, SMALL_CORPUS, PassageSettings
from neardup.methods.passages.tables import BOILERPLATE, FOUND, texts_schema
from neardup.methods.passages.texts import MakeTexts
from neardup.plan import Fold, Map, Plan, Sides, Sql, Step
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.signatures.winnowing import Winnowing
from neardup.steps import declared, exclusions, facts, moments, naming
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.counters import counters_size
from neardup.steps.exclusions import SPANS, Excluding
from neardup.steps.naming import users_names

WHOLE = 0.8  # the share of a document that counts as all of it
EDITED = 0.8  # the lowest similarity of a passage that is not rewritten
OVERLAP = 1.25  # how much longer parts may be than what they make up together
SOFT_GAP = 4
REFERENCE_LIST = "reference list"  # the kind of a passage, and of a pair that has no other
UNIT = 1_000_000_000
ALIASES = pa.schema([("alias", pa.string()), ("doc", pa.int64()), ("rank", pa.int64())])

NOTES = {
    "texts": "read every record, split it into words and sentences; a problem is a row too",
    "counts": "how many documents have a run of words, roughly",
    "kept": "the kept runs of each document that another one may have too, and their places",
    "keys": "one row a document and kept run",
    "shared": "how much the rare runs that each two documents share are worth",
    "proposed": "the pairs that share enough of them",
    "frequent": "those that perhaps very many documents share",
    "common": "the runs that very many documents share: boilerplate",
    "marks": "the kept runs without those of boilerplate, in the order of their hashes",
    "hits": "where both have the same run of words, if hits lie together",
    "words": "how often each word occurs: rare ones say more",
    "found": "the passages of each pair, located",
    "probes": "copies of stretches with words exchanged: how many of them would be found?",
    "passages": "the same, with the users' ids",
    "pairs": "how much of each document is covered, and what that makes of the pair",
    "shares": "how much of each document stands in others, all of them together",
    "facts": "what was read, skipped, capped and found",
}


@dataclass(frozen=True)
class Task:
    """What is compared: how many counters it is worth, what is old, if pairs are listed.

    Or, if that is `given`, what old documents that are not read have in common.
    """

    counters: int = 1 << 20
    against: Against = EVERYTHING
    listed: bool = False
    given: bool = False

    @property
    def is_all(self) -> bool:
        """Return whether all that is compared is read, and compared with all."""
        return not (self.listed or self.given)


def resolved(settings: PassageSettings, size: int) -> PassageSettings:
    """Return the settings with nothing left open: as they are for input of this size in bytes."""
    if settings.by_sentences:
        return by_sentences.resolved(settings)
    auto_of_large = settings.signature == "auto" and size > SMALL_CORPUS
    return replace(
        settings,
        signature=str(AUTO_OF_LARGE if auto_of_large else settings.kind),
        min_sentences=settings.min_sentences or 1,
        max_gap=SOFT_GAP if settings.max_gap is None else settings.max_gap,
    )


def plan(settings: PassageSettings, records: pa.Schema, task: Task) -> Plan:
    """Return the plan for records of this schema; nothing is open in the settings."""
    excluding, apart = Excluding.asked(settings), Apart.asked(settings)
    schema = texts_schema(records, *([SPANS] if excluding else []), *(COLUMNS if apart else []))
    language = None if settings.language == "auto" and not settings.by_sentences else settings.language
    make = MakeTexts(language, schema, excluding, apart)
    holds = language is not None or apart is not None or settings.exclude_quoted
    sides = excluding.sides if excluding else ()
    steps: list[Step] = [
        *(excluding.before() if excluding else []),
        Map("texts", "records", make, schema, sides, holds_gil=holds or settings.exclude_bibliography),
        naming.parts("texts"),
        Sql("numbers", naming.numbered("texts"), keep=True),
        *naming.steps("texts", "numbers", records, task.against.named("c.doc")),
        *moments.steps(),
        *(listed_steps(task.against.boundary) if task.listed else []),
        *(
            by_words(settings, settings.kind, task)
            if isinstance(settings.kind, Winnowing)
            else by_sentences.steps(settings, task.against.boundary, task.listed)
        ),
        *(exclusions.steps("texts") if excluding else []),
        Sql("located", LOCATED, keep=True),
        Sql("passages", PASSAGES),
        *shares.counted_words(settings),
        Sql("covered", COVERED, keep=True),
        Sql(
            "parts",
            PARTS,
        ),
        Sql(
            "pairs",
            PAIRS,
        ),
        *shares.steps(task.against),
        *families.steps(),
        Sql("boilerplate", REPEATED),
        facts.step(
            declared.DOCUMENTS.of("numbers"),
            declared.UNREAD_DATES,
            declared.PASSAGES,
            own.BOILERPLATE,
            declared.PAIRS,
            declared.PAIRS_BY_KIND,
            own.SHARING,
            own.FAMILIES,
            own.DISGUISED,
            *(own.OF_SIDES if task.against.is_given else ()),
            *([declared.EXCLUDED] if excluding else ()),
            *([own.KEPT_APART] if apart else ()),
            *([own.UNDATED] if settings.within_days is not None else ()),
            *(own.OF_LISTED if task.listed else ()),
            *(own.OF_SENTENCES if settings.by_sentences else ()),
            *(declared.OF_PROBES if task.is_all and not settings.by_sentences else ()),
        ),
    ]
    more = [*(["listed"] if task.listed else []), *(["base"] if settings.exclude is not None else [])]
    more += given.NAMES if task.given else ()
    tables = [table for table in own.TABLES if excluding or table != declared.EXCLUDED_TABLE]
    return Plan("passages", ("records", "files", *more), tuple(steps), (*tables, "facts"), NOTES)


def by_words(settings: PassageSettings, winnowing: Winnowing, task: Task) -> list[Step]:
    """Return the steps from `texts` to `found` and `repeated`, by runs of words."""
    least = settings.min_length, settings.min_sentences or 1
    align = Align(*least, settings.max_gap or 0, settings.soft)
    before = listed_marks(winnowing)
    words: Step = Fold("words", "texts", partial(CountedWords, settings.excludes))
    after: list[Step] = [Sql("repeated", NOTHING_REPEATED)]
    if task.given:
        words = Fold("words", "all_words", given.GivenWords)
    if not task.listed:
        show = ShowBoilerplate(winnowing, settings.min_length)
        boundary = task.against.boundary
        before = [
            *(
                given.steps(winnowing)
                if task.given
                else proposals.steps(settings, winnowing, task.counters, boundary)
            ),
            Sql("common_firsts", "select distinct doc from {common} order by doc"),
        ]
        after = [
            Map(
                "repeated", "texts", show, BOILERPLATE, sides=("boilerplate_keys",), only="common_firsts"
            ),
            *(probes.steps(align, winnowing) if task.is_all else ()),
        ]
    pairs, docs = ("wanted", "wanted_docs") if task.listed else ("proposed", "numbers")
    within = f" union all select doc as a, doc as b from {{{docs}}}" if settings.within else ""
    statement = f"select a, b from {{{pairs}}}{within} order by 1, 2"
    if apart := Apart.asked(settings):
        before = [*before, Sql("kept_apart", apart.kept(pairs), keep=True)]
        statement = f"{without(pairs, 'r.a as a, r.b as b')}{within} order by 1, 2"
    hits = FindHits(least=1) if task.listed else FindHits()
    return [
        *before,
        Sql("candidates", statement),
        Map(
            "hits",
            "candidates",
            hits,
            HITS,
            lookup="marks",
            lookup_columns=("marks", "common"),
            lookup_keys=("a", "b"),
            task_rows=2048,
        ),
        words,
        Map(
            "found",
            "hits",
            align,
            FOUND,
            sides=("words",),
            lookup="texts",
            lookup_columns=TEXT,
            lookup_keys=("a", "b"),
            task_rows=2048,
        ),
        *after,
    ]


def listed_marks(winnowing: Winnowing) -> list[Step]:
    """Return the steps from the pairs that the user listed to the marks of their documents."""
    return [
        Sql("wanted_docs", WANTED_DOCS),
        Map("kept", "texts", KeptRuns(winnowing), KEPT, only="wanted_docs"),
        Map("marks", "kept", MarkRuns(winnowing), MARKS),
    ]


def listed_steps(boundary: int | None) -> list[Step]:
    """Return the steps from the pairs that the user listed to `wanted`, pairs of documents."""
    across = ""
    if boundary is not None:
        across = f" and least(x.doc, y.doc) < {boundary} and greatest(x.doc, y.doc) >= {boundary}"
    return [
        Map("aliases", "documents", Aliases(), ALIASES),
        Sql("known", KNOWN_NAMES),
        Sql("wanted", WANTED + across),
    ]


@dataclass(frozen=True)
class Aliases:
    """Lists the names by which a document may be called: its id, its file, and the file's own name."""

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return the rows (alias, doc, rank); the id itself has the best rank."""
        rows = zip(*(batch[name].to_pylist() for name in ("doc", "id", "source")), strict=True)
        aliases = [
            {"alias": alias, "doc": doc, "rank": 0 if alias == given else 1}
            for doc, given, source in rows
            for alias in sorted({given, source, PurePosixPath(source).name, PurePosixPath(given).name})
        ]
        return pa.RecordBatch.from_pylist(aliases, schema=ALIASES)


# A name that several documents have is none, unless it is the id of one.
KNOWN_NAMES = """
select a.alias as alias, n.doc as doc
from (
  select alias, min(doc) as number
  from (
    select alias, doc, rank, min(rank) over (partition by alias) as best from {aliases}
  ) r where rank = best group by alias having count(*) = 1
) a
join {numbers} n on n.number = a.number
"""

WANTED = """
select distinct least(x.doc, y.doc) as a, greatest(x.doc, y.doc) as b
from {listed} l join {known} x on x.alias = l.id_a join {known} y on y.alias = l.id_b
where x.doc <> y.doc"""

WANTED_DOCS = """
select k.doc as doc from {listed} l join {known} k on k.alias = l.id_a
union select k.doc as doc from {listed} l join {known} k on k.alias = l.id_b
order by doc
"""

NOTHING_REPEATED = """
select doc, doc as start_at, doc as end_at, doc as documents from {numbers} where 1 = 0
"""

# What is there word for word, or nearly so, is told apart from what is rewritten or summed up.
LOCATED = f"""
select x.number as doc_a, y.number as doc_b, f.start_a as start_a, f.end_a as end_a,
  f.start_b as start_b, f.end_b as end_b, f.sentences as sentences, f.similarity as similarity,
  case when f.references then '{REFERENCE_LIST}'
    when f.summary then 'summary' when f.same_words then 'identical'
    when f.similarity >= {EDITED} then 'edited' else 'rewritten' end as kind,
  f.same_words or (f.similarity >= {EDITED} and not f.summary) as verbatim, f.references as listed,
  f.words as words, f.matched_a as matched_a, f.matched_b as matched_b
from {{found}} f join {{numbers}} x on x.doc = f.a join {{numbers}} y on y.doc = f.b
"""

PASSAGES = """
select a.id as id_a, l.start_a as start_a, l.end_a as end_a,
  b.id as id_b, l.start_b as start_b, l.end_b as end_b,
  l.sentences as sentences, l.similarity as similarity, l.kind as kind,
  l.words as words, l.doc_a as doc_a, l.doc_b as doc_b
from {located} l join {documents} a on a.doc = l.doc_a join {documents} b on b.doc = l.doc_b
order by doc_a, doc_b, start_a, start_b, end_a, end_b
"""

# Numbers that are not whole are summed in billionths: such a sum does not depend on its order.
COVERED = f"""
select c.doc_a as doc_a, c.doc_b as doc_b, c.passages as passages, c.verbatim as verbatim,
  c.listed as listed, c.similarity as similarity, a.words as words_a, b.words as words_b,
  cast(x.verbatim as double) / a.words as in_a, cast(y.verbatim as double) / b.words as in_b,
  cast(x.rewritten as double) / a.words as rewritten_a,
  cast(y.rewritten as double) / b.words as rewritten_b,
  cast(x.verbatim + x.rewritten + y.verbatim + y.rewritten as double) / (a.words + b.words) as shared
from (
  select doc_a, doc_b, count(*) as passages, count(case when verbatim then 1 end) as verbatim,
    count(case when listed then 1 end) as listed,
    cast(sum(parts * words) as double) / ({UNIT} * sum(words)) as similarity
  from (
    select doc_a, doc_b, words, verbatim, listed, cast(floor(similarity * {UNIT}) as bigint) as parts
    from {{located}}
  ) p group by doc_a, doc_b
) c
join {{matched}} x on x.doc = c.doc_a and x.other = c.doc_b and x.side = 0
join {{matched}} y on y.doc = c.doc_b and y.other = c.doc_a and y.side = 1
join {{counted}} a on a.doc = c.doc_a join {{counted}} b on b.doc = c.doc_b
"""

# How many documents each one holds as a whole, how much of it they make up together, and how much if
# none overlapped another: near-copies of one and the same part are not its parts.
PARTS = f"""
select whole, count(distinct part) as parts, cast(sum(share) as double) / {UNIT} as apart,
  cast(sum(greatest(end_at - greatest(start_at, reached), 0)) as double) / max(size) as together
from (
  select whole, part, size, share, start_at, end_at,
    coalesce(max(end_at) over (partition by whole order by start_at, end_at, part
      rows between unbounded preceding and 1 preceding), 0) as reached
  from (
    select c.doc_b as whole, c.doc_a as part, d.length as size, l.start_b as start_at,
      l.end_b as end_at, cast(floor(c.in_b / c.verbatim * {UNIT}) as bigint) as share
    from {{covered}} c join {{located}} l on l.doc_a = c.doc_a and l.doc_b = c.doc_b
    join {{documents}} d on d.doc = c.doc_b
    where c.in_a >= {WHOLE} and c.in_b < {WHOLE} and l.verbatim
    union all
    select c.doc_a, c.doc_b, d.length, l.start_a, l.end_a,
      cast(floor(c.in_a / c.verbatim * {UNIT}) as bigint)
    from {{covered}} c join {{located}} l on l.doc_a = c.doc_a and l.doc_b = c.doc_b
    join {{documents}} d on d.doc = c.doc_a
    where c.in_b >= {WHOLE} and c.in_a < {WHOLE} and l.verbatim
  ) s
) p group by whole
"""

PAIRS = f"""
select a.id as id_a, b.id as id_b, c.shared as similarity,
  c.in_a as containment_a, c.in_b as containment_b,
  c.rewritten_a as rewritten_a, c.rewritten_b as rewritten_b,
  case when c.in_a >= {WHOLE} and c.in_b >= {WHOLE} then 'near-duplicate'
    when c.listed = c.passages and greatest(c.in_a, c.in_b) < {WHOLE} then '{REFERENCE_LIST}'
    when c.verbatim = 0 then 'rewritten'
    when greatest(c.in_a, c.in_b) < {WHOLE} then 'partial quotation'
    when p.parts = 1 or p.apart > {OVERLAP} * p.together then 'contained'
    when p.together >= {WHOLE} then 'multiple pages' else 'collection' end as kind,
  c.passages as passages, c.similarity as passage_similarity, c.doc_a as doc_a, c.doc_b as doc_b
from {{covered}} c
left join {{parts}} p on p.whole = case when c.in_a >= {WHOLE} then c.doc_b else c.doc_a end
join {{documents}} a on a.doc = c.doc_a join {{documents}} b on b.doc = c.doc_b
order by doc_a, doc_b
"""

REPEATED = """
select d.id as id, r.start_at as start_at, r.end_at as end_at, r.documents as documents, d.doc as doc
from {repeated} r join {numbers} n on n.doc = r.doc join {documents} d on d.doc = n.number
order by doc, start_at
"""


def job(
    source: Source,
    settings: PassageSettings,
    run: RunSettings,
    against: Against = EVERYTHING,
    listed: pa.Table | None = None,
    told: given.Given | None = None,
) -> Job:
    """Plan `passages`: of new documents with old ones, of the listed pairs.

    Where only some of the old ones are read, it is `told` what follows from all of them.
    """

    size = size_of(source)
    settings = resolved(settings, size)
    counters = counters_size(run.summary_memory, size)
    task = Task(counters, against, listed is not None, told is not None)
    tables = ({} if listed is None else {"listed": listed}) | ({} if told is None else told.tables())
    return Job(
        plan(settings, source.schema, task),
        source,
        settings.as_dict(),
        users_names(source.schema),
        tables | exclusions.base_tables(settings, source),
        check_listed,
        against=against,
    )


def check_listed(counts: Mapping[str, int]) -> None:
    """Refuse a result for pairs of which none is known."""
    listed = counts.get(own.LISTED_PAIRS, 0)
    if listed and counts[own.LISTED_PAIRS_NOT_FOUND] == listed:
        raise InputError(
            f"none of the {listed:,} listed pairs names two documents",
            hint="Write two ids or file names a line, as documents are called in the input.",
        )
