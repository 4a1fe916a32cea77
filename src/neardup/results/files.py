"""The files of a result besides its tables."""

import json
from pathlib import Path
from typing import Any

RUN = "run.json"
TIMINGS = "timings.json"


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file for people and programs to read."""
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
