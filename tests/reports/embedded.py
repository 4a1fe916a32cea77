"""What a report holds for its scripts."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any


def embedded(path: Path, name: str = "data") -> Any:
    """Return what a page holds for its scripts."""
    page = path.read_text(encoding="utf-8")
    [found] = re.findall(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(found)))


def texts_in(path: Path) -> dict[int, Any]:
    """Return the texts of pairs by row."""
    data = embedded(path)["texts"]
    blocks = {number: embedded(path, f"texts-{number}") for number in set(data["block"])}
    return {row: blocks[block][str(row)] for row, block in zip(data["row"], data["block"], strict=True)}


def whole(parts: list[Any]) -> str:
    return "".join(part[0] for part in parts if not isinstance(part, int))
