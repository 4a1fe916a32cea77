"""The server's pages in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import HOSTILE, Opened, violations
from tests.corpora import prose
from tests.server.client import FORUM, Client, started, text_of

from neardup.reports import packing


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
    page.locator(".compare").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#page .lines mark")
    assert page.locator(".page-title").text_content() == "flower-show-2024 and your text"
    assert page.locator("#page ins").all_text_contents() == ["15", "2023"]
    assert "Mr Tom Beddoes" in page.locator("#page .between").last.text_content()
    page.keyboard.press("j")
    assert page.locator("#page .walk .where").first.text_content() == "1 of 3"
    said = dict(
        page.locator("#page .facts div").evaluate_all(
            "f => f.map(d => [...d.children].map(c => c.textContent))"
        )
    )
    page.keyboard.press("Escape")
    page.wait_for_selector("#matches .match")
    assert page.evaluate("document.activeElement.className") == "compare"
    shares = dict(
        page.locator(".match:nth-child(2) .shares div").evaluate_all(
            "f => f.map(d => [...d.children].map(c => c.textContent.trim()))"
        )
    )
    assert shares["of your text is in it word for word"] == said["B in A"] != "100 %"
    assert len(shares) == 3, "one figure for one fact"
    page.go_forward()
    page.wait_for_selector("#page .lines mark")
    page.reload()  # what was typed is still there
    page.wait_for_selector("#page .lines mark")
    other = site.context.browser.new_context().new_page()  # an address that was sent to somebody
    other.goto(page.url)
    other.wait_for_selector("#page .lines mark")
    assert other.locator(".page-title").text_content() == "flower-show-2024 and your text"
    other.context.close()
    other = site.context.browser.new_context().new_page()
    other.goto(page.url.split("&text=")[0])  # as that of a long text is: it is not in the address
    other.wait_for_selector("#notice:not([hidden])")
    assert "typed in another browser" in str(other.locator("#notice").text_content())
    other.context.close()


def test_a_text_is_shown_with_all_its_sources(site: Site) -> None:
    page = site.page
    page.fill("#text", f"{text_of('flower-show-2023')}\n{text_of('plum-cake')}")
    wait_for_status(page, "Yes")
    page.get_by_text("Your text, and where it is found").click()
    page.wait_for_selector("#page .sources")
    names = page.locator(".sources .name bdi:first-child").all_text_contents()
    assert {"flower-show-2023", "plum-cake"} <= set(names)
    assert page.locator(".big strong").text_content() == "100 %", "words count, full stops do not"
    page.locator(".source").first.click()
    page.wait_for_selector("#page .walk")
    page.go_back()
    page.wait_for_selector("#page .sources")


def test_pages_lead_to_the_report_and_back(site: Site) -> None:
    page = site.page
    page.fill("#text", text_of("flower-show-2023"))
    wait_for_status(page, "Yes")
    page.get_by_role("link", name="In the report").first.click()
    page.wait_for_selector("#page .covers")
    assert page.locator(".page-title").text_content() == "flower-show-2023"
    page.locator("#page .back").click()
    page.locator("a.elsewhere", has_text="Search").wait_for(state="attached")
    page.wait_for_selector("#matches, #tabs")


def test_every_page_is_accessible(browser: Any, client: Client, forum: Client) -> None:
    wrong = []
    site = Site(browser, client.address)
    site.page.fill("#text", text_of("flower-show-2023"))
    wait_for_status(site.page, "Yes")
    for address in ("", "#match?id=flower-show-2024", "#sources"):
        site.page.evaluate("address => { location.hash = address; }", address)
        site.page.wait_for_timeout(300)
        wrong += [f"{address}: {one}" for one in violations(site.page)]
    for address in (f"{client.address}api", f"{forum.address}asked", f"{forum.address}nowhere"):
        site.page.goto(address)
        site.page.wait_for_timeout(200)
        wrong += [f"{address}: {one}" for one in violations(site.page)]
    site.context.close()
    assert not wrong, "\n".join(wrong)


def test_hostile_text_is_shown_as_text(site: Site) -> None:
    page = site.page
    page.fill("#text", f"{HOSTILE} {prose(30, 61)}")
    wait_for_status(page, "Yes")
    page.locator(".compare").first.click()
    page.wait_for_selector("#page .lines mark")
    shown = page.locator("#page .lines").text_content()
    assert "<img src=x onerror='window.hacked = 3'>" in shown
    assert "</script>" in shown
    assert page.evaluate("window.hacked") is None
    assert page.locator("#page .lines .sign").count() >= 4
    assert page.locator("main img").count() == 0
    page.keyboard.press("Escape")
    page.wait_for_selector("#text")
    page.fill("#text", prose(60, 44))
    page.wait_for_function("() => document.querySelector('.match h2')?.textContent === '<b>bold</b>'")


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
    page.wait_for_selector("#page .lines mark")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / "pair.png")
    assert not site.wrong
    site.context.close()


def test_the_report_of_a_result_is_served_with_all_texts(
    browser: Any, folder: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "MOST_TEXTS", 2)
    served = started(folder / "out")
    site = Site(browser, f"{served.address}report")
    page = site.page
    assert page.locator("#panel-pairs .total").text_content() == "17 pairs"
    for number in (1, 9, 17):
        page.evaluate("n => { location.hash = `pair/${n}`; }", number)
        page.wait_for_function(
            "n => document.querySelector('.viewbar .where')?.textContent.startsWith(`${n} of`)"
            " && document.querySelector('#page .lines mark')",
            arg=number,
        )
    page.keyboard.press("s")
    page.wait_for_timeout(300)
    page.evaluate("location.hash = 'document?id=flower-show-2023'")
    page.wait_for_selector("#page .lines.whole mark .badge")
    assert page.locator("#page .covered .hint").count() == 0, "the server has what the file lacks"
    site.context.close()
    other = Site(browser, f"{served.address}report")  # which never marked anything
    other.page.get_by_role("button", name="Save 1 mark").wait_for()
    other.context.close()
    served.stop()
    assert not site.wrong
    assert "same" in (folder / "out" / "marks.csv").read_text()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_question_is_looked_up_while_it_is_typed(browser: Any, forum: Client, width: int) -> None:
    site = Site(browser, f"{forum.address}asked", viewport={"width": width, "height": 844})
    page = site.page
    page.wait_for_function("() => document.documentElement.dataset.ready")
    assert page.text_content("#about") == "2 threads to look in"
    page.get_by_label("title").fill("How do I boil an egg for breakfast, please?")
    wait_for_status(page, "Yes: 1 thread is worded like it")
    assert page.locator(".match h2 a").get_attribute("href") == "https://forum.example/egg"
    page.locator("#matches .compare").click()
    page.wait_for_selector("#page .lines mark")
    assert "I have water, a pot and a stove." in page.locator("#page .lines").text_content()
    page.keyboard.press("Escape")
    page.wait_for_selector("#fields")
    page.get_by_label("title").fill(FORUM[1]["title"])
    page.wait_for_function("() => document.querySelector('.match')?.textContent.includes('<b>milk</b>')")
    assert page.locator("#matches a[href^=http], .match b, .match img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("title").fill("Something else that nobody ever wanted to know")
    wait_for_status(page, "No: no thread")
    page.get_by_label("title").fill("eggs, boiled")
    page.locator("#nearest .match h3", has_text="boil an egg").wait_for()
    page.locator("#nearest .compare").first.click()
    page.wait_for_selector("#page .lines")
    site.context.close()
    assert not site.wrong
