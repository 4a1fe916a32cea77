"""Computes the figures of docs/papers.md again: python -m benchmarks papers [METHOD…] --data FOLDER.

Each method runs with its defaults and as its paper prints it, on the same data:

threads    all revisions of the posts in dumps of Stack Exchange: FOLDER/stackexchange/*/PostHistory.xml
sentences  verses of two versions of the Bible: FOLDER/bible/KJV and ASV
pages      pages made hard (hard_pages.py), of texts in FOLDER
passages   the training part of PAN 2013: FOLDER/pan13-train
"""

import argparse
import json
import os
from collections import Counter
from pathlib import Path
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
    """Find revisions of the same post among those of all posts."""
    for dump in sorted((given.data / "stackexchange").iterdir()):
        print(f"threads, {dump.name}")
        for title, settings in (("default", {}), ("--preset paper", PRINTED)):
            result = neardup.threads(dump / "PostHistory.xml", **settings)
            posts = Counter(own.partition("@")[0] for own in result.documents["id"].to_pylist())
            total = sum(count * (count - 1) // 2 for count in posts.values())
            found = pairs_of(result)
            right = sum(a.partition("@")[0] == b.partition("@")[0] for a, b in found)
            show(title, **shares(right, len(found), total))


def sentences(given: argparse.Namespace) -> None:
    """Find verses with the same number within the distance; brute force is the judge."""
    from rapidfuzz.distance import Levenshtein

    verses: dict[str, dict[str, str]] = {"KJV": {}, "ASV": {}}
    for version, own in verses.items():
        for path in sorted((given.data / "bible" / version).glob("*.json")):
            for chapter, lines in json.loads(path.read_text(encoding="utf-8"))[path.stem].items():
                own.update({f"{path.stem} {chapter}:{n}": text for n, text in lines.items()})
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
        show(title, **figures)


METHODS = {own.__name__: own for own in (threads, sentences, pages, passages)}


def main() -> None:
    """Compute what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "methods", nargs="*", choices=[*METHODS, []], default=[*METHODS], metavar="METHOD"
    )
    default = os.environ.get("NEARDUP_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), help="the folder of labelled data")
    given = parser.parse_args()
    for name in given.methods:
        METHODS[name](given)
