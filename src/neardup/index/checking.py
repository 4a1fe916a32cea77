"""Whether an index is what it was: all of it is read, and its keys are made again of its texts."""

from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from neardup.arrays import Hashes, Integers
from neardup.errors import InputError
from neardup.index.analysis import Remembers
from neardup.store.manifest import Manifest, State
from neardup.store.segments import KINDS, Facts, Segment, cut

Sums = npt.NDArray[np.uint64]
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd: no two keys become one
NAMED = 3  # documents in a message
TOGETHER = 1_000
AGAIN = 5  # times that the manifest is read while segments are replaced


def damages(folder: Path, manifest: Manifest, analysis: Remembers) -> list[str]:
    """Return what is wrong with an index, a line each.

    Whatever is read from a segment has a checksum, and so has each row of the manifest. A document whose
    keys are not those of its text was changed by something else than neardup.
    """
    found = manifest.problems()
    try:
        seen = Seen.of(folder, manifest)
    except InputError as error:
        return [*found, error.what]
    found += seen.missing
    there, rows, state = seen.recent, seen.rows, seen.state
    for segment in seen.segments:
        facts = segment.facts
        try:
            found += of_segment(segment, analysis)
            docs = np.flatnonzero(segment.texts.sizes) + segment.first
            there += len(docs) - len(seen.gone.intersection(docs.tolist()))
            segment.release()
        except InputError as error:
            found.append(damage_of(facts, error))
    if not found and not there == rows == state.documents:
        found.append(
            f"there are {there:,} texts for {rows:,} documents, and {state.documents:,} are noted"
        )
    return found


class Seen(NamedTuple):
    """One state of an index, with its files open: whoever writes meanwhile may delete them."""

    state: State
    segments: list[Segment]
    missing: list[str]
    gone: set[int]
    recent: int
    rows: int

    @classmethod
    def of(cls, folder: Path, manifest: Manifest) -> "Seen":
        """Return the state that there is now; once more if segments were merged just then."""
        for _ in range(AGAIN):
            with manifest.reading.reading():
                segments, missing = list[Segment](), list[str]()
                for facts in manifest.segments():
                    try:
                        segments.append(Segment(folder, facts))
                    except InputError as error:
                        missing.append(damage_of(facts, error))
                gone = {row.doc for row in manifest.deleted()}
                recent = manifest.reading.execute("select count(*) from recent")[0][0]
                rows = manifest.reading.execute("select count(*) from documents")[0][0]
                seen = cls(manifest.state, segments, missing, gone, recent, rows)
            if not missing or manifest.state.generation == seen.state.generation:
                break
        return seen


def damage_of(facts: Facts, error: InputError) -> str:
    """Say what is wrong with a segment, and of which documents."""
    return f"{error.what} (documents {facts.first:,} to {facts.first + facts.count:,})"


def of_segment(segment: Segment, analysis: Remembers) -> list[str]:
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


def add(sums: Sums, keys: Hashes, docs: Integers) -> None:
    """Add up the keys of each document, in any order."""
    np.add.at(sums, docs, (keys ^ (keys >> np.uint64(31))) * SPREAD)


def some(docs: list[int]) -> str:
    """Name the first of several.

    >>> some([1, 2, 3, 4])
    '1, 2, 3, …'
    """
    return ", ".join(map(str, docs[:NAMED])) + (", …" if len(docs) > NAMED else "")
