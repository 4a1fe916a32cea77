"""What results of `sentences` have: their counts."""

from neardup.steps import declared
from neardup.steps.declared import (
    CANDIDATES,
    COPIES_WITH_FIRST_ONLY,
    IDENTICAL_COPIES,
    PAIRS,
    PAIRS_BY_KIND,
)
from neardup.tables import Count, summed

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
    "buckets of very many sentences, each of which was compared with a few of them only",
    "shared",
    "a = b",
    limit="--max-bucket",
)
CLUSTERS_TOO_LARGE = Count(
    "clusters_too_large",
    "clusters of very many sentences, of which only pairs with a common signature were compared",
    value="count(distinct keeper)",
    limit="--grouping verified avoids this",
)
PROBES = Count("probes", "sentences edited up to the limit, to see if they are found", "probes")
PROBES_FOUND = Count("probes_found", "edited sentences found", "probes", value=summed("found"))
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
CLUSTERS = Count("clusters", "clusters", "members", LARGE_CLUSTERS, value="count(distinct keeper)")
SENTENCES_IN_CLUSTERS = Count(
    "sentences_in_clusters", "sentences in clusters", "members", LARGE_CLUSTERS
)
NOT_COMPARED_WITH_KEEPER = Count(
    "not_compared_with_keeper",
    "sentences linked to their keeper only through others in the cluster",
    "members",
    "distance is null",
    limit="--clusters star avoids this",
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
    PROBES,
    PROBES_FOUND,
    PAIRS,
    PAIRS_BY_KIND,
    DOCUMENT_PAIRS,
    DOCUMENT_PAIRS_OVER_50,
    DOCUMENTS_IN_CLUSTERS,
    DIFFERENT_IN_CLUSTERS,
    SUGGESTIONS,
    CHAINS,
    CLUSTERS,
    SENTENCES_IN_CLUSTERS,
    NOT_COMPARED_WITH_KEEPER,
)
