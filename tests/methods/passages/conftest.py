"""Files of prose that share passages, and a result of passages."""

from pathlib import Path

import pytest
from tests.corpora import write_prose
from tests.methods.passages.records import written

import neardup


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_prose(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> neardup.Result:
    folder = tmp_path_factory.mktemp("stories")
    return neardup.passages(written("jsonl", folder), output=folder / "out")
