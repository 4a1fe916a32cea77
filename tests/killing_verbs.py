"""Every command that writes, with small and with large input, for `tests/killing.py`."""

from pathlib import Path
from typing import NamedTuple

from tests.corpora import forum, labelled_forum, stories, write, write_corpus


class Verb(NamedTuple):
    """A command that writes below {out}, and the commands that make what it starts from."""

    name: str
    command: str
    before: tuple[str, ...] = ()
    once: bool = False  # it refuses to do again what is done
    by_file: bool = False  # each of its files is whole or not there; they come one after the other
    stdin: str | None = None
    writes_input: bool = False  # so that its times differ
    timed: bool = False  # it measures seconds: only the names of its files are the same
    own_process: bool = False  # Java's threads survive no fork


TEXTS = "{in}/texts.jsonl"
FOUND = (f"documents {TEXTS} -o {{out}}/found -q",)
ADDRESSED = ("documents {in}/addressed.jsonl -o {out}/found -q",)
PASSAGES = (f"passages {TEXTS} -o {{out}}/found -q",)
SENTENCES = (f"sentences {TEXTS} -o {{out}}/found -q",)
THREADS = ("threads {in}/forum.jsonl -o {out}/found -q --fields title=0.4,body=0.6",)
ASKED = (*THREADS, "asked {out}/found --title w1 --body w2 -q")
HELD_OUT = (f"decontaminate {TEXTS} --benchmarks {{in}}/same.jsonl -o {{out}}/found -q",)
PAGES = (f"pages {TEXTS} -o {{out}}/found -q",)
BUILT = (f"index build {{out}}/i.neardup {TEXTS} -q",)
REMOVED = (
    *BUILT,
    "index add {out}/i.neardup {in}/many.jsonl -q",
    "index remove {out}/i.neardup a-0 c-9 -q",
)
RESULT = "-o {out}/result -q"
VERBS = [
    Verb("documents", f"documents {TEXTS} {RESULT}", once=True),
    Verb(
        "documents --overwrite",
        f"documents {TEXTS} --overwrite -o {{out}}/found -q",
        (FOUND[0] + " --threshold 0.9",),
    ),
    Verb("documents -", f"documents - --text-column text {RESULT}", once=True, stdin="texts.jsonl"),
    Verb("passages", f"passages {TEXTS} {RESULT}", once=True),
    Verb("sentences", f"sentences {TEXTS} {RESULT}", once=True),
    Verb("threads", f"threads {{in}}/forum.jsonl --fields title=0.4,body=0.6 {RESULT}", once=True),
    Verb("pages", f"pages {TEXTS} {RESULT}", once=True),
    Verb("decontaminate", f"decontaminate {TEXTS} --benchmarks {{in}}/same.jsonl {RESULT}", once=True),
    Verb("rethreshold", "rethreshold {out}/found 0.9 {out}/higher", FOUND, once=True),
    Verb("demo", "demo -o {out}/demo", by_file=True, writes_input=True),
    Verb("estimate", f"estimate {TEXTS}"),
    Verb("dedup", "dedup {out}/found -o {out}/clean", FOUND, once=True),
    Verb("dedup --mode annotate", "dedup {out}/found -o {out}/clean --mode annotate", FOUND, once=True),
    Verb("dedup --mode remove", "dedup {out}/found -o {out}/clean --mode remove", FOUND, once=True),
    Verb("dedup of passages", "dedup {out}/found -o {out}/clean --mode remove", PASSAGES, once=True),
    Verb("dedup of benchmarks", "dedup {out}/found -o {out}/clean --mode remove", HELD_OUT, once=True),
    Verb("dedup --clusters", "dedup {out}/found -o {out}/clean --clusters components", FOUND, once=True),
    Verb("clean", f"clean {TEXTS} -o {{out}}/clean -q", once=True),
    Verb("report", "report {out}/found -q", FOUND),
    Verb(
        "report over another",
        "report {out}/found -q",
        (*FOUND, "report {out}/found --max-size 200kB -q"),
    ),
    Verb("sample", "sample {out}/found -o {out}/sheet.csv", FOUND, once=True, by_file=True),
    Verb("explain --curve", "explain {out}/found a-0 a-1 --curve {out}/curve.svg", PAGES),
    Verb("export", "export {out}/found -o {out}/tables", SENTENCES, once=True),
    Verb("export --format gexf", "export {out}/found --format gexf -o {out}/graph.gexf", SENTENCES),
    Verb("export --format tei", "export {out}/found --format tei -o {out}/texts", PASSAGES, once=True),
    Verb("origins", "origins {out}/found -o {out}/origins.html", ADDRESSED, by_file=True),
    Verb("asked", "asked {out}/found --title w1 --body w2 -q", THREADS),
    Verb("asked --add", "asked {out}/found --add {in}/threads.jsonl -q", ASKED, once=True),
    Verb("asked --replace", "asked {out}/found --add {in}/edited.jsonl --replace -q", ASKED),
    Verb("asked --remove", "asked {out}/found --remove t2 --remove t7 -q", ASKED, once=True),
    Verb(
        "threads --add",
        "threads {in}/edited.jsonl --fields title=0.4,body=0.6 --against {out}/found/asked --add "
        + RESULT,
        ASKED,
        once=True,
    ),
    Verb("index build", f"index build {{out}}/i.neardup {TEXTS} -q", once=True),
    Verb("index build --overwrite", "index build {out}/i.neardup {in}/few.jsonl --overwrite -q", BUILT),
    Verb("index add, a few", "index add {out}/i.neardup {in}/few.jsonl -q", BUILT, once=True),
    Verb("index add, many", "index add {out}/i.neardup {in}/many.jsonl -q", BUILT, once=True),
    Verb("index add --replace", "index add {out}/i.neardup {in}/same.jsonl --replace -q", BUILT),
    Verb(
        "documents --add",
        f"documents {{in}}/same.jsonl --against {{out}}/i.neardup --add {RESULT}",
        BUILT,
        once=True,
    ),
    Verb(
        "passages --add",
        f"passages {{in}}/same.jsonl --against {{out}}/i.neardup --add {RESULT}",
        BUILT,
        once=True,
    ),
    Verb("index copy", "index copy {out}/i.neardup {out}/copy.neardup -q", BUILT, once=True),
    Verb("index export", "index export {out}/i.neardup {out}/all.jsonl -q", BUILT, once=True),
    Verb("index compact", "index compact {out}/i.neardup -q", REMOVED),
    Verb("index remove", "index remove {out}/i.neardup a-0 a-3 -q", BUILT, once=True),
    Verb(
        "query --corpus",
        f"query {{out}}/i.neardup --corpus {{in}}/many.jsonl {RESULT}",
        BUILT,
        once=True,
    ),
    Verb(
        "trec",
        f"trec --runs {{in}}/runs --qrels {{in}}/qrels --groups {{in}}/groups.jsonl {RESULT}",
        once=True,
    ),
    Verb("study", f"study sampling {TEXTS} --documents 20 {RESULT}", once=True, timed=True),
    Verb(
        "tune",
        "tune {in}/labelled/forum.jsonl --fields title,body --labels {in}/labelled/labels.csv "
        "-o {out}/tuned.json --starts 2",
    ),
    *(
        Verb(f"{verb} on Spark", f"{command} {RESULT} --engine spark", once=True, own_process=True)
        for verb, command in (
            ("documents", f"documents {TEXTS}"),
            ("passages", f"passages {TEXTS}"),
            ("sentences", f"sentences {TEXTS}"),
            ("threads", "threads {in}/forum.jsonl --fields title=0.4,body=0.6"),
            ("pages", f"pages {TEXTS}"),
        )
    ),
]
NAMES = [verb.name for verb in VERBS]


