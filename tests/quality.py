"""How well things are found on real, labelled data: `python -m tests.quality` prints it as tables.

The data are no part of the project: set NEARDUP_DATA to their folder.
"""

import csv
import hashlib
import json
import os
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.table import Table

import neardup
from neardup.evaluation import GroupScores, evaluate

DATA = Path(os.environ.get("NEARDUP_DATA") or Path(__file__).parents[2] / "shared" / "data")
PAN, ANSWERS, BUGS = DATA / "pan13-train", DATA / "clough-stevenson", DATA / "bug-reports"
NONE, VERBATIM, SHUFFLED, TRANSLATED, SUMMARIES = FOLDERS = [
    PAN / name
    for name in (
        "01-no-plagiarism",
        "02-no-obfuscation",
        "03-random-obfuscation",
        "04-translation-obfuscation",
        "05-summary-obfuscation",
    )
]
# the floors belong to just these files
DIGESTS = {
    PAN: "09871d5b798d2f44a42fa814c2a98c9f9941a0ecf1689d58e4037492072cd91d",
    ANSWERS: "fed4a7681ab52043da324ac638a140e44a92a3b41a7623ffe5fb6dd6f0e9632e",
    BUGS: "21f91ef9cc15c498e1294063963b5ef78396fdfddffb2303ef19b5425eeb454f",
}
PARTS = {
    "verbatim": [NONE, VERBATIM],
    "shuffled": [SHUFFLED],
    "translated": [TRANSLATED],
    "summarised": [SUMMARIES],
    "all": FOLDERS,
}
FLOORS = {"verbatim": 0.99, "shuffled": 0.92, "translated": 0.88, "summarised": 0.71, "all": 0.945}
KIND_FLOORS = {"learn": (0.88, 0.50, 0.70), "report": (0.86, 0.85, 0.70)}
ASKED = {"title": ("title",), "title and body": ("title", "body")}
REPORT_FLOORS = {"title": (0.34, 0.60), "title and body": (0.45, 0.72)}


def digest(folder: Path) -> str:
    """Return the digest of the names and contents of all files of a folder."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(path.relative_to(folder).as_posix().encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


@cache
def missing(folder: Path) -> str:
    """Say why a folder cannot be used, or nothing."""
    if not folder.is_dir():
        return f"skipped: no labelled data in {folder} (set NEARDUP_DATA)"
    if digest(folder) != DIGESTS[folder]:
        return f"skipped: {folder} is not the data that the floors belong to"
    return ""


@cache
def listed() -> neardup.Result:
    """Compare the pairs that the labels are for."""
    lines = [line for folder in FOLDERS for line in (folder / "pairs").read_text().splitlines()]
    pairs = [line.split() for line in lines if line.strip()]
    return neardup.passages([PAN / "susp", PAN / "src"], pairs=pairs)


@cache
def whole() -> neardup.Result:
    """Compare all suspicious documents with all sources."""
    return neardup.passages(PAN / "susp", against=PAN / "src")


def scores(result: neardup.Result, part: str) -> GroupScores:
    found = evaluate(result, PARTS[part]).all
    assert found is not None
    return found


def decoded(path: Path) -> str:
    """Return the text of a file; some of the answers are in Windows' encoding."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return path.read_bytes().decode("cp1252")


