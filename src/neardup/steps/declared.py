"""What results of several methods have in common: the tables and the counts of their shared steps."""

from neardup.tables import Column, Count, Table, column, summed

# what was read
RECORDS = Count("records", "records in the input", "named")
SKIPPED = Count("skipped", "records skipped", "named", "problem is not null", by="problem")
IDS_GIVEN_TWICE = Count(
    "ids_given_twice",
    "documents with a repeated id, named by file and position instead",
    "named",
    "problem is null and given is not null and repeated",
)
DOCUMENTS = Count("documents", "documents compared", "copies")
OLD_DOCUMENTS = Count("old_documents", "old documents, among these", "copies", "old = 1")
UNREAD_DATES = Count(
    "unread_dates",
    "dates could not be read",
    """(select many, case when row_number() over (order by many desc, text) <= 3 then text else '' end
  as text
from (select d.date as text, count(*) as many
from {documents} d left join {moments} m on m.doc = d.doc
where d.date <> '' and m.start_at is null group by d.date) y) x""",
    value="cast(sum(many) as bigint)",
    by="text",
)
READ = (RECORDS, SKIPPED, IDS_GIVEN_TWICE, DOCUMENTS, OLD_DOCUMENTS, UNREAD_DATES)

# identical ones
IDENTICAL_COPIES = Count(
    "identical_copies", "texts identical to an earlier one", "copies", "doc <> first"
)
COPIES_WITH_FIRST_ONLY = Count(
    "copies_with_first_only", "identical texts listed with the first of a kind only", limit="max_copies="
)
COPIES = (IDENTICAL_COPIES, COPIES_WITH_FIRST_ONLY)

# candidates
KEYS_TOO_COMMON = Count(
    "keys_too_common",
    "keys in very many documents, which were each compared with only a few others",
    "shared",
    "too_long",
    limit="max_postings=",
)
CANDIDATES = Count("candidates", "candidates compared", "candidates")
CANDIDATES_VERIFIED = Count("candidates_verified", "candidates verified to be a pair", "verified")
CANDIDATES_LEFT_OUT = Count(
    "candidates_left_out",
    "candidates left out: documents with very many are compared with the best keepers only",
    "candidates",
    value=summed("left_out"),
    limit="max_pairs=",
)
STAYED_IN_CROWDS = Count(
    "stayed_in_crowds",
    "documents of such crowds that stay, although compared with only a few others",
    """(select distinct a as doc from {candidates} where left_out is not null) c
join {copies} x on x.doc = c.doc left join {clusters} m on m.doc = x.number
left join {documents} k on k.id = m.keeper_id""",
    "coalesce(k.same_as, x.number) = x.number",
    limit="max_postings=, max_pairs=",
)

# what was found
PAIRS = Count("pairs", "pairs", "pairs")
PAIRS_NOT_LISTED = Count(
    "pairs_not_listed",
    "pairs that are not listed, only counted",
    """(select a.pairs - p.listed as more
from {amount} a cross join (select count(*) as listed from {pairs}) p) n""",
    "more > 0",
    value="more",
    limit='pairs="all" lists them',
)
PAIRS_BY_KIND = Count("pairs", "pairs of a kind", "pairs", by="kind")
PASSAGES = Count("passages", "passages", "located")
CLUSTERS = Count("clusters", "clusters", "clusters", value="count(distinct cluster)")
DUPLICATES = Count(
    "duplicates",
    "documents that could be removed",
    "clusters",
    value="count(*) - count(distinct cluster)",
)
NOT_SIMILAR_TO_KEEPER = Count(
    "not_similar_to_keeper",
    "members that are not similar to their keeper, only to others of their cluster",
    "clusters",
    "similarity is null",
    limit='clusters="star" avoids this',
)
CLUSTER_SIZES = Count(
    "cluster_sizes", "clusters by size", "clusters", value="count(distinct cluster)", by="size"
)
OF_CLUSTERS = (CLUSTERS, DUPLICATES, NOT_SIMILAR_TO_KEEPER)

# units that were edited as far as two may differ, to see what share of such pairs a run finds
PROBES = Count("probes", "units edited up to the limit, to see if they are found", "probes")
PROBES_FOUND = Count("probes_found", "edited units found", "probes", value=summed("found"))
OF_PROBES = (PROBES, PROBES_FOUND)

# columns of two documents, and tables
ID = column("id", "string", "the document", "name")
ID_A = column("id_a", "string", "a document", "name")
ID_B = column("id_b", "string", "the other, later in the input", "name")
DOC = column("doc", "int64", "the document's number", "hidden")
DOC_A = column("doc_a", "int64", "the number of a", "hidden")
DOC_B = column("doc_b", "int64", "the number of b", "hidden")
OLD_SIDE = column("old", "bool", "with `against`: whether it is an old document", some=True)
SAME_AS = column(
    "same_as", "int64", "the first document that is identical to it, often itself", "hidden"
)
SIMILARITY = column("similarity", "double", "how similar the two are")
CONTAINMENT_A = column("containment_a", "double", "how much of a is in b", "share", descending=True)
CONTAINMENT_B = column("containment_b", "double", "how much of b is in a", "share", descending=True)
MEASURES = (SIMILARITY, CONTAINMENT_A, CONTAINMENT_B)
KIND = column(
    "kind", "string", "`identical` (the same words), `contained` or `near-duplicate`", "category"
)


