"""Builds an index of a few texts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from neardup.index.online import Index
from neardup.index.settings import IndexSettings


def named(texts: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]


def built(path: Path, texts: Sequence[str], **chosen: Any) -> Index:
    return Index.build(path, named(texts), IndexSettings(**chosen))


def ids_of(index: Index, text: str) -> list[str]:
    return [match.id for match in index.query(text).matches]
