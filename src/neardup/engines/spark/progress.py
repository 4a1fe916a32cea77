"""Progress of Spark's jobs, from its status tracker, in the same bars as elsewhere."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

from neardup.engines.base import Advance, Progress, Silent
from neardup.engines.spark.session import is_remote

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

SECONDS = 1.0
NUMBERS = count(1)


@contextmanager
def watched(spark: "SparkSession", progress: Progress, name: str) -> Iterator[None]:
    """Show how many tasks are done of the jobs that are started meanwhile.

    How many there will be is not known: Spark plans the next stage when it has seen the last.
    """
    if is_remote(spark):  # nobody counts its tasks
        yield
        return
    context = spark.sparkContext
    group = f"neardup {next(NUMBERS)}"
    context.setJobGroup(group, f"neardup: {name}")
    if isinstance(progress, Silent):  # to ask costs Spark's time
        yield
        return
    done = threading.Event()
    with progress.step(name, None, "tasks") as advance:
        watcher = threading.Thread(target=watch, args=(context, group, advance, done), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


def watch(context: "SparkContext", group: str, advance: Advance, done: threading.Event) -> None:
    """Report finished tasks until all is done."""
    from py4j.protocol import Py4JError

    shown = 0
    while True:
        last = done.wait(SECONDS)
        try:
            tasks = finished_tasks(context, group)
        except (Py4JError, OSError):  # Spark is gone, which the run itself will tell
            return
        if tasks > shown:
            advance(tasks - shown)
            shown = tasks
        if last:
            return


def finished_tasks(context: "SparkContext", group: str) -> int:
    """Return how many tasks are done in the jobs of a group."""
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    stages = {stage for job in jobs if job for stage in job.stageIds}
    infos = (tracker.getStageInfo(stage) for stage in stages)
    return sum(info.numCompletedTasks for info in infos if info)
