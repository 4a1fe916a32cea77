"""Settings for all tests."""

import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.command_line import Command, Printed
from tests.corpora import USUAL
from tests.s3 import served

# no deadlines: kernels compile on first use, and machines are noisy
for name, examples in (("usual", USUAL), ("thorough", 100)):
    settings.register_profile(
        name,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=True,
        max_examples=examples,
    )
settings.load_profile("usual")  # make test-all takes the other one

HERE = Path(__file__).parent
CONNECT_PORT = "spark.connect.grpc.binding.port"
# one worker takes all of these, so that one Java is started, and started first: it is the longest way
OF_SPARK = (
    "engines/spark/",
    "engines/test_engines.py",
    "cleaning/test_shards.py",
    "cleaning/test_written.py",
    "cli/test_cli_spark.py",
    "methods/test_methods_sixth.py",
    "results/test_places_spark.py",
)
# begun next, so that at the end no worker waits for them
LONGEST = (
    "test_killing.py",
    "evaluation/test_page_study.py",
    "evaluation/test_studies.py",
    "methods/documents/test_documents.py",
    "results/",
    "steps/test_against.py",
    "index/test_answers.py",
    "test_fuzz.py",
    "reports/",
    "test_unchanged.py",
    "test_release.py",
    "engines/",
    "methods/",
    "evaluation/",
)


def is_of_spark(path: str) -> bool:
    """Return whether a file, by its path below this folder, has tests of Spark."""
    return path.startswith(OF_SPARK)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first; make has the plugin for workers keep this order."""
    order = [*OF_SPARK, *LONGEST]

    def place(item: pytest.Item) -> int:
        name = item.path.relative_to(HERE).as_posix()
        return next((n for n, own in enumerate(order) if name.startswith(own)), len(order))

    items.sort(key=place)


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker one file after the other, and one worker all files with tests of Spark."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            path = str(super()._split_scope(nodeid))
            return "spark" if is_of_spark(path.removeprefix(f"{HERE.name}/")) else path

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def free_port() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process; an error that it does not catch fails the test."""
    from neardup.cli import main

    def run(*arguments: object) -> Printed:
        code: Any = 0
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["neardup", *map(str, arguments)])
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        printed = capsys.readouterr()
        return Printed(code, printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def spark() -> Any:
    """Start one Spark for all tests; a task may fail three times."""
    if not shutil.which("java"):
        pytest.skip("there is no Java")
    from neardup.engines.spark.session import open_session

    conf = {
        "spark.sql.shuffle.partitions": "3",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        CONNECT_PORT: str(free_port()),
    }
    with pytest.MonkeyPatch.context() as patched:  # to write an archive of classes takes long
        patched.setattr("neardup.engines.spark.session.archive_options", lambda *_: "")
        session = open_session("local[2,4]", conf, memory=2 << 30)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def connect(spark: Any) -> Any:
    """Open a session of Spark Connect, at a server in the Java that runs already."""
    pytest.importorskip("grpc_status")
    from neardup.engines.spark.session import open_session

    service = spark.sparkContext._jvm.org.apache.spark.sql.connect.service.SparkConnectService
    service.start(spark.sparkContext._jsc.sc())
    return open_session(f"sc://127.0.0.1:{spark.conf.get(CONNECT_PORT)}", {})


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """Start one server of S3 for all tests of a process; give the address of its bucket."""
    with served() as bucket:
        yield bucket


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
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
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not path:
        pytest.skip("there is no Chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield started
        started.close()
