"""A corpus, what each method finds in it, and reports of that in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import Opened
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


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Report what several methods find in the demo corpus."""
    folder = tmp_path_factory.mktemp("demo")
    results = {
        "documents": neardup.documents(DEMO, output=folder / "documents", threshold=0.5),
        "passages": neardup.passages(DEMO, output=folder / "passages"),
        "sentences": neardup.sentences(DEMO, output=folder / "sentences"),
        "pages": neardup.pages(str(DEMO), output=folder / "pages"),
        "nothing": neardup.documents(
            ["one text that is alone in here", "and quite another text of its own"],
            output=folder / "nothing",
        ),
    }
    return {name: neardup.report(result).path for name, result in results.items()}


@pytest.fixture(scope="module")
def demo(reports: dict[str, Path]) -> Path:
    return reports["documents"]


@pytest.fixture(scope="module")
def shared(browser: Any, demo: Path) -> Iterator[Opened]:
    """Open the report of documents once for all tests that only look at it."""
    found = Opened(browser, demo)
    yield found
    found.context.close()


@pytest.fixture
def opened(shared: Opened, demo: Path) -> Iterator[Opened]:
    shared.wrong.clear()
    shared.page.goto("about:blank")
    shared.page.goto(demo.as_uri())
    shared.page.wait_for_selector("html[data-ready]")
    shared.page.evaluate("localStorage.clear()")
    del shared.asked[:]
    yield shared
    assert not shared.wrong
    assert not [url for url in shared.asked if not url.startswith(("file:", "blob:", "data:"))]
