"""Says how well revisions of posts are found among all others: python benchmarks/revisions.py DUMPS.

A folder holds a dump of Stack Exchange (Posts.xml, PostHistory.xml, PostLinks.xml). Of each post, two
consecutive revisions of its body are taken, or the only one there is; with --all, all revisions. Right
are consecutive revisions of a post, wrong all pairs of different posts; others of the same post do not
count. Some of the wrong ones are posts that were posted again, such as advertisements and announcements:
those in which two thirds of the words are the same in the same order. Figures are given with and without
them.

Settings are tuned on some posts, for the highest recall at a precision, and measured on those held out,
for several splits; and those tuned on all posts of one dump are measured on the others.

Linked duplicates (PostLinks.xml) are questions that people found to ask the same. How many of them a
lexical method finds is printed as it is.
"""

import argparse
import json
import random
import re
import statistics
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

import neardup
from neardup.evaluation.gold import ordered
from neardup.evaluation.labelled import Labels
from neardup.evaluation.scored import ScoredPairs, score_pairs
from neardup.evaluation.tune import MAX_SHARED, Goal, Quality, State, Tuner
from neardup.methods.threads.settings import ThreadSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource
from neardup.settings.run import RunSettings

SIGNATURES = ("shingles:1", "shingles:2", "shingles:3", "shingles:4", "winnowing:3,3")
SPLITS = 10
WORD = re.compile(r"\w+")
LINK = re.compile(rb'PostId="(\d+)" RelatedPostId="(\d+)" LinkTypeId="3"')


class Case(NamedTuple):
    """A dump's pairs, and which of them are posted again."""

    name: str
    scored: ScoredPairs
    again: np.ndarray


def post_of(revision: str) -> str:
    """Return the post of a revision."""
    return revision.partition("@")[0]


def write_corpus(history: Path, target: Path, every: bool) -> dict[str, str]:
    """Write two consecutive revisions of each post, or the only one, or all; return the texts."""
    rng = random.Random(1)
    reader = ReaderSettings(fields=("body",), text_column="body")
    source = FileSource.open([history], reader)
    posts: dict[str, list[dict[str, str]]] = {}
    for split in source.splits():
        for batch in source.read(split):
            for row in batch.select(["id", "text"]).to_pylist():
                if row["text"] and WORD.search(row["text"]):
                    own = {"id": row["id"], "body": row["text"]}
                    posts.setdefault(post_of(row["id"]), []).append(own)
    texts: dict[str, str] = {}
    with target.open("w", encoding="utf-8") as out:
        for revisions in posts.values():
            at = 0 if every else rng.randrange(max(len(revisions) - 1, 1))
            chosen = revisions if every else revisions[at : at + 2]
            out.writelines(json.dumps(row) + "\n" for row in chosen)
            texts |= {row["id"]: row["body"] for row in chosen}
    return texts


def scored_case(folder: Path, work: Path, every: bool) -> Case:
    """Score all pairs that any of the settings finds similar."""
    corpus = work / "corpus.jsonl"
    texts = write_corpus(folder / "PostHistory.xml", corpus, every)
    ids = list(texts)
    right = {ordered(*pair) for pair in pairwise(ids) if post_of(pair[0]) == post_of(pair[1])}
    scored = score_pairs(
        str(corpus),
        ThreadSettings.make("body=1"),
        SIGNATURES,
        MAX_SHARED,
        lambda _: Labels(frozenset(right), None),
        ReaderSettings(),
        RunSettings.make(),
        None,
    )
    sides = [[ids[i] for i in side] for side in (scored.left, scored.right_side)]
    other_post = np.array([post_of(a) != post_of(b) for a, b in zip(*sides, strict=True)])
    counted = other_post | scored.right
    again = [
        wrong and posted_again(texts[a], texts[b])
        for a, b, wrong in zip(*sides, other_post, strict=True)
    ]
    return Case(folder.name, scored.only(counted), np.array(again)[counted])


def posted_again(one: str, other: str) -> bool:
    """Say whether two thirds of the words of two texts are the same in the same order."""
    a, b = (WORD.findall(text.lower()) for text in (one, other))
    return LCSseq.normalized_similarity(a, b) >= 2 / 3


def tuner(scored: ScoredPairs, goal: Goal, held_out: float, seed: int) -> Tuner:
    """Return what tunes the body's signature, threshold and max_shared."""
    return Tuner(
        scored, ThreadSettings.make("body=1"), list(SIGNATURES), MAX_SHARED, goal, held_out, seed
    )


def report(case: Case, others: list[Case], goal: Goal) -> None:
    """Print what tuned settings are worth on held-out posts, and on other dumps."""
    everything = np.ones(len(case.again), np.bool_)
    for label, chosen in (("all pairs", everything), ("without reposts", ~case.again)):
        pairs = case.scored.only(chosen)
        print(f"{case.name}, {label}: {pairs.right.sum():,} right, {(~pairs.right).sum():,} others")
        found = [tuner(pairs, goal, 0.3, seed).tuning(20).best for seed in range(1, SPLITS + 1)]
        first = found[0]
        print(f"  first split: {first.settings}\n    held out: {shown(first.held_out)}")
        for name in ("precision", "recall"):
            values = [getattr(best.held_out, name) for best in found]
            print(
                f"  {SPLITS} splits, {name} held out: median {statistics.median(values):.3f}, "
                f"{min(values):.3f} to {max(values):.3f}"
            )
        whole = tuner(pairs, goal, 0.0, 1).tuning(20).best
        for other in others:
            there = other.scored if chosen.all() else other.scored.only(~other.again)
            state: State = (
                (100,),
                round(100 * whole.threshold),
                (SIGNATURES.index(whole.signature["body"]),),
                MAX_SHARED.index(whole.max_shared),
            )
            quality = tuner(there, goal, 0.0, 1).quality(state, 0)
            print(f"  tuned here, {whole.settings}\n    measured on {other.name}: {shown(quality)}")


def shown(quality: Quality) -> str:
    """Write a quality."""
    return (
        f"precision {quality.precision:.3f}, recall {quality.recall:.3f} "
        f"({quality.right:,} right, {quality.wrong:,} wrong, {quality.missed:,} missed)"
    )


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
    parser.add_argument("--precision", type=float, default=0.98, help="the least on posts for tuning")
    parser.add_argument("--all", action="store_true", help="all revisions of a post, not two")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-") as work:
        cases = [scored_case(folder, Path(work), given.all) for folder in given.folders]
    for case in cases:
        report(case, [other for other in cases if other is not case], Goal(given.precision))
    for folder in given.folders:
        print(folder.name)
        links(folder)


if __name__ == "__main__":
    main()
