"""Runs in processes of their own, and what they leave."""

import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.command_line import NEARDUP

from neardup.methods.documents.plan import plan
from neardup.methods.documents.settings import DocumentSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource

CANDIDATES = ["exact", "sampled", "minhash"]
RESUMED = "going on with an interrupted run"


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a result that may not differ between runs."""
    paths = [path for path in folder.iterdir() if path.suffix == ".parquet" or path.name == "run.json"]
    return {path.name: path.read_bytes() for path in sorted(paths)}


def start(*arguments: object, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*NEARDUP, *map(str, arguments)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(process: subprocess.Popen[str], steps: Path, name: str) -> None:
    """Wait until a step is done, or the process is."""
    while process.poll() is None:
        if any(path.suffix != ".unfinished" for path in steps.glob(f"*-{name}*")):
            return
        time.sleep(0.001)


# --- killed


def done_steps(steps: Path) -> dict[str, tuple[int, int]]:
    """Return the whole tables of steps, with what would change if they were written again."""
    folders = [path for path in steps.iterdir() if path.is_dir() and path.suffix != ".unfinished"]
    whole = [path for path in folders if path.name[:2].isdigit()]
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in whole}


# --- stopped on purpose


def steps_of(settings: Mapping[str, Any], path: Path) -> list[str]:
    source = FileSource.open([str(path)], ReaderSettings())
    return [step.name for step in plan(DocumentSettings(**settings), source.schema).steps]


def tree(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