def write_inputs(folder: Path, large: bool) -> None:
    """Write what the verbs read."""
    texts = stories(40, 3)
    rows = [
        {"id": f"a-{n}", "text": text} for n, text in enumerate([*texts, *texts[:5], texts[0] + " End."])
    ]
    write(folder / "texts.jsonl", rows)
    write(
        folder / "addressed.jsonl",
        [{**row, "url": f"http://{row['id']}.org/news", "date": "2026-11-17"} for row in rows],
    )
    if large:
        write_corpus(folder / "texts.jsonl", 8, 1)
    write(folder / "few.jsonl", [{"id": f"b-{n}", "text": text} for n, text in enumerate(stories(5, 4))])
    many = 4_000 if large else 150
    write(
        folder / "many.jsonl",
        [{"id": f"c-{n}", "text": text} for n, text in enumerate(stories(many, 5))],
    )
    write(
        folder / "same.jsonl", [{"id": f"a-{n}", "text": text} for n, text in enumerate(stories(120, 6))]
    )
    threads = forum(20_000 if large else 40, 1)
    write(folder / "forum.jsonl", [{"id": f"t{n}", **thread} for n, thread in enumerate(threads)])
    edited = forum(60, 2)
    write(folder / "threads.jsonl", [{"id": f"u{n}", **thread} for n, thread in enumerate(edited)])
    changed = [*threads[:9], *edited[:40]]
    write(folder / "edited.jsonl", [{"id": f"t{n + 5}", **own} for n, own in enumerate(changed)])
    (folder / "labelled").mkdir()
    labelled_forum(folder / "labelled")
    write_collection(folder)


def write_collection(folder: Path) -> None:
    """Write runs, judgements and groups of documents."""
    (folder / "runs").mkdir()
    ids = [f"d{n:02}" for n in range(20)]
    for system in range(2):
        ranked = ids[system::2] + ids[1 - system :: 2]
        lines = [f"1 Q0 {own} 0 {20 - rank} s\n" for rank, own in enumerate(ranked)]
        (folder / "runs" / f"s{system}").write_text("".join(lines))
    (folder / "qrels").write_text("".join(f"1 0 {own} {n % 3}\n" for n, own in enumerate(ids)))
    write(folder / "groups.jsonl", [{"ids": ids[:3]}, {"ids": ids[10:12]}])
