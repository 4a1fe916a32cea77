"""What the tests of the command line look at: a small corpus, and the demo's result."""

from pathlib import Path

import pytest
from tests.cli.records import TEXT, lines
from tests.command_line import call


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    path.write_text(lines({"id": "a", "text": TEXT}, {"id": "b", "text": f"{TEXT} Indeed."}))
    return path


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the result of `neardup demo`."""
    folder = tmp_path_factory.mktemp("demo")
    done = call("demo", "-o", folder / "demo")
    assert done.code == 0
    assert "41 documents of 41 records" in done.out
    assert "17 pairs" in done.out
    assert "10 clusters" in done.out
    assert (folder / "demo.jsonl").exists()
    return folder / "demo"
