"""Reports in a real browser: other methods, hostile text, all scripts, all widths, paper, many pairs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import HOSTILE, Opened, violations
from tests.corpora import prose
from tests.reports.embedded import first_keeper
from tests.reports.screen import at, counted, many_pairs, rows, wait_for_count

import neardup
from neardup.methods.pages.pairs import compare_again
from neardup.result import Result
from neardup.showing import kind as kind_module
from neardup.web import viewer
from neardup.web import words as words_module


def test_sentences_show_what_changed(browser: Any, reports: dict[str, Path]) -> None:
    found = Opened(browser, reports["sentences"])
    page = found.page
    changes = [row[2] for row in rows(page)]
    assert any(" → " in change for change in changes[:5])
    page.locator("#panel-pairs .rows .row").first.click()
    page.locator("#page del, #page ins").first.wait_for()
    assert page.locator("#page .fold").count() >= 1  # what is around them
    at(page, "clusters")
    whole = counted(page, "#panel-clusters")
    page.get_by_label("Largest distance").fill("0")
    page.wait_for_function(
        "was => document.querySelector('#panel-clusters .total').textContent !== was", arg=whole
    )
    shown = counted(page, "#panel-clusters").split(" ")[0]
    assert f", {shown} cluster" in str(page.locator("#effect").text_content())
    found.context.close()
    assert not found.wrong


def test_pages_are_shown_with_their_edit_curve(browser: Any, reports: dict[str, Path]) -> None:
    result = Result(reports["pages"].parent)
    found = Opened(browser, reports["pages"])
    page = found.page
    assert "Same site" not in str(page.locator("#panel-pairs").text_content())  # these have no address
    at(page, f"pair/{result.pairs.num_rows}")
    page.locator("#page .curve summary").click()
    page.wait_for_selector("#page .curve polyline")
    shown = page.locator(".curve svg").get_attribute("aria-label")
    abouts = page.locator("#page .side .about").all_text_contents()
    id_a, id_b = (about.split(" · ")[0].strip() for about in abouts)
    _, curve = compare_again(result, id_a, id_b)
    assert curve is not None
    assert f"Edit curve: {curve.edits[-1]} edits" in shown
    region, line = (page.locator(f".curve {own}").bounding_box() for own in (".region", "polyline"))
    assert line["x"] <= region["x"] + 1
    assert region["x"] + region["width"] <= line["x"] + line["width"] + 1
    found.context.close()
    assert not found.wrong


def test_addresses_of_the_web_are_links_and_no_others(browser: Any, tmp_path: Path) -> None:
    words = prose(120, 1).split()
    records = [
        {
            "id": f"=1+{n}",
            "title": f"Story {n}",
            "url": f"https://site{n % 3}.example/{n}" if n else "javascript:alert(1)",
            "text": " ".join(words[: 120 - 4 * n]),
        }
        for n in range(16)
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, records)))
    made = neardup.documents(tmp_path / "p.jsonl", output=tmp_path / "out", threshold=0.3)
    report = neardup.report(made).path
    found = Opened(browser, report)
    page = found.page
    links = page.locator("#panel-pairs .rows a").evaluate_all("links => links.map(a => a.href)")
    assert links and all(re.match(r"https://site\d\.example/", link) for link in links)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as CSV").click()
    waiting.value.save_as(tmp_path / "pairs.csv")
    lines = (tmp_path / "pairs.csv").read_text().splitlines()
    assert all(line.startswith("'=1+") for line in lines[1:]), "which no spreadsheet computes"
    at(page, "map")
    page.locator(".matrix").wait_for()
    summed = (
        "[...document.querySelectorAll('.matrix td')].reduce((n, c) => n + Number(c.textContent), 0)"
    )
    most = page.evaluate(summed)
    assert most > made.pairs.num_rows  # what is between two stands on both sides of the diagonal
    page.get_by_label("Least resemblance").fill("55")
    page.wait_for_function(f"most => {summed} < most", arg=most)
    page.get_by_role("button", name="Reset").click()
    at(page, f"cluster/{first_keeper(report)}")
    page.locator(".members li").first.wait_for()
    members = page.locator(".members li").count()
    assert members > 12 and page.locator("button a, a button").count() == 0
    page.locator(".drawings canvas").wait_for()
    found.context.close()
    assert not found.wrong


def test_all_words_are_in_one_place(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Translate the file of words into strange ones: no other word is left on any page."""
    real = words_module.all_words()

    def strange(value: Any) -> Any:
        if isinstance(value, str):
            return "".join(f"⟪{c}⟫" if c.isalpha() else c for c in value)
        return [strange(one) for one in value]

    def translated(text: str) -> str:
        parts = re.split(r"(\{\w+\})", text)
        return "".join(part if part.startswith("{") else strange(part) for part in parts)

    made = {
        **real,
        "words": {key: translated(text) for key, text in real["words"].items()},
        "plurals": {key: strange(pair) for key, pair in real["plurals"].items()},
        "names": {key: strange(name) for key, name in real["names"].items()},
        "keys": [[key, strange(what)] for key, what in real["keys"]],
    }
    for module in (words_module, viewer, kind_module):
        monkeypatch.setattr(module, "all_words", lambda: made)
    records = [{"id": f"{n}", "text": f"{prose(80, 1)} {n}"} for n in range(4)]
    result = neardup.documents(records, output=tmp_path / "out", threshold=0.3)
    found = Opened(browser, neardup.report(result).path)
    left = set()
    for address in ("pairs", "clusters", "documents", "map", "figures", "pair/1", "document/0", "x"):
        at(found.page, address)
        found.page.wait_for_timeout(100)
        left |= set(found.page.evaluate(LEFT))
    found.context.close()
    assert not found.wrong
    assert not [text for text in left if " documents " not in text], "but for the name of a command"


