"""The map of a report in a real browser: what stands where, what is said of it, what is saved of it."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.browsing import Opened, violations
from tests.corpora import prose
from tests.reports.screen import at, many_pairs

import neardup

SVG = "{http://www.w3.org/2000/svg}"
SHARES = (1.0, 0.75, 0.5, 0.3)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Report two sources, texts that have more or less of them, and three that share nothing."""
    folder = tmp_path_factory.mktemp("map")
    records = []
    for number, name in enumerate(("river", "tower")):
        source = prose(400, 50 + number).split()
        records.append({"id": name, "date": "2001-01-01", "text": " ".join(source)})
        for share in SHARES:
            taken = source[: int(150 * share)]
            own = prose(150 - len(taken), 900 + int(100 * share) + number).split()
            records.append(
                {
                    "id": f"{name}-{share:.0%}",
                    "date": f"2002-0{len(taken) // 20 + 1}-05",
                    "text": " ".join(taken + own),
                }
            )
    records += [{"id": f"apart-{n}", "text": prose(120, 300 + n)} for n in range(3)]
    (folder / "copied.jsonl").write_text("\n".join(map(json.dumps, records)))
    found = neardup.passages(folder / "copied.jsonl", output=folder / "out", min_length=60)
    made: Path = neardup.report(found).path
    return made


@pytest.fixture
def drawn(browser: Any, copied: Path) -> Iterator[Opened]:
    found = Opened(browser, copied)
    at(found.page, "map")
    found.page.locator(".chart canvas").wait_for()
    yield found
    found.context.close()
    assert not found.wrong


def saved(found: Opened, name: str, path: Path) -> bytes:
    with found.page.expect_download() as waiting:
        found.page.get_by_role("button", name=name).click()
    waiting.value.save_as(path)
    return path.read_bytes()


def walked(found: Opened) -> list[list[str]]:
    """Go to all documents by the keyboard; return what is said of each."""
    found.page.locator(".chart canvas").focus()
    said: list[list[str]] = []
    while not said[1:] or said[-1] != said[0]:
        found.page.keyboard.press("ArrowRight")
        said.append(found.page.locator(".tip bdi").all_text_contents())
    return said[:-1]


def test_sources_are_in_the_middle_and_what_has_most_of_them_nearest(
    drawn: Opened, tmp_path: Path
) -> None:
    said = walked(drawn)
    assert [own for own in said if "in the middle of 4 documents" in own[1]] == [
        [name, "in the middle of 4 documents"] for name in ("river", "tower")
    ]
    assert [name for name, about in said if "shares nothing" in about] == [
        f"apart-{n}" for n in range(3)
    ]
    for name in ("river", "tower"):
        close = {own: about for own, about in said if f"in common with {name}" in about}
        assert sorted(close) == sorted(f"{name}-{share:.0%}" for share in SHARES)
    picture = ElementTree.fromstring(saved(drawn, "Save as SVG", tmp_path / "map.svg"))
    rays = []
    for path in picture.iter(f"{SVG}path"):
        width, places = float(path.get("stroke-width", 0)), re.findall(r"[\d.]+", path.get("d", ""))
        if width > 0.8 and len(places) == 4:
            x1, y1, x2, y2 = map(float, places)
            rays.append((width, ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5))
    assert len(rays) == 8, "a line from each source to each of its copies"
    widths = [width for width, _ in sorted(rays, key=lambda ray: ray[1])]
    assert all(a >= b - 0.06 for a, b in pairwise(widths)), "the closer, the nearer"
    heads = [one for one in picture.iter(f"{SVG}polygon") if len(one.get("points", "").split()) == 6]
    assert len(heads) == 8


def test_names_do_not_overlap_and_the_same_input_gives_the_same_picture(
    drawn: Opened, browser: Any, copied: Path, tmp_path: Path
) -> None:
    first = saved(drawn, "Save as SVG", tmp_path / "map.svg")
    again = Opened(browser, copied)
    at(again.page, "map")
    again.page.locator(".chart canvas").wait_for()
    assert saved(again, "Save as SVG", tmp_path / "again.svg") == first
    again.page.goto((tmp_path / "map.svg").as_uri())
    boxes = again.page.evaluate(
        "() => [...document.querySelectorAll('text')].map(t => { const b = t.getBBox(); "
        "return [t.textContent, b.x, b.y + 3, b.x + b.width, b.y + b.height - 3]; })"
    )
    again.context.close()
    names = [box[0] for box in boxes]
    assert {"river", "tower", "river-100%", "tower-30%", "3 without a match"} <= set(names)
    for i, (_, x1, y1, x2, y2) in enumerate(boxes):
        for _, *other in boxes[i + 1 :]:
            assert x2 <= other[0] or other[2] <= x1 or y2 <= other[1] or other[3] <= y1
    assert saved(drawn, "Save as PNG", tmp_path / "map.png")[:8] == b"\x89PNG\r\n\x1a\n"


