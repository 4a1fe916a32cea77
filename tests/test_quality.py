"""The quality gate: how well passages are found on real, labelled data, if it is there.

The data are no part of the project: set NEARDUP_DATA to their folder.
"""

import csv
import hashlib
import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import neardup
from neardup.evaluation import GroupScores, evaluate

DATA = Path(os.environ.get("NEARDUP_DATA") or Path(__file__).parents[2] / "shared" / "data")
PAN, ANSWERS = DATA / "pan13-train", DATA / "clough-stevenson"
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
}
PARTS = {
    "verbatim": [NONE, VERBATIM],
    "shuffled": [SHUFFLED],
    "translated": [TRANSLATED],
    "all": FOLDERS,
}
FLOORS = {"verbatim": 0.98, "shuffled": 0.85, "translated": 0.80, "all": 0.87}
# how much less a whole corpus may have than the pairs listed
SLACK = {"verbatim": 0.02, "shuffled": 0.08, "translated": 0.08, "all": 0.02}


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


@pytest.fixture
def pan() -> None:
    if reason := missing(PAN):
        pytest.skip(reason)


@pytest.mark.usefixtures("pan")
def test_all_listed_pairs_are_compared() -> None:
    assert listed().counts["listed pairs not found"] == 0


@pytest.mark.usefixtures("pan")
@pytest.mark.parametrize("part", FLOORS)
def test_passages_of_listed_pairs_are_found(part: str) -> None:
    assert scores(listed(), part).scores.plagdet >= FLOORS[part]


@pytest.mark.usefixtures("pan")
@pytest.mark.parametrize("part", FLOORS)
def test_passages_are_found_in_a_corpus_about_as_well(part: str) -> None:
    least = scores(listed(), part).scores.plagdet - SLACK[part]
    assert scores(whole(), part).scores.plagdet >= least


@pytest.mark.usefixtures("pan")
def test_documents_without_reuse_have_hardly_any_passages() -> None:
    for result in (listed(), whole()):
        found = scores(result, "verbatim")
        assert found.pairs_without_reuse == 80
        assert found.pairs_without_reuse_found <= 0.01 * found.pairs_without_reuse


def decoded(path: Path) -> str:
    """Return the text of a file; some of the answers are in Windows' encoding."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return path.read_bytes().decode("cp1252")


def test_answers_that_were_copied_are_told_from_those_that_were_not() -> None:
    if reason := missing(ANSWERS):
        pytest.skip(reason)
    answers, originals = (
        [{"id": path.name, "text": decoded(path)} for path in sorted(ANSWERS.glob(pattern))]
        for pattern in ("g*.txt", "orig_*.txt")
    )
    result = neardup.passages(answers, against=originals)
    assert result.counts["documents"] == 100
    pairs = {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    with (ANSWERS / "file_information.csv").open() as file:
        for row in csv.DictReader(file):
            total[row["Category"]] += 1
            found[row["Category"]] += (row["File"], f"orig_task{row['Task']}.txt") in pairs
    copied = ("cut", "light", "heavy")
    assert sum(found[kind] for kind in copied) >= 0.85 * sum(total[kind] for kind in copied)
    assert found["non"] <= 0.05 * total["non"]
