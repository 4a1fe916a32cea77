"""The files of a result besides its tables."""

import json
from pathlib import Path
from typing import Any

RUN = "run.json"
TIMINGS = "timings.json"


def as_json(content: dict[str, Any]) -> str:
    """Return JSON for people and programs to read."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file for people and programs to read."""
    path.write_text(as_json(content), encoding="utf-8")
