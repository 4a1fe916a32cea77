"""Computes figures of docs/papers.md and docs/studies.md: benchmarks papers [PART…] --data FOLDER.

Each method runs with its defaults and as its paper prints it, on the same data:

threads    posts, and all revisions of posts, in dumps of Stack Exchange: FOLDER/stackexchange/*
sentences  verses of two versions of the Bible: FOLDER/bible/KJV and ASV
pages      pages made hard (hard_pages.py), of texts in FOLDER
passages   the training part of PAN 2013: FOLDER/pan13-train
documents  the first 835 of the RFCs
studies    `neardup study` on verses, Wikipedia, bug reports, PAN 2013, Chinese statutes, and the RFCs
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import hard_pages

import neardup

PRINTED: dict[str, Any] = {"preset": "paper"}
OTHERS = ("shingles:4", "spotsigs:10000")  # signatures of the paper on passages
PARTS = {
    "none and verbatim": ("01-no-plagiarism", "02-no-obfuscation"),
    "random": ("03-random-obfuscation",),
    "translated": ("04-translation-obfuscation",),
    "summary": ("05-summary-obfuscation",),
}
FIRST_RFCS = 835
VERSIONS = ("KJV", "ASV")


def show(title: str, **figures: float) -> None:
    """Print the figures of one run."""
    told = (f"{n} {v:.3f}" if isinstance(v, float) else f"{n} {v:,}" for n, v in figures.items())
    print(f"  {title:42} {', '.join(told)}", flush=True)


def shares(right: int, claimed: int, total: int) -> dict[str, float]:
    """Return precision, recall and F1."""
    f1 = 2 * right / max(claimed + total, 1)
    return {"precision": right / max(claimed, 1), "recall": right / max(total, 1), "F1": f1}


def pairs_of(result: neardup.Result) -> set[tuple[str, str]]:
    """Return the pairs of ids."""
    pairs = result.pairs
    return set(zip(pairs["id_a"].to_pylist(), pairs["id_b"].to_pylist(), strict=True))


def threads(given: argparse.Namespace) -> None:
    """Find revisions of the same post among those of all posts, and near-duplicates among the posts."""
    for dump in sorted((given.data / "stackexchange").iterdir()):
        print(f"threads, {dump.name}")
        for title, settings in (("default", {}), ("--preset paper", PRINTED)):
            result = neardup.threads(dump / "PostHistory.xml", **settings)
            posts = Counter(own.partition("@")[0] for own in result.documents["id"].to_pylist())
            total = sum(count * (count - 1) // 2 for count in posts.values())
            found = pairs_of(result)
            right = sum(a.partition("@")[0] == b.partition("@")[0] for a, b in found)
            posts_found = neardup.threads(dump / "Posts.xml", **settings).counts["pairs"]
            show(title, **shares(right, len(found), total), pairs_of_posts=posts_found)


def verses_of(version: Path) -> dict[str, str]:
    """Return the verses of a version of the Bible by their places."""
    found: dict[str, str] = {}
    for path in sorted(version.glob("*.json")):
        for chapter, lines in json.loads(path.read_text(encoding="utf-8"))[path.stem].items():
            found |= {f"{path.stem} {chapter}:{n}": text for n, text in lines.items()}
    return found


def sentences(given: argparse.Namespace) -> None:
    """Find verses with the same number within the distance; brute force is the judge."""
    from rapidfuzz.distance import Levenshtein

    verses = {version: verses_of(given.data / "bible" / version) for version in VERSIONS}
    near = {
        place
        for place, text in verses["KJV"].items()
        if Levenshtein.normalized_distance(text, verses["ASV"].get(place, "")) <= 0.25
    }
    rows = [
        {"id": f"{version} {place}", "text": text}
        for version, own in verses.items()
        for place, text in own.items()
    ]
    print(f"sentences, {len(near):,} pairs of verses within a distance of 0.25")
    before = {**PRINTED, "grouping": "verified"}
    runs = {"default": {}, "--preset paper": PRINTED, "--preset paper --grouping verified": before}
    for title, settings in runs.items():
        result = neardup.sentences(rows, **settings)
        found = {a.partition(" ")[2] for a, b in pairs_of(result) if a[3:] == b[3:]}
        counts = result.counts
        told = {"compared": counts["candidates"], "clusters": counts["clusters"]}
        show(title, found=len(found & near) / len(near), **told)


def pages(given: argparse.Namespace) -> None:
    """Tell labelled pairs of hard pages, with addresses and without."""
    runs = {"default": {}, "--preset paper": PRINTED, "… --rounds 8": {**PRINTED, "rounds": 8}}
    for name, corpus in hard_pages.both_halves(given.data).items():
        for told in ("with addresses", "without addresses"):
            print(f"pages, {name}, {told}: {len(corpus.pairs)} labelled pairs")
            for title, settings in runs.items():
                found = {
                    tuple(sorted(pair)) for pair in pairs_of(neardup.pages(corpus.pages, **settings))
                }
                claimed = [p for p in corpus.pairs if tuple(sorted((p.id_a, p.id_b))) in found]
                right = sum(pair.label for pair in claimed)
                show(title, **shares(right, len(claimed), sum(p.label for p in corpus.pairs)))
            for page in corpus.pages:
                page.pop("url", None)


def passages(given: argparse.Namespace) -> None:
    """Find the reused passages of PAN 2013, all suspicious documents against all sources."""
    folder = given.data / "pan13-train"
    print("passages, plagdet")
    runs = {
        "default": {},
        "--preset paper": PRINTED,
        **{f"--preset paper --signature {own}": {**PRINTED, "signature": own} for own in OTHERS},
    }
    for title, settings in runs.items():
        result = neardup.passages(folder / "susp", against=folder / "src", **settings)
        figures = {}
        for part, names in (*PARTS.items(), ("all", [n for own in PARTS.values() for n in own])):
            found = neardup.evaluate(result, [folder / name for name in names]).all
            figures[part] = found.scores.plagdet if found else 0.0
        told = (own for own in ("sentences", "unsigned_sentences") if own in result.counts)
        show(title, **figures, **{own: result.counts[own] for own in told})


def documents(given: argparse.Namespace) -> None:
    """Find near-duplicates among the first RFCs."""
    print(f"documents, the first {FIRST_RFCS} RFCs")
    with given.rfcs.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, FIRST_RFCS)]
    lower = {"threshold": 0.5}
    for title, settings in {"default": {}, "--preset paper": PRINTED, "--threshold 0.5": lower}.items():
        found = pairs_of(neardup.documents(rows, **settings))
        show(title, pairs=len(found), documents=len({own for pair in found for own in pair}))


def studies(given: argparse.Namespace) -> None:
    """Print what `neardup study` prints."""
    data, reports = given.data, given.data / "bug-reports"
    labelled = reports / "reports.jsonl", "--labels", reports / "labels.csv"
    with TemporaryDirectory() as folder:
        verses = Path(folder) / "verses.jsonl"
        rows = ({"id": own, "text": text} for own, text in verses_of(data / "bible" / "KJV").items())
        verses.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        for name, *own in (
            ("shingles", verses, "--sentences", 30_000, "--rows", "9,10", "--shingle", "5,10,12,15"),
            ("citations", *sorted((data / "wiki").glob("enwiki*"))),
            ("threads", *labelled, "--fields", "title=0.5,body=0.5"),
            ("signatures", data / "pan13-train" / "src", "--documents", 400),
            ("signatures", data / "laws-zh"),
            ("signatures", given.rfcs),
            ("sampling", given.rfcs),
        ):
            command = [sys.executable, "-m", "neardup", "study", name, *map(str, own)]
            print("\nstudy", name, *own)
            told = {**os.environ, "COLUMNS": "120"}
            print(subprocess.check_output(command, env=told, text=True), flush=True)


PARTS_HERE = {own.__name__: own for own in (threads, sentences, pages, passages, documents, studies)}


def main() -> None:
    """Compute what is asked for, and say when, where and how long it took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS_HERE, []], default=[], metavar="PART")
    default = os.environ.get("NEARDUP_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), help="the folder of labelled data")
    parser.add_argument(
        "--rfcs", type=Path, default=Path("../rfc.jsonl"), help="the RFCs, as JSON lines"
    )
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{time.strftime('%Y-%m-%d')}, {platform.machine()}, {os.cpu_count()} cores, load {load:.1f}")
    for name in given.parts or PARTS_HERE:
        begun, worked = time.perf_counter(), sum(os.times()[:4])
        PARTS_HERE[name](given)
        passed, spent = time.perf_counter() - begun, sum(os.times()[:4]) - worked
        print(f"  ({name}: {passed:,.0f} s, {spent:,.0f} s of the processor)", flush=True)
