"""What results of several methods have in common: the counts of what their shared steps do."""

from neardup.tables import Count, summed

# what was read
RECORDS = Count("records", "records in the input", "named")
SKIPPED = Count("skipped", "records skipped", "named", "problem is not null", by="problem")
IDS_GIVEN_TWICE = Count(
    "ids_given_twice",
    "documents whose id was given before, named by file and position instead",
    "named",
    "problem is null and given is not null and repeat > 1",
)
DOCUMENTS = Count("documents", "documents compared", "copies")
OLD_DOCUMENTS = Count("old_documents", "documents of --against, among these", "copies", "old = 1")
READ = (RECORDS, SKIPPED, IDS_GIVEN_TWICE, DOCUMENTS, OLD_DOCUMENTS)

# identical ones
IDENTICAL_COPIES = Count(
    "identical_copies", "texts identical to an earlier one", "copies", "doc <> first"
)
COPIES_WITH_FIRST_ONLY = Count(
    "copies_with_first_only",
    "identical texts listed with the first of a kind only",
    limit="--max-copies",
)
COPIES = (IDENTICAL_COPIES, COPIES_WITH_FIRST_ONLY)

# candidates
KEYS_TOO_COMMON = Count(
    "keys_too_common",
    "keys in very many documents, each of which was compared with a few of them only",
    "shared",
    "a = b",
    limit="--max-postings",
)
CANDIDATES = Count("candidates", "candidates compared", "candidates")
CANDIDATES_VERIFIED = Count("candidates_verified", "candidates verified to be a pair", "verified")
CANDIDATES_LEFT_OUT = Count(
    "candidates_left_out",
    "candidates left out: a document with very many is compared with those that would rather be kept",
    "candidates",
    value=summed("case when a = b then size_a else 0 end"),
    limit="--max-pairs",
)
STAYED_IN_CROWDS = Count(
    "stayed_in_crowds",
    "documents of such crowds that stay, though compared with a few of them only",
    """(select distinct a as doc from {candidates} where a = b) c join {copies} x on x.doc = c.doc
left join {clusters} m on m.doc = x.number left join {documents} k on k.id = m.keeper_id""",
    "coalesce(k.same_as, x.number) = x.number",
    limit="--max-postings, --max-pairs",
)

# what was found
PAIRS = Count("pairs", "pairs", "pairs")
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
    limit="--clusters star avoids this",
)
CLUSTER_SIZES = Count(
    "cluster_sizes", "clusters by size", "clusters", value="count(distinct cluster)", by="size"
)
OF_CLUSTERS = (CLUSTERS, DUPLICATES, NOT_SIMILAR_TO_KEEPER)
