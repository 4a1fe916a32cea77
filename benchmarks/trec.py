"""Times `neardup trec` on made-up runs: 50 topics, 1,000 documents each, 30 systems.

python benchmarks/trec.py [FOLDER]
"""

import json
import random
import sys
import tempfile
import time
from pathlib import Path

import neardup

TOPICS, DOCUMENTS, SYSTEMS = 50, 1_000, 30
POOL = 3_000  # documents of a topic that systems find at all
JUDGED = 400
GROUPED = 5  # of so many documents, one is a near-duplicate of the next


def make(folder: Path) -> None:
    """Write runs, judgements and groups."""
    rng = random.Random(1)
    (folder / "runs").mkdir(parents=True)
    pools = {t: [f"clueweb09-en{t:04}-{i:05}" for i in range(POOL)] for t in range(1, TOPICS + 1)}
    for system in range(SYSTEMS):
        with (folder / "runs" / f"system{system:02}").open("w") as out:
            for topic, ids in pools.items():
                for rank, own in enumerate(rng.sample(ids, DOCUMENTS), 1):
                    out.write(
                        f"{topic} Q0 {own} {rank} {1000 - rank + rng.random():.4f} system{system}\n"
                    )
    with (folder / "qrels").open("w") as out, (folder / "diversity").open("w") as by_subtopic:
        for topic, ids in pools.items():
            for own in rng.sample(ids, JUDGED):
                out.write(f"{topic} 0 {own} {rng.choice([0, 0, 0, 1, 2])}\n")
                for subtopic in (1, 2, 3):
                    by_subtopic.write(f"{topic} {subtopic} {own} {rng.choice([0, 0, 0, 1])}\n")
    with (folder / "groups.jsonl").open("w") as out:
        for ids in pools.values():
            for i in range(0, POOL, GROUPED):
                out.write(json.dumps({"ids": ids[i : i + 2]}) + "\n")


def main() -> None:
    """Make the files and time the command's Python twin."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        if not (folder / "runs").is_dir():
            make(folder)
        begun = time.perf_counter()
        found = neardup.trec(
            folder / "runs",
            folder / "qrels",
            groups=folder / "groups.jsonl",
            diversity=folder / "diversity",
            output=folder / "out",
            overwrite=True,
        )
        print(found)
        print(f"{found.counts['documents in runs']:,} lines in {time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
