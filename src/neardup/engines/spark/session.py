"""Opening a Spark session, and telling in plain words why it cannot be opened.

Spark loads some 20,000 Java classes from 280 files, which takes a third of a short run's processor time.
Java can write those that a run has loaded into an archive, and map that into memory next time.
"""

import atexit
import hashlib
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any, cast

from neardup.durable import delete_temporary, temporary_folder
from neardup.engines.spark.inside_pyspark import is_tried
from neardup.errors import SettingsError
from neardup.settings.run import RunSettings

if TYPE_CHECKING:
    import pyspark.sql
    from pyspark.sql import SparkSession

CONNECT = "sc://"
CONNECT_PORT = 15002
JOINED: dict[tuple[object, ...], Any] = {}  # sessions of Spark Connect, by address and settings
LEAST_JAVA = 17
STDERR = 2
SECONDS = 10  # to wait for a master's answer
TASK_INPUT = 16 << 20
LEAST_PARTITIONS = 8
MOST_PARTITIONS = 20_000
MOST_CORES = 1 << 12  # that are counted where only a query can tell
# What is fixed in a run's time often weighs more than what grows. So the driver, which plans, compiles
# methods quickly and not well, and executors compile those well that run ten times as often as Java
# asks for. Statements over small input are not compiled; on one machine nobody looks at their plans.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:MetaspaceSize=256m"
PATIENT_JAVA = (
    "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 "
    "-XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
)
QUICK = {"spark.ui.enabled": "false", "spark.sql.ui.explainMode": "simple"}
SMALL = 256 << 20  # bytes of input
INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
# A row that tells where a list lies is more work than it has bytes.
SPREAD = {"spark.sql.adaptive.coalescePartitions.minPartitionSize": "256k"}
LOG = Path(__file__).with_name("log4j2.properties")
CACHE = "XDG_CACHE_HOME"
SILENT = "-XX:+IgnoreUnrecognizedVMOptions -Xshare:auto -Xlog:disable"
READ = "-XX:SharedArchiveFile="


def session_of(run: RunSettings) -> "SparkSession":
    """Return the session that was given for a run, or open one."""
    chosen = run.engine.options
    return chosen.session or open_session(chosen.master, chosen.conf or {}, run.memory)


def open_session(master: str, conf: Mapping[str, str], memory: int | None = None) -> "SparkSession":
    """Start Spark, or join the cluster of a master; settings given in `conf` win."""
    if master.startswith(CONNECT):
        return joined(master, conf)
    java = check_java()
    check_pyspark()
    check_master(master)
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    logging.getLogger("DataFrameQueryContextLogger").setLevel(logging.CRITICAL)
    settings: dict[str, Any] = {**defaults(master, memory, java), **conf}
    builder = SparkSession.builder.master(master).appName("neardup")
    with tempfile.TemporaryFile("w+") as told:
        try:
            with redirected(told):
                session = builder.config(map=settings).getOrCreate()
        except (PySparkException, Py4JError, RuntimeError, OSError) as error:
            told.seek(0)
            raise not_started(master, f"{told.read()}\n{error}") from error
    return session


def joined(address: str, conf: Mapping[str, str]) -> "SparkSession":
    """Join a cluster by Spark Connect, or take the session of it that is open."""
    check_pyspark()
    known = JOINED.get((address, *sorted(conf.items())))
    if known is not None and not known.is_stopped:
        return cast("pyspark.sql.SparkSession", known)
    host, _, port = re.sub("[/;].*", "", address.removeprefix(CONNECT)).partition(":")
    if problem := no_answer(host, int(port or CONNECT_PORT)):
        hint = "Is a server of Spark Connect running there? Its address is like sc://HOST:15002."
        raise SettingsError(f"the server does not answer: {problem}", where=address, hint=hint)
    from pyspark.errors import PySparkException

    try:
        from pyspark.sql.connect.session import SparkSession

        session: Any = SparkSession.builder.remote(address).config(map=dict(conf)).create()
        session.range(1).count()
    except (ImportError, PySparkException) as error:
        raise not_started(address, str(error)) from error
    JOINED[address, *sorted(conf.items())] = session
    return cast("pyspark.sql.SparkSession", session)


