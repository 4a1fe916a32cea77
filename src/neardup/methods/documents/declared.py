"""What results of `documents` have: their tables and counts."""

from neardup.steps import declared
from neardup.steps.declared import (
    CANDIDATES,
    CANDIDATES_LEFT_OUT,
    CANDIDATES_VERIFIED,
    KEYS_TOO_COMMON,
    PAIRS,
    PAIRS_NOT_LISTED,
    STAYED_IN_CROWDS,
)
from neardup.tables import column

COUNTS = (
    *declared.READ,
    *declared.COPIES,
    KEYS_TOO_COMMON,
    CANDIDATES,
    CANDIDATES_LEFT_OUT,
    STAYED_IN_CROWDS,
    CANDIDATES_VERIFIED,
    PAIRS,
    PAIRS_NOT_LISTED,
    *declared.OF_CLUSTERS,
    declared.EXCLUDED,
)

SIMILARITY = column(
    "similarity", "double", "resemblance; with the measure containment the larger containment"
)
MEASURES = (SIMILARITY, declared.CONTAINMENT_A, declared.CONTAINMENT_B)
TABLES = (
    declared.documents_table(declared.SAME_AS),
    declared.pairs_table(*MEASURES, declared.KIND),
    declared.rejected_table(*MEASURES),
    declared.CLUSTERS_TABLE,
    declared.EXCLUDED_TABLE,
    declared.SKIPPED_TABLE,
)
