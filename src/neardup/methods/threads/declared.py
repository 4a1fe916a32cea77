"""What results of `threads` have: their counts."""

from neardup.steps import declared
from neardup.steps.declared import CANDIDATES, CANDIDATES_VERIFIED, KEYS_TOO_COMMON, PAIRS

COUNTS = (
    *declared.READ,
    *declared.COPIES,
    KEYS_TOO_COMMON,
    CANDIDATES,
    CANDIDATES_VERIFIED,
    PAIRS,
    *declared.OF_CLUSTERS,
)
