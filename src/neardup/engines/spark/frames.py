"""Spark's DataFrames: as a source of documents, and as the tables of a result."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from neardup.engines.disk import SUFFIX, Tables
from neardup.engines.spark.apart import shelf_in
from neardup.engines.spark.columns import pack
from neardup.engines.spark.connect import SharedFolder
from neardup.engines.spark.failures import carried
from neardup.engines.spark.folders import HadoopFolder
from neardup.engines.spark.inside_pyspark import expected_size
from neardup.engines.spark.session import is_remote
from neardup.engines.spark.tasks import Batches, Side, partition
from neardup.plan import MapFunction
from neardup.readers import tables
from neardup.readers.html_columns import extracted
from neardup.readers.numbers import Split, numbered, with_numbers
from neardup.readers.records import ReaderSettings, check, column_types, records_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAME = "dataframe"
NO_SIZE = 1 << 50  # Spark expects the most that there is if it knows nothing
UNKNOWN = 1 << 28
FIRST = 1_000


class FrameSource:
    """The rows of a DataFrame, numbered by partition and place in it.

    Its order is the repeatable one of its files, or the user's; after a shuffle, it is not one.
    """

    holds_gil = True

    def __init__(self, frame: "DataFrame", settings: ReaderSettings, mark: str | None = None) -> None:
        from pyspark.sql.pandas.types import to_arrow_schema

        check(settings)
        columns, types = tables.look_at(to_arrow_schema(frame.schema), settings, NAME)
        self.records = records_schema(column_types(types, settings))
        self.frame = frame.select(*dict.fromkeys(name.split(".")[0] for name in tables.wanted(columns)))
        self._columns = columns
        self._settings = settings
        self._mark = mark

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the schema of the numbered batches."""
        return with_numbers(self.records)

    @property
    def names(self) -> list[str]:
        """Return the one name that stands for a file's."""
        return [NAME]

    def splits(self) -> list[Split]:
        """Return one part, with the size that Spark expects."""
        size = None if is_remote(self.frame) else expected_size(self.frame)
        return [Split(0, 0, 0, 0, UNKNOWN if size is None or size >= NO_SIZE else size)]

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Yield the first records, to see what they are like; tasks read them all."""
        found = (
            part
            for batch in self.frame.limit(FIRST).toArrow().to_batches()
            for part in tables.to_records(batch, self._columns, self.records, self._settings.max_record)
        )
        texts = extracted(found, self._settings.raw) if self._columns.is_html else found
        yield from numbered(texts, split, self.schema, False, NAME)

    def fingerprint(self) -> str:
        """Return what changes with the rows; a new one each time if that is not known."""
        return self._mark or uuid.uuid4().hex

    def mapped(
        self, function: MapFunction, sides: Mapping[str, Side], apart: str | None = None
    ) -> Callable[[Batches], Batches]:
        """Return the task that makes numbered records of rows and maps them."""
        columns, records, settings, schema = self._columns, self.records, self._settings, self.schema

        def run(batches: Batches) -> Batches:
            values = {name: side.value for name, side in sides.items()}
            found = (
                part
                for batch in batches
                for part in tables.to_records(batch, columns, records, settings.max_record)
            )
            texts = extracted(found, settings.raw) if columns.is_html else found
            split = Split(partition(), 0, 0, 0, 0)
            with shelf_in(apart) as shelf, carried():
                for batch in numbered(texts, split, schema, settings.strict, NAME):
                    yield from pack(function(batch, values), shelf)

        return run


class SparkTables(Tables):
    """A folder on any filesystem that Spark reaches, its tables as DataFrames."""

    folder: HadoopFolder | SharedFolder

    def table(self, name: str) -> Any:
        """Return one of the tables; the files of a temporary result live as long as it."""
        frame: Any = self.folder.spark.read.parquet(str(self.folder / f"{name}{SUFFIX}"))
        frame.neardup_tables = self
        return frame

    def arrow(self, name: str, most: int | None = None) -> pa.Table:
        """Return the first rows of a table, or all, in Arrow."""
        frame = self.table(name)
        return (frame if most is None else frame.limit(most)).toArrow()
