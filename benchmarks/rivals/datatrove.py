"""datatrove's four-stage MinHash pipeline on its local executor, after its own example.

All settings are its defaults: English words, normalised, in runs of five; 14 buckets of 8 hashes,
which puts the threshold near 0.72. Tokens are not counted, as that needs a model from a hub.
"""

import json
import struct
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path

from benchmarks.rivals.task import SHINGLE, Task, run
from datatrove.executor import LocalPipelineExecutor  # type: ignore[import-not-found]
from datatrove.pipeline.dedup import MinhashDedupSignature  # type: ignore[import-not-found]
from datatrove.pipeline.dedup.minhash import (  # type: ignore[import-not-found]
    MinhashConfig,
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
)
from datatrove.pipeline.readers import JsonlReader  # type: ignore[import-not-found]
from datatrove.pipeline.writers import JsonlWriter  # type: ignore[import-not-found]


def split(task: Task, shards: int) -> list[list[str]]:
    """Deal the lines out to files, the pipeline's unit of parallel work, and return their ids."""
    folder = task.work / "input"
    folder.mkdir()
    names: list[list[str]] = [[] for _ in range(shards)]
    with ExitStack() as stack:
        files = [
            stack.enter_context((folder / f"{i:03}.jsonl").open("w", encoding="utf-8"))
            for i in range(shards)
        ]
        for row, line in enumerate(task.lines()):
            files[row % shards].write(line)
            names[row % shards].append(json.loads(line)["id"])
    return names


def pipeline(work: Path, shards: int, workers: int) -> LocalPipelineExecutor:
    """Chain the four stages."""
    config = MinhashConfig(n_grams=SHINGLE)
    signatures, buckets, removed = (str(work / name) for name in ("signatures", "buckets", "removed"))
    reader = JsonlReader(str(work / "input"), compression=None)
    # Compressing the output, the writer's default, is left out: no other tool here does it.
    writer = JsonlWriter(str(work / "deduplicated"), compression=None)
    stages = (
        (shards, [reader, MinhashDedupSignature(signatures, config=config)]),
        (config.num_buckets, [MinhashDedupBuckets(signatures, buckets, config=config)]),
        (1, [MinhashDedupCluster(buckets, removed, config=config, save_cluster_id=True)]),
        (shards, [reader, MinhashDedupFilter(removed), writer]),
    )
    last = None
    for number, (tasks, steps) in enumerate(stages):
        logs = str(work / f"logs-{number}")
        last = LocalPipelineExecutor(
            steps, tasks=tasks, workers=min(tasks, workers), logging_dir=logs, depends=last
        )
    return last


def find(task: Task) -> None:
    """Run the pipeline, then read the clusters that its third stage wrote."""
    shards = 8 * task.workers  # more than workers, so that neither idles at the end
    names = split(task, shards)
    pipeline(task.work, shards, task.workers).run()
    clusters: dict[int, list[str]] = defaultdict(list)
    for shard in range(shards):
        path = task.work / "removed" / f"{shard:06d}.clusters"
        for row, cluster in struct.iter_unpack("<II", path.read_bytes() if path.exists() else b""):
            clusters[cluster].append(names[shard][row])
    task.write(clusters.values())


if __name__ == "__main__":
    run(find)
