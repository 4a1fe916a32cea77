"""Measures `neardup pages`: python -m benchmarks pages [speed|template|simhash|quality] [--data FOLDER].

`speed` runs pages of 5 kB of text, one in five a near-duplicate of another one, in two sizes: the time a
page should be the same. `template` runs one site whose pages have one template. `simhash` looks up near
values among a million. `quality` scores four measures on hard labelled pages made from real texts.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks import hard_pages
from benchmarks.corpus import Language
from benchmarks.measure import NEARDUP, measure

from neardup.evaluation.gold import read_gold
from neardup.evaluation.page_study import study_pages
from neardup.kernels.simhash import near_in_lists
from neardup.methods.pages.candidates import in_tables, near_in_tables
from neardup.methods.pages.settings import PageSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource
from neardup.settings.run import RunSettings
from neardup.signatures.simhash import Simhash

SENTENCE_WORDS = 16
STORY_SENTENCES = 39
COPIES = 0.2
PAGES_OF_SITE = 100


def pages(count: int, one_template: bool) -> Iterator[dict[str, str]]:
    """Yield pages of made-up words; some are edited copies, on the same site or on another one."""
    rng, dice = np.random.default_rng(1), random.Random(1)
    language = Language(rng)

    def sentences(number: int) -> list[str]:
        words = language.draw(rng, number * SENTENCE_WORDS).reshape(number, -1)
        return [text.replace("\\n", " ") for text in language.render(rng, list(words)).to_pylist()]

    sites = [sentences(10) for _ in range(1 if one_template else max(count // PAGES_OF_SITE, 2))]
    known: list[list[str]] = []
    for number in range(count):
        if known and not one_template and dice.random() < COPIES:
            story = list(dice.choice(known))
            story[dice.randrange(len(story))] = sentences(1)[0]
        else:
            size = 3 if one_template else int(STORY_SENTENCES * dice.uniform(0.5, 1.5))
            known.append(story := sentences(size))
        site = dice.randrange(len(sites))
        text = "\n".join([*sites[site][:5], *story, *sites[site][5:]])
        yield {"id": str(number), "url": f"https://site{site}.example/{number}", "text": text}


def speed(work: Path, sizes: list[int], one_template: bool = False) -> None:
    """Run pages in several numbers, and the largest number with each measure."""
    for size in sizes:
        path = work / "pages.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(page) + "\n" for page in pages(size, one_template))
        others = () if one_template or size != sizes[-1] else ("cosine", "simhash")
        for name in ("tlcs", *others):
            command = [*NEARDUP, "pages", path, "-o", work / "out", "--overwrite", "--workers", "2"]
            found = measure([*command, "--measure", name], log=work / "log")
            print(
                f"{name}{', one template' if one_template else ''}: {size:,} pages, "
                f"{path.stat().st_size / size / 1000:.1f} kB each, in {found.seconds:.1f} s = "
                f"{size / found.seconds:,.0f} pages/s; {found.cpu_seconds:.1f} processor seconds; "
                f"peak {found.peak_bytes / 1e6:.0f} MB",
                flush=True,
            )


def simhash(count: int) -> None:
    """Look up values that differ in at most 5 bits, and compare with brute force."""
    rng = np.random.default_rng(3)
    values = rng.integers(0, 1 << 64, count, dtype=np.uint64)
    copies = rng.permutation(count)[: count // 5 * 2].reshape(2, -1)
    flipped = np.uint64(1) << rng.integers(0, 64, len(copies[0])).astype(np.uint64)
    values[copies[0]] = values[copies[1]] ^ flipped
    none, docs = np.zeros(count, np.uint64), np.arange(count)
    lookup = Simhash(64, 5, count)
    all_bits = np.zeros((1, 2), np.uint64)
    for some in (100, min(count, 20_000)):  # the first one compiles
        near_in_tables(lookup, 10_000, in_tables(docs[:some], values[:some], none[:some], lookup), {})
        begun, lists = time.process_time(), np.zeros(some, np.int64)
        bounds = np.array([0, some])
        near_in_lists(values[:some], none[:some], lists, bounds, all_bits, 5, count, 10)
        brute = (time.process_time() - begun) * (count / some) ** 2
    begun = time.process_time()
    found = near_in_tables(lookup, 10_000, in_tables(docs, values, none, lookup), {})
    spent = time.process_time() - begun
    print(
        f"simhash: {count:,} values at distance 5 in {len(lookup.masks)} tables: {found.num_rows:,} "
        f"pairs in {spent:.1f} processor seconds; brute force would take {brute:,.0f}"
    )


def quality(work: Path, data: Path) -> None:
    """Score four measures on hard pages, with the addresses of pages and without them."""
    for name, corpus in hard_pages.both_halves(data).items():
        for told in (name, f"{name}, no addresses"):
            hard_pages.write(corpus, work)
            source = FileSource.open([work / "pages.jsonl"], ReaderSettings())
            gold = read_gold(work / "pairs.jsonl")
            found = study_pages(source, gold, PageSettings(), RunSettings.make())
            for title, head, rows in found.tables():
                print(f"\n{told}: {title}")
                for row in (head, *rows):
                    print("  " + "".join(f"{written(value):>24}" for value in row), flush=True)
            for page in corpus.pages:
                page.pop("url", None)


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
        parts = {
            "speed": partial(speed, work, given.sizes),
            "template": partial(speed, work, given.sizes, one_template=True),
            "simhash": partial(simhash, given.values),
            "quality": partial(quality, work, given.data),
        }
        for name in given.what:
            parts[name]()
