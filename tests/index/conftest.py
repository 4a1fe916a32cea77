"""A small index."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import prose
from tests.index.building import built

from neardup.index import writing


@pytest.fixture(scope="package", autouse=True)
def in_segments() -> Iterator[None]:
    """Give all documents a segment that are there when an index is closed, as it would many."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writing, "LEFT", 0)
        yield


@pytest.fixture
def index(tmp_path: Path) -> Any:
    with built(tmp_path / "i.neardup", [prose(80, 1), prose(80, 2)]) as index:
        yield index
