"""gaoya: its index of MinHash signatures, in Rust, filled and then asked for every document.

Texts are kept in memory, as its bulk calls take lists of them; its own analyser makes the shingles.
"""

import json
import os

from benchmarks.rivals.task import SHINGLE, Task, run

BATCH = 1000
BANDS, ROWS = 16, 8  # 128 hashes, with the steepest part of the curve at 0.7


def find(task: Task) -> None:
    """Claim each document with those before it that the index returns."""
    os.environ["RAYON_NUM_THREADS"] = str(task.workers)
    from gaoya.minhash import MinHashStringIndex  # type: ignore[import-not-found]

    index = MinHashStringIndex(
        32, task.threshold, BANDS, ROWS, None, "word", True, (SHINGLE, SHINGLE), "smallvec"
    )
    records = [json.loads(line) for line in task.lines()]
    names = [record["id"] for record in records]
    texts = [record["text"] for record in records]
    batches = [slice(at, at + BATCH) for at in range(0, len(texts), BATCH)]
    numbers = list(range(len(texts)))
    for batch in batches:
        index.par_bulk_insert_docs(numbers[batch], texts[batch])
    found = (
        (number, other)
        for batch in batches
        for number, others in zip(numbers[batch], index.par_bulk_query(texts[batch]), strict=True)
        for other in others
    )
    task.write([names[other], names[number]] for number, other in found if other < number)


if __name__ == "__main__":
    run(find)
