"""Lance: texts in its columns, and its MinHash index, which lies on the disk as a store of ours does.

    python -m benchmarks.rivals.lance CORPUS.jsonl ASKED.jsonl THRESHOLD FOLDER

writes the corpus and the index, asks for each text of the second file, and prints what came of it.
Bands are those with the steepest part of the curve at 0.7; similarities are estimates.
"""

import json
import statistics
import sys
import time
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import lance  # type: ignore[import-not-found]
import pyarrow.dataset as pd

MOST = 100  # rows of an answer


def main() -> None:
    """Write, ask, and say what came of it."""
    corpus, asked, threshold, folder = sys.argv[1:]
    begin = time.perf_counter()
    table = pd.dataset(corpus, format="json").scanner(columns=["id", "text"])
    written = lance.write_dataset(table.to_reader(), folder, schema=table.projected_schema)
    written.create_scalar_index("text", "MINHASHLSH", num_hashes=128, num_bands=16, shingle_size=5)
    built, used = time.perf_counter() - begin, time.process_time()
    most = getrusage(RUSAGE_SELF).ru_maxrss
    found, taken = [], []
    opened = lance.dataset(folder)
    for line in Path(asked).read_text("utf-8").splitlines():
        own = json.loads(line)
        query, begin = lance.query.MinHashQuery(own["text"], "text"), time.perf_counter()
        rows = opened.to_table(nearest=query, columns=["id", "_distance"], limit=MOST).to_pylist()
        taken.append(1000 * (time.perf_counter() - begin))
        near = [row["id"] for row in rows if row["_distance"] <= 1 - float(threshold)]
        found += [[own["id"], other] for other in near if other != own["id"]]
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    figures = {"build s": round(built, 1), "build processor s": round(used, 1), "bytes": size}
    figures |= {"build most MB": most >> 10, "median ms": round(statistics.median(taken), 2)}
    print(
        json.dumps(
            {**figures, "99 % ms": round(sorted(taken)[int(0.99 * len(taken))], 2), "found": found}
        )
    )


if __name__ == "__main__":
    main()
