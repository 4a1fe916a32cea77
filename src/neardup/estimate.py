"""What a run will need: measured on a sample, scaled to the whole input."""

import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from neardup.engines.local import LocalEngine
from neardup.methods import documents
from neardup.methods.candidates import counters_size
from neardup.readers.source import Source, Split
from neardup.runs import file_names, result_folder, take_counts
from neardup.settings import DocumentSettings, RunSettings

SAMPLE_BYTES = 32 << 20
BASE_MEMORY = 300 << 20
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

    @property
    def take_cluster(self) -> bool:
        """Say whether one machine would be busy for more than a day."""
        return self.seconds > CLUSTER_SECONDS

    def as_dict(self) -> dict[str, Any]:
        """Return all figures."""
        return asdict(self) | {"take_cluster": self.take_cluster}


class Sampled:
    """A part of a source: splits from all over it."""

    def __init__(self, source: Source, sample_bytes: int) -> None:
        self._source = source
        self.schema: pa.Schema = source.schema
        self.names = source.names
        self.holds_gil = source.holds_gil
        everything = source.splits()
        total = sum(split.size for split in everything)
        stride = max(total // max(sample_bytes, 1), 1)
        self._splits = everything[:: min(stride, len(everything) or 1)]
        self.share = sum(s.size for s in self._splits) / max(total, 1)
        self.total = total

    def splits(self) -> list[Split]:
        """Return the chosen splits."""
        return self._splits

    def read(self, split: Split) -> Iterator[pa.RecordBatch]:
        """Read one of them."""
        return self._source.read(split)

    def fingerprint(self) -> str:
        """Return that of the whole."""
        return self._source.fingerprint()


def estimate(source: Source, settings: DocumentSettings, run: RunSettings) -> Estimate:
    """Run the plan on a sample and scale up.

    Time and disk grow with the input. Pairs grow with its square where copies lie anywhere in it: a
    pair is in a sample of one tenth with a chance of one in a hundred.
    """
    sample = Sampled(source, SAMPLE_BYTES)
    size = int(sample.total * sample.share)
    plan = documents.plan(settings, sample.schema, counters_size(run.memory, size))
    with result_folder(None) as folder:
        engine = LocalEngine(folder, workers=run.workers, memory=run.memory, keep_steps=True)
        engine.run(plan, {"records": sample}, {"files": file_names(sample)})
        warm = time.perf_counter()  # the first run may have compiled kernels: measure a second one
        shutil.rmtree(engine.steps)
        engine = LocalEngine(folder, workers=run.workers, memory=run.memory, keep_steps=True)
        counts = take_counts(
            engine.run(plan, {"records": sample}, {"files": file_names(sample)})["facts"]
        )
        seconds = time.perf_counter() - warm
        disk = sum(f.stat().st_size for f in engine.steps.rglob("*") if f.is_file())
        shutil.rmtree(folder.parent)
    share = max(sample.share, 1e-9)
    return Estimate(
        input_bytes=sample.total,
        sample_bytes=size,
        documents=round(counts["documents"] / share),
        seconds=round(seconds / share, 1),
        memory_bytes=run.memory + BASE_MEMORY,
        disk_bytes=round(disk / share),
        pairs=round(counts["pairs"] / share**2),
    )
