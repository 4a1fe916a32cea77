"""Input that only Spark can reach: on s3a://, dbfs:/, or any other filesystem of Hadoop's.

Spark's own readers read it, as tables. They know fewer formats than neardup's, and the numbers of
documents follow Spark's order of files, which is the same as long as the files are.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from neardup.engines.spark.failures import explained
from neardup.engines.spark.frames import FrameSource
from neardup.engines.spark.session import functions_of, session_of
from neardup.errors import InputError
from neardup.readers.archives import COMPRESSIONS
from neardup.readers.numbers import ROW_BITS
from neardup.readers.records import ReaderSettings
from neardup.readers.source import in_both
from neardup.settings.run import RunSettings
from neardup.storage import resolve

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

OF_HADOOP = {"s3a", "s3n", "dbfs", "wasb", "wasbs"}  # as they are set up there
TABLE = {"header": "true", "multiLine": "true", "escape": '"', "quote": '"'}
FORMATS: dict[str, tuple[str, dict[str, str]]] = {
    **dict.fromkeys((".parquet", ".pq"), ("parquet", {})),
    **dict.fromkeys((".jsonl", ".ndjson", ".jl", ".json"), ("json", {})),
    **dict.fromkeys((".txt", ".text", ".md"), ("text", {"wholetext": "true"})),
    ".orc": ("orc", {}),
    ".csv": ("csv", TABLE),
    ".tsv": ("csv", TABLE | {"sep": "\t"}),
}
KNOWN = "Spark reads Parquet, ORC, JSON Lines, CSV, TSV and plain texts, of one kind at a time."


def only_spark_reaches(inputs: Sequence[str | Path]) -> bool:
    """Return whether an address is Hadoop's, or of a filesystem that nothing else opens here."""
    for address in map(str, inputs):
        if found := re.match(r"([a-z][\w+.-]+):/", address):  # not a drive of Windows
            if found[1] in OF_HADOOP:
                return True
            try:
                resolve(address if "://" in address else address.replace(":/", "://", 1))
            except InputError:
                return True
    return False


def open_remote(inputs: Sequence[str | Path], reader: ReaderSettings, run: RunSettings) -> FrameSource:
    """Open files by Spark's own readers."""
    with explained(str(inputs[0])):
        session = session_of(run)
        files = listed(session, inputs)
        return FrameSource(table_of(session, paths_of(files)), reader, marked(files))


def open_both(
    inputs: Sequence[str | Path], against: Sequence[str | Path], reader: ReaderSettings, run: RunSettings
) -> tuple[FrameSource, int]:
    """Open two sets of files as one source; return it and the number that the second begins with."""
    with explained(str(inputs[0])):
        session = session_of(run)
        files = [listed(session, paths) for paths in (inputs, against)]
        first, second = map(paths_of, files)
        if both := sorted({*first} & {*second}):
            raise in_both(both[0])
        frames = [FrameSource(table_of(session, paths), reader).frame for paths in (first, second)]
        if {*frames[0].columns} != {*frames[1].columns}:
            raise InputError("the sources and the input have different columns", where=second[0])
        mark = "-".join(map(marked, files))
        source = FrameSource(frames[0].unionByName(frames[1]), reader, mark)
        parts = partitions_of(frames[0])  # the union has them first
    return source, parts << ROW_BITS


def partitions_of(frame: "DataFrame") -> int:
    """Return how many partitions a DataFrame has, those without rows at its end aside."""
    sql = functions_of(frame)
    parts = frame.select(sql.spark_partition_id().alias("part"))  # not in max(): Spark refuses that
    [row] = parts.select(sql.max("part").alias("last")).collect()
    return 0 if row["last"] is None else int(row["last"]) + 1


def paths_of(files: list[Any]) -> list[str]:
    """Return the paths of listed files."""
    return [str(row["path"]) for row in files]


def listed(session: "SparkSession", inputs: Sequence[str | Path]) -> list[Any]:
    """Return the files with their times and sizes; those whose names begin with _ or . are left out."""
    from pyspark.errors import AnalysisException

    addresses = [str(address) for address in inputs]
    read = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        found = read.load(addresses).select("path", "modificationTime", "length").orderBy("path")
        files = found.collect()
    except AnalysisException as error:
        if "PATH_NOT_FOUND" not in str(error):
            raise
        raise InputError("no such file", where=addresses[0], hint="Check the spelling.") from None
    if not files:
        raise InputError("the folder holds no files", where=addresses[0])
    return files


def marked(files: list[Any]) -> str:
    """Return a digest that changes with the files."""
    facts = [(row["path"], str(row["modificationTime"]), row["length"]) for row in files]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def table_of(session: "SparkSession", paths: list[str]) -> "DataFrame":
    """Return the rows of files that are all of one kind; the first of them tells the columns."""
    sql = functions_of(session)
    kind = FORMATS.get(suffix_of(paths[0]))
    others = [path for path in paths if FORMATS.get(suffix_of(path)) != kind]
    if kind is None or others:
        what = "Spark has no reader for it" if kind is None else f"this is not like {paths[0]}"
        raise InputError(what, where=[*others, paths[0]][0], hint=KNOWN)
    name, options = kind
    read = session.read.format(name).options(**options)
    if name == "text":
        text = read.load(paths)
        return text.select(sql.col("value").alias("text"), sql.input_file_name().alias("id"))
    return read.schema(read.load(paths[:1]).schema).load(paths)


def suffix_of(path: str) -> str:
    """Return what a name ends with, but for its compression."""
    name = PurePosixPath(path)
    return (
        PurePosixPath(name.stem).suffix.lower() if name.suffix in COMPRESSIONS else name.suffix.lower()
    )
