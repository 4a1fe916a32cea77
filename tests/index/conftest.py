"""A small index."""

from pathlib import Path
from typing import Any

import pytest
from tests.corpora import prose
from tests.index.building import built


@pytest.fixture
def index(tmp_path: Path) -> Any:
    with built(tmp_path / "i.duckdb", [prose(80, 1), prose(80, 2)]) as index:
        yield index
