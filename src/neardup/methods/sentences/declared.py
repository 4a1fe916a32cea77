"""What results of `sentences` have: their tables and counts."""

from neardup.steps import declared
from neardup.steps.declared import (
    CANDIDATES,
    COPIES_WITH_FIRST_ONLY,
    IDENTICAL_COPIES,
    PAIRS,
    PAIRS_BY_KIND,
)
from neardup.tables import Count, Table, column, summed

IN_CLUSTERS = "cluster is not null"
LARGE_CLUSTERS = "size > 1"

SENTENCES = Count("sentences", "sentences compared", "copies")
TOO_SHORT = Count("sentences_too_short", "sentences too short", "texts", value=summed("too_short"))
TOO_LONG = Count("sentences_too_long", "sentences too long", "texts", value=summed("too_long"))
TOO_DEEP = Count(
    "sentences_too_deep",
    "sentences left out, too far down their document",
    "texts",
    value=summed("too_deep"),
)
UNDER_DEEPER_HEADINGS = Count(
    "sentences_under_deeper_headings",
    "sentences left out, under headings of lower levels",
    "texts",
    value=summed("too_nested"),
)
BUCKETS_TOO_LARGE = Count(
    "buckets_too_large",
    "buckets of very many sentences, which were each compared with only a few others",
    "shared",
    "too_long",
    limit="max_bucket=",
)
CLUSTERS_TOO_LARGE = Count(
    "clusters_too_large",
    "clusters of very many sentences, where only pairs with a common signature were compared",
    value="count(distinct keeper)",
    limit='grouping="verified" avoids this',
)
DOCUMENT_PAIRS = Count("document_pairs", "pairs of documents with similar sentences", "articles")
DOCUMENT_PAIRS_OVER_50 = Count(
    "document_pairs_over_50",
    "pairs of documents with over 50 similar sentences",
    "articles",
    "sentences > 50",
)
DOCUMENTS_IN_CLUSTERS = Count(
    "documents_in_clusters",
    "documents with sentences in clusters",
    "sentences",
    IN_CLUSTERS,
    value="count(distinct doc)",
)
DIFFERENT_IN_CLUSTERS = Count(
    "different_in_clusters",
    "different sentences in clusters",
    "sentences",
    IN_CLUSTERS,
    value="count(distinct text)",
)
SUGGESTIONS = Count("suggestions", "suggestions for editors", "suggestions")
CHAINS = Count(
    "chains", "chains of documents that share sentences", "chains", value="count(distinct chain)"
)
EDITS = Count("changes", "changes from a revision to the next", "changes")
CLUSTERS = Count("clusters", "clusters", "members", LARGE_CLUSTERS, value="count(distinct keeper)")
CLUSTERS_BY_KIND = Count("clusters", "clusters of a kind", "kinds", by="kind")
SENTENCES_IN_CLUSTERS = Count(
    "sentences_in_clusters", "sentences in clusters", "members", LARGE_CLUSTERS
)
NOT_COMPARED_WITH_KEEPER = Count(
    "not_compared_with_keeper",
    "sentences linked to their keeper only through others in the cluster",
    "members",
    "distance is null",
    limit='clusters="star" avoids this',
)

COUNTS = (
    *declared.READ,
    SENTENCES,
    TOO_SHORT,
    TOO_LONG,
    TOO_DEEP,
    UNDER_DEEPER_HEADINGS,
    IDENTICAL_COPIES,
    BUCKETS_TOO_LARGE,
    COPIES_WITH_FIRST_ONLY,
    CLUSTERS_TOO_LARGE,
    CANDIDATES,
    *declared.OF_PROBES,
    PAIRS,
    PAIRS_BY_KIND,
    DOCUMENT_PAIRS,
    DOCUMENT_PAIRS_OVER_50,
    DOCUMENTS_IN_CLUSTERS,
    DIFFERENT_IN_CLUSTERS,
    SUGGESTIONS,
    CHAINS,
    EDITS,
    CLUSTERS,
    CLUSTERS_BY_KIND,
    SENTENCES_IN_CLUSTERS,
    NOT_COMPARED_WITH_KEEPER,
)

