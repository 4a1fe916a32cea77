"""Measures whether shingles are better written or made again: processor seconds of one thread.

`minhash` needs the shingles of all documents for their signatures, and those of a few candidates to
verify them. These are written and read back; the other way is to read the input twice.

    python benchmarks/shingles.py corpus.jsonl --megabytes 250
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.engines.local.store import read_part, write_batches
from neardup.methods.documents.plan import plan
from neardup.methods.documents.settings import DocumentSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource


class Work:
    """The first steps of `documents --candidates minhash` over some of a corpus, one by one."""

    def __init__(self, corpus: Path, megabytes: int, folder: Path) -> None:
        self.source = FileSource.open([corpus], ReaderSettings())
        splits = self.source.splits()
        before = accumulate((split.size for split in splits), initial=0)
        self.splits = [s for s, size in zip(splits, before, strict=False) if size < megabytes << 20]
        steps = plan(DocumentSettings(candidates="minhash"), self.source.schema).steps
        self.units: Any = next(step for step in steps if step.name == "units")
        self.keys: Any = next(step for step in steps if step.name == "keys")
        self.path = folder / "units.arrow"

    def read(self) -> Iterator[pa.RecordBatch]:
        """Yield the records."""
        return (batch for split in self.splits for batch in self.source.read(split))

    def shingled(self) -> Iterator[pa.RecordBatch]:
        """Yield the sets of shingles."""
        return (self.units.function(batch, {}) for batch in self.read())

    def signed(self) -> Iterator[pa.RecordBatch]:
        """Yield the keys of sets that are not written."""
        return (self.keys.function(batch, {}) for batch in self.shingled())

    def written(self) -> Iterator[pa.RecordBatch]:
        """Write the sets."""
        write_batches(self.path, self.units.schema, self.shingled())
        return iter(())

    def signed_later(self) -> Iterator[pa.RecordBatch]:
        """Yield the keys of sets that were written."""
        return (self.keys.function(batch, {}) for batch in read_part(self.path))


def least_seconds(work: Work, names: list[str], repeat: int) -> dict[str, float]:
    """Return the least processor seconds of each, measured in turns."""
    least = dict.fromkeys(names, float("inf"))
    for _ in range(repeat):
        for name in names:
            begun = time.process_time()
            for _ in getattr(work, name)():
                pass
            least[name] = min(least[name], time.process_time() - begun)
    return least


def main() -> None:
    """Print what each way costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--megabytes", type=int, default=250)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Work(options.corpus, options.megabytes, Path(folder))
        spent = least_seconds(
            work, ["read", "shingled", "written", "signed_later", "signed"], options.repeat
        )
    size = sum(split.size for split in work.splits) / 1e6
    print(f"{size:,.0f} MB, processor seconds:")
    for name, seconds in spent.items():
        print(f"  {name:12} {seconds:.2f}  {size / seconds:,.0f} MB/s")
    kept = spent["written"] + spent["signed_later"]
    print(f"shingles written: {kept:.2f}; input read twice: {spent['signed'] + spent['read']:.2f}")


if __name__ == "__main__":
    main()
