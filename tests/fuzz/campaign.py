"""Many cases on a few processes: hangs and crashes are told, and a campaign that was ended goes on."""

import json
import os
import queue
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.cases import Case, case_of

HANG = 30  # seconds of the processor: others may keep it busy
PATIENCE = 20  # times as long, if it waits for something
BLOCK = 100  # cases that are noted as done together
FRESH = 2000  # cases after which a process is replaced
START = [sys.executable, "-m", "tests.fuzz.worker"]
ROOT = Path(__file__).parents[2]
ENDED = {"hang": "does not end", "crash": "the process ended"}


class Process:
    """A process that checks cases, and is replaced when it ends or hangs."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self._done = 0

    def check(self, case: Case) -> dict[str, Any]:
        """Have a case checked; return what the process says, or what became of it."""
        process = self._started()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the process has no pipes")
        process.stdin.write(f"{case.seed} {case.number}\n")
        process.stdin.flush()
        ready = self._is_ready(process)
        line = process.stdout.readline() if ready else ""
        self._done += 1
        if line:
            return dict(json.loads(line))
        what = "crash" if ready else "hang"
        self.stop()
        failure = f"{what}: {ENDED[what]}"
        return {"number": case.number, "seen": {}, "failure": failure, "seconds": HANG, "peak": 0}

    def _is_ready(self, process: "subprocess.Popen[str]") -> bool:
        """Wait for an answer, or until the process has worked for it far too long."""
        begun = busy(process.pid)
        if process.stdout is None:
            raise RuntimeError("the process has no pipes")
        for _ in range(PATIENCE):
            if select.select([process.stdout], [], [], HANG)[0]:
                return True
            if busy(process.pid) - begun > HANG:
                return False
        return False

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None or self._done >= FRESH:
            self.stop()
            with self._log.open("a") as log:
                pipe = subprocess.PIPE
                self._process = subprocess.Popen(
                    START, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=log, text=True
                )
            self._done = 0
        return self._process

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def busy(process: int) -> float:
    """Return the seconds that a process kept processors busy."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended, or this is not Linux
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Tally:
    """What was seen of the cases of each format."""

    cases: Counter[str] = field(default_factory=Counter)
    seen: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0
    peak: int = 0

    def add(self, kind: str, found: dict[str, Any]) -> None:
        """Count a case."""
        self.cases[kind] += 1
        self.seen.setdefault(kind, Counter()).update(found["seen"])
        self.seconds = max(self.seconds, found["seconds"])
        self.peak = max(self.peak, found["peak"])
        if found["failure"]:
            self.failures.append({"kind": kind, **found})

    def merge(self, other: "Tally") -> None:
        """Add the cases of another."""
        self.cases += other.cases
        for kind, seen in other.seen.items():
            self.seen.setdefault(kind, Counter()).update(seen)
        self.failures += other.failures
        self.seconds, self.peak = max(self.seconds, other.seconds), max(self.peak, other.peak)


def kind_of(case: Case) -> str:
    """Return what a case is counted under: the name that its file had before it was packed."""
    return ".".join(case.name.split(".")[:2])


def compile_all() -> None:
    """Have all kernels compiled by a process that ends: that takes memory and time of its own."""
    subprocess.run([*START, "compile"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def run(
    seed: str, count: int, folder: Path, workers: int, tell: Callable[[str], None] = lambda _: None
) -> Tally:
    """Check the first cases of a seed, those that were not yet; `folder` remembers which were."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{seed}.jsonl"
    total, finished = Tally(), set()
    for block, tally in remembered(log):
        if block < count:
            finished.add(block)
            total.merge(tally)
    blocks: queue.SimpleQueue[int] = queue.SimpleQueue()
    for block in range(0, count, BLOCK):
        if block not in finished:
            blocks.put(block)

    def work() -> Iterable[tuple[int, Tally]]:
        process = Process(folder / f"{seed}.log")
        done = []
        try:
            while True:
                block = blocks.get_nowait()
                tally = checked(process, seed, range(block, min(block + BLOCK, count)), tell)
                remember(log, block, tally)
                done.append((block, tally))
                tell(
                    f"cases {block:,} to {block + BLOCK:,} of {count:,}: at most {tally.seconds} s "
                    f"and {tally.peak >> 20} MB"
                )
        except queue.Empty:
            return done
        finally:
            process.stop()

    with ThreadPoolExecutor(workers) as pool:
        for found in pool.map(lambda _: work(), range(workers)):
            for _, tally in found:
                total.merge(tally)
    return total


def checked(process: Process, seed: str, numbers: Iterable[int], tell: Callable[[str], None]) -> Tally:
    """Check some cases on one process."""
    tally = Tally()
    for number in numbers:
        case = case_of(seed, number)
        found = process.check(case)
        if str(found["failure"]).startswith("memory"):
            process.stop()  # it may have compiled something before, which takes memory of its own
            found = process.check(case)
        tally.add(kind_of(case), found)
        if found["failure"]:
            tell(f"FAILED {case.name} ({', '.join(case.done)}): {found['failure']}\n  {case.replay}")
    return tally


def remember(log: Path, block: int, tally: Tally) -> None:
    """Note that a block is done."""
    with log.open("a") as out:
        out.write(json.dumps({"block": block, **vars(tally)}) + "\n")


def remembered(log: Path) -> Iterator[tuple[int, Tally]]:
    """Yield the blocks that were done before; a line that was cut off is not one."""
    for line in log.read_text().splitlines() if log.exists() else []:
        try:
            found = json.loads(line)
        except ValueError:
            continue
        block = found.pop("block")
        seen = {kind: Counter(counts) for kind, counts in found.pop("seen").items()}
        yield block, Tally(Counter(found.pop("cases")), seen, **found)
