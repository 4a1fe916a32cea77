"""A store as it is at one moment, whoever writes meanwhile; and a copy of that."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from neardup.errors import InputError
from neardup.store.files import MANIFEST
from neardup.store.manifest import Manifest
from neardup.store.segments import Segment

AGAIN = 5  # times that the manifest is read while segments are replaced


@contextmanager
def moment(manifest: Manifest) -> Iterator[list[Segment]]:
    """Let a manifest say what it says now, and give its segments, which are open: none can go away.

    Nobody else reads by this manifest meanwhile.
    """
    missing = InputError("this index changes all the time")
    for _ in range(AGAIN):
        with manifest.reading.reading():
            generation = manifest.state.generation
            try:
                segments = [Segment(manifest.folder, own) for own in manifest.segments()]
            except InputError as error:
                missing = error
            else:
                yield segments
                return
        if manifest.state.generation == generation:
            break  # nobody has merged it away
    raise missing


def texts(manifest: Manifest, segments: Sequence[Segment]) -> Iterator[tuple[int, bytes]]:
    """Yield all documents of a moment by their numbers, in their order."""
    gone = {row.doc for row in manifest.deleted()}
    held = ((own.first + doc, text) for own in segments for doc, text in own.texts.all())
    for doc, text in chain(held, manifest.recent(0)):
        if doc not in gone:
            yield doc, text


def copy(manifest: Manifest, target: Path) -> int:
    """Copy a store into an empty folder, file by file; return how many documents it has."""
    with moment(manifest) as segments:
        documents = manifest.state.documents
        manifest.reading.copy_to(target / MANIFEST)
    for segment in segments:
        segment.copy_to(target)
    return documents
