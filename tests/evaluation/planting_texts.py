"""Texts to plant sentences in."""

import random

from neardup.evaluation import planting
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, open_source


def texts(count: int, seed: int = 5) -> list[str]:
    """Return texts of made-up sentences, no two of which are alike."""
    rng = random.Random(seed)
    vocabulary = [f"w{n}" for n in range(400)]
    return [
        " ".join(f"{' '.join(rng.choices(vocabulary, k=12)).capitalize()}." for _ in range(15))
        for _ in range(count)
    ]


def source(found: list[str]) -> Source:
    return open_source(found, ReaderSettings())


def documents(count: int) -> list[planting.Document]:
    return planting.read_documents(source(texts(count)), count, 10, "en", random.Random(1))