@contextmanager
def redirected(file: IO[str]) -> Iterator[None]:
    """Let a file have what is written to the standard error, by whatever process is started now."""
    before = os.dup(STDERR)
    os.dup2(file.fileno(), STDERR)
    try:
        yield
    finally:
        os.dup2(before, STDERR)
        os.close(before)


def defaults(master: str, memory: int | None, java: str) -> dict[str, str]:
    """Return what is set unless the user sets it; `java` is what Java says of its version."""
    import pyspark

    local = master.startswith("local")
    archive = archive_options(java, Path(pyspark.__file__).parent, local)
    executors = archive if is_read(archive) else ""
    options = f"-Dlog4j2.configurationFile={LOG.as_uri()} {temporary_options()} {archive}"
    settings = {
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": f"{options} {QUICK_JAVA}",
        "spark.executor.defaultJavaOptions": f"{executors} {PATIENT_JAVA}",
    }
    if is_tried():
        settings["spark.python.daemon.module"] = "neardup.engines.spark.daemon"
    if local:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        if memory:
            settings["spark.driver.memory"] = f"{max(memory >> 21, 512)}m"
        settings |= QUICK
    return settings


@cache
def temporary_options() -> str:
    """Let Java have its temporary files where they are deleted with this process, or by the next."""
    folder = temporary_folder()
    atexit.register(delete_temporary, folder)
    return "" if " " in str(folder) else f"-Djava.io.tmpdir={folder}"  # options end at blanks


def check_java() -> str:
    """Refuse to start without a Java that Spark can use; return what it says of its version."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    hint = f"Install Java {LEAST_JAVA} or later (Debian: openjdk-17-jre-headless), or set JAVA_HOME."
    if java is None or not Path(java).exists():
        raise SettingsError("Spark needs Java, and there is none", where=home, hint=hint)
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', told)
    if found and int(found[1]) < LEAST_JAVA:
        raise SettingsError(f"Spark needs Java {LEAST_JAVA}, this is {found[1]}", where=java, hint=hint)
    return told


def check_pyspark() -> None:
    """Refuse to start without the Python side of Spark."""
    try:
        import pandas  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            f"the Spark engine needs {error.name}, which is not installed",
            hint="Install it in neardup's folder with: pip install '.[spark]'",
        ) from None


def check_master(master: str) -> None:
    """Refuse a master that is none, or does not answer."""
    known = r"local(\[.*\])?|yarn|spark://[^,]+:\d+(,[^,]+:\d+)*|k8s://.+"
    if not re.fullmatch(known, master):
        hint = "Take local[*], spark://HOST:PORT, yarn, k8s://ADDRESS or sc://HOST:PORT."
        raise SettingsError(f"there is no master {master!r}", hint=hint)
    if master == "yarn" and not {"HADOOP_CONF_DIR", "YARN_CONF_DIR"} & os.environ.keys():
        hint = "Set HADOOP_CONF_DIR to the folder with the cluster's core-site.xml and yarn-site.xml."
        raise SettingsError("YARN's configuration is not known", hint=hint)
    if master.startswith("spark://"):
        hosts = [host.rpartition(":") for host in master.removeprefix("spark://").split(",")]
        problems = [problem for host, _, port in hosts if (problem := no_answer(host, int(port)))]
        if len(problems) == len(hosts):
            hint = (
                "Is the master running there? Its own page tells its address, such as spark://HOST:7077."
            )
            raise SettingsError(f"the master does not answer: {problems[0]}", where=master, hint=hint)


def no_answer(host: str, port: int) -> str | None:
    """Return why nobody answers at an address, or None if somebody does."""
    try:
        socket.create_connection((host, port), SECONDS).close()
    except OSError as error:
        return error.strerror or str(error)
    return None


def not_started(master: str, told: str) -> SettingsError:
    """Return the error for a session that could not be opened, with the first cause that was told."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    causes = [line for line in lines if re.search(r"\b(\w+Exception|\w*Error|ERROR)\b", line)]
    what = (causes or lines or ["it did not say why"])[0]
    hint = "See docs/spark.md for what each kind of cluster needs."
    return SettingsError(f"Spark could not be started: {what}", where=master, hint=hint)


