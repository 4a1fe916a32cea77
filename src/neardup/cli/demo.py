"""The demonstration: near-duplicates in a small corpus that ships with neardup; files of tutorials."""

import io
import json
import zipfile
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

SHIPPED = files("neardup") / "data"
FOLDERS = {
    "essays": (
        *("bridge-evening", "bridge-parish", "bridge-letter"),
        *("lighthouse-quiz", "choir", "lost-cat"),
    ),
    "sources": ("bridge-wire", "bridge-herald", "lighthouse"),
}
OLD = 20  # documents of the corpus that come later
RANKED = {
    "one": ("bridge-wire", "bridge-herald", "choir"),
    "other": ("choir", "bridge-wire", "lost-cat"),
}


def write_files(folder: Path) -> list[Path]:
    """Write what the tutorials begin with; a file that is there already must be the same."""
    wanted = {folder / name: content for name, content in tutorial_files().items()}
    for path, content in wanted.items():
        if path.exists() and not (path.is_file() and path.read_bytes() == content):
            hint = "Choose another folder: existing files are not replaced."
            raise OutputError("there is another file of this name", where=str(path), hint=hint)
    for path, content in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with written(path) as partial:
            partial.write_bytes(content)
    return list(wanted)


def tutorial_files() -> dict[str, bytes]:
    """Return all files by name: the corpus, parts of it, its texts in many formats, labels, runs."""
    corpus = (SHIPPED / "demo.jsonl").read_bytes()
    lines = corpus.splitlines(keepends=True)
    texts = {record["id"]: record["text"] for record in map(json.loads, lines)}
    found = {"demo.jsonl": corpus, "gold.csv": (SHIPPED / "gold.csv").read_bytes()}
    found |= {"new.jsonl": b"".join(lines[:OLD]), "old.jsonl": b"".join(lines[OLD:])}
    for folder, ids in FOLDERS.items():
        found |= {f"{folder}/{own}.txt": texts[own].encode() for own in ids}
    for name, ranked in RANKED.items():
        rows = [f"1 Q0 {own} {place} {9 - place} {name}\n" for place, own in enumerate(ranked, 1)]
        found[f"runs/{name}"] = "".join(rows).encode()
    judged = {"bridge-wire": 1, "bridge-herald": 1, "choir": 0, "lost-cat": 1}
    found["qrels.txt"] = "".join(f"1 0 {own} {label}\n" for own, label in judged.items()).encode()
    found["groups.jsonl"] = json.dumps({"ids": ["bridge-wire", "bridge-herald"]}).encode() + b"\n"
    with zipfile.ZipFile(io.BytesIO((SHIPPED / "handed-in.zip").read_bytes())) as packed:
        found |= {f"handed-in/{name}": packed.read(name) for name in packed.namelist()}
    return found


def run_demo(output: Path, progress: Progress | None = None) -> Result:
    """Copy the corpus beside the result, so that it can be looked at, and run `documents` on it.

    What an earlier demonstration left is replaced; nothing else is.
    """
    corpus = output.with_name(f"{output.name}.jsonl")
    shipped = (SHIPPED / "demo.jsonl").read_bytes()
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
    """Return whether a folder holds a result of `documents` on just this corpus."""
    if not (output / RUN).is_file():
        return False
    run = Result(output).run
    paths = [file["path"] for file in run["input"].get("files", [])]
    return run["method"] == "documents" and paths == [absolute(corpus)]
