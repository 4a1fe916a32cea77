"""Files of a track, and a small collection."""

import json
from pathlib import Path

import pytest
from tests.retrieval.collection import TEXTS, Collection, Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(text: str) -> Path:
        path = tmp_path / "file.txt"
        path.write_text(text)
        return path

    return make


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    return Collection(tmp_path, ["1", "2", "10"])


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    url = "http://www.example.com/"
    rows = [{"id": own, "text": text, "url": url + own} for own, text in TEXTS.items()]
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
