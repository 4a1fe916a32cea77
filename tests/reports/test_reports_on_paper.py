"""What a lecturer takes from a report: figures that agree, names that are found, marks on paper."""

import json
import unicodedata
from pathlib import Path
from typing import Any

from tests.browsing import Opened
from tests.corpora import prose
from tests.reports.screen import at, open_pair, wait_for_count

import neardup


def test_the_page_of_a_document_says_what_the_tables_say(browser: Any, tmp_path: Path) -> None:
    copied = [prose(150, seed) for seed in (1, 2)]
    swapped = copied[1].split()
    swapped[50:100] = swapped[50:100][::-1]
    quoted = f"“{prose(900, 5)}”"
    essay = f"{prose(2_000, 3)}\n\n{quoted}\n\n{copied[0]} {prose(900, 4)} {' '.join(swapped)}"
    texts = {"essay": essay, "one": f"{prose(50, 7)} {copied[0]}", "two": f"{copied[1]} {prose(50, 8)}"}
    assert len(essay) > 20_000
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    result = neardup.passages(
        tmp_path / "essay.txt",
        against=[tmp_path / "one.txt", tmp_path / "two.txt"],
        exclude_quoted=True,
        output=tmp_path / "out",
    )
    found = Opened(browser, neardup.report(result).path)
    page = found.page

    def per_cent(value: float) -> str:
        return f"{100 * value:.1f} %" if value else "0 %"

    [share] = [row for row in result.shares.to_pylist() if row["id"] == "essay.txt"]
    at(page, "documents")
    page.locator("#panel-documents .row:not(.head)").first.click()
    page.locator("#page mark").first.wait_for()
    assert page.locator(".covered strong").inner_text() == per_cent(share["share"])
    said = page.locator(".covered .words").inner_text()
    assert said.startswith(per_cent(share["verbatim"])) and per_cent(share["rewritten"]) in said
    pairs = {row["id_b"]: row["containment_a"] + row["rewritten_a"] for row in result.pairs.to_pylist()}
    listed = dict(
        zip(
            page.locator(".source .name").all_inner_texts(),
            page.locator(".source .value").all_inner_texts(),
            strict=True,
        )
    )
    assert {name.strip(): value.strip() for name, value in listed.items()} == {
        name: per_cent(value) for name, value in pairs.items()
    }
    found.context.close()
    assert not found.wrong


def test_a_note_has_the_name_that_was_typed_after_the_mark_and_is_on_paper(
    browser: Any, demo: Path, tmp_path: Path
) -> None:
    found = Opened(browser, demo)
    page = found.page
    page.evaluate("localStorage.clear()")
    open_pair(page, "flower")
    page.keyboard.press("s")
    page.locator(".notes summary").click()
    page.get_by_label("Your name").fill("Mira Weiß")
    page.get_by_role("textbox", name="Why").fill("the same notice")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save 1 mark").click()
    waiting.value.save_as(tmp_path / "marks.csv")
    _, line = (tmp_path / "marks.csv").read_text(encoding="utf-8-sig").splitlines()
    assert ",same,Mira Weiß,the same notice," in line
    page.emulate_media(media="print")
    printed = page.locator("#page").inner_text()
    assert "Mira Weiß: same the same notice" in printed
    assert "what both have" in printed and "only A has it" in printed
    assert not page.locator(".notes summary").is_visible()
    page.evaluate("localStorage.clear()")
    found.context.close()
    assert not found.wrong


def test_names_are_found_however_their_letters_are_composed(browser: Any, tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "Nguyễn")
    copied = prose(120, 1)
    texts = {
        decomposed: f"{copied} {prose(40, 2)}",
        "Weiß": f"{prose(40, 3)} {copied}",
        "Other": copied,
        "Öztürk": f"{copied.replace('a', 'а')} {prose(30, 4)}",  # а of the Cyrillic alphabet
    }
    records = [{"id": name, "text": text} for name, text in texts.items()]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, records)))
    result = neardup.passages(tmp_path / "in.jsonl", output=tmp_path / "out")
    assert result.explain("Nguyễn", "Weiß").passages
    found = Opened(browser, neardup.report(result).path)
    page = found.page
    note = page.locator("#home > .note.named")
    assert note.is_visible() and note.inner_text().endswith("of them: Öztürk")
    page.get_by_label("Search pairs").fill("Nguyễn")
    wait_for_count(page, "2 of 3 pairs")
    found.context.close()
    assert not found.wrong
