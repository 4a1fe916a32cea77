"""What results of `passages` have: their tables and counts."""

from neardup.steps import declared
from neardup.steps.declared import OLD_DOCUMENTS, PAIRS, PAIRS_BY_KIND, PASSAGES
from neardup.tables import Count, Table, column, summed

BOILERPLATE = Count("boilerplate", "passages that very many documents share", "repeated")
SHARING = Count("documents_sharing", "documents that share text", "shares", "sources > 0")
FAMILIES = Count("families", "families of passages", "family_sizes")
OLD_SHARING = Count(
    "old_documents_sharing",
    "old documents that share text",
    "shares",
    "sources > 0 and old",
)
LISTED_PAIRS = Count("listed_pairs", "pairs that were listed", "listed")
LISTED_PAIRS_NOT_FOUND = Count(
    "listed_pairs_not_found",
    "listed pairs with a document that is not in the input",
    """{listed} l
  left join {known} x on x.alias = l.id_a left join {known} y on y.alias = l.id_b""",
    "x.doc is null or y.doc is null",
)
LISTED_PAIRS_NOT_COMPARABLE = Count(
    "listed_pairs_not_comparable",
    "listed pairs that do not name two documents to compare",
    """{listed} l
  join {known} x on x.alias = l.id_a join {known} y on y.alias = l.id_b
  left join {wanted} w on w.a = least(x.doc, y.doc) and w.b = greatest(x.doc, y.doc)""",
    "w.a is null",
)
KEPT_APART = Count(
    "pairs_kept_apart",
    "pairs not compared: the same value (exclude_same), or too far apart in time (within_days)",
    "kept_apart",
)
DISGUISED = Count(
    "disguised",
    "texts that mix alphabets within words, or have invisible or unusual letters in many, by name",
    """(select case when row_number() over (order by t.doc) <= 5 then d.id else '' end as name
from {texts} t join {numbers} n on n.doc = t.doc join {documents} d on d.doc = n.number
where t.disguised) x""",
    value="count(*)",
    by="name",
)
UNDATED = Count(
    "undated",
    "documents without a date that can be read",
    "{documents} d left join {moments} m on m.doc = d.doc",
    "m.start_at is null",
)
SENTENCES = Count("sentences", "sentences", "signatures", value=summed("sentences"))
UNSIGNED_SENTENCES = Count(
    "unsigned_sentences", "sentences without a signature", "signatures", value=summed("unsigned")
)

OF_SIDES = (OLD_DOCUMENTS.of("shares", "old"), OLD_SHARING)
OF_LISTED = (LISTED_PAIRS, LISTED_PAIRS_NOT_FOUND, LISTED_PAIRS_NOT_COMPARABLE)
OF_SENTENCES = (SENTENCES, UNSIGNED_SENTENCES)
COUNTS = (
    *declared.READ,
    PASSAGES,
    BOILERPLATE,
    PAIRS,
    PAIRS_BY_KIND,
    SHARING,
    FAMILIES,
    OLD_SHARING,
    *OF_LISTED,
    *OF_SENTENCES,
    *declared.OF_PROBES,
    declared.EXCLUDED,
    KEPT_APART,
    UNDATED,
    DISGUISED,
)

PAIRS_TABLE = Table(
    "pairs",
    "pair",
    "pairs that share passages",
    (
        declared.ID_A,
        declared.ID_B,
        column(
            "similarity",
            "double",
            "the share of both documents in common",
            "share",
            descending=True,
        ),
        column("containment_a", "double", "how much of a is verbatim in b", "share", descending=True),
        column("containment_b", "double", "how much of b is verbatim in a", "share", descending=True),
        column("rewritten_a", "double", "how much of a is rewritten in b", "share", descending=True),
        column("rewritten_b", "double", "how much of b is rewritten in a", "share", descending=True),
        column("kind", "string", "how the two are related", "category"),
        column("passages", "int64", "how many passages they share", descending=True),
        column("passage_similarity", "double", "the mean of the passages, weighted by words"),
        declared.DOC_A,
        declared.DOC_B,
    ),
    key=("doc_a", "doc_b"),
    order=("similarity", "doc_a", "doc_b"),
)
TABLES = (
    declared.documents_table(),
    PAIRS_TABLE,
    declared.PASSAGES_TABLE,
    Table(
        "shares",
        "document",
        "documents by how much of them is in others",
        (
            declared.ID,
            column(
                "share", "double", "the share of its words that others have", "share", descending=True
            ),
            column("verbatim", "double", "how much of that is word for word", "share", descending=True),
            column("rewritten", "double", "how much of that is rewritten", "share", descending=True),
            column("words", "int64", "how many words these are", descending=True),
            column("sources", "int64", "how many other documents have some of it", descending=True),
            column("best_source", "string", "the document that has most of it", "name"),
            column("best_share", "double", "how much this one alone has", "share", descending=True),
            declared.OLD_SIDE,
            declared.DOC,
            column("best_doc", "int64", "the number of the best source", "hidden"),
        ),
        key=("doc",),
        order=("old", "share", "sources", "doc"),
    ),
    Table(
        "boilerplate",
        "passage",
        "passages of boilerplate",
        declared.BOILERPLATE_COLUMNS,
        key=("doc", "start"),
        order=declared.BOILERPLATE_ORDER,
    ),
    Table(
        "families",
        "family",
        "families of passages",
        (
            column("family", "int64", "its number, from 1, those in most documents first"),
            column("documents", "int64", "how many documents have it", descending=True),
            column("witnesses", "int64", "how many places have it", descending=True),
            column("length", "int64", "characters of the longest", descending=True),
            column(
                "first_id",
                "string",
                "the document that is earlier than all others, null if none is or dates are missing",
                "name",
            ),
            column("first_title", "string", "its title", "text"),
            column(
                "first_date", "string", "the earliest date, also if several documents are of that time"
            ),
            column("last_date", "string", "the latest"),
        ),
        key=("family",),
    ),
    Table(
        "witnesses",
        "witness",
        "witnesses of families of passages",
        (
            column("family", "int64", "the number of the family"),
            column("place", "int64", "its number in the family, by date; undated ones last"),
            declared.ID,
            column("title", "string", "its title, null if it has none"),
            column("date", "string", "its date, null if it has none"),
            column("start", "int64", "where the passage begins, in characters"),
            column("end", "int64", "where it ends, excluded"),
            column("via", "string", "the earlier document that is most like it", "name"),
            column("via_similarity", "double", "how similar the two are"),
            column("depth", "int64", "through how many others it came from the first"),
            column("middle", "bool", "whether all of the family share a passage with this one"),
            declared.DOC,
        ),
        key=("family", "place"),
    ),
    declared.EXCLUDED_TABLE,
    declared.SKIPPED_TABLE,
)
