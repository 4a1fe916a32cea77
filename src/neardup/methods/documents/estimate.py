"""What a run will need: measured on a sample, scaled to the whole input."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa

from neardup.durable import delete_temporary
from neardup.engines import engine_named
from neardup.engines.base import Amounts
from neardup.engines.local.engine import LocalEngine
from neardup.methods.documents import plan as documents
from neardup.methods.documents.settings import DocumentSettings
from neardup.readers import formats
from neardup.readers.file import Beginning, File
from neardup.readers.reader import WHOLE
from neardup.readers.source import FileSource, Split
from neardup.results.running import file_names, take_counts
from neardup.results.temporary import result_folder
from neardup.settings.run import RunSettings
from neardup.steps.counters import counters_size
from neardup.steps.declared import DOCUMENTS, PAIRS

SAMPLE_BYTES = 32 << 20
LEAST_CUT = 1 << 20  # a document is seldom larger, and so it is whole
BASE_MEMORY = 300 << 20
STARTING = 2.0  # seconds to load what is compiled
CLUSTER_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Estimate:
    """What a whole run will probably take, need and find."""

    input_bytes: int
    sample_bytes: int
    documents: int
    seconds: float
    memory_bytes: int
    disk_bytes: int
    pairs: int
    cluster: Any = None  # what the engine that was asked for proposes

    @property
    def take_cluster(self) -> bool:
        """Return whether one machine would be busy for more than a day."""
        return self.seconds > CLUSTER_SECONDS

    def as_dict(self) -> dict[str, Any]:
        """Return all figures."""
        return asdict(self) | {"take_cluster": self.take_cluster}


class Sampled:
    """A part of a source: splits from all over it; of large ones that cannot be cut, the beginning."""

    def __init__(self, source: FileSource, sample_bytes: int) -> None:
        self.schema: pa.Schema = source.schema
        self.names = source.names
        self.holds_gil = source.holds_gil
        everything = source.splits()
        self.total = sum(split.size for split in everything)
        stride = max(self.total // max(sample_bytes, 1), 1)
        chosen = everything[:: min(stride, len(everything) or 1)]
        limit = max(sample_bytes // max(len(chosen), 1), LEAST_CUT)
        files = list(source.files)
        for split in chosen:
            if (split.begin, split.end) == WHOLE and split.size > limit:
                files[split.file] = beginning(files[split.file], limit)
        self._splits = [s._replace(size=min(s.size, read_of(files[s.file]))) for s in chosen]
        self._source = replace(source, files=tuple(files))
        self.share = sum(split.size for split in self._splits) / max(self.total, 1)

    def splits(self) -> list[Split]:
        """Return the chosen splits."""
        return self._splits

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Read one of them."""
        return self._source.read(split)

    def fingerprint(self) -> str:
        """Return that of the whole."""
        return self._source.fingerprint()


def peak_memory() -> int:
    """Return the most memory that this process has used, in bytes; 0 where that is not known."""
    if sys.platform == "win32":
        return 0
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used << 10


def processor_seconds() -> float:
    """Return the processor time of this process, and of those that it waited for."""
    return sum(os.times()[:4])


def beginning(file: File, limit: int) -> File:
    """Return a file of which at most `limit` bytes are read, if its format allows that."""
    if formats.reader_of(file).needs_end:
        return file
    return Beginning.of(file, limit=limit)


def read_of(file: File) -> int:
    """Return how many bytes of a file are read at most."""
    return file.limit if isinstance(file, Beginning) else file.size


def estimate(source: FileSource, settings: DocumentSettings, run: RunSettings) -> Estimate:
    """Run the plan on a sample and scale up.

    Time and disk grow with the input, and so does memory, up to what a run may use. Pairs grow with its
    square where copies lie anywhere in it: a pair is in a sample of one tenth with a chance of one in a
    hundred.
    """
    sample = Sampled(source, SAMPLE_BYTES)
    before = peak_memory()
    size = int(sample.total * sample.share)
    plan = documents.plan(settings, sample.schema, counters_size(run.memory, size))
    with result_folder(None) as folder:
        engine = LocalEngine(folder, workers=run.workers, memory=run.memory, keep_steps=True)
        engine.run(plan, {"records": sample}, {"files": file_names(sample)})
        # the first run may have compiled kernels: measure a second one
        warm, busy = time.perf_counter(), processor_seconds()
        shutil.rmtree(engine.steps)
        engine = LocalEngine(folder, workers=run.workers, memory=run.memory, keep_steps=True)
        counts = take_counts(
            engine.run(plan, {"records": sample}, {"files": file_names(sample)})["facts"]
        )
        seconds, busy = time.perf_counter() - warm, processor_seconds() - busy
        disk = sum(f.stat().st_size for f in engine.steps.rglob("*") if f.is_file())
        delete_temporary(folder.parent)
    share = max(sample.share, 1e-9)
    needs = Amounts(
        input_bytes=sample.total,
        documents=round(counts[DOCUMENTS] / share),
        core_seconds=busy / share,
        disk_bytes=round(disk / share),
        summary_bytes=0
        if settings.candidates == "minhash"
        else counters_size(run.summary_memory, sample.total),
    )
    most = run.memory + BASE_MEMORY
    used = before + (peak_memory() - before) / share if before else most
    return Estimate(
        input_bytes=sample.total,
        sample_bytes=size,
        documents=needs.documents,
        seconds=round(STARTING + seconds / share, 1),
        memory_bytes=round(min(used, most)),
        disk_bytes=needs.disk_bytes,
        pairs=round(counts[PAIRS] / share**2),
        cluster=engine_named(run.engine.name).proposal(needs),
    )
