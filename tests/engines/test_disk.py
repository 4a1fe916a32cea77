"""Tables of a result are read from where it is."""

from pathlib import Path

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq
import pytest

from neardup import storage
from neardup.engines.disk import Tables


def test_a_table_far_away_is_not_taken_for_a_file_of_the_same_name_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("far", "here"):
        (tmp_path / place / "bucket").mkdir(parents=True)
        pq.write_table(pa.table({"place": [place]}), tmp_path / place / "bucket" / "pairs.parquet")
    far = pafs.SubTreeFileSystem(str(tmp_path / "far"), pafs.LocalFileSystem())
    monkeypatch.setattr(storage, "resolve", lambda address: (far, address.removeprefix("s3://")))
    monkeypatch.chdir(tmp_path / "here")
    tables = Tables(storage.Address("s3://bucket"))
    assert tables.table("pairs")["place"].to_pylist() == ["far"]
