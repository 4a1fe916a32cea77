"""What went wrong on a cluster, in plain words with a remedy."""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from neardup import errors
from neardup.errors import NeardupError, OutputError, SettingsError, StepError

TOKEN = "neardup-error:"
NO_PACKAGE = "Install neardup on every node, or send it with spark.archives (docs/spark.md)."
OTHER_PYTHON = (
    "Set PYSPARK_PYTHON to a Python on the nodes that has the version of this one, or send this "
    "environment with spark.archives (docs/spark.md)."
)
LITTLE_MEMORY = (
    "Give Java more with spark.executor.memory, and Python more with spark.executor.memoryOverhead and, "
    "if that is set, spark.executor.pyspark.memory; or make tasks smaller with "
    "spark.sql.shuffle.partitions. The same command goes on from here."
)
NO_MEMORY = re.compile(
    "OutOfMemoryError|MemoryError|exit code:? 137|ExecutorLostFailure|exceeding memory|"
    "failed to map segment|Cannot allocate memory|Unable to allocate|bad_alloc"
)
NO_CLASS = re.compile(r"ClassNotFoundException: (?:Class )?(?:\w+\.)*\w*FileSystem\b")
PACKAGES = {"s3a": "hadoop-aws"} | dict.fromkeys(("abfs", "abfss", "wasb", "wasbs"), "hadoop-azure")


class RemoteError(Exception):
    """Carries an error of neardup's from an executor to the driver, through Java, as text."""

    def __init__(self, error: NeardupError) -> None:
        told = json.dumps([type(error).__name__, error.what, error.where, error.hint])
        super().__init__(TOKEN + base64.b64encode(told.encode()).decode())


@contextmanager
def carried() -> Iterator[None]:
    """Let neardup's own errors arrive at the driver as they are."""
    try:
        yield
    except NeardupError as error:
        raise RemoteError(error) from None


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn errors of Spark and Java into neardup's own."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise explanation(str(error), where) from error


def explanation(told: str, where: str) -> NeardupError:
    """Return the error that is meant by a message of Spark's."""
    if found := re.search(re.escape(TOKEN) + r"([A-Za-z0-9+/=]+)", told):
        return carried_error(found[1])
    if found := re.search(r"No module named '?([\w.]+)", told):
        return SettingsError(f"the executors have no package {found[1]}", where=where, hint=NO_PACKAGE)
    if "PYTHON_VERSION_MISMATCH" in told:
        return SettingsError("the executors have another Python", where=where, hint=OTHER_PYTHON)
    if NO_MEMORY.search(told):
        return StepError("the executors have too little memory", where=where, hint=LITTLE_MEMORY)
    if re.search(r"AccessControlException|Permission denied|AccessDenied", told):
        hint = "Choose a folder that Spark's user may write to."
        return OutputError(f"not permitted: {first_line(told)}", where=where, hint=hint)
    if found := re.search(r"No FileSystem for scheme[: \"]+(\w+)", told):
        return no_filesystem(found[1], where)
    if NO_CLASS.search(told):
        return no_filesystem(where.partition(":")[0], where)
    return StepError(first_line(told), where=where)


def no_filesystem(scheme: str, where: str) -> NeardupError:
    """Return the error for an address that Spark lacks a package for, which is named if it is known."""
    hint = "Add the package of this filesystem with spark.jars.packages."
    if package := PACKAGES.get({"s3": "s3a", "s3n": "s3a"}.get(scheme, scheme)):
        added = f"spark.jars.packages=org.apache.hadoop:{package}:{hadoop_version()}"
        renamed = "Hadoop calls it s3a://: write that, and add" if scheme in ("s3", "s3n") else "Add"
        hint = f"{renamed} its package to the settings of Spark (conf): {added}"
    return SettingsError(f"Spark does not know {scheme}://", where=where, hint=hint)


def hadoop_version() -> str:
    """Return the version of Hadoop that comes with PySpark: its packages must have the same."""
    import pyspark

    jars = Path(pyspark.__file__).parent.glob("jars/hadoop-client-api-*.jar")
    return next((jar.stem.rpartition("-")[2] for jar in jars), "VERSION")


def carried_error(encoded: str) -> NeardupError:
    """Return the error in a message, which is taken for data only: texts of the input may be in it."""
    try:
        kind, what, where, hint = json.loads(base64.b64decode(encoded))
        known = getattr(errors, kind)
    except (ValueError, AttributeError, TypeError):
        return StepError("an executor failed, and its message is damaged")
    if not (isinstance(known, type) and issubclass(known, NeardupError)):
        return StepError(str(what))
    return known(what, where=where, hint=hint)


def first_line(told: str) -> str:
    """Return the line of a message that says most: Python's last, else Java's first."""
    lines = [line.strip(" :\t") for line in told.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("An error occurred while calling")]
    python = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
    return (python or lines or ["Spark failed"])[-1 if python else 0]
