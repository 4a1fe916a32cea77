"""What a run read, described in `run.json` and opened again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from neardup.errors import InputError
from neardup.readers.files import find
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source, open_both, open_source, paths_in
from neardup.settings.run import SparkSettings


def describe(source: Source) -> dict[str, Any]:
    """Return what is needed to open the source again and to see whether it is still the same."""
    if source.names == ["dataframe"]:
        return {"kind": "dataframe"}
    if not isinstance(source, FileSource):
        return {"kind": "memory", "fingerprint": source.fingerprint()}
    if not source.can_be_reopened:
        return {"kind": "pipe"}
    files = [
        {"path": f.path, "name": f.name, "size": f.size, "modified": f.modified} for f in source.files
    ]
    return {"kind": "files", "files": files, "reader": asdict(source.settings)}


def reopen(described: Mapping[str, Any]) -> FileSource:
    """Open the files that a run read once more; they must be what they were."""
    source, changed = reopen_rest(described)
    if changed:
        find(changed[:1])  # raises if it is gone
        raise InputError(
            "the input has changed since the run",
            where=changed[0],
            hint="Run neardup again on the files as they are now.",
        )
    return source


def reopen_rest(described: Mapping[str, Any]) -> tuple[FileSource, list[str]]:
    """Open those of the files that a run read which are what they were; name the others."""
    if described["kind"] != "files":
        came = "came through a pipe" if described["kind"] == "pipe" else "were in memory"
        raise InputError(
            f"the texts of this result {came} and are gone",
            hint="Write the documents to a file and run neardup on it to explain or remove them.",
        )
    reader: dict[str, Any] = dict(described["reader"])
    reader |= {name: tuple(value) for name, value in reader.items() if isinstance(value, list)}
    files, changed = [], []
    for old in described["files"]:
        try:
            new = find([old["path"]])
        except InputError:
            new = []
        if [(f.path, f.size, f.modified) for f in new] == [(old["path"], old["size"], old["modified"])]:
            files.append(replace(new[0], name=old["name"]))
        else:
            changed.append(old["path"])
    return FileSource(tuple(files), ReaderSettings(**reader)), changed


def opened_source(source: Any, reader: ReaderSettings, spark: SparkSettings | None) -> Any:
    """Open a source; a DataFrame of Spark's only for Spark."""
    if paths := paths_in(source):
        return opened_files(paths, reader, spark)
    if not type(source).__module__.startswith("pyspark."):
        return open_source(source, reader)
    if spark is None:
        hint = "Give its session, too: engine=df.sparkSession."
        raise InputError("a DataFrame of Spark's is for Spark's engine", hint=hint)
    from neardup.engines.spark.frames import FrameSource

    return FrameSource(source, reader)


def opened_files(
    inputs: Sequence[str | Path], reader: ReaderSettings, spark: SparkSettings | None
) -> Any:
    """Open files; by Spark's own readers where only Spark can reach them."""
    if spark is not None:
        from neardup.engines.spark.remote import only_spark_reaches, open_remote

        if only_spark_reaches(inputs):
            return open_remote(inputs, reader, spark)
    return FileSource.open(inputs, reader)


def opened_both(
    source: Any, against: Any, reader: ReaderSettings, spark: SparkSettings | None
) -> tuple[Any, int]:
    """Open two inputs as one; return it, and the number that the second one's documents begin with."""
    paths = paths_in(source), paths_in(against)
    if all(paths):
        return opened_files_of_both(*paths, reader, spark)
    return open_both(source, against, reader)


def opened_files_of_both(
    inputs: Sequence[str | Path],
    against: Sequence[str | Path],
    reader: ReaderSettings,
    spark: SparkSettings | None,
) -> tuple[Any, int]:
    """Open two sets of files as one source; by Spark's own readers where only Spark can reach some."""
    if spark is not None:
        from neardup.engines.spark import remote

        if remote.only_spark_reaches([*inputs, *against]):
            return remote.open_both(inputs, against, reader, spark)
    return FileSource.open_both(inputs, against, reader)
