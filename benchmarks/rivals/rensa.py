"""rensa: its deduplicator over full-set R-MinHash, as in its README.

The faster rho pipeline samples token positions and answers yes or no, without saying which
document is whose duplicate, so it cannot be compared here. As with datasketch, shingling is the
user's job and runs in parallel.
"""

from collections import defaultdict
from multiprocessing import Pool

from benchmarks.rivals.task import Task, run, shingles
from rensa import RMinHash, RMinHashDeduplicator  # type: ignore[import-not-found]


def sketch(line: str) -> "tuple[str, RMinHash]":
    """Make one document's signature."""
    name, texts = shingles(line)
    minhash = RMinHash(num_perm=128, seed=42)
    minhash.update(list(texts))
    return name, minhash


def find(task: Task) -> None:
    """Keep the first of its kind and file the rest under those that they resemble."""
    index = RMinHashDeduplicator(threshold=task.threshold, num_perm=128, use_lsh=True)
    clusters: dict[str, list[str]] = defaultdict(list)
    with Pool(task.workers) as pool:
        for name, minhash in pool.imap(sketch, task.lines(), chunksize=16):
            if not index.add(name, minhash):
                clusters[index.get_duplicates(minhash)[0]].append(name)
    task.write([keeper, *names] for keeper, names in clusters.items())


if __name__ == "__main__":
    run(find)
