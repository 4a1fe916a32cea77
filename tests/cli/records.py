"""Records for the tests of the command line."""

import json
from pathlib import Path
from typing import Any

from tests.command_line import Command, Printed

import neardup

TEXT = "A plain text that has more than five words in it, so that there is something to compare."


def lines(*records: Any) -> str:
    return "".join(f"{r if isinstance(r, str) else json.dumps(r)}\n" for r in records)


def problems(result: Path) -> list[tuple[str, int, str]]:
    rows = neardup.Result(result).skipped.to_pylist()
    return [(row["source"], row["position"], row["problem"]) for row in rows]


def documents(path: object, command: Command, *options: object, out: Path) -> Printed:
    return command("documents", path, "-o", out, *options)
