"""What a run of any method will need: measured on a sample, scaled to the whole input."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.durable import delete_temporary
from neardup.engines import engine_named
from neardup.engines.base import Amounts
from neardup.engines.local.engine import LocalEngine
from neardup.errors import InputError
from neardup.readers import formats
from neardup.readers.file import Beginning, File
from neardup.readers.reader import WHOLE
from neardup.readers.source import FileSource, Split
from neardup.results.files import result_folder
from neardup.results.running import Job, file_names, take_counts
from neardup.settings.run import RunSettings
from neardup.steps.counters import counters_size
from neardup.steps.declared import DOCUMENTS, PAIRS
from neardup.steps.listing import MANY

SAMPLE_BYTES = 32 << 20
FIRST_BYTES = 1 << 20
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
    pairs: int | None  # of what finds pairs, if copies lie anywhere
    pairs_at_least: int | None  # if they lie close together
    listed_with_keepers: bool  # whether only such pairs are listed, if there are that many
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
        stride = min(max(self.total // max(sample_bytes, 1), 1), len(everything) or 1)
        chosen = everything[stride // 2 :: stride]  # the last one of a file may be short
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


def estimate(job: Job, run: RunSettings) -> Estimate:
    """Run the plan of a job on a sample and scale up.

    Time and disk grow with the input, and so does memory, up to what a run may use. Pairs grow with its
    square where copies lie anywhere in it: a pair is in a sample of one tenth with a chance of one in a
    hundred. Where copies lie close together, they grow with the input.
    """
    source = job.source
    if not isinstance(source, FileSource):
        raise InputError("an estimate needs files", hint="Give files, folders or addresses.")
    sample = Sampled(source, SAMPLE_BYTES)
    if not sample.total:
        raise InputError("there is nothing to read", hint="Give files that have texts.")
    before = peak_memory()
    with result_folder(None) as folder:
        # the first run loads what is compiled, or compiles it: the second one is measured
        tried(job, Sampled(source, FIRST_BYTES), run, folder)
        counts, seconds, busy, disk = tried(job, sample, run, folder)
        delete_temporary(folder.parent)
    share = max(sample.share, 1e-9)
    needs = Amounts(
        input_bytes=sample.total,
        documents=round(counts[DOCUMENTS] / share),
        core_seconds=busy / share,
        disk_bytes=round(disk / share),
        summary_bytes=0
        if job.settings.get("candidates") == "minhash"
        else counters_size(run.summary_memory, sample.total),
    )
    pairs = round(counts[PAIRS] / share**2) if PAIRS in counts else None
    most = run.memory + BASE_MEMORY
    used = before + (peak_memory() - before) / share if before else most
    return Estimate(
        input_bytes=sample.total,
        sample_bytes=int(sample.total * sample.share),
        documents=needs.documents,
        seconds=round(STARTING + seconds / share, 1),
        memory_bytes=round(min(used, most)),
        disk_bytes=needs.disk_bytes,
        pairs=pairs,
        pairs_at_least=None if pairs is None else round(counts[PAIRS] / share),
        listed_with_keepers=(pairs or 0) > MANY and job.settings.get("pairs", "all") is None,
        cluster=engine_named(run.engine.name).proposal(needs),
    )


def tried(
    job: Job, sample: Sampled, run: RunSettings, folder: Path
) -> tuple[dict[str, int], float, float, int]:
    """Run a job on a sample: return its counts, the seconds, those of the processor, and its room."""
    begin, busy = time.perf_counter(), processor_seconds()
    engine = LocalEngine(folder, replace(run, keep_steps=True, stop_after=None))
    given = {"files": file_names(sample), **job.tables}
    counts = take_counts(engine.run(job.plan, {"records": sample}, given, job.names)["facts"])
    seconds, busy = time.perf_counter() - begin, processor_seconds() - busy
    disk = sum(f.stat().st_size for f in engine.steps.rglob("*") if f.is_file())
    shutil.rmtree(engine.steps)
    return counts, seconds, busy, disk
