"""What near-duplicates do to the evaluation of retrieval systems: runs, judgements, measures.

>>> from neardup.retrieval import Groups
>>> Groups([["a", "b", "c"]]).keepers(["b", "x", "a", "c"])
[-1, -1, 0, 0]
"""

from neardup.retrieval.duplicates import Groups
from neardup.retrieval.frames import deduplicated

__all__ = ["Groups", "deduplicated"]
