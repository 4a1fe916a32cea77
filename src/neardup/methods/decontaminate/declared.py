"""What results of `decontaminate` have: their tables and counts."""

from neardup.methods.decontaminate.settings import FIELDS, KINDS
from neardup.steps import declared
from neardup.steps.declared import DOCUMENTS, IDS_GIVEN_TWICE, PAIRS, PAIRS_BY_KIND, RECORDS, SKIPPED
from neardup.tables import Count, Table, column

DOCUMENTS_WITH_ITEMS = Count(
    "documents_with_items", "documents with test items", "pairs", value="count(distinct doc_a)"
)
ITEMS = Count("items", "test items", "items")
ITEMS_FOUND = Count("items_found", "test items found", "items", "documents > 0")
NOT_SEARCHED = "status not in ('clean', 'dirty')"
ITEMS_NOT_SEARCHED = Count(
    "items_not_searched", "test items not searched", "items", NOT_SEARCHED, by="status"
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
    *declared.OF_PROBES,
)

BENCHMARK = column("benchmark", "string", "the benchmark of the item", "category")
SOURCE = column("source", "string", "the file of the document", "category")
FOUND = column("kind", "string", f"how it differs: {', '.join(KINDS)}", "category")
LIKENESS = column("similarity", "double", "1 minus the weight of what differs")
TABLES = (
    declared.documents_table(),
    Table(
        "pairs",
        "pair",
        "documents and the test items in them",
        (
            column("id_a", "string", "the document", "name"),
            column("id_b", "string", "the test item", "name"),
            BENCHMARK,
            column("fields", "string", f"what was found: {', '.join(FIELDS)}", "category"),
            FOUND,
            LIKENESS,
            *declared.PLACES,
            column("places", "int64", "in how many places the item is", descending=True),
            SOURCE,
            column("doc_a", "int64", "the number of the document", "hidden"),
            column("doc_b", "int64", "the number of the item", "hidden"),
        ),
        key=("doc_a", "start", "doc_b"),
    ),
    Table(
        "matches",
        "match",
        "fields of test items found in documents",
        (
            declared.ID,
            column("item", "string", "the test item", "name"),
            BENCHMARK,
            column("occurrence", "int64", "which place of the item, from 0"),
            column("field", "string", f"which field: {', '.join(FIELDS)}", "category"),
            FOUND,
            LIKENESS,
            *declared.PLACES,
            SOURCE,
            declared.DOC,
            column("item_number", "int64", "the number of the item", "hidden"),
        ),
        key=("doc", "start", "item_number", "occurrence"),
    ),
    Table(
        "items",
        "item",
        "test items",
        (
            column("id", "string", "the test item", "name"),
            BENCHMARK,
            *(column(field, "string", f"its {field}") for field in FIELDS),
            column("words", "int64", "how many words it has", descending=True),
            column(
                "status", "string", "`clean`, `dirty` (it was found), or why not searched", "category"
            ),
            column("documents", "int64", "how many documents it is in", descending=True),
            column("similarity", "double", "the highest similarity in any of them", descending=True),
            column("item", "int64", "its number", "hidden"),
        ),
        key=("item",),
    ),
    Table(
        "benchmarks",
        "benchmark",
        "benchmarks",
        (
            column("benchmark", "string", "the benchmark", "name"),
            column("items", "int64", "how many items it has", descending=True),
            column("searched", "int64", "how many were searched", descending=True),
            column("found", "int64", "how many were found", descending=True),
            *(column(f, "int64", f"items found by their {f}", descending=True) for f in FIELDS),
            *(
                column(kind, "int64", f"items of the kind {kind}, at best", descending=True)
                for kind in KINDS
            ),
            column("documents", "int64", "documents that have any", descending=True),
        ),
        key=("benchmark",),
        order=("found", "benchmark"),
    ),
    Table(
        "sources",
        "source",
        "sources of training data with test items",
        (
            column("source", "string", "a file of training data", "name"),
            BENCHMARK,
            column("items", "int64", "how many of its items are in it", descending=True),
            column("documents", "int64", "in how many documents", descending=True),
        ),
        key=("source", "benchmark"),
        order=("items", "source", "benchmark"),
    ),
    Table(
        "boilerplate",
        "run",
        "runs of words that very many items share",
        (
            column("text", "string", "the words"),
            column("items", "int64", "how many items have them", descending=True),
            column("item", "string", "the first of these", "name"),
        ),
        key=("items", "text"),
    ),
    declared.SKIPPED_TABLE,
)
