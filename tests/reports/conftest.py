"""A corpus, and what each method finds in it."""

from pathlib import Path

import pytest
from tests.corpora import DEMO

import neardup
from neardup.result import Result


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "demo.jsonl"
    path.write_bytes(DEMO.read_bytes())
    return path


@pytest.fixture(scope="module")
def results(corpus: Path) -> dict[str, Result]:
    """Run each method once."""
    folder = corpus.parent
    return {
        "documents": neardup.documents(corpus, output=folder / "documents", threshold=0.5),
        "passages": neardup.passages(corpus, output=folder / "passages"),
        "sentences": neardup.sentences(corpus, output=folder / "sentences"),
    }
