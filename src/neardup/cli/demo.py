"""The demonstration: near-duplicates in a small corpus that ships with neardup."""

from importlib.resources import files
from pathlib import Path

from neardup.api import documents
from neardup.durable import written
from neardup.engines.base import Progress
from neardup.engines.disk import DiskFolder
from neardup.errors import OutputError
from neardup.readers.files import absolute
from neardup.result import Result
from neardup.results.files import RUN
from neardup.results.places import Place


def run_demo(output: Path, progress: Progress | None = None) -> Result:
    """Copy the corpus beside the result, so that it can be looked at, and run `documents` on it.

    What an earlier demonstration left is replaced; nothing else is.
    """
    corpus = output.with_name(f"{output.name}.jsonl")
    shipped = (files("neardup") / "data" / "demo.jsonl").read_bytes()
    if corpus.exists() and not (corpus.is_file() and corpus.read_bytes() == shipped):
        hint = "Choose another name with -o: the demo writes a folder, and a file with .jsonl added."
        raise OutputError("this is not the corpus of the demo", where=str(corpus), hint=hint)
    again = is_of(output, corpus)
    Place(DiskFolder(output)).check_free(overwrite=again)
    corpus.parent.mkdir(parents=True, exist_ok=True)
    if not corpus.exists():
        with written(corpus) as partial:
            partial.write_bytes(shipped)
    return documents(corpus, output=output, threshold=0.5, progress=progress, overwrite=again)


def is_of(output: Path, corpus: Path) -> bool:
    """Say whether a folder holds a result of `documents` on just this corpus."""
    if not (output / RUN).is_file():
        return False
    run = Result(output).run
    paths = [file["path"] for file in run["input"].get("files", [])]
    return run["method"] == "documents" and paths == [absolute(corpus)]
