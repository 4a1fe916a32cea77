"""Reports in a real browser: tables, pairs, clusters, documents, the slider, marks, addresses."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import Opened
from tests.corpora import prose
from tests.reports.embedded import embedded
from tests.reports.screen import at, counted, open_pair, rows, wait_for_count, where

import neardup
from neardup.evaluation.sheets import judged
from neardup.reports.sheets import sample
from neardup.result import Result


def test_the_first_screen_is_the_result(opened: Opened) -> None:
    page = opened.page
    assert page.title() == "Near-duplicate documents in demo.jsonl"
    band, table = (page.locator(own).bounding_box() for own in (".band", "#panel-pairs .grid"))
    assert band["height"] <= 200 and table["y"] < 450 and table["height"] > 400
    assert page.locator("#panel-pairs .rows .row:not([hidden]) .meter").count() >= 10
    assert page.locator(".figures dd").all_text_contents() == ["41", "17", "10", "31.7 %"]


def test_a_report_is_sorted_searched_and_filtered(opened: Opened) -> None:
    page = opened.page
    assert counted(page) == "17 pairs"
    values = [float(row[2]) for row in rows(page)]
    assert values == sorted(values, reverse=True) and len(values) == 17
    page.get_by_role("button", name="Similarity ↓").click()
    page.wait_for_function("() => document.querySelector('[aria-sort=ascending]')")
    page.wait_for_timeout(60)
    assert [float(row[2]) for row in rows(page)] == sorted(values)
    page.get_by_label("Search pairs").fill("FLOWER show")
    wait_for_count(page, "1 of 17 pairs")
    assert rows(page)[0][:2] == ["flower-show-2023", "flower-show-2024"]
    assert page.url.endswith("#pairs?q=flower+show&sort=similarity")
    page.get_by_label("Search pairs").fill("no such thing")
    wait_for_count(page, "0 of 17 pairs")
    assert page.locator("#panel-pairs .empty").is_visible()
    page.get_by_label("Search pairs").fill("")
    page.get_by_label("Filter by Kind").select_option("identical")
    wait_for_count(page, f"{len([v for v in values if v == 1])} of 17 pairs")
    assert {row[5] for row in rows(page)} == {"identical"}


def test_what_does_not_count_is_pale(browser: Any, tmp_path: Path) -> None:
    task, copied = prose(40, seed=1), prose(60, seed=2)
    texts = [f"{task}\n\n{copied} {prose(20, seed=n)}" for n in (3, 4)]
    result = neardup.passages(texts, exclude=[task], output=tmp_path / "out")
    found = Opened(browser, neardup.report(result).path)
    for address in ("pair/1", "document/1"):
        at(found.page, address)
        found.page.locator("#page mark").first.wait_for()
        pale = {text.strip() for text in found.page.locator("#page .pale").all_text_contents()}
        assert pale == {task}
        assert task not in found.page.locator("#page mark").first.text_content()
        title = found.page.locator("#page .pale").first.get_attribute("title")
        assert title == "excluded text, does not count"
        assert found.page.get_by_text("In italics: excluded text, does not count.").is_visible()
    assert found.page.get_by_text("33.3 % of its words do not count.").is_visible()  # 40 of 120
    found.context.close()
    assert not found.wrong


@pytest.mark.parametrize("page_name", ["pairs", "documents", "map", "figures", "pair/1", "cluster/0"])
def test_a_report_of_nothing_has_all_its_pages(
    browser: Any, reports: dict[str, Path], page_name: str
) -> None:
    found = Opened(browser, reports["nothing"])
    at(found.page, page_name)
    found.page.wait_for_timeout(50)
    assert counted(found.page) == "0 pairs"
    found.context.close()
    assert not found.wrong


def test_a_pair_is_shown_side_by_side_with_its_differences(opened: Opened) -> None:
    page = opened.page
    open_pair(page, "flower")
    assert page.locator("#page del").all_text_contents() == ["15", "2023", "Mr Tom Beddoes"]
    assert page.locator("#page ins").all_text_contents() == ["13", "2024", "Miss Olwen Hughes"]
    assert "0.789" in str(page.locator(".facts").text_content())
    page.keyboard.press("n")
    assert "1 of 1: edited" in where(page, 1)
    assert page.locator("mark.current-match").count() >= 2
    assert re.search(r"#pair/\d+\?q=flower&match=1$", page.url)
    level = """() => [...document.querySelectorAll('#page .line')].map(line =>
      [...line.children].map(cell => cell.getBoundingClientRect().top))"""
    lines = page.evaluate(level)
    assert len(lines) > 2 and all(abs(a - b) < 1 for a, b in lines)
    page.locator(".matchlist summary").click()
    page.locator(".matchlist tbody td").first.wait_for()
    cells = page.locator(".matchlist tbody td").all_text_contents()
    assert cells[1] == "edited" and re.fullmatch(r"\d+–\d+", cells[4])
    page.keyboard.press("Escape")
    page.locator("#panel-pairs .grid").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('role')") == "grid"


def test_differences_are_walked_and_what_is_the_same_is_folded(opened: Opened) -> None:
    page = opened.page
    open_pair(page, "flower")
    page.keyboard.press("k")
    assert where(page, 0) == "3 of 3"
    said = []
    for key in "jjjk":
        page.keyboard.press(key)
        said.append(where(page, 0))
    assert said == ["1 of 3", "2 of 3", "3 of 3", "2 of 3"]
    current = page.locator(".current-difference").all_text_contents()
    assert current == ["2023", "2024"]
    box = page.locator("#page .walk").bounding_box()
    ticks = str(page.locator(".ribbon .ticks").get_attribute("d"))
    assert ticks.count("M") == 2 * 3
    lines = page.locator("#page .line").count()
    page.keyboard.press("f")
    assert page.locator("#page .fold").count() >= 1 and page.locator("#page .line").count() < lines
    assert page.locator("#page del").count() == 3
    page.locator("#page .fold").first.click()
    page.keyboard.press("c")
    assert page.locator("#page .lines.single").count() == 1
    joined = str(page.locator("#page .lines").text_content())
    assert joined.index("Mr Tom Beddoes") < joined.index("Miss Olwen Hughes")
    page.keyboard.press("w")
    font = "getComputedStyle(document.querySelector('#page .line .cell')).fontFamily"
    assert "monospace" in page.evaluate(font)
    assert page.locator("#page .walk").bounding_box() == box, "buttons stay where they are"
    for key in "fcw":
        page.keyboard.press(key)


def test_addresses_lead_back_and_forth(opened: Opened) -> None:
    page = opened.page
    page.get_by_label("Search pairs").fill("bridge")
    page.wait_for_function("() => location.hash.includes('q=bridge')")
    page.get_by_label("Least resemblance").focus()
    page.keyboard.press("ArrowRight")
    page.locator("#panel-pairs .rows .row:not([hidden])").first.click()
    page.locator("#page mark").first.wait_for()
    first = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_function("was => location.href !== was", arg=first)
    page.locator("#page mark").first.wait_for()
    first = page.url
    page.go_back()  # from pair to pair, one does not go back
    page.locator("#panel-pairs .grid").wait_for()
    assert page.get_by_label("Search pairs").input_value() == "bridge"
    page.go_forward()
    page.locator("#page mark").first.wait_for()
    other = page.context.new_page()
    other.goto(first)  # a link that was sent
    other.locator("#page mark").first.wait_for()
    heads = [p.locator("#page h3").all_text_contents() for p in (page, other)]
    assert heads[0] == heads[1]
    assert "t=0.51" in first and other.locator(".slidebar output").text_content() == "0.51"
    other.close()


@pytest.mark.parametrize(
    ("address", "tab", "said"),
    [
        ("nonsense", "pairs", "There is nothing at #nonsense"),
        ("pair/999999", "pairs", "There is nothing at #pair/999999"),
        ("cluster/none", "clusters", "There is nothing at #cluster/none"),
        ("document?id=nobody", "documents", "“nobody” is in no pair"),
        ("pairs?t=7", "pairs", "7 is not a threshold of the slider"),
    ],
)
def test_an_address_that_leads_nowhere_says_so(
    opened: Opened, address: str, tab: str, said: str
) -> None:
    page = opened.page
    at(page, address)
    page.locator("#notice:not([hidden])").wait_for()
    assert said in str(page.locator("#notice").text_content())
    page.locator(f"#panel-{tab} .grid").wait_for()
    at(page, "map")
    page.wait_for_function("() => document.getElementById('notice').hidden")


def test_clusters_follow_the_slider_and_have_pages(opened: Opened, demo: Path) -> None:
    page = opened.page
    at(page, "clusters")
    wait_for_count(page, "10 clusters", "#panel-clusters")
    slider = page.get_by_label("Least resemblance")
    slider.fill("30")
    counts = Result(demo.parent).rethreshold(0.8).counts
    wait_for_count(page, f"{counts['clusters']} clusters", "#panel-clusters")
    assert f"{counts['clusters']} clusters" in str(page.locator("#effect").text_content())
    page.get_by_role("button", name="Reset").click()
    wait_for_count(page, "10 clusters", "#panel-clusters")
    shown = rows(page, "#panel-clusters")
    assert shown[0][1] == "bridge-wire, bridge-herald, bridge-parish"
    sizes = [int(row[2]) for row in shown]
    page.locator("#panel-clusters .rows .row").first.click()
    page.locator(".members li").first.wait_for()
    assert page.locator(".members li").count() == sizes[0] == 4
    assert page.locator(".members .value").first.text_content() == "kept"
    assert page.locator(".heat rect").count() >= 12
    assert page.locator(".drawings .lanes .dot").count() >= 2  # these have dates
    page.locator(".drawings canvas").focus()
    said: list[str] = []
    for _ in range(4):  # the map of the cluster
        page.keyboard.press("ArrowRight")
        said.append(page.locator(".drawings .tip bdi").first.text_content() or "")
    assert sorted(said) == ["bridge-evening", "bridge-herald", "bridge-parish", "bridge-wire"]
    page.locator(".members .member").nth(1).click()
    page.locator("#page mark").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".members li").first.wait_for()  # back in the cluster
    page.locator(".members input").nth(2).check()
    page.locator(".members input").nth(3).check()
    page.get_by_role("button", name="Compare the two").click()
    page.locator("#page .lines mark").first.wait_for()


def test_two_that_are_no_pair_are_compared_in_the_browser(opened: Opened, demo: Path) -> None:
    page = opened.page
    names = embedded(demo)["items"]["id"]
    one, other = (names.index(name) for name in ("flower-show-2023", "flower-show-2024"))
    at(page, f"two/{one}?with={other}")
    page.locator("#page .lines mark").first.wait_for()
    assert page.locator("#page del").all_text_contents() == ["15", "2023", "Mr Tom Beddoes"]


def test_a_document_has_a_page_with_all_that_share_it(browser: Any, reports: dict[str, Path]) -> None:
    found = Opened(browser, reports["passages"])
    page = found.page
    at(page, "documents")
    page.locator("#panel-documents .rows .row").first.click()
    page.locator("#page .sources").wait_for()
    shares = [float(s.split(" ")[0]) for s in page.locator(".sources .value").all_text_contents()]
    union = float(str(page.locator(".big strong").text_content()).split(" ")[0])
    assert shares == sorted(shares, reverse=True) and union >= shares[0] > 0
    assert page.locator("#page .lines mark").count() >= 1 and page.locator(".covers .c0").count() >= 1
    pairs = int(str(page.locator("#page .below .total").text_content()).split(" ")[0])
    assert pairs == len(shares)
    badges = page.locator("#page .lines mark .badge").all_text_contents()
    assert badges and all(re.fullmatch(r"\d+", badge) for badge in badges)
    touching = page.locator("#page .lines mark").evaluate_all(
        """marks => marks.filter(m => m.nextSibling && m.nextSibling.tagName === 'MARK' &&
          m.classList[0] === m.nextSibling.classList[0]).length"""
    )
    assert touching == 0, "what is best shared with the same one is one stretch"
    whole = str(page.locator(".big").text_content())
    assert "are in passages" in whole and "word for word" in str(page.locator(".words").text_content())
    page.locator(".source").first.click()
    page.locator("#page .walk").wait_for()
    page.locator("#page .sides button").first.click()  # and back by the name of a side
    page.locator("#page .covers").wait_for()
    found.context.close()
    assert not found.wrong


def test_quotations_have_a_tab_of_their_own(opened: Opened) -> None:
    page = opened.page
    page.locator("#tabs a", has_text="Quotations").click()
    counts = page.locator(".reused strong")
    counts.first.wait_for()
    assert all("other documents" in said for said in counts.all_text_contents())
    page.locator(".reused button").first.click()
    page.locator("#page .covers").wait_for()


def test_pairs_are_marked_kept_and_saved(opened: Opened, tmp_path: Path) -> None:
    page = opened.page
    open_pair(page, "flower")
    page.keyboard.press("d")
    assert page.locator(".mark.different").get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    page.locator("#panel-pairs .grid").wait_for()
    assert "Different" in rows(page)[0]
    page.reload()
    page.wait_for_selector("html[data-ready]")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save 1 mark").click()
    waiting.value.save_as(tmp_path / "marks.csv")
    lines = (tmp_path / "marks.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "left,right,label,judge,note,when"
    assert lines[1].startswith("flower-show-2023,flower-show-2024,different,,,20")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as CSV").click()
    waiting.value.save_as(tmp_path / "pairs.csv")
    assert (tmp_path / "pairs.csv").read_bytes().startswith(b"\xef\xbb\xbf"), "as Excel wants it"
    table = (tmp_path / "pairs.csv").read_text(encoding="utf-8-sig").splitlines()
    assert table[0].startswith("item_a,item_b,similarity") and len(table) == 2
    page.get_by_label("Search pairs").fill("")
    wait_for_count(page, "17 pairs")
    page.get_by_label("Filter by Mark").select_option(label="Different")
    wait_for_count(page, "1 of 17 pairs")
    assert rows(page)[0][:2] == ["flower-show-2023", "flower-show-2024"]
    assert "is.mark=different" in page.url
    page.locator("#panel-pairs .grid").focus()
    page.keyboard.press("x")
    wait_for_count(page, "0 of 17 pairs")
    page.wait_for_function("() => document.getElementById('save-marks').hidden")


def test_marks_of_a_sample_say_how_it_was_drawn(
    browser: Any, reports: dict[str, Path], tmp_path: Path
) -> None:
    made = sample(reports["documents"].parent, tmp_path / "s.csv", size=4, by="kind")
    found = Opened(browser, made.report)
    at(found.page, "pair/1")
    found.page.locator(".mark.same").wait_for()
    found.page.keyboard.press("s")
    found.page.keyboard.press("Escape")
    with found.page.expect_download() as waiting:
        found.page.get_by_role("button", name="Save 1 mark").click()
    waiting.value.save_as(tmp_path / "marks.csv")
    head, line = (tmp_path / "marks.csv").read_text(encoding="utf-8-sig").splitlines()
    assert head == "left,right,label,judge,note,when,drawn_by"
    assert ",same,,,20" in line and line.endswith("Z,kind")
    found.context.close()


def test_names_are_hidden_everywhere(opened: Opened) -> None:
    page = opened.page
    page.get_by_role("button", name="Anonymise").click()
    page.wait_for_function("() => location.hash.includes('anonymous=1')")
    for address in ("pairs", "clusters", "documents", "map", "quotations", "pair/3", "figures"):
        at(page, f"{address}?anonymous=1")
        page.wait_for_timeout(80)
        said = str(page.locator("body").inner_text())
        assert "flower-show" not in said and "bridge-" not in said and "demo.jsonl" not in said
    at(page, "pairs")
    page.wait_for_function("() => document.body.innerText.includes('bridge-wire')")


def test_the_slider_shows_what_another_threshold_would_do(opened: Opened, demo: Path) -> None:
    page = opened.page
    result = Result(demo.parent)
    assert "17 pairs, 10 clusters, 13 documents" in str(page.locator("#effect").text_content())
    page.get_by_label("Least resemblance").fill("30")
    assert page.locator(".slidebar output").text_content() == "0.80"
    counts = result.rethreshold(0.8).counts
    assert counts["pairs"] < 17
    said = str(page.locator("#effect").text_content())
    assert said.startswith(f"{counts['pairs']} of 17 pairs left, {counts['clusters']} cluster")
    assert f"{counts['duplicates']} documents could be removed" in said
    wait_for_count(page, f"{counts['pairs']} pairs")  # as the sentence of the slider
    page.locator("#near summary").click()
    page.locator(".near button").first.wait_for()
    kept, dropped = (
        [float(v) for v in page.locator(".near").nth(i).locator(".value").all_text_contents()]
        for i in (0, 1)
    )
    assert kept == sorted(kept) and kept[0] >= 0.8
    assert dropped == sorted(dropped, reverse=True) and dropped[0] < 0.8
    page.get_by_label("Least resemblance").fill("50")
    wait_for_count(page, f"{result.rethreshold(1.0).counts['pairs']} pairs")


def test_keys_do_no_harm_where_a_pair_has_no_text(browser: Any, tmp_path: Path) -> None:
    neardup.documents([prose(80, 1)] * 2, output=tmp_path / "out")
    found = Opened(browser, neardup.report(Result(tmp_path / "out")).path)
    at(found.page, "pair/1")
    found.page.locator("#page .lines .empty").wait_for()
    for key in "jknpfcw":
        found.page.keyboard.press(key)
    found.context.close()
    assert not found.wrong


def test_a_match_in_a_long_text_is_whole_on_the_screen_and_on_paper(
    browser: Any, tmp_path: Path
) -> None:
    copied, alone = prose(600, 1), [prose(9_000, seed) for seed in (2, 3)]
    result = neardup.passages([f"{own} {copied} {own[::-1]}" for own in alone], output=tmp_path / "long")
    found = Opened(browser, neardup.report(result).path)
    page = found.page
    for address in ("pair/1", "document/1"):
        at(page, address)
        page.locator("#page mark").first.wait_for()
        for media in ("screen", "print"):
            page.emulate_media(media=media)
            matched = page.locator("#page mark").all_inner_texts()
            assert copied.split() in (words_of(matched), words_of(matched[::2])), (address, media)
            assert not page.locator("#page .cut").count()
        page.emulate_media(media="screen")
    found.context.close()
    assert not found.wrong


def words_of(parts: list[str]) -> list[str]:
    """Return the words of some parts without the number that is before them."""
    return " ".join(parts).removeprefix("1").split()


def test_what_is_cut_of_a_very_long_text_is_opened_by_a_click_and_said_on_paper(
    browser: Any, tmp_path: Path
) -> None:
    copied, alone = prose(600, 1), [prose(40_000, seed) for seed in (2, 3)]
    texts = [f"{own} {copied} {own[::-1]}" for own in alone]
    assert all(400_000 < len(text) < 1_000_000 for text in texts)
    result = neardup.passages(texts, output=tmp_path / "long")
    found = Opened(browser, neardup.report(result).path)
    page = found.page
    at(page, "pair/1")
    cut = page.locator("#page button.cut")
    cut.first.wait_for()
    count = cut.count()
    assert count >= 2 and "Show " in str(cut.first.text_content())
    page.emulate_media(media="print")
    assert not cut.first.is_visible() and page.locator("#page .elided").first.inner_text() == " … "
    page.emulate_media(media="screen")
    cut.first.click()
    page.wait_for_function("() => !document.querySelector('#page .cut')")
    shown = " ".join(str(page.locator("#page .lines").text_content()).split())
    assert all(" ".join(own.split()) in shown for own in alone)
    page.keyboard.press("n")
    assert page.locator("mark.current-match").count() >= 2
    at(page, "document/1")
    cut.first.wait_for()
    page.emulate_media(media="print")
    said = page.evaluate("getComputedStyle(document.querySelector('.cut'), '::before').content")
    assert cut.first.is_visible() and said.startswith('"… ') and said.endswith(' characters …"')
    page.emulate_media(media="screen")
    cut.first.click()
    page.wait_for_function("() => !document.querySelector('#page .cut')")
    assert alone[1][:200] in str(page.locator("#page .lines").text_content())
    found.context.close()
    assert not found.wrong


def test_marks_of_sentences_are_evaluated(
    browser: Any, reports: dict[str, Path], tmp_path: Path
) -> None:
    found = Opened(browser, reports["sentences"])
    for number, key in ((1, "s"), (5, "d")):
        at(found.page, f"pair/{number}")
        found.page.locator(".viewbar .where", has_text=f"{number} of").wait_for()
        found.page.keyboard.press(key)
    with found.page.expect_download() as waiting:
        found.page.get_by_role("button", name="Save 2 marks").click()
    waiting.value.save_as(tmp_path / "marks.csv")
    found.context.close()
    scores = judged(reports["sentences"].parent, tmp_path / "marks.csv")
    assert (scores.all.same, scores.all.different, scores.unknown) == (1, 1, 0)
    assert not found.wrong


def test_words_that_differ_are_not_found_elsewhere(browser: Any, tmp_path: Path) -> None:
    text = prose(200, 1)
    other = text.replace(text.split()[90], "unheard")
    result = neardup.documents([text, other], threshold=0.3, output=tmp_path / "two")
    found = Opened(browser, neardup.report(result).path)
    at(found.page, "document/1")
    share = str(found.page.locator(".covered strong").text_content())
    assert 95 < float(share.removesuffix(" %")) < 100
    assert "unheard" not in "".join(found.page.locator("#page mark").all_text_contents())
    found.context.close()
    assert not found.wrong
