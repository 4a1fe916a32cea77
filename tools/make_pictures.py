"""Take the pictures of reports for the README and docs/report.md, with Chromium.

Fonts for all scripts of the demo corpus must be there: python -m tools.make_pictures
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from tests.conftest import BROWSERS, CHROMIUM
from tests.corpora import DEMO

import neardup

DOCS = Path(__file__).parent.parent / "docs"
PAIR = "pairs?q=flower-show-2023"
PICTURES = {  # what each shows, at which address, how wide and how high
    "report-map": ("passages", "map", 1200, 820),
    "report-first": ("documents", "pairs", 1200, 760),
    "report-pair": ("documents", PAIR, 1200, 760),
    "demo-pair": ("documents", PAIR, 1200, 640),
    "report-document": ("documents", "document?id=bridge-parish", 1200, 760),
    "report-phone": ("documents", "pairs", 390, 760),
}


def take(page: Page, report: Path, address: str, name: str) -> None:
    """Take a picture: of a pair, with its second difference lit; of a map, to its end."""
    page.goto(f"{report.as_uri()}#{address}")
    page.wait_for_selector("html[data-ready]")
    if address == PAIR:
        page.locator("#panel-pairs .rows .row").first.click()
        page.locator("#page mark").first.wait_for()
        page.keyboard.press("j")
        page.keyboard.press("j")
    page.wait_for_timeout(500)
    path = DOCS / f"{name}.png"
    box = page.locator(".map" if address == "map" else "html").bounding_box()
    size = page.viewport_size
    assert box and size
    high = box["y"] + box["height"] + 16 if address == "map" else size["height"]
    page.screenshot(
        path=path, full_page=True, clip={"x": 0, "y": 0, "width": size["width"], "height": high}
    )
    Image.open(path).convert("RGB").quantize(96).save(path, optimize=True)


def main() -> None:
    """Take all pictures."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)))
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        corpus = Path(folder) / "demo.jsonl"
        shutil.copy(DEMO, corpus)
        results = {
            "documents": neardup.documents(corpus, output=Path(folder) / "documents", threshold=0.5),
            "passages": neardup.passages(corpus, output=Path(folder) / "passages"),
        }
        reports = {name: neardup.report(result).path for name, result in results.items()}
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM)
        for name, (result, address, width, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
            take(page, reports[result], address, name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
