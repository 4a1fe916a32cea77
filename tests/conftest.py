"""Settings for all tests."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# no deadlines: kernels compile on first use, and machines are noisy
settings.register_profile(
    "neardup",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    max_examples=50,
)
settings.load_profile("neardup")

LONGEST = ("test_spark.py", "test_runs.py")  # begun first, so that at the end no worker waits for them


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture(scope="session")
def spark() -> Any:
    """Start one Spark for all tests; a task may fail three times."""
    if not shutil.which("java"):
        pytest.skip("there is no Java")
    from neardup.engines.spark.session import open_session

    conf = {"spark.sql.shuffle.partitions": "3"}
    with pytest.MonkeyPatch.context() as patched:  # to write an archive of classes takes long
        patched.setattr("neardup.engines.spark.session.archive_options", lambda *_: "")
        session = open_session("local[2,4]", conf, memory=2 << 30)
    yield session
    session.stop()


CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start one Chromium for all tests of a process."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not path:
        pytest.skip("there is no Chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield started
        started.close()
