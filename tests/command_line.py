"""The command line: what it printed, by the fixture `command` or in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

NEARDUP = [sys.executable, "-m", "neardup"]


class Printed:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in out + err
        # what was printed may be wrapped to the width of a terminal
        self.said = " ".join((out + err).split())

    @property
    def json(self) -> Any:
        """Return what was printed for programs."""
        assert self.code == 0, self.err
        return json.loads(self.out)


Command = Callable[..., Printed]


def call(
    *arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None, **more: Any
) -> Printed:
    """Run the command line in a process of its own."""
    done = subprocess.run(
        [*NEARDUP, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
        **more,
    )
    return Printed(done.returncode, done.stdout, done.stderr)
