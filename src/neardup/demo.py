"""The demonstration: near-duplicates in a small corpus that ships with neardup."""

from importlib.resources import as_file, files
from pathlib import Path

from neardup.api import documents
from neardup.engines.base import Progress
from neardup.result import Result


def run_demo(output: Path, progress: Progress | None = None) -> Result:
    """Copy the corpus beside the result, so that it can be looked at, and run `documents` on it."""
    corpus = output.with_name(f"{output.name}.jsonl")
    with as_file(files("neardup") / "data" / "demo.jsonl") as shipped:
        corpus.parent.mkdir(parents=True, exist_ok=True)
        corpus.write_bytes(shipped.read_bytes())
    return documents(corpus, output=output, threshold=0.5, progress=progress, overwrite=True)
