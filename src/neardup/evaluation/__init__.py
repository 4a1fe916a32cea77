"""Evaluation: how well a result agrees with labels, for pairs, clusters and passages.

>>> from neardup.evaluation import Passage, passage_scores
>>> case = Passage("essay", 0, 100, "book", 500, 600)
>>> passage_scores([case], [case]).plagdet
1.0
"""

from neardup.evaluation.answers import AnswerScores, answer_scores
from neardup.evaluation.evaluate import GroupScores, Scores, evaluate
from neardup.evaluation.gold import CaseGroup, ClusterGold, PairGold, PassageGold, read_gold
from neardup.evaluation.measures import (
    Agreement,
    PairScores,
    Passage,
    cluster_scores,
    pair_scores,
    passage_scores,
)
from neardup.evaluation.sheets import SheetScores, judged

__all__ = [
    "Agreement",
    "AnswerScores",
    "CaseGroup",
    "ClusterGold",
    "GroupScores",
    "PairGold",
    "PairScores",
    "Passage",
    "PassageGold",
    "Scores",
    "SheetScores",
    "answer_scores",
    "cluster_scores",
    "evaluate",
    "judged",
    "pair_scores",
    "passage_scores",
    "read_gold",
]
