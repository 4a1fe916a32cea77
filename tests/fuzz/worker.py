"""A process that checks one case after the other: numbers come in a line each, JSON goes out.

What a case prints, raises or takes of memory is told, not shown; a case that ends the process, or never
ends, is the business of whoever started it.
"""

import faulthandler
import gc
import json
import os
import resource
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.cases import Case, case_of
from tests.fuzz.checks import MEMORY, check
from tests.fuzz.samples import SAMPLES

BEYOND = 300 << 20  # that all of a process may take besides `--memory`
MOST_ADDRESSES = 16 << 30  # so that no case can take the machine down
SOON = 100  # seconds after which a case says where it is
SETTLED = 50  # cases after which all that is loaded by then is left out when garbage is looked for
CLEAR, STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def checked(case: Case) -> dict[str, Any]:
    """Check a case; return what was seen, and what went wrong, if anything did."""
    begun = time.process_time()
    found: dict[str, Any] = {"number": case.number, "seen": {}, "failure": None}
    with suppress(OSError):
        CLEAR.write_text("5")  # the peak of memory is counted from now on
    try:
        with tempfile.TemporaryDirectory(prefix="neardup-fuzz-") as folder:
            found["seen"] = dict(check(case, Path(folder)))
    except Exception as error:
        trace = traceback.format_exc()
        found["failure"] = f"{type(error).__name__}: {error}"[:500]
        found["trace"] = trace[-3000:]
    peak = peak_memory()
    found |= {"seconds": round(time.process_time() - begun, 3), "peak": peak}
    if peak > MEMORY + BEYOND and not found["failure"]:
        found["failure"] = f"memory: {peak >> 20} MB"
    return found


def peak_memory() -> int:
    """Return the most bytes that this process had in memory since the last case."""
    with suppress(OSError):
        lines = STATUS.read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))
    return 0


def compile_all() -> None:
    """Put a good file of each kind through a whole run."""
    for name, make in SAMPLES.items():
        with tempfile.TemporaryDirectory(prefix="neardup-fuzz-") as folder:
            check(Case("good", 0, name, make(Random(0)), (), True, False), Path(folder))


def main() -> None:
    """Check the cases whose numbers come in."""
    if sys.argv[1:] == ["compile"]:
        compile_all()
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for done, line in enumerate(sys.stdin, 1):
        seed, number = line.split()
        faulthandler.dump_traceback_later(SOON)
        found = checked(case_of(seed, int(number)))
        faulthandler.cancel_dump_traceback_later()
        answers.write(json.dumps(found) + "\n")
        answers.flush()
        gc.collect()
        if done % SETTLED == 1:
            gc.freeze()


if __name__ == "__main__":
    main()
