"""A place for compiled kernels."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from neardup.kernels.cache_folder import folder


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Have an empty place for compiled kernels."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "place"))
    folder.cache_clear()
    yield tmp_path / "place"
    folder.cache_clear()
