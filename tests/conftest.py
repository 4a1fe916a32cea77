"""Settings for all tests."""

import shutil
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


@pytest.fixture(scope="session")
def spark() -> Any:
    """Start one Spark for all tests; a task may fail three times, and little is compiled."""
    if not shutil.which("java"):
        pytest.skip("there is no Java")
    from neardup.spark.session import open_session

    conf = {
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    session = open_session("local[2,4]", conf, memory=2 << 30)
    yield session
    session.stop()
