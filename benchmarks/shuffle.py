"""Measures how rows are brought together by key, with very many parts and partitions.

Each part of a table has as many rows as all others, and so has each partition; so a shuffle is linear
if a row costs the same however many there are. Processor time, as other work does not disturb it.

    python benchmarks/shuffle.py --parts 10 100 1000 5000 --rows 4000
"""

import argparse
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from neardup.engines.local.shuffle import Shuffle
from neardup.engines.local.store import StoredTable, TableWriter

KEYS = pa.schema([("key", pa.int64()), ("doc", pa.int64())])
ROW_BYTES = 16
RUN_BYTES = 16 << 20


def table_of(folder: Path, parts: int, rows: int) -> StoredTable:
    """Write a table of so many parts, each of so many rows, with random keys."""
    rng = np.random.default_rng(1)
    writer = TableWriter(folder, KEYS)
    for number in range(parts):
        columns = [pa.array(rng.integers(0, 1 << 62, rows)) for _ in KEYS]
        writer.write_part(number, [pa.RecordBatch.from_arrays(columns, schema=KEYS)])
    return writer.finish()


class Measured(NamedTuple):
    """How many partitions and rows came out, and the seconds for scattering and gathering."""

    partitions: int
    rows: int
    scatter: float
    gather: float

    def seconds(self) -> float:
        """Return those for both."""
        return self.scatter + self.gather


def measured(table: StoredTable, folder: Path, partition_bytes: int) -> Measured:
    """Bring the rows of a table together."""
    begun = time.process_time()
    with closing(Shuffle(table, folder, partition_bytes, RUN_BYTES)) as shuffle:
        for number, (_, parts) in enumerate(shuffle.groups):
            shuffle.scatter(number, parts)
        scattered = time.process_time()
        rows = sum(b.num_rows for p in range(shuffle.partitions) for b in shuffle.gather(p))
        gathered = time.process_time()
        return Measured(shuffle.partitions, rows, scattered - begun, gathered - scattered)


def main() -> None:
    """Print a line for each number of parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--parts", type=int, nargs="+", default=[10, 100, 1000, 5000])
    parser.add_argument("--rows", type=int, default=4000, help="of a part")
    parser.add_argument("--partitions", type=int, default=1000, help="of the largest table")
    parser.add_argument("--repeat", type=int, default=3, help="the median counts")
    asked = parser.parse_args()
    partition_bytes = max(asked.parts) * asked.rows * ROW_BYTES // asked.partitions
    with tempfile.TemporaryDirectory() as work:
        tables = {n: table_of(Path(work, f"keys-{n}"), n, asked.rows) for n in asked.parts}
        runs: dict[int, list[Measured]] = {n: [] for n in asked.parts}
        for _ in range(asked.repeat):
            for parts, table in tables.items():
                # small tables as often as makes the same work
                for _ in range(max(asked.parts) // parts):
                    runs[parts].append(measured(table, Path(work, "shuffle"), partition_bytes))
    print("| parts | partitions | rows | scatter, ns a row | gather, ns a row | together |")
    print("|---|---|---|---|---|---|")
    for parts, some in runs.items():
        found = sorted(some, key=Measured.seconds)[len(some) // 2]
        costs = (found.scatter, found.gather, found.seconds())
        each = " | ".join(f"{cost / found.rows * 1e9:.0f}" for cost in costs)
        print(f"| {parts:,} | {found.partitions:,} | {found.rows:,} | {each} |")


if __name__ == "__main__":
    main()
