"""What all rivals are asked: the command line, the reading, the shingles and the writing.

Kept to the standard library, because it runs in every rival's environment.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

SHINGLE = 5
WORD = re.compile(r"\w+")


class Task(NamedTuple):
    """One run of one tool."""

    corpus: Path
    output: Path
    threshold: float
    workers: int

    @property
    def work(self) -> Path:
        """The folder for what the tool leaves beside its result; fresh for each run."""
        return self.output.parent

    def lines(self) -> Iterator[str]:
        """Read the corpus line by line."""
        with self.corpus.open(encoding="utf-8") as lines:
            yield from lines

    def write(self, groups: Iterable[list[str]]) -> None:
        """Write what the tool claims."""
        with self.output.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(group) + "\n" for group in groups)


def shingles(line: str) -> tuple[str, set[str]]:
    """Give the id and the set of 5-word shingles of a record, for the tools that leave this to us.

    Five shifted views joined by zip: the fastest way that plain Python has.
    """
    record = json.loads(line)
    words = WORD.findall(record["text"].lower())
    runs = zip(*(words[i:] for i in range(min(SHINGLE, len(words)))), strict=False)
    return record["id"], set(map(" ".join, runs))


def run(tool: Callable[[Task], None]) -> None:
    """Read the command line and run a tool."""
    corpus, output, threshold, workers = sys.argv[1:]
    tool(Task(Path(corpus).resolve(), Path(output).resolve(), float(threshold), int(workers)))
