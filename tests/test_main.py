"""The command line as a process of its own: how it ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ENDS = """
import atexit, sys
import neardup.cli
from neardup import __main__

def main():
    atexit.register(lambda: print("cleaned up"))
    print("done", end=" ")
    {end}

neardup.cli.main = main
__main__.run()
"""


@pytest.mark.parametrize(
    ("end", "code"),
    [("pass", 0), ("sys.exit(3)", 3), ("sys.exit('no')", 1), ("sys.exit()", 0), ("raise OSError", 1)],
)
def test_it_ends_with_its_code_when_all_is_cleaned_up(end: str, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDS.format(end=end)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (code, "done cleaned up\n")
    assert ("OSError" in done.stderr) == ("OSError" in end)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_what_cannot_be_printed_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "neardup", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
        )
    assert done.returncode != 0
    assert "No space left on device" in done.stderr