CLUSTER = column("cluster", "int64", "the number of its cluster, null if it is in none")
SENTENCE = column("sentence", "int64", "its number in the document")
TEXT = column("text", "string", "the sentence")
DISTANCE = column("distance", "double", "the edit distance, as a share of the longer sentence")
SENTENCE_A = column("sentence_a", "int64", "the number of the sentence in a")
SENTENCE_B = column("sentence_b", "int64", "the number of the sentence in b")
CHANGES = Table(
    "changes",
    "change",
    "changes from a revision of a page to the next",
    (
        column("date", "string", "the date of the revision that has the change"),
        column("title", "string", "the title of the page", "name"),
        column("contributor", "string", "who wrote that revision", "category"),
        column("kind", "string", "the kind of change", "category"),
        column("types", "list", "what differs, in order: the kinds of words"),
        column("words_a", "list", "the words before that differ"),
        column("words_b", "list", "the words after that differ"),
        column("text_a", "string", "the sentence before"),
        column("text_b", "string", "the sentence after"),
        column("id_a", "string", "the revision before", "name"),
        SENTENCE_A,
        column("id_b", "string", "the revision after", "name"),
        SENTENCE_B,
        declared.DOC_A,
        declared.DOC_B,
    ),
    key=("date", "doc_b", "sentence_b"),
    asked="revisions=True",
)
TABLES = (
    declared.documents_table(),
    Table(
        "sentences",
        "sentence",
        "sentences that are similar to others",
        (
            CLUSTER,
            declared.ID,
            SENTENCE,
            *declared.PLACES,
            column("depth", "double", "the share of its document that comes before it", "share"),
            column(
                "level", "int64", "wikis: the level of the heading above it, 2 for `== X ==`; else null"
            ),
            column("section", "string", "wikis: the heading above it", "category"),
            TEXT,
            column("keeper", "bool", "whether it stands for its cluster"),
            column("distance", "double", "the edit distance to the keeper, null if not compared"),
            column("kind", "string", "the kind of change from the keeper", "category"),
            column("size", "int64", "how many sentences the cluster has", descending=True),
            column("cluster_kind", "string", "the kind of the cluster", "category"),
            declared.DOC,
        ),
        key=("cluster", "doc", "sentence"),
        order=("size", "cluster"),
    ),
    Table(
        "pairs",
        "pair",
        "pairs of similar sentences",
        (
            declared.ID_A,
            SENTENCE_A,
            declared.ID_B,
            SENTENCE_B,
            DISTANCE,
            column("kind", "string", "the kind of change", "category"),
            column("confidence", "double", "how sure the kind is", "share"),
            column("types", "list", "what differs, in order: the kinds of words"),
            column("words_a", "list", "the words of a that differ"),
            column("words_b", "list", "the words of b that differ"),
            declared.DOC_A,
            declared.DOC_B,
        ),
        key=("doc_a", "sentence_a", "doc_b", "sentence_b"),
    ),
    Table(
        "rejected",
        "near miss",
        "pairs just beyond the distance",
        (
            declared.ID_A,
            SENTENCE_A,
            *(column(f"{name}_a", "int64", "where it is, in characters") for name in ("start", "end")),
            column("text_a", "string", "the sentence of a"),
            declared.ID_B,
            SENTENCE_B,
            *(column(f"{name}_b", "int64", "where it is, in characters") for name in ("start", "end")),
            column("text_b", "string", "the sentence of b"),
            DISTANCE,
            declared.DOC_A,
            declared.DOC_B,
        ),
        key=("distance", "doc_a", "sentence_a", "doc_b", "sentence_b"),
    ),
    Table(
        "articles",
        "pair",
        "pairs of documents with similar sentences",
        (
            declared.ID_A,
            declared.ID_B,
            column("title_a", "string", "the title of a"),
            column("title_b", "string", "the title of b"),
            column(
                "sentences", "int64", "how many pairs of similar sentences they have", descending=True
            ),
            declared.DOC_A,
            declared.DOC_B,
        ),
        key=("sentences", "doc_a", "doc_b"),
    ),
    Table(
        "suggestions",
        "suggestion",
        "suggestions for editors",
        (
            CLUSTER,
            column("words", "string", "what this sentence says"),
            column("most_have", "string", "what most others say"),
            column("agreeing", "int64", "how many others say that", descending=True),
            column("places", "int64", "how many places have this very sentence", descending=True),
            column("confidence", "double", "how sure it is a drift", "share"),
            declared.ID,
            SENTENCE,
            *declared.PLACES,
            TEXT,
            column("date", "string", "the newest date of the documents that have it"),
            column("most_date", "string", "the newest of the others"),
            column("stale", "bool", "whether it is older than the others"),
            column("first_id", "string", "the document that had it first", "name"),
            column("first_date", "string", "its date"),
            declared.DOC,
        ),
    ),
    Table(
        "chains",
        "document",
        "documents that shared sentences connect",
        (
            column("chain", "int64", "the number of the first document of the chain"),
            declared.ID,
            column("title", "string", "its title"),
            column("others", "int64", "how many it shares sentences with", descending=True),
            column("sentences", "int64", "how many sentences it shares", descending=True),
            column("size", "int64", "how many documents the chain has", descending=True),
            declared.DOC,
        ),
        order=("size", "chain", "doc"),
    ),
    CHANGES,
    declared.SKIPPED_TABLE,
)
