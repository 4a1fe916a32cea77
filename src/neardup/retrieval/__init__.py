"""What near-duplicates do to the evaluation of retrieval systems: runs, judgements, measures.

>>> from neardup.retrieval import Groups
>>> Groups([["a", "b", "c"]]).keepers(["b", "x", "a", "c"])
[-1, -1, 0, 0]
"""

from neardup.retrieval.duplicates import Groups, Pairs
from neardup.retrieval.files import Judgement, Qrels, Ranking, Run, read_qrels, read_run, read_topics
from neardup.retrieval.frames import deduplicated

__all__ = [
    "Groups",
    "Judgement",
    "Pairs",
    "Qrels",
    "Ranking",
    "Run",
    "deduplicated",
    "read_qrels",
    "read_run",
    "read_topics",
]
