"""Measures a report over 100,000 pairs: its size, the seconds to write and to open it, and scrolling.

python benchmarks/report.py [FOLDER] [--pairs 100000]

The corpus has groups of three texts that differ in some words: three pairs each. Needs Chromium and
Playwright (`make test` brings both).
"""

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import neardup
from neardup.result import Result
from neardup.results.files import RUN

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
WORDS = 150
OPENED = 5  # times
SCROLL = """() => new Promise((done) => {
  const grid = document.querySelector("#panel-pairs .grid");
  const times = [];
  let last = performance.now();
  const step = (now) => {
    times.push(now - last);
    last = now;
    grid.scrollTop += 700;
    if (times.length < 240) requestAnimationFrame(step); else done(times.slice(5));
  };
  requestAnimationFrame(step);
})"""


def make(path: Path, pairs: int) -> None:
    """Write groups of three texts of which each differs from the others in some words."""
    rng = random.Random(1)
    lexicon = ["".join(rng.choices("aeioulnrst", k=rng.randint(3, 9))) for _ in range(20_000)]
    with path.open("w") as out:
        for group in range(-(-pairs // 3)):
            words = rng.choices(lexicon, k=WORDS)
            for copy in range(3):
                own = list(words)
                for _ in range(copy * rng.randint(0, 2)):
                    own[rng.randrange(WORDS)] = rng.choice(lexicon)
                text = f"{' '.join(own[:70])}.\n\n{' '.join(own[70:])}."
                record = {"id": f"doc-{group:06}-{copy}", "title": " ".join(own[:6]), "text": text}
                out.write(json.dumps(record) + "\n")


def measure(path: Path) -> dict[str, float]:
    """Open a report some times; return medians in milliseconds."""
    from playwright.sync_api import sync_playwright

    ready, sort, search, frames, slow = [], [], [], [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for _ in range(OPENED):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            ready.append(page.evaluate("performance.getEntriesByName('ready')[0].startTime"))
            times = page.evaluate(SCROLL)
            frames.append(statistics.median(times))
            slow.append(sorted(times)[int(0.99 * len(times))])
            sort.append(timed(page, "() => document.querySelector('#panel-pairs .head button').click()"))
            search.append(searched(page))
            page.close()
        browser.close()
    named = {"open": ready, "frame": frames, "frame, 99 %": slow, "sort": sort, "search": search}
    return {name: statistics.median(values) for name, values in named.items()}


def timed(page: Any, action: str) -> float:
    """Return the milliseconds until an action is done and drawn."""
    code = f"""() => new Promise((done) => {{ const begun = performance.now(); ({action})();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun))); }})"""
    return float(page.evaluate(code))


def searched(page: Any) -> float:
    """Return the milliseconds from the last key of a search to its rows."""
    begun = time.perf_counter()
    page.get_by_label("Search pairs").fill("doc-012345")
    done = "() => document.querySelector('#panel-pairs .total').textContent.startsWith('3 ')"
    page.wait_for_function(done)
    return 1000 * (time.perf_counter() - begun)


def main() -> None:
    """Make a corpus and a result if need be, write the report and open it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path)
    options.add_argument("--pairs", type=int, default=100_000)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "out" / RUN).exists():
            make(folder / "corpus.jsonl", given.pairs)
            neardup.documents(folder / "corpus.jsonl", output=folder / "out", threshold=0.6)
        result = Result(folder / "out")
        begun, spent = time.perf_counter(), time.process_time()
        made = neardup.report(result)
        wall, processor = time.perf_counter() - begun, time.process_time() - spent
        print(
            f"{result.counts['pairs']:,} pairs, {made.pairs:,} in the table, {made.texts:,} with texts"
        )
        print(f"{made.size / 1e6:.1f} MB written in {wall:.1f} s ({processor:.1f} s of processor)")
        for name, value in measure(made.path).items():
            print(f"{name}: {value:.0f} ms")


if __name__ == "__main__":
    main()
