"""What results of `decontaminate` have: their counts."""

from neardup.steps.declared import DOCUMENTS, IDS_GIVEN_TWICE, PAIRS, PAIRS_BY_KIND, RECORDS, SKIPPED
from neardup.tables import Count

DOCUMENTS_WITH_ITEMS = Count(
    "documents_with_items", "documents with test items", "pairs", value="count(distinct doc_a)"
)
ITEMS = Count("items", "test items", "items")
ITEMS_FOUND = Count("items_found", "test items found", "items", "documents > 0")
ITEMS_NOT_SEARCHED = Count(
    "items_not_searched", "test items not searched", "items", "status <> 'searched'", by="status"
)
BOILERPLATE = Count("boilerplate", "runs of words that very many items share", "boilerplate")

COUNTS = (
    RECORDS,
    SKIPPED,
    IDS_GIVEN_TWICE,
    DOCUMENTS,
    DOCUMENTS_WITH_ITEMS,
    ITEMS,
    ITEMS_FOUND,
    ITEMS_NOT_SEARCHED,
    PAIRS,
    PAIRS_BY_KIND,
    BOILERPLATE,
)