# Words on the screen that are no translation, but for ids, texts, settings and letters of sides.
LEFT = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const own = walker.currentNode.parentElement;
    if (own.closest('script, style, noscript, bdi, td, th, .lines, blockquote')) continue;
    if (own.closest('.badge, .letter, .swatch, .keys dt, .page-title')) continue;
    const text = walker.currentNode.textContent.replace(/⟪.⟫/gu, '');
    if (/\\p{L}{2,}/u.test(text)) found.push(walker.currentNode.textContent);
  }
  for (const own of document.querySelectorAll('[aria-label], [placeholder]')) {
    const text = (own.ariaLabel || own.placeholder).replace(/⟪.⟫/gu, '');
    if (/\\p{L}{2,}/u.test(text)) found.push(own.ariaLabel || own.placeholder);
  }
  return found;
}"""


def test_scripts_that_run_from_right_to_left_stay_right(browser: Any, tmp_path: Path) -> None:
    arabic = "كان الجسر القديم فوق النهر مغلقا أمام حركة المرور لمدة ستة أسابيع منذ يوم الاثنين الماضي"
    chinese = "图书馆从周一开始延长开放时间每天早上八点到晚上十点读者可以借阅图书和使用电脑"
    marks = (
        "Ça s’est passe\u0301 a\u0300 l’e\u0301cole pre\u0300s de la rivie\u0300re 🎉 "
        "deux mille e\u0301le\u0300ves sont venus"
    )
    records = [
        {"id": f"{name} {n}", "text": text if n == 0 else text.replace(*change)}
        for name, text, change in (
            ("ar", arabic, ("ستة", "سبعة")),
            ("zh", chinese, ("八", "九")),
            ("fr", marks, ("deux", "trois")),
        )
        for n in (0, 1)
    ]
    (tmp_path / "l.jsonl").write_text("\n".join(map(json.dumps, records)))
    result = neardup.documents(tmp_path / "l.jsonl", output=tmp_path / "out", threshold=0.1)
    assert result.counts["pairs"] == 3
    found = Opened(browser, neardup.report(result).path)
    page = found.page
    changed = {}
    for number in (1, 2, 3):
        at(page, f"pair/{number}")
        page.wait_for_function(
            "n => document.querySelector('.viewbar .where')?.textContent.startsWith(`${n} of`)"
            " && document.querySelector('#page del')",
            arg=number,
        )
        name = str(page.locator("#page .side h3 bdi").first.text_content())[:2]
        changed[name] = page.locator("#page del").all_text_contents()
        direction = page.locator("#page .line .cell").first.evaluate(
            "c => getComputedStyle(c).direction"
        )
        assert direction == ("rtl" if name == "ar" else "ltr")
    assert changed == {"ar": ["ستة"], "zh": ["八"], "fr": ["deux"]}
    found.context.close()
    assert not found.wrong


@pytest.mark.parametrize("method", ["documents", "passages", "sentences"])
def test_hostile_text_is_shown_as_text_and_never_run(browser: Any, tmp_path: Path, method: str) -> None:
    text = (
        f"A long enough beginning of this text, so that there is something to find in it. {HOSTILE}. "
        * 3
    )
    corpus = tmp_path / "h<img src=x onerror=alert(1)>.jsonl"
    records = [
        {"id": f"{HOSTILE} {i}", "title": f"{HOSTILE}", "text": text.replace("enough", f"enough{i}")}
        for i in range(3)
    ]
    corpus.write_text("".join(json.dumps(record) + "\n" for record in records))
    result = getattr(neardup, method)([corpus], output=tmp_path / "out")
    found = Opened(browser, neardup.report(result).path)
    page = found.page
    assert result.pairs.num_rows
    for address in ("clusters", "documents", "map", "cluster/0", "document/0", "pair/1"):
        at(page, address)
        page.wait_for_timeout(60)
    page.locator("#page mark").first.wait_for()
    page.locator("[data-look=f]").evaluate("b => b.getAttribute('aria-pressed') === 'true' && b.click()")
    shown = str(page.locator("#page .lines").first.text_content())
    assert "<script>window.hacked = 1</script>" in shown
    assert "onerror='window.hacked = 3'" in shown
    assert {"RLO", "PDF", "U+0007", "ZWSP"} <= set(
        page.locator("#page .lines .sign").all_text_contents()
    )
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, #page script, h1 img").count() == 0
    assert "\u202e" not in str(page.locator("body").inner_text())
    found.context.close()
    assert not found.wrong
    assert len(found.asked) == 1


def test_nothing_but_its_own_script_runs(opened: Opened) -> None:
    page = opened.page
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; "
        "document.body.append(s); document.body.insertAdjacentHTML('beforeend', "
        '\'<img src=x onerror="window.hacked = 2"><p style="color: red" id="styled">x</p>\'); }'
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    assert len(opened.wrong) >= 3 and all("Content Security Policy" in said for said in opened.wrong)
    opened.wrong.clear()


ADDRESSES = (
    "pairs",
    "clusters",
    "documents",
    "map",
    "quotations",
    "figures",
    "pair/4",
    "cluster/KEEPER",
    "document/0",
)


@pytest.mark.parametrize(
    ("width", "scheme", "checked"),
    [(1440, "light", True), (1440, "dark", False), (1024, "light", False), (390, "dark", True)],
)
def test_every_page_fits_and_is_accessible(
    browser: Any, demo: Path, width: int, scheme: Any, checked: bool
) -> None:
    viewport = {"width": width, "height": 844}
    found = Opened(browser, demo, viewport=viewport, color_scheme=scheme)
    page = found.page
    keeper = first_keeper(demo)
    wrong = []
    for address in ADDRESSES:
        at(page, address.replace("KEEPER", str(keeper)))
        page.wait_for_timeout(60)
        if address == "pairs":
            row = page.locator("#panel-pairs .rows .row:not([hidden])").first
            if width < 500:
                assert row.bounding_box()["y"] < 330 and row.locator(".meter").is_visible()
            page.locator("#near summary").click()
        if address == "pair/4":
            page.locator("#page mark").first.wait_for()
            page.keyboard.press("j")
            page.locator(".matchlist summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        wrong += [f"{address}: {one}" for one in violations(page)] if checked else []
    light = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] > 128")
    assert light == (scheme == "light")
    found.context.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "address"), [("passages", "document/0"), ("sentences", "pair/1"), ("nothing", "pairs")]
)
def test_pages_of_other_methods_are_accessible(
    browser: Any, reports: dict[str, Path], name: str, address: str
) -> None:
    found = Opened(browser, reports[name])
    at(found.page, address)
    found.page.wait_for_timeout(150)
    wrong = violations(found.page)
    found.context.close()
    assert not wrong, "\n".join(wrong)


def test_on_paper_there_is_a_plain_table_and_a_pair_has_all_its_pages(
    browser: Any, demo: Path, tmp_path: Path
) -> None:
    found = Opened(browser, demo, color_scheme="dark")
    page = found.page
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("#paper tbody tr").count() == 17
    page.set_viewport_size({"width": 700, "height": 1000})  # about that of a sheet
    sides = page.locator("#paper tbody tr:first-child td.item")
    assert all(one.bounding_box()["width"] > 90 for one in sides.all())
    assert page.evaluate("document.querySelector('#paper table').scrollWidth") <= 700
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator("#paper").is_visible() and not page.locator("#panel-pairs .grid").is_visible()
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert ink == "rgb(0, 0, 0)"
    for address, names in (
        ("pair/1", "#page .side h3 bdi"),
        (f"cluster/{first_keeper(demo)}", ".member"),
    ):
        at(page, address)
        page.locator(names).nth(1).wait_for()  # names are there, though they can be clicked
    at(page, "clusters")
    page.locator("#panel-clusters .grid").wait_for(state="attached")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#paper tbody tr").count() == 10
    found.context.close()
    lines = [f"This is line {i} of a long text that is in both files." for i in range(300)]
    other = [line.replace("long", "short") if i % 9 == 0 else line for i, line in enumerate(lines)]
    result = neardup.documents(["\n".join(lines), "\n".join(other)], threshold=0.3)
    found = Opened(browser, neardup.report(result, tmp_path / "r.html").path)
    at(found.page, "pair/1")
    found.page.locator("#page mark").first.wait_for()
    pdf = found.page.pdf()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 5
    found.context.close()


def test_two_essays_with_three_matches_are_two_sheets_with_their_list(
    browser: Any, tmp_path: Path
) -> None:
    shared = [prose(70, seed=900 + n) for n in range(3)]

    def essay(seed: int) -> str:
        parts = [prose(450, seed=seed + n) for n in range(4)]
        between = [text for pair in zip(parts, shared, strict=False) for text in pair]
        return "\n\n".join([*between, parts[-1]])

    texts = [essay(1000), essay(1100)]
    assert all(len(text.split()) > 1900 for text in texts)
    result = neardup.passages(texts)
    assert result.passages.num_rows == 3
    found = Opened(browser, neardup.report(result, tmp_path / "r.html").path)
    page = found.page
    at(page, "pair/1")
    page.locator("#page mark").first.wait_for()
    assert page.locator(".verdict").inner_text().endswith("of A is in B; word for word")
    whole = len(page.locator(".lines").inner_text())
    pdf = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 2
    assert not page.locator(".matchlist").get_attribute("open")
    page.get_by_role("button", name="Differences only").click()
    some = len(page.locator(".lines").inner_text())
    assert some < whole / 3
    page.locator(".elided").first.click()
    assert some < len(page.locator(".lines").inner_text()) < whole
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".matchlist tbody tr").count() == 3
    assert page.locator(".matchlist tbody tr").last.is_visible()
    found.context.close()


def test_a_hundred_thousand_pairs_stay_fast(browser: Any, tmp_path: Path) -> None:
    made = neardup.report(many_pairs(tmp_path / "out", 100_000))
    assert made.pairs == 100_000 and made.size < 20_000_000
    found = Opened(browser, made.path)
    page = found.page
    ready = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
    assert ready < 6_000, "a slow and busy machine is allowed for"
    assert counted(page) == "100,000 pairs"
    assert page.locator("#panel-pairs .row").count() < 60
    page.locator("#panel-pairs .grid").evaluate("grid => { grid.scrollTop = grid.scrollHeight / 2; }")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#panel-pairs .rows .row')]"
        ".some(r => r.ariaRowIndex === '50000')"
    )
    page.get_by_label("Search pairs").fill("doc-000042")
    wait_for_count(page, "1 of 100,000 pairs")
    found.context.close()
    assert not found.wrong
