"""Take the near-duplicates out of a JSONL file before a model is trained on it.

python examples/dedup_training_data.py [INPUT.jsonl [FOLDER]]

Without an input, the demo corpus is used. FOLDER (default: deduplicated) gets the file without
duplicates, and a table that says of each removed document which one stays instead, and why.
"""
# ruff: noqa: T201  an example prints

import sys
from importlib.resources import as_file, files
from pathlib import Path

import pyarrow.parquet as pq

import neardup


def clean(corpus: Path, folder: Path) -> None:
    """Write the corpus without near-duplicates, and print what went."""
    result = neardup.documents(corpus, threshold=0.7, keep="longest")
    counts = result.counts
    print(f"{counts['records']:,} records, {counts['documents']:,} of them usable")
    for problem in result.skipped.to_pylist():
        print(f"  skipped record {problem['position']}: {problem['problem']}")

    done = neardup.dedup(result, folder, mode="remove")
    for row in pq.read_table(done.tables / "neardup-removed.parquet").to_pylist():
        print(f"  {row['id']} goes, {row['keeper_id']} stays: {row['reason']}")
    print(f"{done.removed:,} removed, {done.kept:,} kept: {', '.join(map(str, done.files))}")


def main() -> None:
    """Read the arguments."""
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "deduplicated")
    if len(sys.argv) > 1:
        clean(Path(sys.argv[1]), folder)
        return
    with as_file(files("neardup") / "data" / "demo.jsonl") as corpus:
        clean(corpus, folder)


if __name__ == "__main__":
    main()
