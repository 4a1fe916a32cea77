"""What results of `documents` have: their counts."""

from neardup.steps import declared
from neardup.steps.declared import (
    CANDIDATES,
    CANDIDATES_LEFT_OUT,
    CANDIDATES_VERIFIED,
    KEYS_TOO_COMMON,
    PAIRS,
    STAYED_IN_CROWDS,
)

COUNTS = (
    *declared.READ,
    *declared.COPIES,
    KEYS_TOO_COMMON,
    CANDIDATES,
    CANDIDATES_LEFT_OUT,
    STAYED_IN_CROWDS,
    CANDIDATES_VERIFIED,
    PAIRS,
    *declared.OF_CLUSTERS,
)
