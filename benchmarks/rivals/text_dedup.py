"""text-dedup's own MinHash command with the configuration that its README recommends."""

import json
import os
import pickle
import subprocess
import sys
from collections import defaultdict

from benchmarks.rivals.task import SHINGLE, Task, run

# The README's example but for the input's format and the number of processes (its default is all
# cores). `check_false_positive` is on there: clusters are verified, as neardup's pairs are.
CONFIGURATION = """
[input]
input_type = "local_files"
file_type = "json"
[input.read_arguments]
path = "json"
data_files = {corpus}
split = "train"
[algorithm]
algorithm_name = "minhash"
text_column = "text"
seed = 42
batch_size = 10000
num_perm = 240
threshold = {threshold}
false_positive_weight = 0.5
false_negative_weight = 0.5
hash_bits = 64
ngram_size = {shingle}
check_false_positive = true
num_proc = {workers}
[output]
output_dir = "output"
clean_cache = false
save_clusters = true
[debug]
enable_profiling = false
"""


def find(task: Task) -> None:
    """Run the command, then translate its row numbers into ids."""
    configuration = CONFIGURATION.format(
        corpus=json.dumps(str(task.corpus)),
        threshold=task.threshold,
        shingle=SHINGLE,
        workers=task.workers,
    )
    (task.work / "config.toml").write_text(configuration)
    # A cache of its own: with a warm one the tool would skip its work.
    environment = {**os.environ, "HF_HOME": str(task.work / "cache"), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "text_dedup.minhash"]
    subprocess.run(command, cwd=task.work, env=environment, check=True)
    # The file maps each row of a cluster to its cluster, in the tool's own format.
    with (task.work / "output" / "clusters.pickle").open("rb") as file:
        parents: dict[int, int] = pickle.load(file)
    clusters: dict[int, list[str]] = defaultdict(list)
    for row, line in enumerate(task.lines()):
        if row in parents:
            clusters[parents[row]].append(json.loads(line)["id"])
    task.write(clusters.values())


if __name__ == "__main__":
    run(find)
