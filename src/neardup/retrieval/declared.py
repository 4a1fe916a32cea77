"""What results of `trec` have: their counts."""

from neardup.tables import Count

RUNS = Count("runs", "runs")
RUN_TOPICS = Count("run_topics", "rankings: topics of runs")
DOCUMENTS_IN_RUNS = Count("documents_in_runs", "documents in rankings")
TOPICS_JUDGED = Count("topics_judged", "topics judged")
JUDGEMENTS = Count("judgements", "judgements")
DOCUMENTS_JUDGED = Count("documents_judged", "documents judged")
REMOVED_FROM_QRELS = Count("removed_from_qrels", "judgements removed")
REMOVED_FROM_RUNS = Count("removed_from_runs", "documents removed from runs")
REDUNDANT_IN_POOLS = Count("redundant_in_pools", "redundant documents in pools")
ORIGINS = Count("origins", "redundant documents by origin", by="origin")

COUNTS = (
    RUNS,
    RUN_TOPICS,
    DOCUMENTS_IN_RUNS,
    TOPICS_JUDGED,
    JUDGEMENTS,
    DOCUMENTS_JUDGED,
    REMOVED_FROM_QRELS,
    REMOVED_FROM_RUNS,
    REDUNDANT_IN_POOLS,
    ORIGINS,
)
