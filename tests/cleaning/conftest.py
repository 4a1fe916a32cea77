"""What the tests of dedup share."""

from pathlib import Path
from typing import Any

import pytest
from tests.cleaning.records import RECORDS, Write, encoded


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the records as a file, or as a folder of texts."""

    def written(kind: str, records: list[dict[str, Any]] = RECORDS, name: str = "in/data") -> Path:
        if kind == "txt":
            folder = tmp_path / name
            folder.mkdir(parents=True)
            for record in records:
                (folder / f"{record['id']}.txt").write_text(record["text"])
            return folder
        path = tmp_path / f"{name}.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded(kind, records))
        return path

    return written
