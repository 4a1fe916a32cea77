"""Servers of an index, of a result, and of threads."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browsing import HOSTILE
from tests.corpora import DEMO, prose
from tests.server.client import FORUM, STRANGE, Client, started

import neardup
from neardup.index.online import Index


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    """Serve the demo corpus and documents with strange ids, and its result."""
    documents = [{"id": own, "text": prose(60, 40 + n)} for n, own in enumerate(STRANGE)]
    documents.append({"id": "hostile", "text": f"{prose(30, 60)} {HOSTILE} {prose(30, 61)}"})
    with Index.build(folder / "index.neardup", str(DEMO)) as index:
        index.add(documents)
    neardup.documents(str(DEMO), output=folder / "out", threshold=0.5)
    client = started(folder / "index.neardup", folder / "out", max_body=2_000_000, max_text=20_000)
    yield client
    client.stop()


@pytest.fixture(scope="module")
def forum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Serve a result of threads."""
    folder = tmp_path_factory.mktemp("forum")
    (folder / "forum.jsonl").write_text("\n".join(map(json.dumps, FORUM)))
    neardup.threads(str(folder / "forum.jsonl"), output=folder / "out")
    client = started(folder / "out", max_text=1_000)
    yield client
    client.stop()