def documents_table(*own: Column) -> Table:
    """Declare `documents`, with these columns behind those of any method."""
    columns = (
        column(
            "doc", "int64", "the document's number, from 0, in the order of files and records", "hidden"
        ),
        column("id", "string", "the id of the input, or `file#position`", "name"),
        column("source", "string", "the name of the file; `memory` for data in memory", "category"),
        column("position", "int64", "which record of the file, from 1; bad ones count"),
        column("length", "int64", "characters of the text", descending=True),
        column("title", "string", "as in the input, null if it has none"),
        column("url", "string", "as in the input, null if it has none"),
        column("date", "string", "as in the input, null if it has none", descending=True),
        *own,
        OLD_SIDE,
    )
    more = "the columns asked for with `columns`"
    return Table("documents", "document", "documents", columns, key=("doc",), more=more)


def pairs_table(*own: Column, more: str = "") -> Table:
    """Declare `pairs` of documents, with these columns between their ids and numbers."""
    columns = (ID_A, ID_B, *own, DOC_A, DOC_B)
    return Table("pairs", "pair", "verified pairs", columns, key=("doc_a", "doc_b"), more=more)


def rejected_table(*own: Column, more: str = "") -> Table:
    """Declare `rejected`, with these columns between ids and numbers."""
    return Table(
        "rejected",
        "near miss",
        "candidates that just missed being a pair",
        (ID_A, ID_B, *own, DOC_A, DOC_B),
        key=("similarity", "doc_a", "doc_b"),
        more=more,
    )


SKIPPED_TABLE = Table(
    "skipped",
    "record",
    "records that could not be used",
    (
        column("source", "string", "the file of the record", "category"),
        column("position", "int64", "which record of the file"),
        column("id", "string", "its id, if it could be read", "name"),
        column("problem", "string", "what is wrong", "category"),
        column("detail", "string", "more about it"),
    ),
    key=("source", "position"),
)
CLUSTERS_TABLE = Table(
    "clusters",
    "cluster",
    "clusters",
    (
        column("cluster", "int64", "the number of the cluster, from 0, in the order of first documents"),
        column("id", "string", "the member", "name"),
        column("keeper_id", "string", "the document of the cluster that stays", "name"),
        column("similarity", "double", "to the keeper; null where the two are not a pair"),
        column("lowest", "double", "the least similarity that holds the cluster together"),
        column("size", "int64", "how many members the cluster has", descending=True),
        column("doc", "int64", "the member's number", "hidden"),
    ),
    key=("cluster", "doc"),
    order=("size", "cluster"),
)
PLACES = (
    column("start", "int64", "where it begins, in characters"),
    column("end", "int64", "where it ends, excluded"),
)
BOILERPLATE_COLUMNS = (
    column("id", "string", "the first document that has it", "name"),
    *PLACES,
    column("documents", "int64", "how many documents have it, at least", descending=True),
    DOC,
)
BOILERPLATE_ORDER = ("documents", "doc", "start")
PASSAGES_TABLE = Table(
    "passages",
    "passage",
    "passages",
    (
        ID_A,
        column("start_a", "int64", "where it begins in a, in characters"),
        column("end_a", "int64", "where it ends in a, excluded"),
        ID_B,
        column("start_b", "int64", "where it begins in b"),
        column("end_b", "int64", "where it ends in b, excluded"),
        column("sentences", "int64", "how many sentences it has", descending=True),
        column("similarity", "double", "twice the common words ÷ the words of both sides"),
        column(
            "kind",
            "string",
            "`identical`, `edited`, `rewritten`, `summary` or `reference list`",
            "category",
        ),
        column("words", "int64", "how many words both sides have in common", descending=True),
        DOC_A,
        DOC_B,
    ),
    key=("doc_a", "doc_b", "start_a", "start_b"),
)
PAIRS_TABLE = pairs_table(*MEASURES, more="what else the method says")
BASIC_TABLES = (documents_table(), pairs_table(SIMILARITY, more="any"), SKIPPED_TABLE)

# what does not count
EXCLUDED_KINDS = ("excluded text", "quotation", "quotation, cited", "references")
EXCLUDED = Count("excluded", "parts of texts that are excluded", "excluded_spans")
EXCLUDED_TABLE = Table(
    "excluded",
    "part",
    "parts of texts that do not count",
    (
        ID,
        column("start", "int64", "where it begins, in characters"),
        column("end", "int64", "where it ends, excluded"),
        column("kind", "string", f"`{'`, `'.join(EXCLUDED_KINDS)}`", "category"),
        DOC,
    ),
    key=("doc", "start"),
    asked="exclude=, exclude_quoted=True or exclude_bibliography=True",
)
