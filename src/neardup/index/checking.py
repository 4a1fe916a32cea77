"""Whether an index is what it was: all of it is read, and its keys are made again of its texts."""

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError
from neardup.index.analysis import Analysis
from neardup.store.manifest import Manifest
from neardup.store.segments import KINDS, Segment, cut

Sums = npt.NDArray[np.uint64]
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd: no two keys become one
NAMED = 3  # documents in a message
TOGETHER = 1_000


def damages(folder: Path, manifest: Manifest, analysis: Analysis) -> list[str]:
    """Return what is wrong with an index, a line each.

    Whatever is read from a segment has a checksum, and so has each row of the manifest. A document whose
    keys are not those of its text was changed by something else than neardup.
    """
    found = manifest.problems()
    try:
        segments = manifest.segments()
        state = manifest.state
    except InputError as error:
        return [*found, error.what]
    gone = {row.doc for row in manifest.deleted()}
    there = 0
    for facts in segments:
        try:
            segment = Segment(folder, facts)
            found += of_segment(segment, analysis)
            docs = np.flatnonzero(segment.texts.sizes) + segment.first
            there += len(docs) - len(gone.intersection(docs.tolist()))
            segment.release()
        except InputError as error:
            found.append(f"{error.what} (documents {facts.first:,} to {facts.first + facts.count:,})")
    there += manifest.reading.execute("select count(*) from recent")[0][0]
    rows = manifest.reading.execute("select count(*) from documents")[0][0]
    if not found and not there == rows == state.documents:
        found.append(
            f"there are {there:,} texts for {rows:,} documents, and {state.documents:,} are noted"
        )
    return found


def of_segment(segment: Segment, analysis: Analysis) -> list[str]:
    """Return what is wrong with a segment."""
    noted = {kind: np.zeros(segment.count, np.uint64) for kind in KINDS}
    for kind, sums in noted.items():
        packed = getattr(segment, kind)
        bits = max(packed.shape.bucket - 14, 0)
        for number in range(1 << bits):
            keys, docs = packed.part(number, bits)
            if len(docs) and docs.max() >= segment.count:
                return [f"{packed.mapped.path.name}: keys belong to no documents"]
            add(sums, keys, docs)
    wrong = []
    documents = segment.texts.all()
    while part := list(islice(documents, TOGETHER)):
        docs = np.array([doc for doc, _ in part])
        remembered = analysis.remembered(np.arange(len(docs)), [text for _, text in part])
        differ = remembered.sizes != segment.texts.sizes[docs]
        for kind, sums in noted.items():
            made = np.zeros(len(docs), np.uint64)
            keys, places = getattr(remembered, kind)
            add(made, cut(kind, keys), places)
            differ |= made != sums[docs]
        wrong += (docs[differ] + segment.first).tolist()
    return [f"{len(wrong):,} documents were changed: {some(wrong)}"] if wrong else []


def add(sums: Sums, keys: Any, docs: Any) -> None:
    """Add up the keys of each document, in any order."""
    np.add.at(sums, docs, (keys ^ (keys >> np.uint64(31))) * SPREAD)


def some(docs: list[int]) -> str:
    """Name the first of several.

    >>> some([1, 2, 3, 4])
    '1, 2, 3, …'
    """
    return ", ".join(map(str, docs[:NAMED])) + (", …" if len(docs) > NAMED else "")
