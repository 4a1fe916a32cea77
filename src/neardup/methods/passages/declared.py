"""What results of `passages` have: their counts."""

from neardup.steps import declared
from neardup.steps.declared import OLD_DOCUMENTS, PAIRS, PAIRS_BY_KIND, PASSAGES
from neardup.tables import Count, summed

BOILERPLATE = Count("boilerplate", "passages that very many documents share", "repeated")
SHARING = Count("documents_sharing", "documents that share text", "shares", "sources > 0")
OLD_SHARING = Count(
    "old_documents_sharing",
    "documents of --against that share text",
    "shares",
    "sources > 0 and old",
)
LISTED_PAIRS = Count("listed_pairs", "pairs listed in --pairs", "listed")
LISTED_PAIRS_NOT_FOUND = Count(
    "listed_pairs_not_found",
    "listed pairs that name a document which is not in the input",
    """{listed} l
  left join {known} x on x.alias = l.id_a left join {known} y on y.alias = l.id_b""",
    "x.doc is null or y.doc is null",
)
LISTED_PAIRS_NOT_COMPARABLE = Count(
    "listed_pairs_not_comparable",
    "listed pairs that are not of two documents to compare",
    """{listed} l
  join {known} x on x.alias = l.id_a join {known} y on y.alias = l.id_b
  left join {wanted} w on w.a = least(x.doc, y.doc) and w.b = greatest(x.doc, y.doc)""",
    "w.a is null",
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
    OLD_SHARING,
    *OF_LISTED,
    *OF_SENTENCES,
)
