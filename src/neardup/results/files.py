"""The files of a result besides its tables."""

import json
from pathlib import Path
from typing import Any

from neardup import durable

RUN = "run.json"
TIMINGS = "timings.json"
FINGERPRINT = "fingerprint"  # while a run works: what its steps depend on
STEPS = "steps"
MARKS = "marks.csv"  # what people said of pairs: a server keeps it beside a result


def as_json(content: dict[str, Any]) -> str:
    """Return JSON for people and programs to read."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file for people and programs to read."""
    durable.write_text(path, as_json(content))
