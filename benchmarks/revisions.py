"""Says how well revisions of posts are found among all others: python benchmarks/revisions.py DUMP.

A folder holds a dump of Stack Exchange (Posts.xml, PostHistory.xml, PostLinks.xml). Of each post, two
consecutive revisions of its body are taken, or the only one there is. Right are the two of a post, wrong
all pairs of different posts. Some of these are posts that were posted again, such as advertisements and
announcements: of those in which two thirds of the words are the same in the same order, precision is
printed with and without. Settings are tuned on some posts, for the highest precision at a recall of
0.96, and measured on those held out.

Linked duplicates (PostLinks.xml) are questions that people found to ask the same. How many of them a
lexical method finds is printed as it is.
"""

import argparse
import csv
import json
import random
import re
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

import neardup
from neardup.evaluation.tune import Tried, tune
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource

SIGNATURES = ("shingles:1", "shingles:2", "shingles:3", "shingles:4", "winnowing:3,3")
LOWEST = 0.2
WORD = re.compile(r"\w+")
LINK = re.compile(rb'PostId="(\d+)" RelatedPostId="(\d+)" LinkTypeId="3"')


class Labels(NamedTuple):
    """How many pairs are right and wrong, and those of the wrong ones that are posted again."""

    right: int
    wrong: int
    again: int


def post_of(revision: str) -> str:
    """Return the post of a revision."""
    return revision.partition("@")[0]


def write_corpus(history: Path, target: Path) -> None:
    """Write two consecutive revisions of each post, or the only one."""
    rng = random.Random(1)
    reader = ReaderSettings(fields=("body",), text_column="body")
    source = FileSource.open([history], reader)
    posts: dict[str, list[dict[str, str]]] = {}
    for split in source.splits():
        for batch in source.read(split):
            for row in batch.select(["id", "text"]).to_pylist():
                if row["text"]:
                    own = {"id": row["id"], "body": row["text"]}
                    posts.setdefault(post_of(row["id"]), []).append(own)
    with target.open("w", encoding="utf-8") as out:
        for revisions in posts.values():
            at = rng.randrange(max(len(revisions) - 1, 1))
            out.writelines(json.dumps(row) + "\n" for row in revisions[at : at + 2])


def label(corpus: Path, target: Path, strict: bool) -> Labels:
    """Write the labels of all pairs that any signature finds similar."""
    texts = {row["id"]: row["body"] for row in map(json.loads, corpus.open(encoding="utf-8"))}
    right = {pair for pair in pairwise(texts) if post_of(pair[0]) == post_of(pair[1])}
    wrong: dict[tuple[str, str], bool] = {}
    for signature in SIGNATURES:
        found = neardup.threads(
            str(corpus), fields="body=1", signature=signature, threshold=LOWEST, max_postings=0
        )
        for row in found.pairs.select(["id_a", "id_b"]).to_pylist():
            pair = (row["id_a"], row["id_b"])
            if pair not in right and pair not in wrong:
                wrong[pair] = posted_again(*(texts[own] for own in pair))
    counted = [pair for pair, again in sorted(wrong.items()) if strict or not again]
    with target.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["id_a", "id_b", "label"])
        writer.writerows([*pair, 1] for pair in sorted(right))
        writer.writerows([*pair, 0] for pair in counted)
    return Labels(len(right), len(wrong), sum(wrong.values()))


def posted_again(one: str, other: str) -> bool:
    """Say whether two thirds of the words of two texts are the same in the same order."""
    a, b = (WORD.findall(text.lower()) for text in (one, other))
    return LCSseq.normalized_similarity(a, b) >= 2 / 3


def show(name: str, tried: Tried) -> None:
    """Print the quality of some settings."""
    for part, quality in (("tuning", tried.tuning), ("held out", tried.held_out)):
        print(
            f"  {name}, {part}: precision {quality.precision:.4f}, recall {quality.recall:.4f} "
            f"({quality.right:,} right, {quality.wrong:,} wrong, {quality.missed:,} missed)"
        )


def revisions(folder: Path, work: Path, recall: float) -> None:
    """Tune on some posts and measure on others."""
    corpus, labels = work / "corpus.jsonl", work / "labels.csv"
    write_corpus(folder / "PostHistory.xml", corpus)
    for strict in (True, False):
        counts = label(corpus, labels, strict)
        print(
            f"{folder.name}: {counts.right:,} right pairs, {counts.wrong:,} similar ones of different "
            f"posts, {counts.again:,} of them posted again and {'counted' if strict else 'left out'}"
        )
        found = tune(str(corpus), labels, fields="body", signatures=SIGNATURES, recall=recall)
        show(f"{found.best.signature['body']} ≥ {found.best.threshold:g}", found.best)


def links(folder: Path) -> None:
    """Print how many linked duplicates are found at some thresholds."""
    posts = neardup.threads(str(folder / "Posts.xml"), threshold=0.1, max_postings=0)
    known = set(posts.documents["id"].to_pylist())
    linked = (
        {
            tuple(sorted(map(bytes.decode, pair)))
            for pair in LINK.findall((folder / "PostLinks.xml").read_bytes())
        }
        if (folder / "PostLinks.xml").is_file()
        else set()
    )
    linked = {pair for pair in linked if set(pair) <= known}
    rows = posts.pairs.select(["id_a", "id_b", "similarity"]).to_pylist()
    scores = {tuple(sorted((row["id_a"], row["id_b"]))): row["similarity"] for row in rows}
    for least in (0.5, 0.3, 0.1):
        found = {pair for pair, score in scores.items() if score >= least}
        print(
            f"  linked duplicates at {least}: {len(linked & found)} of {len(linked)} found, "
            f"{len(found - linked)} other pairs"
        )


def main() -> None:
    """Print the figures of each dump."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--recall", type=float, default=0.96, help="the least on the posts for tuning")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-") as work:
        for folder in given.folders:
            revisions(folder, Path(work), given.recall)
            links(folder)


if __name__ == "__main__":
    main()
