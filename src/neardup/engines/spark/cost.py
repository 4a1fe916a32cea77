"""What a run takes on a cluster, and what cluster to ask for: a model made of a few measured figures.

`benchmarks/spark.py` measures them. Work grows with the input, as it does on one machine, so what a
sample took there tells what it will take here.
"""

import math
from dataclasses import dataclass

from neardup.engines.base import Amounts
from neardup.engines.spark.session import partitions_for

START = 100.0  # processor seconds of Java's and Python's that do not grow: starting, planning, compiling
TIMES_LOCAL = 1.5  # processor seconds for each of the local engine's
TIMES_CROWDED = 2.5  # where many shingles share a counter, so that rare ones are not known as rare
KEYS_SHARE = 0.035  # of the input's bytes: what is shuffled
KEYS_CROWDED = 0.27
SKETCHES_SHARE = 0.007  # the same without counts
COUNTED = 8  # bytes of input for which a byte of the summary is enough
SHUFFLED_ROW = 200  # bytes a document: numbers, names, ids
SPARE = 2.0  # a cluster waits for its last tasks and its disks
HOUR = 3600.0
CORES = 4  # of an executor
HEAP = 3 << 29  # of Java's memory, for each core
BESIDE = 1 << 29  # of a Python process without summaries
DRIVER = 4 << 30
LEAST_EXECUTORS = 2
TASK = 32 << 20  # bytes that one task reads: more cores than tasks have nothing to do


@dataclass(frozen=True)
class Proposal:
    """A cluster for a run, and how long that will take there."""

    core_hours: float
    hours: float
    executors: int
    executor_cores: int
    executor_memory_bytes: int
    executor_overhead_bytes: int
    driver_memory_bytes: int
    partitions: int
    shuffle_bytes: int
    disk_bytes: int

    def settings(self) -> dict[str, str]:
        """Return it as settings of Spark; partitions are set by neardup itself."""
        return {
            "spark.executor.instances": str(self.executors),
            "spark.executor.cores": str(self.executor_cores),
            "spark.executor.memory": in_megabytes(self.executor_memory_bytes),
            "spark.executor.memoryOverhead": in_megabytes(self.executor_overhead_bytes),
            "spark.driver.memory": in_megabytes(self.driver_memory_bytes),
        }


def proposed(needs: Amounts) -> Proposal:
    """Return a cluster that takes about an hour, or as little time as it can."""
    crowded = crowded_share(needs)
    work = START + (TIMES_LOCAL + (TIMES_CROWDED - TIMES_LOCAL) * crowded) * needs.core_seconds
    most = max(-(-needs.input_bytes // TASK), 1)
    cores = min(math.ceil(SPARE * work / HOUR), most)
    executors = max(-(-cores // CORES), LEAST_EXECUTORS)
    keys = KEYS_SHARE + (KEYS_CROWDED - KEYS_SHARE) * crowded if needs.summary_bytes else SKETCHES_SHARE
    shuffled = round(keys * needs.input_bytes) + SHUFFLED_ROW * needs.documents
    return Proposal(
        core_hours=round(work / HOUR, 2),
        hours=round(SPARE * work / min(executors * CORES, most) / HOUR, 2),
        executors=executors,
        executor_cores=CORES,
        executor_memory_bytes=CORES * HEAP,
        executor_overhead_bytes=CORES * (BESIDE + needs.summary_bytes),
        driver_memory_bytes=DRIVER + 2 * needs.summary_bytes,
        partitions=partitions_for(needs.input_bytes, executors * CORES),
        shuffle_bytes=shuffled,
        disk_bytes=needs.disk_bytes + shuffled,
    )


def crowded_share(needs: Amounts) -> float:
    """Return for which share of the input the table of counts has no counters of its own."""
    enough = COUNTED * needs.summary_bytes
    return max(1 - enough / max(needs.input_bytes, 1), 0.0) if needs.summary_bytes else 0.0


def in_megabytes(size: int) -> str:
    """Return a size as Spark reads it."""
    return f"{-(-size // (1 << 20))}m"
