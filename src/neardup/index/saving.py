"""What can be saved of an index that is damaged: all documents that can be read, in a new one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from neardup.errors import InputError
from neardup.index.adding import Row
from neardup.index.asked import kind_of
from neardup.index.checking import TOGETHER, damages
from neardup.index.kept import check_free, making
from neardup.store.manifest import About, Manifest
from neardup.store.segments import Facts, Segment


@dataclass(frozen=True)
class Checked:
    """What is wrong with an index, how many documents it should have, and how many can be read."""

    path: Path
    damages: list[str]
    documents: int
    readable: int

    @classmethod
    def of(cls, path: Path) -> "Checked":
        """Read all of an index."""
        manifest = Manifest(path, False)
        try:
            _, analysis, _ = kind_of(manifest.facts).remembers(manifest.facts, path)
            found = damages(path, manifest, analysis)
            documents = manifest.reading.execute("select count(*) from documents")[0][0]
            can_be = sum(1 for _ in readable(path, manifest)) if found else documents
            return cls(path, found, documents, can_be)
        finally:
            manifest.close()

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for programs."""
        whole = not self.damages
        counts = {"documents": self.documents, "readable": self.readable}
        return {"target": str(self.path), "whole": whole, "damages": self.damages, **counts}

    def save(self, new: Path) -> int:
        """Write an index of what can be read; return how many documents it has."""
        manifest = Manifest(self.path, False)
        try:
            check_free(new, overwrite=False)
            with making(kind_of(manifest.facts), new, manifest.facts) as saved:
                saved.add_rows(readable(self.path, manifest))
                return len(saved)
        finally:
            manifest.close()


def readable(folder: Path, manifest: Manifest) -> Iterator[Row]:
    """Yield the documents that can be read; one without its id gets a number."""
    gone = {row.doc for row in manifest.deleted()}
    recent = manifest.reading.execute("select doc, text from recent order by doc")
    documents = chain(*(of_blocks(folder, facts) for facts in manifest.segments()), recent)
    while part := list(islice(documents, TOGETHER)):
        known = about(manifest, [doc for doc, _ in part])
        for doc, text in part:
            if doc not in gone:
                yield Row(known.get(doc) or About(f"document {doc}"), bytes(text))


def about(manifest: Manifest, docs: list[int]) -> dict[int, About]:
    """Return what is known of some documents, as far as it can be read."""
    try:
        return manifest.about(docs)
    except InputError:
        found: dict[int, About] = {}
        for doc in docs:
            try:
                found |= manifest.about([doc])
            except InputError:
                continue
        return found


def of_blocks(folder: Path, facts: Facts) -> Iterator[tuple[int, bytes]]:
    """Yield the documents of a segment whose blocks can be read."""
    try:
        texts = Segment(folder, facts).texts
        blocks = texts.directory
    except InputError:
        return
    for number in range(len(blocks.firsts)):
        try:
            found = texts.documents(number)
        except InputError:
            continue
        for doc, text in found.items():
            if texts.sizes[doc]:
                yield facts.first + doc, text
