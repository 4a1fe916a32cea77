"""A standalone Spark cluster on loopback for tests: one master, two workers."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
SECONDS = 60
LITTLE = "-XX:TieredStopAtLevel=1"


class Cluster:
    """The processes of a cluster; each worker is the head of a group with its executors."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"spark://127.0.0.1:{self.port}"
        self.master = self._start(
            "master",
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
        )
        wait_for(lambda: not refused(self.port), "the master")
        self.workers = [self._start_worker(number) for number in range(workers)]
        wait_for(lambda: self._registered() == workers, "the workers")

    def _start_worker(self, number: int, **environment: str) -> "subprocess.Popen[bytes]":
        host = host_of(number)
        return self._start(
            f"worker-{number}",
            "org.apache.spark.deploy.worker.Worker",
            *("--host", host, "--cores", "1", "--memory", "3g"),
            *("--work-dir", str(self.folder / f"work-{number}"), self.address),
            **{"SPARK_LOCAL_IP": host} | environment,
        )

    def replace_worker(self, number: int, disk: Path) -> "subprocess.Popen[bytes]":
        """Start another worker in the place of one, with this folder for what it spills and shuffles."""
        self.kill_worker(number)
        self.workers[number].wait()
        known = self._registered()
        self.workers[number] = self._start_worker(number, SPARK_LOCAL_DIRS=str(disk))
        wait_for(lambda: self._registered() > known, "the worker")
        return self.workers[number]

    def _start(self, name: str, *command: str, **more: str) -> "subprocess.Popen[bytes]":
        environment = (
            os.environ
            | {
                "SPARK_DAEMON_JAVA_OPTS": LITTLE,
                "SPARK_DAEMON_MEMORY": "256m",
                "SPARK_LOCAL_IP": "127.0.0.1",
                "PYSPARK_PYTHON": sys.executable,
                "SPARK_HOME": str(HOME),
            }
            | more
        )
        log = (self.folder / f"{name}.log").open("wb")
        return subprocess.Popen(
            [str(HOME / "bin" / "spark-class"), *command],
            stdout=log,
            stderr=log,
            env=environment,
            start_new_session=True,
        )

    def _registered(self) -> int:
        log = (self.folder / "master.log").read_text(errors="replace")
        return len(re.findall("Registering worker", log))

    def kill_worker(self, number: int) -> None:
        """Kill a worker and its executors at once, as a machine that loses power."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)

    def stop(self) -> None:
        for process in (*self.workers, self.master):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    started = Cluster(folder)
    try:
        yield started
    finally:
        started.stop()


def host_of(number: int) -> str:
    """Return an address of its own for a worker, where loopback has many.

    Spark never begins a task twice on one host, so workers of one address would speculate on nothing.
    """
    return f"127.0.0.{number + 1}" if sys.platform == "linux" else "127.0.0.1"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def refused(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) != 0


def wait_for(ready: Callable[[], bool], what: str) -> None:
    """Wait until something is ready, for a minute at most."""
    begun = time.monotonic()
    while not ready():
        if time.monotonic() - begun > SECONDS:
            raise TimeoutError(f"{what} did not get ready")
        time.sleep(0.2)
