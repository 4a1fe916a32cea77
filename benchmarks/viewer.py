"""Measures how fast a report is in a browser: until it is there, while it is scrolled, and its map.

    python -m benchmarks viewer REPORT.html…

Prints the milliseconds until it can be used and until its map is drawn, and the frames in a second while
the table is scrolled and the map moved; and what the page's main thread worked for that, whatever other
programs do. It takes Playwright and a Chromium.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
# Does something in each frame, for two seconds, and returns the number of frames and the seconds.
FRAMES = """(name) => new Promise((done) => {
  const grid = document.querySelector('#panel-pairs .grid');
  const canvas = document.querySelector('.chart canvas');
  const pointer = (kind, x) => canvas.dispatchEvent(new PointerEvent(kind, {
    pointerId: 1, bubbles: true, clientX: 500 + x, clientY: 500 + x / 2, buttons: 1 }));
  const act = name === 'scroll' ? () => { grid.scrollTop += 400; }
    : (n) => pointer('pointermove', 3 * n % 300);
  if (name === 'pan') pointer('pointerdown', 0);
  const began = performance.now();
  let number = 0;
  const frame = (now) => {
    if (now - began > 2000) { done([number, (now - began) / 1000]); return; }
    number += 1;
    act(number);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""
DRAWN = """() => new Promise((done) => {
  const began = performance.now();
  location.hash = 'map';
  const look = () => (document.querySelector('.chart canvas')?.width > 300
    ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
    : requestAnimationFrame(look));
  look();
})"""


class Worked:
    """Counts the milliseconds that the main thread of a page worked."""

    def __init__(self, page: Any) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def now(self) -> float:
        """Return how much it has worked so far."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(own["value"] for own in metrics if own["name"] == "TaskDuration"))

    @contextmanager
    def counted(self, name: str, into: dict[str, float]) -> Iterator[None]:
        """Count what is worked inside."""
        before = self.now()
        yield
        into[name] = self.now() - before


def measure(page: Any, report: Path) -> Iterator[str]:
    """Yield what is measured of a report, a line for each thing that people do with it."""
    worked, work = Worked(page), dict[str, float]()
    with worked.counted("open", work):
        page.goto(report.resolve().as_uri())
        page.wait_for_selector("html[data-ready]")
    ready = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
    yield f"can be used after {ready:,.0f} ms, {work['open']:,.0f} ms of work"
    page.wait_for_timeout(500)
    yield frames(page, "scroll", worked, work)
    with worked.counted("map", work):
        drawn = page.evaluate(DRAWN)
    yield f"map drawn after {drawn:,.0f} ms, {work['map']:,.0f} ms of work"
    page.wait_for_timeout(1000)
    yield frames(page, "pan", worked, work)


def frames(page: Any, name: str, worked: Worked, work: dict[str, float]) -> str:
    """Return how many frames there are in a second, and what each of them takes."""
    with worked.counted(name, work):
        number, seconds = page.evaluate(FRAMES, name)
    each = work[name] / number
    return f"{name}: {number / seconds:.0f} frames a second, {each:.1f} ms of work for each"


def main() -> None:
    """Open reports one after the other."""
    from playwright.sync_api import sync_playwright

    about = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks viewer", description=about)
    parser.add_argument("reports", nargs="+", type=Path)
    given = parser.parse_args()
    browser = next(path for path in map(which, BROWSERS) if path)
    with sync_playwright() as playwright:
        shell = playwright.chromium.launch(executable_path=browser)
        for report in given.reports:
            print(report)
            page = shell.new_page(viewport={"width": 1400, "height": 900})
            for line in measure(page, report):
                print(f"  {line}", flush=True)
            page.close()
        shell.close()
