"""Groups generated log lines by template: python -m benchmarks logs --lines 20000.

Templates are made-up words with 1 to 4 places for numbers, ids, addresses, dates, names, or a word out
of six, which no mask knows. Grouping accuracy is the share of lines whose group has all lines of their
template and no other, as usual for log parsers. Drain3, with the settings that it comes with, gets the
lines as they are and with the same masks on, where it is installed (pip install drain3).
"""

import argparse
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

import neardup
from neardup.text.masks import masked, parsed

VOWELS, CONSONANTS = "aeiou", "bcdfghklmnprstvz"


def word(pick: random.Random) -> str:
    """Return a made-up word."""
    return "".join(pick.choice(CONSONANTS) + pick.choice(VOWELS) for _ in range(pick.randint(1, 4)))


def fillings(pick: random.Random, few: Sequence[str]) -> dict[str, Callable[[], str]]:
    """Return what makes something for a place of each kind."""
    return {
        "number": lambda: str(pick.randint(0, 10 ** pick.randint(1, 8))),
        "id": lambda: f"{pick.getrandbits(64):016x}",
        "address": lambda: ".".join(str(pick.randint(1, 254)) for _ in range(4)),
        "date": lambda: (
            f"2026-{pick.randint(10, 12)}-{pick.randint(10, 28)} 10:{pick.randint(10, 59)}:07"
        ),
        "name": lambda: "@" + word(pick),
        "word": lambda: pick.choice(few),
    }


def generated(lines: int, templates: int, seed: int) -> tuple[list[str], list[int]]:
    """Return lines of logs, and the template of each."""
    pick = random.Random(seed)
    vocabulary = [word(pick) for _ in range(400)]
    few = [word(pick) for _ in range(6)]
    kinds = fillings(pick, few)
    frames = []
    for _ in range(templates):
        frame = [pick.choice(vocabulary) for _ in range(pick.randint(4, 14))]
        for _ in range(pick.randint(1, 4)):
            frame.insert(pick.randint(1, len(frame)), f"<{pick.choice(list(kinds))}>")
        frames.append(frame)
    weights = [1 / (rank + 1) for rank in range(templates)]
    truth = pick.choices(range(templates), weights, k=lines)
    texts = [" ".join(kinds[w[1:-1]]() if w[0] == "<" else w for w in frames[t]) for t in truth]
    return texts, truth


def accuracy(groups: Sequence[object], truth: Sequence[int]) -> float:
    """Return the share of lines whose group is that of their template."""
    found, wanted = defaultdict(set), defaultdict(set)
    for line, (group, template) in enumerate(zip(groups, truth, strict=True)):
        found[group].add(line)
        wanted[template].add(line)
    return sum(len(own) for own in wanted.values() if own in found.values()) / len(truth)


def of_neardup(texts: list[str], **settings: Any) -> list[object]:
    """Return the keeper of each line, itself if it is alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.jsonl"
        path.write_text(
            "".join(json.dumps({"id": str(n), "text": t}) + "\n" for n, t in enumerate(texts))
        )
        found = neardup.documents(path, pairs="none", **settings)
        keeper = dict(
            zip(found.clusters["id"].to_pylist(), found.clusters["keeper_id"].to_pylist(), strict=True)
        )
    return [keeper.get(str(n), str(n)) for n in range(len(texts))]


def of_drain(texts: list[str]) -> list[object]:
    """Return the cluster of each line by Drain3, when all lines were seen."""
    from drain3 import TemplateMiner  # type: ignore[import-not-found]
    from drain3.template_miner_config import TemplateMinerConfig  # type: ignore[import-not-found]

    miner = TemplateMiner(config=TemplateMinerConfig())
    return [miner.add_log_message(text)["cluster_id"] for text in texts]


def main() -> None:
    """Print the grouping accuracy and processor seconds of each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--templates", type=int, default=120)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    args = parser.parse_args()
    ways: dict[str, Callable[[list[str]], list[object]]] = {
        "documents": of_neardup,
        "documents --mask all": lambda t: of_neardup(t, mask="all"),
        "documents --mask all --shingle word:2": lambda t: of_neardup(t, mask="all", shingle="word:2"),
        "documents --mask all --shingle word:2 --threshold 0.5 --clusters components": lambda t: (
            of_neardup(t, mask="all", shingle="word:2", threshold=0.5, clusters="components")
        ),
        "Drain3": of_drain,
        "Drain3, the same masks": lambda t: of_drain(masked(pa.array(t), parsed("all")).to_pylist()),
    }
    for name, way in ways.items():
        scores, seconds = [], []
        for seed in args.seeds:
            texts, truth = generated(args.lines, args.templates, seed)
            begun = time.process_time()
            try:
                groups = way(texts)
            except ImportError:
                break
            seconds.append(time.process_time() - begun)
            scores.append(accuracy(groups, truth))
        if scores:
            said = " ".join(f"{score:.3f}" for score in scores)
            print(f"{name}: {said}, {sum(seconds) / len(seconds):.1f} s of the processor", flush=True)
