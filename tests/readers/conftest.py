"""Writes the same documents in every format, compressed in every way."""

from pathlib import Path
from typing import Any

import pytest
from tests.readers.samples import Make, encoded, packed


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that writes some rows in a format and returns the file's path."""

    def write(kind: str, rows: list[dict[str, Any]], packing: str = "") -> Path:
        path = tmp_path / (f"data.{kind}.{packing}" if packing else f"data.{kind}")
        path.write_bytes(packed(encoded(kind, rows), packing))
        return path

    return write