def test_what_is_clicked_opens_and_times_are_shown(drawn: Opened) -> None:
    page = drawn.page
    page.locator(".chart canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator("#page .covers").wait_for()  # the source, as a document
    page.keyboard.press("Escape")
    page.locator(".lanes").wait_for()
    assert page.locator(".lanes .dot").count() == 10
    page.locator(".lanes .dot").nth(1).click()
    page.locator("#page mark").first.wait_for()  # a pair
    page.keyboard.press("Escape")
    canvas = page.locator(".chart canvas")
    canvas.wait_for()
    canvas.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    tip, box = page.locator(".tip").bounding_box(), canvas.bounding_box()
    assert box["x"] <= tip["x"] and tip["x"] + tip["width"] <= box["x"] + box["width"]
    assert not violations(page)
    page.keyboard.press("Enter")
    page.locator("#page .sides").wait_for()


def test_what_shares_text_only_with_a_copy_hangs_on_it(browser: Any, tmp_path: Path) -> None:
    source, own = prose(400, 1).split(), prose(150, 2).split()
    texts = {
        "source.txt": source,
        "copy.txt": source[:150] + own,
        "other.txt": source[200:350] + prose(100, 3).split(),
        "third.txt": own[:60] + prose(200, 4).split(),
    }
    for name, words in texts.items():
        (tmp_path / name).write_text(" ".join(words))
    made = neardup.passages(str(tmp_path / "*.txt"), output=tmp_path / "out", min_length=60)
    found = Opened(browser, neardup.report(made).path)
    at(found.page, "map")
    said = {name: about.partition(" % in common with ")[2] for name, about in walked(found)}
    assert said == {"source": "", "copy": "source", "other": "source", "third": "copy"}
    assert "Outside of the rings" in found.page.locator(".map > .hint").inner_text()
    found.context.close()
    assert not found.wrong


PIXELS = """() => {
  const canvas = document.querySelector(".chart canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [...data].filter((value, i) => i % 97 === 0);
}"""


def apart(one: list[int], other: list[int]) -> float:
    """Return how far two pictures are apart, up to 255; a browser may draw the same in two ways."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)


def test_the_map_is_moved_and_enlarged(drawn: Opened) -> None:
    page = drawn.page
    box = page.locator(".chart canvas").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def pixels() -> list[int]:
        page.wait_for_timeout(60)
        found: list[int] = page.evaluate(PIXELS)
        return found

    first = pixels()
    page.get_by_role("button", name="Enlarge", exact=True).click()
    larger = pixels()
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 80, middle[1] + 40)
    page.mouse.up()
    moved = pixels()
    assert min(apart(first, larger), apart(larger, moved), apart(first, moved)) > 2
    assert page.url.endswith("#map"), "what is moved is not clicked"
    page.get_by_role("button", name="All", exact=True).click()
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    assert apart(first, pixels()) < apart(moved, first) / 4


def test_a_map_of_very_many_is_drawn(browser: Any, tmp_path: Path) -> None:
    found = Opened(browser, neardup.report(many_pairs(tmp_path / "many", 10_000)).path)
    page = found.page
    at(page, "map")
    page.locator(".chart canvas").wait_for()
    page.wait_for_timeout(300)
    seen = page.evaluate(
        "() => { const c = document.querySelector('.chart canvas'); "
        "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; "
        "let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n += 1; return 4 * n / d.length; }"
    )
    assert seen > 0.05
    box = page.locator(".chart canvas").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(400)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator("#page .viewbar").wait_for()  # enlarged first, then opened
    found.context.close()
    assert not found.wrong


@pytest.fixture(scope="module")
def against(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Report an essay that has all of a short source and a part of a long one."""
    folder = tmp_path_factory.mktemp("against")
    short, long = prose(60, 1), prose(900, 2)
    essay = f"{prose(300, 3)} {short} {prose(300, 4)} {' '.join(long.split()[:100])} {prose(300, 5)}"
    for name, text in {"essay": essay, "short": short, "long": long}.items():
        (folder / f"{name}.txt").write_text(text)
    sources = [folder / "short.txt", folder / "long.txt"]
    found = neardup.passages(folder / "essay.txt", against=sources, output=folder / "out")
    made: Path = neardup.report(found).path
    return made


def test_arrows_go_from_sources_to_what_has_text_of_them(
    browser: Any, against: Path, tmp_path: Path
) -> None:
    found = Opened(browser, against)
    at(found.page, "map")
    found.page.locator(".chart canvas").wait_for()
    assert "Arrows go from the sources to" in found.page.locator(".map > .hint").inner_text()
    picture = ElementTree.fromstring(saved(found, "Save as SVG", tmp_path / "map.svg"))
    numbers = [re.findall(r"[\d.]+", path.get("d", "")) for path in picture.iter(f"{SVG}path")]
    from_the_essay = {tuple(own[:2]) for own in numbers if len(own) == 4}
    heads = [one.get("points", "").replace(",", " ").split() for one in picture.iter(f"{SVG}polygon")]
    tips = {tuple(own[:2]) for own in heads if len(own) == 6}
    assert len(tips) == 2 and tips <= from_the_essay, "the essay is in the middle"
    found.context.close()
    assert not found.wrong


def test_figures_are_about_what_was_compared_not_about_its_source(browser: Any, against: Path) -> None:
    found = Opened(browser, against)
    page = found.page
    result = neardup.Result(against.parent)
    shares = {row["id_b"]: row["containment_a"] for row in result.pairs.to_pylist()}
    assert shares["short.txt"] < shares["long.txt"] < 0.2
    for number, source in enumerate(("long.txt", "short.txt"), 1):
        at(page, f"pair/{number}")
        page.locator("#page .side h3", has_text=source).wait_for()
        assert page.locator(".verdict strong").inner_text() == f"{100 * shares[source]:.1f} %"
        assert page.locator(".verdict span").inner_text().startswith("of A is in B;")
    found.context.close()
    assert not found.wrong
