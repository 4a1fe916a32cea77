"""What results of `threads` have: their tables and counts."""

from neardup.steps import declared
from neardup.steps.declared import CANDIDATES, CANDIDATES_VERIFIED, KEYS_TOO_COMMON, PAIRS
from neardup.tables import column

COUNTS = (
    *declared.READ,
    *declared.COPIES,
    KEYS_TOO_COMMON,
    CANDIDATES,
    CANDIDATES_VERIFIED,
    PAIRS,
    *declared.OF_CLUSTERS,
)

SIMILARITY = column("similarity", "double", "the weighted mean of the similarities of fields")
KIND = column("kind", "string", "`identical` (the same words) or `near-duplicate`", "category")
FIELDS = "a column for each field, its similarity; null if both threads lack it"
TABLES = (
    declared.documents_table(declared.SAME_AS),
    declared.pairs_table(SIMILARITY, KIND, more=FIELDS),
    declared.rejected_table(SIMILARITY, more=FIELDS),
    declared.CLUSTERS_TABLE,
    declared.SKIPPED_TABLE,
)
