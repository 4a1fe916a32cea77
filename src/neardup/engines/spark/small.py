"""Statements over small tables, run by DuckDB in the driver.

Spark takes a second or two for a statement, however little it reads: to plan it, to start its tasks, to
write a table. So where the tables are on a disk that the driver reaches, it runs those itself that read
little.
"""

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Self

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from neardup.engines.base import Progress
from neardup.engines.local.database import failures_told
from neardup.engines.local.engine import clustered
from neardup.engines.parquet import write_table
from neardup.engines.spark.columns import is_packed
from neardup.engines.spark.folders import WHOLE
from neardup.plan import Cluster, Map, Sql, Step

MOST_BYTES = 64 << 20  # that a statement reads
MOST_FILES = 1024  # of a table: what some 30 GB, or 200,000 tiny files, leave
MEMORY = "1GiB"
THREADS = 4
BATCH_ROWS = 1 << 16
TOO_MUCH = 1 << 62
EDGE = {"worse", "better", "similarity"}


class WrittenTable:
    """A table in a folder of Parquet files; `names` has the plan's names for those of users."""

    def __init__(self, folder: Path, names: Mapping[str, str]) -> None:
        self.files = sorted(folder.glob("*.parquet"))
        self._names = names

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the table's schema, with the plan's names."""
        found = pq.read_schema(self.files[0]).remove_metadata()
        return pa.schema([f.with_name(self._names.get(f.name, f.name)) for f in found])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows in order."""
        for file in self.files:
            for batch in pq.ParquetFile(file).iter_batches():
                yield batch.rename_columns(self.schema.names)

    def sizes(self) -> Counter[str]:
        """Return the bytes of each column; of a nested one, of all its parts."""
        sizes = Counter(dict.fromkeys(self.schema.names, 0))
        for file in self.files:
            found = pq.read_metadata(file)
            names = found.schema.to_arrow_schema().names
            paths = [found.schema.column(place).path for place in range(found.num_columns)]
            roots = [next(n for n in names if f"{path}.".startswith(f"{n}.")) for path in paths]
            for group in map(found.row_group, range(found.num_row_groups)):
                for place, root in enumerate(roots):
                    sizes[self._names.get(root, root)] += group.column(place).total_uncompressed_size
        return sizes


class SmallTables:
    """The tables of a run as far as the driver can read them, and what it makes of them."""

    def __init__(self, spill: Path, given: Mapping[str, pa.Table]) -> None:
        self._database = duckdb.connect(
            config={
                "threads": THREADS,
                "memory_limit": MEMORY,
                "temp_directory": str(spill),
                "preserve_insertion_order": False,
            }
        )
        self._lock = RLock()
        self._sizes: dict[str, Mapping[str, int]] = {}  # bytes of each column, by table
        self._read: dict[str, int] = {}  # bytes that a statement reads whose table is not written
        for name, table in given.items():
            self._add(name, table)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def _add(self, name: str, table: pa.Table) -> None:
        with self._cursor() as cursor:
            cursor.register("given", table)
            cursor.execute(f"create table {quoted(name)} as from given")
        self._sizes[name] = {column: table[column].nbytes for column in table.column_names}

    def open(self, step: Step, folder: Path, names: Mapping[str, str]) -> None:
        """Take the table that a step has written; `names` has the plan's names for those of users."""
        table = WrittenTable(folder, names)
        if not 0 < len(table.files) <= MOST_FILES:
            return
        columns = ", ".join(map(quoted, table.schema.names))
        files = ", ".join(quoted(str(file), "'") for file in table.files)
        with self._lock, self._cursor() as cursor:
            cursor.execute(
                f"create view {quoted(step.name)} ({columns}) as from read_parquet([{files}])"
            )
        lists = [f.name for f in step.schema if is_packed(f.type)] if isinstance(step, Map) else []
        self._sizes[step.name] = table.sizes() | dict.fromkeys(lists, TOO_MUCH)

    def suffice_for(self, step: Step, steps: Mapping[str, Step]) -> bool:
        """Return whether a step reads little, all of it known here; `steps` has the plan's by name."""
        with self._lock:
            return self._bytes_read(step, steps) <= MOST_BYTES

    def _bytes_read(self, step: Step, steps: Mapping[str, Step]) -> int:
        if not isinstance(step, Sql | Cluster):
            return TOO_MUCH
        words = set(re.findall(r"\w+", step.texts)) if isinstance(step, Sql) else EDGE
        return sum(self._bytes_of(name, words, steps) for name in step.inputs)

    def _bytes_of(self, name: str, words: set[str], steps: Mapping[str, Step]) -> int:
        """Return the bytes of the columns that a statement may name, or of what a view reads."""
        if name not in self._sizes and name not in self._read:
            self._read[name] = self._bytes_read(steps[name], steps) if name in steps else TOO_MUCH
            if self._read[name] <= MOST_BYTES:
                self._make(steps[name])
        if name in self._sizes:
            return sum(size for column, size in self._sizes[name].items() if column in words)
        return self._read[name]

    def _make(self, step: Step) -> None:
        """Make what is not written: of a graph a table, of a statement a view."""
        if isinstance(step, Cluster):
            self._add(step.name, self._clustered(step))
        elif isinstance(step, Sql):
            with self._cursor() as cursor:
                cursor.execute(f"create view {quoted(step.name)} as {statement(step, cursor)}")

    def write(self, step: Step, folder: Path, names: Mapping[str, str], progress: Progress) -> None:
        """Run a step for which the tables here suffice and write its table with the users' names."""
        shutil.rmtree(folder, ignore_errors=True)  # what an interrupted run left
        folder.mkdir(parents=True)
        with (
            failures_told(step, folder),
            self._cursor() as cursor,
            progress.step(step.name, None, "rows") as advance,
        ):
            if isinstance(step, Cluster):
                rows = self._clustered(step).to_reader(BATCH_ROWS)
            elif isinstance(step, Sql):
                rows = cursor.sql(statement(step, cursor)).to_arrow_reader(BATCH_ROWS)
            schema = pa.schema([f.with_name(names.get(f.name, f.name)) for f in rows.schema])
            renamed = (batch.rename_columns(schema.names) for batch in rows)
            advance(write_table(folder / "part-00000.parquet", schema, renamed))
        (folder / WHOLE).touch()

    def _clustered(self, step: Cluster) -> pa.Table:
        with self._cursor() as cursor:
            [[nodes]] = cursor.sql(f"select count(*) from {quoted(step.nodes)}").fetchall()
            edges = f"select worse, better, similarity from {quoted(step.edges)} order by 1, 2"
            return clustered(step.kind, nodes, cursor.sql(edges).to_arrow_reader(BATCH_ROWS))

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a connection for one thread."""
        cursor = self._database.cursor()
        try:
            yield cursor
        finally:
            cursor.close()


def statement(step: Sql, cursor: duckdb.DuckDBPyConnection) -> str:
    """Return a step's statement with the names of its inputs."""
    text = step.chosen(lambda name: bool(cursor.sql(f"from {quoted(name)} limit 1").fetchall()))
    return text.format_map({name: quoted(name) for name in step.inputs})


def quoted(name: str, mark: str = '"') -> str:
    """Return a name, or with another mark a text, as SQL has it."""
    return mark + name.replace(mark, mark * 2) + mark
