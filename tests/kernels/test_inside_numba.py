"""Processes that only compile: what they keep is whole, and runs; of what it calls they keep nothing."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from neardup.kernels.ahead import Wanted, compile_ahead
from neardup.kernels.cache_folder import names_kept
from neardup.kernels.shingles import shingle_hashes

KINDS = ["uint64 1 C", "int64 1 C", "int64"]
CALL = """
import numpy as np
from neardup.kernels.shingles import distinct, shingle_hashes as kernel
words, bounds = kernel(np.array([5, 6, 5, 6, 7], np.uint64), np.array([0, 4, 5]), 2)
print(sum(kernel.stats.cache_hits.values()), words.tolist(), bounds.tolist())
print(distinct(np.array([3, 4, 3], np.uint64), 3, np.zeros(8, np.uint64)))
"""


def test_a_kernel_is_kept_with_what_it_calls_in_it(own: Path) -> None:
    compile_ahead([Wanted("shingles.shingle_hashes", KINDS)], lambda done: None)
    assert names_kept() == {"shingles.shingle_hashes"}
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(own)}
    printed = subprocess.run(
        [sys.executable, "-c", CALL], env=environment, capture_output=True, text=True, check=True
    )
    words, bounds = shingle_hashes(np.array([5, 6, 5, 6, 7], np.uint64), np.array([0, 4, 5]), 2)
    assert printed.stdout.splitlines() == [f"1 {words.tolist()} {bounds.tolist()}", "2"]


WORK = """
import numpy as np
from neardup.kernels.compiled import kernel

@kernel
def work(rounds):
    found = np.zeros(4, np.int64)
    for i in range(rounds):
        found[i & 3] ^= i * found[(i + 1) & 3] + i
    return found, found + 1
"""
INTERRUPTED = """
import os, signal, threading
from slow import work
work.compile("(int64,)")
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    one, other = work(300_000_000)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_signal_while_a_kernel_is_at_work_interrupts_what_comes_after_it(
    own: Path, tmp_path: Path
) -> None:
    """It ended the process by SIGSEGV: one array of the tuple was missing."""
    (tmp_path / "slow.py").write_text(WORK)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(own), "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr
