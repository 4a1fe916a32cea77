"""Whether an index is what it was: all of it is read, and its keys are made again of its texts."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError
from neardup.index.analysis import Analysis
from neardup.index.store import Store

Sums = npt.NDArray[np.uint64]
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd: no two keys become one
NAMED = 3  # documents in a message


def damages(store: Store, analysis: Analysis) -> list[str]:
    """Return what is wrong with a file, a line each.

    DuckDB keeps a checksum of each block, which it looks at when it reads one. A document whose keys are
    not those of its text was changed by something else than neardup.
    """
    try:
        return [*wrong_ids(store), *wrong_keys(store, analysis)]
    except InputError as error:
        return [error.what]


def wrong_ids(store: Store) -> list[str]:
    """Name the ids that several documents have."""
    counts = Counter(about.id for stored in store.documents() for about in stored.about)
    twice = [given for given, count in counts.items() if count > 1]
    return [f"{len(twice):,} ids are those of several documents: {some(twice)}"] if twice else []


def wrong_keys(store: Store, analysis: Analysis) -> list[str]:
    """Name the documents whose keys are not those of their texts."""
    size = store.next_number()
    noted = {kind: np.zeros(size, np.uint64) for kind in ("shingles", "runs")}
    for kind, keys, docs in store.postings():
        if len(keys) != len(docs) or np.any(docs < 0) or np.any(docs >= size):
            return ["the keys belong to no documents"]
        add(noted[kind], keys, docs)
    wrong: list[str] = []
    for stored in store.documents(until=store.indexed):
        remembered = analysis.remembered(stored.docs, stored.texts)
        differ = np.zeros(len(stored.docs), np.bool_)
        for kind, sums in noted.items():
            made = np.zeros(size, np.uint64)
            add(made, *getattr(remembered, kind))
            differ |= made[stored.docs] != sums[stored.docs]
        wrong += [stored.about[place].id for place in np.flatnonzero(differ)]
    return [f"{len(wrong):,} documents were changed: {some(wrong)}"] if wrong else []


def add(sums: Sums, keys: Any, docs: Any) -> None:
    """Add up the keys of each document, in any order."""
    np.add.at(sums, docs, (keys ^ (keys >> np.uint64(31))) * SPREAD)


def some(names: list[str]) -> str:
    """Name the first of several.

    >>> some(["a", "b", "c", "d"])
    'a, b, c, …'
    """
    return ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
