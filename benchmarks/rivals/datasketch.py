"""datasketch: MinHash and MinHashLSH with their default of 128 permutations.

The library leaves shingles and processes to its user. Signatures are made in parallel, for without
that it would have one core where the others have two; the index lives in one process.
"""

from multiprocessing import Pool

import numpy as np
import xxhash
from benchmarks.rivals.task import Task, run, shingles
from datasketch import MinHash, MinHashLSH  # type: ignore[import-not-found]

# `update_batch` on a copy of one empty sketch is what the library's bulk methods do; its
# documentation advises a faster hash than the default SHA-1.
EMPTY = MinHash(num_perm=128, hashfunc=xxhash.xxh32_intdigest)


def sketch(line: str) -> "tuple[str, np.ndarray[tuple[int], np.dtype[np.uint32]]]":
    """Make one document's signature."""
    name, texts = shingles(line)
    minhash = EMPTY.copy()
    minhash.update_batch([text.encode() for text in texts])
    return name, minhash.hashvalues


def find(task: Task) -> None:
    """Ask the index for each document's neighbours before putting it in."""
    index = MinHashLSH(threshold=task.threshold, num_perm=128)
    pairs = []
    with Pool(task.workers) as pool:
        for name, values in pool.imap(sketch, task.lines(), chunksize=16):
            minhash = MinHash(hashvalues=values, permutations=EMPTY.permutations, scheme=EMPTY.scheme)
            pairs += [[other, name] for other in index.query(minhash)]
            index.insert(name, minhash, check_duplication=False)
    task.write(pairs)


if __name__ == "__main__":
    run(find)