@cache
def answers_found() -> tuple[Counter[str], Counter[str]]:
    """Return how many answers of each kind were found to share passages with the original, and all."""
    answers, originals = (
        [{"id": path.name, "text": decoded(path)} for path in sorted(ANSWERS.glob(pattern))]
        for pattern in ("g*.txt", "orig_*.txt")
    )
    result = neardup.passages(answers, against=originals)
    pairs = {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    with (ANSWERS / "file_information.csv").open() as file:
        for row in csv.DictReader(file):
            if row["Category"] == "orig":
                continue
            total[row["Category"]] += 1
            found[row["Category"]] += (row["File"], f"orig_task{row['Task']}.txt") in pairs
    return found, total


def sources_found() -> float:
    """Return the F1 of the answers that are told to have a source, the independent ones having none."""
    found, total = answers_found()
    copied = ("cut", "light", "heavy")
    right = sum(found[kind] for kind in copied)
    return 2 * right / (right + found["non"] + sum(total[kind] for kind in copied))


def passages_table() -> Table:
    """Return how well the passages of each part of PAN 2013 are found."""
    table = Table(title="Passages, PAN 2013 training data")
    for name in ("compared", "part", "plagdet", "floor", "precision", "recall", "granularity"):
        table.add_column(name, justify="left" if name in ("compared", "part") else "right")
    for compared, result in (("pairs", listed()), ("corpus", whole())):
        for part in PARTS:
            own = scores(result, part).scores
            figures = (own.precision, own.recall, own.granularity)
            floor = f"{FLOORS[part]:.3f}" if part in FLOORS else ""
            row = (f"{own.plagdet:.3f}", floor, *(f"{figure:.3f}" for figure in figures))
            table.add_row(compared, part, *row)
    return table


def answers_table() -> Table:
    """Return how many answers share passages with the article that some of them were copied from."""
    table = Table(title="Answers, Clough and Stevenson")
    for name in ("kind", "found", "of"):
        table.add_column(name, justify="left" if name == "kind" else "right")
    found, total = answers_found()
    for kind in sorted(total):
        table.add_row(kind, str(found[kind]), str(total[kind]))
    return table


@cache
def reports_found() -> dict[str, tuple[float, float]]:
    """Return how often the first suggestion, and one of ten, is an earlier report of the same bug.

    Reports are closed as duplicates of each other by people; most are in other words.
    """
    reports = [json.loads(line) for line in (BUGS / "reports.jsonl").open(encoding="utf-8")]
    with (BUGS / "labels.csv").open(encoding="utf-8") as lines:
        pairs = [(row["id_a"], row["id_b"]) for row in csv.DictReader(lines)]
    bug = bugs_of([report["id"] for report in reports], pairs)
    earlier: defaultdict[str, set[str]] = defaultdict(set)
    index = neardup.ThreadIndex.build(neardup.threads(reports, fields="title=0.5,body=0.5"))
    ranks: defaultdict[str, list[int]] = defaultdict(list)
    for report in sorted(reports, key=lambda report: int(report["id"])):
        right = earlier[bug[report["id"]]]
        for name, fields in ASKED.items() if right else ():
            asked = {field: report[field] for field in fields}
            near = [one.id for one in index.suggest(asked, top=60) if int(one.id) < int(report["id"])]
            ranks[name].append(next((n for n, one in enumerate(near) if one in right), 60))
        right.add(report["id"])
    return {
        name: (sum(rank < 1 for rank in own) / len(own), sum(rank < 10 for rank in own) / len(own))
        for name, own in ranks.items()
    }


def bugs_of(ids: list[str], pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return the bug of each report: those that are linked have the same."""
    bug = {one: one for one in ids}

    def first(one: str) -> str:
        while bug[one] != one:
            one = bug[one]
        return one

    for one, other in pairs:
        bug[first(one)] = first(other)
    return {one: first(one) for one in ids}


def reports_table() -> Table:
    """Return how many bug reports that were closed as duplicates have the earlier one suggested."""
    table = Table(title="Bug reports closed as duplicates, suggestions")
    for name in ("asked", "first", "floor", "in ten", "floor"):
        table.add_column(name, justify="left" if name == "asked" else "right")
    for name, found in reports_found().items():
        cells = [
            f"{figure:.3f}" for pair in zip(found, REPORT_FLOORS[name], strict=True) for figure in pair
        ]
        table.add_row(name, *cells)
    return table


def uncopied_table() -> Table | str:
    """Return how many pairs are reported of which nobody copied anything."""
    from tests import uncopied

    if reason := uncopied.missing():
        return reason
    table = Table(title="Texts that nobody copied")
    for name in ("corpus", "pairs", "reported", "of these as summaries"):
        table.add_column(name, justify="left" if name == "corpus" else "right")
    for name, found in uncopied.lines():
        table.add_row(name, *(f"{number:,}" for number in found))
    return table


def parallels_table() -> Table | str:
    """Return how many runs of words are found that chapters of the Bible share."""
    from tests import parallels

    if reason := parallels.missing():
        return reason
    table = Table(title=f"Runs of {parallels.LEAST} characters or more that two chapters share")
    for name in ("least length", "in other words, too", "found", "of"):
        table.add_column(name, justify="right")
    for least in (150, 60):
        for soft in (True, False):
            found, total = parallels.found(min_length=least, soft=soft)
            table.add_row(f"{least}", "yes" if soft else "no", f"{found}", f"{total}")
    return table


def kinds_table() -> Table | str:
    """Return how many labelled kinds are right, by the corpora that rules were changed with."""
    from tests.kinds_read import figures, said

    found = said(DATA)
    if not found:
        return f"skipped: no corpora of labelled pairs in {DATA} (set NEARDUP_DATA)"
    table = Table(title="Kinds of change, pairs of real corpora")
    for name in ("corpora", "pairs", "right", "floor", "drift: precision", "floor", "recall", "floor"):
        table.add_column(name, justify="left" if name == "corpora" else "right")
    for part, name in (("learn", "rules were changed with"), ("report", "others")):
        own = figures(found, part)
        pairs = zip(own[1:], KIND_FLOORS[part], strict=True)
        table.add_row(name, str(own.pairs), *(f"{figure:.3f}" for pair in pairs for figure in pair))
    return table


def main() -> None:
    """Print all that can be measured here."""
    console = Console()
    for folder, table in ((PAN, passages_table), (ANSWERS, answers_table), (BUGS, reports_table)):
        console.print(missing(folder) or table())
    console.print(uncopied_table())
    console.print(parallels_table())
    console.print(kinds_table())


if __name__ == "__main__":
    main()
