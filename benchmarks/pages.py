"""Measures `neardup pages`: python benchmarks/pages.py [speed|template|simhash|quality] [--data FOLDER].

`speed` runs pages of 5 kB of text, one in five a near-duplicate of another one, in two sizes: the time a
page should be the same. `template` runs one site whose pages have one template. `simhash` looks up near
values among a million. `quality` scores four measures on hard labelled pages made from real texts.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks import hard_pages, page_templates
from benchmarks.measure import measure

VOCABULARY = 30_000
STORY_WORDS = 620
SENTENCE_WORDS = 16
COPIES = 0.2
PAGES_OF_SITE = 100


class Writer:
    """Writes pages of made-up words, as frequent as words are."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        letters = np.array(list("abcdefghijklmnoprstuvw"))
        sizes = self._rng.integers(2, 11, VOCABULARY)
        self._words = ["".join(self._rng.choice(letters, size)) for size in sizes]
        weights = 1 / (np.arange(VOCABULARY) + 2.7)
        self._shares = np.cumsum(weights) / weights.sum()

    def sentences(self, count: int) -> list[str]:
        """Write some sentences."""
        drawn = np.searchsorted(self._shares, self._rng.random((count, SENTENCE_WORDS)))
        return [" ".join(self._words[w] for w in row).capitalize() + "." for row in drawn]

    def pages(self, count: int, one_template: bool = False) -> Iterator[dict[str, str]]:
        """Yield pages of sites; some are edited copies, on the same site or on another one."""
        dice = random.Random(int(self._rng.integers(1 << 30)))
        sites = [
            self.sentences(10) for _ in range(1 if one_template else max(count // PAGES_OF_SITE, 2))
        ]
        known: list[list[str]] = []
        for number in range(count):
            site = dice.randrange(len(sites))
            if one_template:
                story = self.sentences(3)
            elif known and dice.random() < COPIES:
                story = list(dice.choice(known))
                story[dice.randrange(len(story))] = self.sentences(1)[0]
            else:
                story = self.sentences(int(STORY_WORDS / SENTENCE_WORDS * dice.uniform(0.5, 1.5)))
                known.append(story)
            frame = sites[site]
            text = "\n".join([*frame[:5], *story, *frame[5:]])
            yield {"id": str(number), "url": f"https://site{site}.example/{number}", "text": text}


def write(path: Path, pages: Iterator[dict[str, str]]) -> tuple[int, int]:
    """Write pages as JSON lines; return how many there are, and the bytes of their texts."""
    count = size = 0
    with path.open("w", encoding="utf-8") as file:
        for page in pages:
            file.write(json.dumps(page) + "\n")
            count, size = count + 1, size + len(page["text"])
    return count, size


def run(path: Path, work: Path, *options: str) -> None:
    """Measure one run and print it."""
    with path.open(encoding="utf-8") as file:
        pages = sum(1 for _ in file)
    command: list[str | Path] = [sys.executable, "-m", "neardup", "pages", path, "-o", work / "out"]
    found = measure([*command, "--overwrite", "--workers", "2", *options], log=work / "log")
    print(
        f"{path.stem}{' ' if options else ''}{' '.join(options)}: {pages:,} pages, "
        f"{path.stat().st_size / pages / 1000:.1f} kB each, in {found.seconds:.1f} s = "
        f"{pages / found.seconds:,.0f} pages/s; {found.cpu_seconds:.1f} processor seconds = "
        f"{2 * pages / found.cpu_seconds:,.0f} pages/s of two cores; "
        f"peak {found.peak_bytes / 1e6:.0f} MB",
        flush=True,
    )
    shown = [line for line in (work / "log").read_text().splitlines() if "pair" in line]
    print("  " + "\n  ".join(shown[:3]), flush=True)


def speed(work: Path, sizes: list[int]) -> None:
    """Run pages of 5 kB in several numbers, with each measure."""
    for size in sizes:
        path = work / f"pages-{size}.jsonl"
        write(path, Writer(1).pages(size))
        run(path, work)
    for name in ("cosine", "simhash"):
        run(path, work, "--measure", name)


def template(work: Path, sizes: list[int]) -> None:
    """Run one site of pages of one template."""
    for size in sizes:
        path = work / f"template-{size}.jsonl"
        write(path, Writer(2).pages(size, one_template=True))
        run(path, work)


def simhash(count: int) -> None:
    """Look up values that differ in at most 5 bits, and compare with brute force."""
    from neardup.kernels.simhash import near_in_lists
    from neardup.methods.pages.candidates import NearInTables, in_tables
    from neardup.signatures.simhash import Simhash

    rng = np.random.default_rng(3)
    values = rng.integers(0, 1 << 64, count, dtype=np.uint64)
    copies = rng.permutation(count)[: count // 5 * 2].reshape(2, -1)
    flipped = np.uint64(1) << rng.integers(0, 64, len(copies[0])).astype(np.uint64)
    values[copies[0]] = values[copies[1]] ^ flipped
    none, docs = np.zeros(count, np.uint64), np.arange(count)
    lookup = Simhash(64, 5, count)
    all_bits = np.zeros((1, 2), np.uint64)
    for some in (100, 20_000):  # the first one compiles
        NearInTables(lookup, 10_000)(in_tables(docs[:some], values[:some], none[:some], lookup), {})
        begun = time.process_time()
        bounds = np.array([0, some])
        near_in_lists(
            values[:some], none[:some], np.zeros(some, np.int64), bounds, all_bits, 5, count, 10
        )
        brute = (time.process_time() - begun) * (count / some) ** 2
    begun = time.process_time()
    found = NearInTables(lookup, 10_000)(in_tables(docs, values, none, lookup), {})
    spent = time.process_time() - begun
    print(
        f"simhash: {count:,} values at distance 5 in {len(lookup.masks)} tables: {found.num_rows:,} "
        f"pairs in {spent:.1f} processor seconds; brute force would take {brute:,.0f}: "
        f"{brute / spent:,.0f} times as long"
    )


def quality(work: Path, data: Path) -> None:
    """Score four measures on hard pages, with the addresses of pages and without them."""
    halves = hard_pages.halves(data)
    for name, corpus in {
        **hard_pages.both_halves(data),
        "report, alone": hard_pages.make_alone(halves[1], 40, seed=3),
        "other templates": page_templates.make(data, 22),
    }.items():
        show_study(name, corpus, work / name)
        for page in corpus.pages:
            del page["url"]
        show_study(f"{name}, no addresses", corpus, work / name)


def show_study(name: str, corpus: hard_pages.Corpus, folder: Path) -> None:
    """Print the tables of one study."""
    from neardup.evaluation.gold import read_gold
    from neardup.evaluation.page_study import study_pages
    from neardup.methods.pages.settings import PageSettings
    from neardup.readers.records import ReaderSettings
    from neardup.readers.source import FileSource
    from neardup.settings.run import RunSettings

    hard_pages.write(corpus, folder)
    source = FileSource.open([folder / "pages.jsonl"], ReaderSettings())
    gold = read_gold(folder / "pairs.jsonl")
    found = study_pages(source, gold, PageSettings(), RunSettings.make())
    for title, head, rows in found.tables():
        print(f"\n{name}: {title}")
        for row in (head, *rows):
            print("  " + "".join(f"{written(value):>24}" for value in row), flush=True)


def written(value: object) -> str:
    """Write a cell of a table; nothing for what is not known."""
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=["speed", "template", "simhash"])
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 40_000])
    parser.add_argument("--values", type=int, default=1_000_000)
    parser.add_argument("--data", type=Path, help="for quality: the folder of real texts")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
        work = Path(folder)
        if "speed" in given.what:
            speed(work, given.sizes)
        if "template" in given.what:
            template(work, given.sizes)
        if "simhash" in given.what:
            simhash(given.values)
        if "quality" in given.what:
            quality(work, given.data)


if __name__ == "__main__":
    main()
