"""Compares what both engines deliver."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from neardup.engines.spark import small
from neardup.engines.spark.engine import SparkEngine

ALL_BY_SPARK = -1  # bytes
NO_DISK = -2


def tables(result: neardup.Result) -> dict[str, pa.Table]:
    path = str(result.folder).removeprefix("file:")
    found = {p.stem: pq.read_table(p) for p in Path(path).glob("*.parquet")}
    return {name: table.replace_schema_metadata() for name, table in found.items()}


def same_on_both(
    method: Any, source: Any, spark: Any, *, without_disk: bool = False, **chosen: Any
) -> neardup.Result:
    """Run a method on both engines, compare all that they deliver, and return the local result.

    On Spark twice: with statements run by Spark, as for large tables, and by the driver. A third time
    as if the steps were in no folder that Python reaches.
    """
    local = method(source, workers=2, memory="64MB", **chosen)
    ours = tables(local)
    for most in (ALL_BY_SPARK, small.MOST_BYTES, *([NO_DISK] if without_disk else [])):
        with pytest.MonkeyPatch.context() as patched:
            if most == NO_DISK:
                patched.setattr(SparkEngine, "_disk", None)
            else:
                patched.setattr(small, "MOST_BYTES", most)
            remote = method(source, memory="64MB", engine=spark, **chosen)
        theirs = tables(remote)
        assert ours.keys() == theirs.keys()
        for name, table in ours.items():
            assert theirs[name].schema == table.schema, name
            assert theirs[name].equals(table), name
        # a table is a folder of files here, so that its digest is another
        assert {**remote.run, "digests": None} == {**local.run, "digests": None}
        assert set(remote.run["digests"]) == set(local.run["digests"])
        assert not remote.damages()
    return local  # type: ignore[no-any-return]
