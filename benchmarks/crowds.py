"""Times `documents` on texts that all resemble each other, and counts who finds the keeper.

python benchmarks/crowds.py [COUNT] [--max-pairs N]
"""

import argparse
import json
import random
import resource
import tempfile
import time
from pathlib import Path

import neardup
from neardup.steps.crowds import LEFT_OUT, STAY

WORDS, CHANGED = 300, 5


def make(path: Path, count: int) -> None:
    """Write texts of the same words, in each of which up to five are others."""
    rng = random.Random(3)
    vocabulary = [f"w{i}" for i in range(5_000)]
    model = rng.choices(vocabulary, k=WORDS)
    with path.open("w") as out:
        for number in range(count):
            words = list(model)
            for _ in range(rng.randrange(CHANGED + 1)):
                words[rng.randrange(WORDS)] = rng.choice(vocabulary)
            out.write(json.dumps({"id": f"d{number}", "text": " ".join(words)}) + "\n")


def main() -> None:
    """Run once and print what was found, what was left out, and what it cost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", nargs="?", type=int, default=12_500)
    parser.add_argument("--max-pairs", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "crowd.jsonl", given.count)
        begun = time.perf_counter()
        result = neardup.documents(
            str(Path(folder) / "crowd.jsonl"),
            max_pairs=given.max_pairs,
            output=Path(folder) / "out",
        )
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(f"{given.count:,} texts, {time.perf_counter() - begun:.0f} s by the clock")
        print(f"{used.ru_utime + used.ru_stime:.0f} processor seconds, {used.ru_maxrss >> 10:,} MB")
        for name in ("candidates", LEFT_OUT, "pairs", "clusters", "duplicates", STAY):
            print(f"{result.counts[name]:>14,} {name}")


if __name__ == "__main__":
    main()
