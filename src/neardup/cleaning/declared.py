"""The tables of a cleaned corpus, and what is counted."""

from neardup.steps.declared import (
    DOC,
    DOCUMENTS,
    IDS_GIVEN_TWICE,
    PLACES,
    RECORDS,
    SKIPPED,
    SKIPPED_TABLE,
    documents_table,
)
from neardup.tables import Count, Table, column, summed

LEDGER = Table(
    "ledger",
    "change",
    "records and text that were removed",
    (
        column("stage", "string", "the stage of the recipe", "category"),
        column("action", "string", "`dropped`: the whole record; `cut`: a part of its text", "category"),
        column("reason", "string", "what it is to its keeper, such as `near-duplicate`", "category"),
        column("id", "string", "the record", "name"),
        column("source", "string", "its file", "category"),
        column("position", "int64", "which record of the file, from 1"),
        *PLACES,
        column("characters", "int64", "how many characters this removed", descending=True),
        column("keeper_id", "string", "the record that stayed instead, at this stage", "name"),
        column("keeper_start", "int64", "where the same text begins in it"),
        column("keeper_end", "int64", "where it ends, excluded"),
        column("similarity", "double", "to the keeper; null where the two are not a pair"),
        DOC,
    ),
    key=("doc",),
)
FLOW = Table(
    "flow",
    "stage of a source",
    "stages",
    (
        column("number", "int64", "the number of the stage, from 1", "hidden"),
        column("stage", "string", "the stage of the recipe", "category"),
        column("source", "string", "a file of the input", "category"),
        column("records_before", "int64", "records that came to the stage"),
        column("dropped", "int64", "records dropped", descending=True),
        column("changed", "int64", "records with a part of their text cut that are left"),
        column("records_after", "int64", "records that were left"),
        column("characters_before", "int64", "characters that came to the stage"),
        column("characters_gone", "int64", "characters removed", descending=True),
        column("characters_after", "int64", "characters that were left"),
    ),
    key=("number", "source"),
)
KEPT_TABLE = Table(
    "kept",
    "record",
    "records that stay",
    (
        column("id", "string", "the record", "name"),
        column("source", "string", "its file", "category"),
        column("position", "int64", "which record of the file, from 1"),
        column("cluster_size", "int64", "how many records it stands for, including itself"),
        column(
            "commonness",
            "double",
            "the mean share of its runs of four words in what is left; null unless it is added",
        ),
        DOC,
    ),
    key=("doc",),
    order=("cluster_size", "doc"),
)
SHOWN = Table(
    "shown",
    "example",
    "examples of what each stage took",
    (
        column("stage", "string", "the stage of the recipe", "category"),
        column("reason", "string", "why", "category"),
        column("id", "string", "the record", "name"),
        column("text", "string", "what was removed, or how it begins"),
        column("keeper_id", "string", "the record that stayed instead", "name"),
        column("keeper_text", "string", "what stayed there, or how it begins"),
    ),
    key=("stage", "id", "text"),
)
TABLES = (LEDGER, FLOW, KEPT_TABLE, SHOWN, documents_table(), SKIPPED_TABLE)

CHARACTERS = Count("characters", "characters of their texts", "documents", value=summed("length"))
DROPPED = Count("dropped", "records dropped", "ledger", "action = 'dropped'")
DROPPED_BY = Count("dropped", "records dropped by", "ledger", "action = 'dropped'", by="stage")
CHANGED = Count("changed", "records kept, with a part of their text cut")
GONE = Count("characters_gone", "characters removed", "ledger", value=summed("characters"))
GONE_BY = Count(
    "characters_gone", "characters removed by", "ledger", value=summed("characters"), by="stage"
)
KEPT = Count("kept", "records kept")
CHARACTERS_KEPT = Count("characters_kept", "characters kept", value=summed("u.length"))
COUNTS = (
    *(RECORDS, SKIPPED, IDS_GIVEN_TWICE, DOCUMENTS, CHARACTERS, DROPPED, DROPPED_BY, CHANGED),
    *(GONE, GONE_BY, KEPT, CHARACTERS_KEPT),
)
