"""The server's pages in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import HOSTILE, Opened
from tests.corpora import prose
from tests.server.client import FORUM, Client, text_of


class Site(Opened):
    """A page of the server."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        class Address:
            def as_uri(self) -> str:
                return address

        super().__init__(browser, Address(), **context)  # type: ignore[arg-type]


@pytest.fixture
def site(browser: Any, client: Client) -> Iterator[Site]:
    found = Site(browser, client.address)
    yield found
    found.context.close()
    assert not found.wrong
    assert all(url.startswith(client.address) for url in found.asked)


def wait_for_status(page: Any, text: str) -> None:
    page.wait_for_function(
        "text => document.getElementById('status').textContent.startsWith(text)", arg=text
    )


def test_a_text_is_looked_up_while_it_is_typed(site: Site) -> None:
    page = site.page
    page.wait_for_function(
        "() => document.getElementById('about').textContent.startsWith('50 documents')"
    )
    page.fill("#text", text_of("flower-show-2023"))
    wait_for_status(page, "Yes: 2 documents share text with it")
    names = page.locator(".match h2").all_text_contents()
    assert names == ["flower-show-2023", "flower-show-2024"]
    differing = page.locator(".match:nth-child(2) ins").all_text_contents()
    assert any("15 July 2023" in words for words in differing)
    page.fill("#text", "nothing of this kind was ever written about anything at all")
    wait_for_status(page, "No: nothing in the index")
    assert page.locator(".match").count() == 0
    page.fill("#text", "…")
    wait_for_status(page, "Type at least one word")
    page.fill("#text", "")
    wait_for_status(page, "")


def test_a_match_is_shown_side_by_side_with_keys_only(site: Site) -> None:
    page = site.page
    page.fill("#text", text_of("flower-show-2023"))
    wait_for_status(page, "Yes")
    page.locator("#live").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "compare"
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .panes")
    assert page.locator("dialog #viewer-title").text_content() == "flower-show-2024 and your text"
    marks = page.locator("dialog mark")
    assert marks.count() == 2  # one match on both sides
    texts = page.locator("dialog .text").all_text_contents()
    assert "Miss Olwen Hughes" in texts[0] and "Mr Tom Beddoes" in texts[1]
    assert page.locator("dialog ins").all_text_contents() == ["15", "2023"]
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")
    assert page.evaluate("document.activeElement.className") == "compare"


def test_hostile_text_is_shown_as_text(site: Site) -> None:
    page = site.page
    page.fill("#text", f"{HOSTILE} {prose(30, 61)}")
    wait_for_status(page, "Yes")
    page.locator(".compare").first.click()
    page.wait_for_selector("dialog .panes")
    shown = page.locator("dialog .text").first.text_content()
    assert "<img src=x onerror='window.hacked = 3'>" in shown
    assert "</script>" in shown
    assert page.evaluate("window.hacked") is None
    assert page.locator("dialog .sign").count() >= 4
    assert page.locator("main img, main svg, dialog img").count() == 0
    page.keyboard.press("Escape")
    page.fill("#text", prose(60, 44))
    page.wait_for_function("() => document.querySelector('.match h2').textContent === '<b>bold</b>'")


def test_scripts_that_are_not_the_servers_own_do_not_run(browser: Any, client: Client) -> None:
    site = Site(browser, client.address)
    ran = site.page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.hacked = 9";
          document.body.append(script);
          return window.hacked;
        }"""
    )
    site.context.close()
    assert ran is None
    assert any("Content Security Policy" in what for what in site.wrong)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_page_fits_laptop_and_phone(
    browser: Any, client: Client, tmp_path: Path, width: int, scheme: str
) -> None:
    site = Site(browser, client.address, viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = site.page
    page.fill("#text", text_of("bridge-parish"))
    wait_for_status(page, "Yes")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / "search.png", full_page=True)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = int(re.findall(r"\d+", background)[0]) > 128
    assert light == (scheme == "light")
    page.locator(".compare").nth(1).click()
    page.wait_for_selector("dialog .panes")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / "pair.png")
    assert not site.wrong
    site.context.close()


def test_the_report_of_a_result_is_served(browser: Any, client: Client) -> None:
    site = Site(browser, f"{client.address}report")
    assert site.page.locator("#pairs .total").text_content() == "17 pairs"
    assert not site.wrong
    site.context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_question_is_looked_up_while_it_is_typed(browser: Any, forum: Client, width: int) -> None:
    site = Site(browser, f"{forum.address}asked", viewport={"width": width, "height": 844})
    page = site.page
    page.wait_for_function("() => document.documentElement.dataset.ready")
    assert page.text_content("#about") == "2 threads to look in"
    page.get_by_label("title").fill("How do I boil an egg for breakfast, please?")
    wait_for_status(page, "Yes: 1 thread is worded like it")
    assert page.locator(".match a").get_attribute("href") == "https://forum.example/egg"
    page.get_by_label("title").fill(FORUM[1]["title"])
    page.wait_for_function("() => document.querySelector('.match').textContent.includes('<b>milk</b>')")
    assert page.locator(".match a, .match b, .match img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("title").fill("Something else that nobody ever wanted to know")
    wait_for_status(page, "No: no thread")
    site.context.close()
    assert not site.wrong
