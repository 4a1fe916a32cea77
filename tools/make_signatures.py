"""Write src/neardup/kernels/signatures.json: which kernels a first run compiles, and for which types.

Each purpose is run in a process of its own with nothing compiled, on the corpora of the tests. Takes
some minutes.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
OUT = HERE / "src" / "neardup" / "kernels" / "signatures.json"
sys.path.insert(0, str(HERE))


def run(*arguments: object) -> None:
    """Run the command line in this process."""
    from neardup.cli import whole_app

    whole_app()([*map(str, arguments)], standalone_mode=False)


def documents(data: Path, out: Path) -> None:
    """Compare documents."""
    run("documents", data / "demo.jsonl", "-o", out)


def passages(data: Path, out: Path) -> None:
    """Find passages."""
    run("passages", data / "demo.jsonl", "-o", out)


def sentences(data: Path, out: Path) -> None:
    """Find sentences, in a dump of Wikipedia."""
    run("sentences", data / "wiki.xml", "-o", out)


def threads(data: Path, out: Path) -> None:
    """Compare threads."""
    run("threads", data / "threads.jsonl", "-o", out)


def pages(data: Path, out: Path) -> None:
    """Compare pages."""
    run("pages", data / "demo.jsonl", "-o", out)


def wikis(data: Path, out: Path) -> None:
    """Read a dump of a wiki, whatever for: no other list has what only that needs."""
    sentences(data, out)


def json_lines(data: Path, out: Path) -> None:
    """Read large JSON Lines: here, too, no other list has what only that needs."""
    documents(data, out)


def decontaminate(data: Path, out: Path) -> None:
    """Find test items."""
    run("decontaminate", data / "demo.jsonl", "--benchmarks", data / "demo.jsonl", "-o", out)


def index(data: Path, out: Path) -> None:
    """Fill an index, and ask it."""
    run("index", "build", out, data / "demo.jsonl")
    run("query", out, json.loads((data / "demo.jsonl").read_text("utf-8").splitlines()[0])["text"])


def explain(data: Path, out: Path) -> None:
    """Explain a pair."""
    documents(data, out)
    run("explain", out, "mediatheque-bulletin", "mediatheque-affiche")


def others(data: Path, out: Path) -> None:
    """Use what the usual settings do not: no run waits for it, only `neardup warm` compiles it."""
    texts, wiki, questions = data / "demo.jsonl", data / "wiki.xml", data / "threads.jsonl"
    for number, words in enumerate(OTHERS):
        method = words.split()[0]
        source = {"sentences": wiki, "threads": questions}.get(method, texts)
        source = data / "alike.jsonl" if words == ALIKE else source
        run(method, source, "-o", f"{out}{number}", *words.split()[1:])
    merge()
    run("asked", f"{out}{OTHERS.index(BY_BLOCKS)}", "--title", "When does the library open?")
    run("explain", f"{out}{OTHERS.index(ALIKE)}", "0", "1")


def merge() -> None:
    """Add up counts, as of several workers: small corpora have one."""
    from neardup.signatures.word_counts import WordCounts
    from neardup.steps.counters import Counters

    Counters(1).merge(Counters(1))
    WordCounts(once=True).merge(WordCounts(once=True))


ALIKE = "documents --threshold 0.2"
BY_BLOCKS = "threads --index doc"
OTHERS = (
    ALIKE,
    "documents --candidates minhash",
    "documents --candidates sampled",
    "documents --shingle char:20",
    "passages --signature spotsigs",
    "passages --signature imatch",
    "passages --signature shingles:3",
    "passages --signature winnowing:5,4 --max-documents 2",
    "sentences --candidates minhash",
    BY_BLOCKS,
    "threads --signature imatch --max-shared 3",
    "pages --unit character",
    "pages --measure simhash",
    "pages --measure cosine",
)
PURPOSES: tuple[Callable[[Path, Path], None], ...] = (
    documents,
    passages,
    sentences,
    threads,
    pages,
    wikis,
    json_lines,
    decontaminate,
    index,
    explain,
    others,
)


# Modules of kernels that read one format: by themselves, as a run of any method may need them or not.
ONLY = {
    "jsonlines": "json_lines",
    "wikitext": "wikis",
    "wikitext_structure": "wikis",
    "references": "wikis",
}


def record(name: str) -> None:
    """Run a purpose in this process; print what was compiled for it, what takes longest first."""
    from numba.core import event

    from neardup.kernels.ahead import write_type

    only = name if name in ONLY.values() else None
    found: list[Any] = []
    begun: list[float] = []

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            """Note the time; Numba compiles what a kernel calls inside of it."""
            del event
            begun.append(time.thread_time())

        def on_end(self, event: Any) -> None:
            """Note what was compiled by itself."""
            seconds = time.thread_time() - begun.pop()
            function = event.data["dispatcher"].py_func
            package, _, module = function.__module__.rpartition(".")
            if package == "neardup.kernels" and not begun and ONLY.get(module) == only:
                kinds = [write_type(kind) for kind in event.data["args"]]
                found.append((seconds, f"{module}.{function.__name__}", kinds))

    event.register("numba:compile", Listener())
    with tempfile.TemporaryDirectory() as folder:
        purpose = next(purpose for purpose in PURPOSES if purpose.__name__ == name)
        purpose(corpora(Path(folder)), Path(folder) / "out")
    found.sort(key=itemgetter(0), reverse=True)
    print("\n" + json.dumps([row[1:] for row in found]))


def corpora(folder: Path) -> Path:
    """Write a small file of each kind."""
    demo = HERE / "src" / "neardup" / "data" / "demo.jsonl"
    long = {"id": "long", "text": "and so on " * 30_000}  # as kernels do not read little
    (folder / "demo.jsonl").write_bytes(demo.read_bytes() + json.dumps(long).encode() + b"\n")
    texts = [json.loads(line)["text"] for line in demo.read_text("utf-8").splitlines()]
    threads = [
        {"id": n, "title": text[:60], "body": text, "answer": text} for n, text in enumerate(texts)
    ]
    (folder / "threads.jsonl").write_text("\n".join(map(json.dumps, threads)))
    alike = [f"{texts[0]} And so ends number {n}." for n in range(40)]
    rows = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(alike)]
    (folder / "alike.jsonl").write_text("\n".join(rows))
    head = "<page><title>{0}</title><ns>0</ns><id>{0}</id><revision><id>{0}</id>"
    page = head + "<text>{1}</text></revision></page>"
    marked = "== Head ==\n'''Bold''' {0} [[link]] &amp; more"
    pages = "".join(page.format(n, marked.format(text)) for n, text in enumerate(texts, 1))
    (folder / "wiki.xml").write_text(f"<mediawiki>{pages}</mediawiki>")
    return folder


def main() -> None:
    """Record all purposes, or one if it is named."""
    if len(sys.argv) > 1:
        record(sys.argv[1])
        return
    OUT.write_text("{}")  # so that the runs below compile nothing ahead
    lists = {}
    for purpose in PURPOSES:
        with tempfile.TemporaryDirectory() as empty:
            environment = {**os.environ, "NUMBA_CACHE_DIR": empty}
            done = subprocess.run(
                [sys.executable, __file__, purpose.__name__],
                env=environment,
                stdout=subprocess.PIPE,
                check=True,
            )
        lists[purpose.__name__] = json.loads(done.stdout.splitlines()[-1])
        print(f"{purpose.__name__}: {len(lists[purpose.__name__])} kernels")
    rows = [
        f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, rows)) + "\n]"
        for name, rows in lists.items()
    ]
    OUT.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
