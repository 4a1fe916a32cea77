"""Segments: documents that were written together, with their keys; and how several become one."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.durable import sync
from neardup.store.ahead import ahead
from neardup.store.files import Mapped, write
from neardup.store.postings import Hashes, Numbers, Packed, Shape, parts_of, write_packed
from neardup.store.texts import BLOCK, Tail, Texts, TextWriter

KINDS = ("shingles", "runs")
KEY_BITS = {"shingles": 40, "runs": 64}  # shingles are counted again on the texts, runs are not
Gone = npt.NDArray[np.bool_]
AT_ONCE = 2  # parts that are made at a time
AT_A_TIME = 16 << 20  # bytes of a file that is copied


@dataclass(frozen=True)
class Facts:
    """What the manifest knows of a segment: its documents, how its files are to be read, their sizes."""

    number: int
    first: int
    count: int
    postings: dict[str, int]
    shapes: dict[str, list[int]]
    tail: list[int]
    sizes: dict[str, int]


def file_of(folder: Path, number: int, kind: str) -> Path:
    """Return where the shingles, runs or texts of a segment are."""
    return folder / f"{number:08}.{kind}"


class Segment:
    """A segment on a disk; its documents are numbered from 0 on here."""

    def __init__(self, folder: Path, facts: Facts) -> None:
        self.facts = facts
        self.first, self.count = facts.first, facts.count
        self._mapped = {
            kind: Mapped(file_of(folder, facts.number, kind), size) for kind, size in facts.sizes.items()
        }
        self.texts = Texts(self._mapped["texts"], Tail(*facts.tail), facts.count)
        self._keys = {kind: Packed(self._mapped[kind], Shape(*facts.shapes[kind])) for kind in KINDS}

    @property
    def shingles(self) -> Packed:
        """Return the documents that have a shingle."""
        return self._keys["shingles"]

    @property
    def runs(self) -> Packed:
        """Return the documents that have a run of words."""
        return self._keys["runs"]

    def array(self, kind: str, dtype: str) -> npt.NDArray[Any]:
        """Return one more file of this segment, where it lies."""
        return np.frombuffer(self._mapped[kind].bytes, dtype)

    def expect_queries(self) -> None:
        """Tell the system that this is read here and there."""
        for kind in ("texts", *KINDS):
            self._mapped[kind].expect(at_random=True)

    @cached_property
    def rows(self) -> int:
        """Return the number of postings."""
        return sum(self.facts.postings.values())

    def copy_to(self, folder: Path) -> None:
        """Write the files again, as they lie in memory: their names may be gone by now."""
        for kind, mapped in self._mapped.items():
            with file_of(folder, self.facts.number, kind).open("wb") as file:
                for at in range(0, self.facts.sizes[kind], AT_A_TIME):
                    write(file, mapped.bytes[at : at + AT_A_TIME])
                    mapped.release()

    def release(self, is_done: bool = True) -> None:
        """Let go of what was read; who has not done with it holds where keys are looked up first."""
        for kind, mapped in self._mapped.items():
            mapped.release(0 if is_done or kind not in KINDS else self._keys[kind].looked_up_first)


def cut(kind: str, keys: Hashes) -> Hashes:
    """Return the bits of keys that are kept."""
    return keys >> np.uint64(64 - KEY_BITS[kind])


@dataclass(frozen=True)
class New:
    """A segment that is to be written: documents by their numbers in it, and their whole keys."""

    first: int
    sizes: npt.NDArray[np.int32]  # of all documents, 0 for those that are not there
    texts: Iterable[tuple[int, bytes]]
    keys: dict[str, tuple[Hashes, Numbers]]

    def write(self, folder: Path, number: int) -> Facts:
        """Write the segment to its files."""
        path = file_of(folder, number, "texts")
        with path.open("wb") as file:
            writer = TextWriter(file)
            for doc, text in self.texts:
                writer.add(doc, text)
            tail = writer.finish(self.sizes)
        count = len(self.sizes)
        shapes, rows = {}, {}
        sizes = {"texts": path.stat().st_size}
        for kind, (keys, docs) in self.keys.items():
            shape = Shape.made_for(KEY_BITS[kind], len(keys), count)
            own = shape.sorted(cut(kind, keys), docs)
            sizes[kind], rows[kind] = write_packed(file_of(folder, number, kind), shape, [own])
            shapes[kind] = list(shape)
        return Facts(number, self.first, count, rows, shapes, list(tail), sizes)


@dataclass(frozen=True)
class Merge:
    """Several segments, each behind the one before, that become one without documents that are gone.

    `gone` is of all documents of the store.
    """

    segments: Sequence[Segment]
    gone: Gone

    def write(self, folder: Path, number: int) -> Facts:
        """Write the new segment to its files."""
        first, last = self.segments[0].first, self.segments[-1]
        count = last.first + last.count - first
        shapes, rows = {}, {}
        tail = self._write_texts(file_of(folder, number, "texts"), count)
        sizes = {"texts": file_of(folder, number, "texts").stat().st_size}
        for kind in KINDS:
            path = file_of(folder, number, kind)
            most = sum(segment.facts.postings[kind] for segment in self.segments)
            shape = Shape.made_for(KEY_BITS[kind], most, count)
            made = write_packed(path, shape, self._parts(kind, shape), parts_of(shape))
            sizes[kind], rows[kind] = made
            shapes[kind] = list(shape)
        return Facts(number, first, count, rows, shapes, list(tail), sizes)

    def _gone(self, segment: Segment) -> Gone:
        return self.gone[segment.first : segment.first + segment.count]

    def _parts(self, kind: str, shape: Shape) -> Iterator[tuple[Hashes, Numbers]]:
        """Yield the postings, sorted, a part of the keys at a time; some are made ready at once."""
        make = partial(self._part, kind, shape)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for part in ahead(pool, make, range(1 << parts_of(shape)), AT_ONCE + 1):
                yield part
                for segment in self.segments:
                    segment.release()

    def _part(self, kind: str, shape: Shape, number: int) -> tuple[Hashes, Numbers]:
        bits = parts_of(shape)
        all_keys, all_docs = [], []
        for segment in self.segments:
            packed: Packed = getattr(segment, kind)
            keys, docs = packed.part(number, bits)
            gone = self._gone(segment)
            if gone.any():
                there = ~gone[docs]
                keys, docs = keys[there], docs[there]
            all_keys.append(keys)
            all_docs.append(docs + (segment.first - self.segments[0].first))
        keys, docs = np.concatenate(all_keys), np.concatenate(all_docs)
        # the first bits are those of all keys here: there is room for a document beside the others
        beginning = np.uint64(number << (shape.key - bits))
        keys, docs = shape._replace(key=shape.key - bits).sorted(keys - beginning, docs)
        return keys + beginning, docs

    def _write_texts(self, path: Path, count: int) -> Tail:
        sizes = np.zeros(count, np.int32)
        with path.open("wb") as file:
            writer = TextWriter(file)
            for segment in self.segments:
                offset, gone = segment.first - self.segments[0].first, self._gone(segment)
                own = sizes[offset : offset + segment.count]
                own[:] = segment.texts.sizes
                own[gone] = 0
                self._copy_texts(segment, writer, offset, gone)
                segment.release()
            return writer.finish(sizes)

    def _copy_texts(self, segment: Segment, writer: TextWriter, offset: int, gone: Gone) -> None:
        directory = segment.texts.directory
        ends = [*directory.firsts[1:].tolist(), segment.count]
        for number, end in enumerate(ends[: segment.texts.tail.blocks]):
            first, length = int(directory.firsts[number]), int(directory.lengths[number])
            if length >= BLOCK and not gone[first:end].any():
                block = segment.texts.block(number)
                writer.copy(block._replace(first=first + offset))
                continue
            for doc, text in segment.texts.documents(number).items():
                if not gone[doc]:
                    writer.add(offset + doc, text)


def remove(folder: Path, number: int) -> None:
    """Delete the files of a segment."""
    for path in folder.glob(f"{number:08}.*"):
        try:
            path.unlink(missing_ok=True)
        except PermissionError:  # Windows keeps what somebody reads; the next one who writes deletes it
            continue


def remove_others(folder: Path, numbers: Iterable[int]) -> None:
    """Delete the files of all segments but these."""
    found = {int(path.stem) for path in folder.glob("[0-9]*.*") if path.stem.isdigit()}
    for number in found - set(numbers):
        remove(folder, number)


def synced(folder: Path, facts: Facts) -> None:
    """Return when the files of a segment are on the disk."""
    for kind in facts.sizes:
        sync(file_of(folder, facts.number, kind))
    sync(folder)
