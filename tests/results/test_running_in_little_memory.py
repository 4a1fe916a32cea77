"""Ten times more text than memory."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.command_line import NEARDUP
from tests.corpora import write_corpus

MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""  # in a small process of its own: a child starts out with the peak of the one that made it


def peak_megabytes(arguments: Sequence[object], cwd: Path) -> float:
    """Return the most memory that a command used."""
    command = [sys.executable, "-c", MEASURED, *NEARDUP, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.splitlines()[-1]) / 1024


@pytest.mark.parametrize("method", ["documents", pytest.param("passages", marks=pytest.mark.slow)])
def test_six_times_more_text_than_memory(method: str, tmp_path: Path) -> None:
    small = write_corpus(tmp_path / "small.jsonl", 4, seed=3)
    large = write_corpus(tmp_path / "large.jsonl", 192, seed=3)
    limit = ["--memory", "32MB", "--quiet"]
    # the first run may compile kernels, which takes memory of its own
    peak_megabytes([method, small.name, "-o", "first", *limit], tmp_path)
    assert peak_megabytes([method, large.name, "-o", "out", *limit], tmp_path) <= 32 + 300