def is_remote(session_or_frame: object) -> bool:
    """Return whether a session, or what is of one, is of Spark Connect: without Java in this process."""
    return type(session_or_frame).__module__.startswith("pyspark.sql.connect.")


@cache
def functions_in(room: str) -> Any:
    """Return the functions of one kind of Spark."""
    functions, window = (import_module(f"{room}.{name}") for name in ("functions", "window"))
    return SimpleNamespace(**vars(functions) | {"Window": window.Window})


def functions_of(frame: object) -> Any:
    """Return the functions that make columns of a DataFrame, and its windows as `Window`."""
    return functions_in("pyspark.sql.connect" if is_remote(frame) else "pyspark.sql")


def cores_of(spark: "SparkSession") -> int:
    """Return how many tasks the cluster runs at a time."""
    if not is_remote(spark):
        return int(spark.sparkContext.defaultParallelism)
    numbers = spark.range(MOST_CORES)
    own = functions_of(numbers).spark_partition_id().alias("part")
    return int(numbers.select(own).distinct().count())


def settings_of(spark: "SparkSession") -> dict[str, str]:
    """Return the settings that a session was opened with."""
    if is_remote(spark):
        return dict(spark.conf.getAll)
    return dict(spark.sparkContext.getConf().getAll())


def partitions_for(size: int, cores: int) -> int:
    """Return into how many parts tables are shuffled, for input of this size."""
    return min(max(size // TASK_INPUT, 2 * cores, LEAST_PARTITIONS), MOST_PARTITIONS)


@contextmanager
def tuned(spark: "SparkSession", size: int) -> Iterator[None]:
    """Set what suits plans over input of this size, unless the user did; put it back afterwards."""
    cores = cores_of(spark)
    wanted = {
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(1 << 17),
        "spark.sql.execution.arrow.maxBytesPerBatch": str(TASK_INPUT),
        "spark.sql.shuffle.partitions": str(partitions_for(size, cores)),
        **SPREAD,
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    }
    if size < SMALL:
        wanted |= INTERPRETED
    given = settings_of(spark)
    with set_for_a_while(spark, {name: wanted[name] for name in wanted if name not in given}):
        yield


@contextmanager
def set_for_a_while(spark: "SparkSession", wanted: Mapping[str, str]) -> Iterator[None]:
    """Change some settings, and put them back afterwards."""
    before = {name: spark.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            spark.conf.unset(name) if old is None else spark.conf.set(name, old)


def archive_options(java: str, spark: Path, tasks: bool) -> str:
    """Return the options with which Java takes classes from an archive, or writes one when it ends.

    An archive is of one Java and one Spark: `java` says its version, `spark` is the package's folder.
    Best is one of a run with `tasks` in the same process, which has what executors need, too; a driver
    without tasks writes one of its own if none is there.
    """
    name = f"spark-classes-{digest(java, spark)}"
    whole, driver = (cache_folder() / f"{name}{kind}.jsa" for kind in ("", "-driver"))
    found = [path for path in ((whole,) if tasks else (whole, driver)) if is_whole(path)]
    if found:
        return f"{SILENT} {READ}{found[0]}"
    archive = whole if tasks else driver
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    if not os.access(archive.parent, os.W_OK) or " " in str(archive):  # options end at blanks
        return ""
    return f"{SILENT} -XX:ArchiveClassesAtExit={archive}"


def is_read(options: str) -> bool:
    """Return whether Java takes classes from an archive with these options, where it finds one."""
    return READ in options


def cache_folder() -> Path:
    """Return where this user's programs keep what they can make again."""
    return Path(os.environ.get(CACHE) or Path.home() / ".cache") / "neardup"


def digest(java: str, spark: Path) -> str:
    """Return a name for a Java and all files of a Spark."""
    files = [(path.name, path.stat().st_mtime_ns) for path in sorted((spark / "jars").glob("*.jar"))]
    return hashlib.sha256(repr((java, str(spark), files)).encode()).hexdigest()[:16]


def is_whole(archive: Path) -> bool:
    """Return whether Java has written all of an archive: the bytes at its beginning come last."""
    try:
        with archive.open("rb") as file:
            return any(file.read(4))
    except OSError:
        return False
