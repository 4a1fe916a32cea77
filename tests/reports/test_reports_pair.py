"""A pair in a real browser: its heading, its strips in the table, and how it is read on a phone."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import Opened
from tests.corpora import prose
from tests.reports.embedded import embedded
from tests.reports.screen import at, counted, many_pairs, open_pair, wait_for_rows

import neardup
from neardup.reports import build


def test_a_heading_names_both_and_says_how_much_is_the_same(opened: Opened) -> None:
    page = opened.page
    open_pair(page, "flower")
    assert page.locator(".page-title").text_content() == "flower-show-2023 and flower-show-2024"
    figure = str(page.locator(".verdict strong").text_content())
    assert figure in str(page.locator(".facts").text_content()), "one figure for one fact"
    said = str(page.locator(".verdict span").text_content())
    assert said in (
        "of A is in B; 3 changes, mostly numbers",
        "of B is in A; 3 changes, mostly numbers",
    )
    numbers = page.locator(".viewbar .where").all_text_contents()
    assert numbers == ["1 of 1"], "one number for a pair"


def test_of_the_same_two_nothing_changed(opened: Opened) -> None:
    page = opened.page
    at(page, "pair/1")
    page.locator("#page mark").first.wait_for()
    assert page.locator(".verdict").inner_text().split("\n") == [
        "100 %",
        "the two are the same",
    ]


def test_two_without_a_difference_are_the_same_for_passages_too(
    browser: Any, reports: dict[str, Path]
) -> None:
    found = Opened(browser, reports["passages"])
    at(found.page, "pair/1")
    found.page.locator("#page mark").first.wait_for()
    assert found.page.locator(".facts").get_by_text("near-duplicate").is_visible()
    assert found.page.locator(".verdict").inner_text().split("\n") == ["100 %", "the two are the same"]
    found.context.close()


def test_two_that_differ_are_not_called_the_same(browser: Any, tmp_path: Path) -> None:
    """All their runs of words are common, but one has them once more."""
    text = "one two three four five six seven "
    result = neardup.documents([text * 3, text * 4], output=tmp_path / "out")
    found = Opened(browser, neardup.report(result).path)
    at(found.page, "pair/1")
    found.page.locator("#page mark").first.wait_for()
    figure, said = found.page.locator(".verdict").inner_text().split("\n")
    assert figure == "100 %"
    assert said.startswith("of what is compared is in both, yet the texts differ")
    found.context.close()


@pytest.fixture(scope="module")
def long_ones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Report two long texts of which only the second halves are alike, and three more."""
    folder = tmp_path_factory.mktemp("long")
    same = prose(1500, 1).split()
    other = [word if n % 150 else "another" for n, word in enumerate(same)]
    start = "collections/2024/segments/"
    records = [
        {"id": f"{start}first-text-of-two", "text": f"{prose(1500, 2)} {' '.join(same)}"},
        {"id": f"{start}second-text-of-two", "text": f"{prose(1500, 3)} {' '.join(other)}"},
        *({"id": f"{start}number-{n}-of-three-more", "text": prose(90, 7)} for n in range(3)),
    ]
    (folder / "long.jsonl").write_text("\n".join(map(json.dumps, records)))
    found = neardup.passages(folder / "long.jsonl", output=folder / "out")
    made: Path = neardup.report(found).path
    return made


def test_a_long_pair_opens_at_its_top_and_differences_come_to_the_middle(
    browser: Any, long_ones: Path
) -> None:
    found = Opened(browser, long_ones, viewport={"width": 390, "height": 844})
    page = found.page
    names = embedded(long_ones)["items"]["id"]
    pairs = embedded(long_ones)["pairs"]["columns"]
    row = next(i for i, a in enumerate(pairs[0]["values"]) if names[a].endswith("first-text-of-two"))
    at(page, f"pair/{row + 1}")
    page.locator("#page mark").first.wait_for()
    assert page.evaluate("scrollY") == 0
    for _ in range(6):
        page.keyboard.press("j")
    page.wait_for_timeout(50)
    assert page.evaluate("scrollY") > 844
    spot = page.locator(".current-difference").first.bounding_box()
    assert abs(spot["y"] + spot["height"] / 2 - 422) < 60, "in the middle"
    walk = page.locator("#page .walk .group").first
    assert 0 <= walk.bounding_box()["y"] < 60 and "6 of" in walk.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    found.context.close()
    assert not found.wrong


def test_rows_show_where_names_differ_and_where_texts_match(browser: Any, long_ones: Path) -> None:
    strips = embedded(long_ones)["texts"]["strip"]
    assert "0000ffff" in strips[-1][:8], "the second half of it"
    found = Opened(browser, long_ones)
    page = found.page
    wait_for_rows(page)
    shown = page.locator("#panel-pairs .rows .row:not([hidden])")
    assert shown.locator(".strip path").count() == 2 * shown.count()
    names = shown.locator(".id").all_text_contents()
    assert "…first-text-of-two" in names and "…number-0-of-three-more" in names
    assert "collections/2024/segments/first-text-of-two" in [
        shown.locator(".item").nth(i).get_attribute("title") for i in range(2 * shown.count())
    ]
    cut = (
        "[...document.querySelectorAll('.rows .id')].every(e => [...e.childNodes].every(n => n.tagName))"
    )
    assert page.evaluate(cut), "a bare text in a flexible box is cut without an ellipsis"
    width = shown.first.locator(".item").first.bounding_box()["width"]
    assert width > 300, "names have the room"
    assert "A rewritten" not in page.locator("#panel-pairs .row.head").inner_text(), "nothing but zeros"
    found.context.close()
    assert not found.wrong


def test_a_table_that_is_capped_says_what_the_slider_says(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "MOST_ROWS", 2_000)
    found = Opened(browser, neardup.report(many_pairs(tmp_path / "many", 3_000)).path)
    page = found.page
    assert counted(page) == "2,000 of 3,000 pairs are in this file"
    page.get_by_label("Least resemblance").fill("10")
    remain = str(page.locator("#effect").text_content()).split(" of ")[0]
    page.wait_for_function(
        "n => document.querySelector('#panel-pairs .total').textContent.includes(` of ${n} pairs `)",
        arg=remain,
    )
    found.context.close()
    assert not found.wrong
