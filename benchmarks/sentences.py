"""Measures `neardup sentences` on dumps made of real articles: python -m benchmarks sentences DUMP.

The articles are repeated until there is enough. In each repetition, words are exchanged by a mapping of
its own, so that its sentences are new ones of the same kind; one line in twenty stays, with a number or
a word changed, so that there is something to find.
"""

import argparse
import bz2
import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import NEARDUP, measure

import neardup

PAGE = re.compile(rb"<page>.*?</page>", re.S)
WORD = re.compile(rb"(?<![\w/<=&#.])[A-Za-z][a-z]{3,}(?![\w=:;])")
NUMBER = re.compile(rb"\b\d\d+\b")
IDS = re.compile(rb"<id>(\d+)</id>")
KEPT = 0.05
SHORTEST_LINE = 60


def pages_of(dump: Path) -> tuple[bytes, list[bytes]]:
    """Return the head of a dump and its pages."""
    data = dump.read_bytes()
    data = bz2.decompress(data) if data.startswith(b"BZh") else data
    return data[: data.index(b"<page>")], PAGE.findall(data)


def perturbed(page: bytes, number: int, words: dict[bytes, bytes], rng: random.Random) -> bytes:
    """Return a page of the same kind that says something else."""
    head, begin, text = page.partition(b"<text")
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if len(line) < SHORTEST_LINE or rng.random() >= KEPT:
            lines[at] = WORD.sub(lambda m: words[m[0]], line)
        elif rng.random() < 0.5:
            lines[at] = NUMBER.sub(lambda m: b"%d" % (int(m[0]) + 1), line, count=1)
        else:
            lines[at] = WORD.sub(b"", line, count=1)
    head = head.replace(b"</title>", b" (%d)</title>" % number, 1)
    return IDS.sub(lambda m: b"<id>%b%03d</id>" % (m[1], number), head) + begin + b"\n".join(lines)


def write_dump(source: Path, target: Path, size: int) -> int:
    """Write a dump of about so many bytes; return how many there are."""
    head, pages = pages_of(source)
    vocabulary = sorted({word.lower() for page in pages for word in WORD.findall(page)})
    with target.open("wb") as out:
        out.write(head)
        for page in repeated(pages, vocabulary):
            if out.tell() >= size:
                break
            out.write(b"  " + page + b"\n")
        out.write(b"</mediawiki>\n")
        return out.tell()


def repeated(pages: list[bytes], vocabulary: list[bytes]) -> Iterator[bytes]:
    """Yield the pages, then others of the same kind, without end."""
    yield from pages
    number = 0
    while True:
        number += 1
        rng = random.Random(number)
        others = rng.sample(vocabulary, len(vocabulary))
        words = dict(zip(vocabulary, others, strict=True))
        words |= {a.capitalize(): b.capitalize() for a, b in words.items()}
        for page in pages:
            yield perturbed(page, number, words, rng)


def main() -> None:
    """Print the speed for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump", type=Path, help="a dump of MediaWiki, plain or bz2")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 200, 400], help="MB of XML")
    parser.add_argument("--memory", default="2GB")
    given = parser.parse_args()
    options = ("--overwrite", "--workers", "2", "--memory", given.memory)
    with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
        dump, out = Path(folder, "dump.xml"), Path(folder, "out")
        for size in given.sizes:
            total = write_dump(given.dump, dump, size * 10**6) / 1e6
            command = [*NEARDUP, "sentences", dump, "-o", out, *options]
            found = measure(command, log=Path(folder, "log"))
            counts = neardup.Result(out).counts
            print(
                f"{total:.0f} MB of XML in {found.seconds:.1f} s = {total / found.seconds:.1f} MB/s; "
                f"{found.cpu_seconds:.1f} processor seconds; peak {found.peak_bytes / 1e6:.0f} MB with "
                f"{given.memory}; {counts['candidates']:,} candidates, {counts['pairs']:,} pairs",
                flush=True,
            )
