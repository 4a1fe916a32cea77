"""Find reprints and excerpts in a folder of text files, and show the longest passage they share.

python examples/find_reprints.py [FOLDER]

Without a folder, the texts of the demo corpus are written to a temporary one, a file each. The
measure is containment: a short text that is wholly inside a long one counts, though the two resemble
each other little.
"""
# ruff: noqa: T201  an example prints

import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import neardup


def find(folder: Path) -> None:
    """Print each pair in which most of one text is in the other."""
    result = neardup.documents(folder, measure="containment", threshold=0.8)
    print(f"{result.counts['documents']:,} texts, {result.counts['pairs']:,} pairs\n")
    for pair in result.pairs.to_pylist():
        in_a, in_b = pair["containment_a"], pair["containment_b"]
        part, whole = ("id_a", "id_b") if in_a >= in_b else ("id_b", "id_a")
        print(f"{max(in_a, in_b):.0%} of {pair[part]} is in {pair[whole]}")
        found = result.explain(pair[part], pair[whole])
        longest = max(found.passages, key=lambda passage: passage.words)
        words = " ".join(found.text_a[longest.start_a : longest.end_a].split())
        print(f"  {longest.words} words from character {longest.start_a}: {words[:60]}…")


def write_demo(folder: Path) -> None:
    """Write each text of the demo corpus to a file of its own."""
    lines = (files("neardup") / "data" / "demo.jsonl").read_text(encoding="utf-8").splitlines()
    for record in map(json.loads, lines):
        (folder / f"{record['id']}.txt").write_text(record["text"], encoding="utf-8")


def main() -> None:
    """Read the arguments."""
    if len(sys.argv) > 1:
        find(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        write_demo(Path(folder))
        find(Path(folder))


if __name__ == "__main__":
    main()
