"""Runs a command and measures its time, processor time and the peak memory of all its processes."""

import os
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "src" / "neardup" / "data" / "demo.jsonl"
NEARDUP: tuple[str | Path, ...] = (sys.executable, "-m", "neardup")


class CommandError(Exception):
    """A measured command failed."""


@dataclass(frozen=True)
class Measurement:
    """What one run cost."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    by_program: Mapping[str, float]  # processor seconds of all processes of one name


class _Watch(threading.Thread):
    """Samples the processes of some sessions until told to stop, at a twentieth of a core at most.

    Memory is PSS, which counts pages that processes share once. Processor time is the last seen of
    each process: not all workers are children that the command waits for.
    """

    def __init__(self, sessions: Sequence[int]) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self.ticks: dict[str, int] = {}
        self.programs: dict[str, str] = {}
        self.done = threading.Event()
        self._sessions = frozenset(sessions)
        for process in Path("/proc").glob("[0-9]*"):
            self._sample(process)
        self._before = dict(self.ticks)

    @property
    def seconds(self) -> float:
        """Return the processor time since the watch began."""
        return sum(self.by_program().values())

    def by_program(self) -> dict[str, float]:
        """Return the processor time since the watch began, by the processes' names."""
        found: dict[str, float] = defaultdict(float)
        for process, ticks in self.ticks.items():
            used = ticks - self._before.get(process, 0)
            found[self.programs[process]] += used / os.sysconf("SC_CLK_TCK")
        return dict(found)

    def run(self) -> None:
        pause = 0.05
        while not self.done.wait(pause):
            started = time.thread_time()
            self.peak = max(self.peak, sum(self._sample(p) for p in Path("/proc").glob("[0-9]*")))
            pause = max(0.05, 20 * (time.thread_time() - started))

    def _sample(self, process: Path) -> int:
        """Note the processor time of a process of the session, and return its memory."""
        try:
            # The fields after the name in parentheses: state, parent, group, session, …
            told, _, rest = (process / "stat").read_text().rpartition(")")
            fields = rest.split()
            if int(fields[3]) not in self._sessions:
                return 0
            self.ticks[process.name] = int(fields[11]) + int(fields[12])
            self.programs[process.name] = told.partition("(")[2].rstrip("0123456789.")
            rollup = (process / "smaps_rollup").read_text().splitlines()
        except (OSError, IndexError):  # the process has ended meanwhile
            return 0
        return sum(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:"))


def measure(
    command: Sequence[str | Path],
    *,
    log: Path,
    environment: Mapping[str, str] | None = None,
    others: Sequence[int] = (),
) -> Measurement:
    """Run a command in a session of its own, so that none of its processes escapes the measure.

    `others` are sessions that work for it.
    """
    with log.open("wb") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
        watch = _Watch((process.pid, *others))
        watch.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, 15)
            raise
        finally:
            watch.done.set()
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    watch.join()
    if process.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-8:])
        name = " ".join(str(word) for word in command[:4])
        raise CommandError(f"{name} … ended with {process.returncode}; {log} says:\n{tail}")
    used = max(usage.ru_utime + usage.ru_stime, watch.seconds)
    return Measurement(seconds, used, watch.peak, watch.by_program())
