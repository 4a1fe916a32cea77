"""What a report holds for its scripts."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

Pieces = list[tuple[int, str]]


class Shown(NamedTuple):
    """The two texts of a row, in pieces, and their matches."""

    a: Pieces
    b: Pieces
    matches: list[list[Any]]
    curve: dict[str, Any] | None


def embedded(path: Path, name: str = "data") -> Any:
    """Return what a page holds for its scripts."""
    page = path.read_text(encoding="utf-8")
    [found] = re.findall(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(found)))


def first_keeper(path: Path) -> int:
    """Return which item is kept of the first cluster."""
    return int(embedded(path)["clusters"]["keepers"][0])


def texts_in(path: Path) -> dict[int, Shown]:
    """Return the texts of pairs by row."""
    data = embedded(path)
    texts = data["texts"]
    numbers = {*texts["block"], *(number for own in texts["blocks"] for number in own)}
    blocks = {number: embedded(path, f"texts-{number}") for number in numbers}
    docs: dict[int, Pieces] = {
        doc: sorted((start, text) for number in own for start, text in blocks[number]["docs"][str(doc)])
        for doc, own in zip(texts["doc"], texts["blocks"], strict=True)
    }
    found = {}
    for row, block in zip(texts["row"], texts["block"], strict=True):
        matches, *more = blocks[block]["rows"][str(row)]
        a, b = more[1] if len(more) > 1 else [docs[doc] for doc in docs_of(data, row)]
        found[row] = Shown(a, b, matches, more[0] if more else None)
    return found


def docs_of(data: dict[str, Any], row: int) -> list[int]:
    """Return the numbers of the two documents of a row."""
    items, docs = data["items"], data["docs"] or data["items"]
    own = [column["values"][row] for column in data["pairs"]["columns"][:2]]
    return [docs["number"][items["doc"][item] if "doc" in items else item] for item in own]


def whole(pieces: Pieces) -> str:
    return "".join(text for _, text in pieces)
