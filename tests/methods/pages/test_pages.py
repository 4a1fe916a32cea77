"""pages: stories are found whatever site they are on, and templates are not."""

import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.methods.pages.sites import RIGHT, framed, html, pairs, sentences, without_frame
from tests.quality import DATA

import neardup
from neardup.engines.local.store import StoredTable

VARIANTS = DATA / "html-variants"


# --- what is found


def test_stories_are_found_and_templates_are_not(result: neardup.Result) -> None:
    assert pairs(result) == RIGHT
    assert result.counts["boilerplate"] >= 24
    kinds = dict(zip(result.pairs["id_b"].to_pylist(), result.pairs["kind"].to_pylist(), strict=True))
    assert kinds["1-105"] == "contained"
    assert kinds["1-100"] == "near-duplicate"


def test_without_the_template_a_copy_on_another_site_is_a_whole_one(result: neardup.Result) -> None:
    pair = result.pairs.to_pylist()[0]
    assert (pair["similarity"], pair["containment_a"], pair["same_site"]) == (1.0, 1.0, False)


def test_moved_paragraphs_need_more_than_one_round(
    corpus: list[dict[str, str]], result: neardup.Result
) -> None:
    once = neardup.pages(corpus, rounds=1, containment=0.9, resemblance=0.9)
    assert ("1-3", "1-103") not in pairs(once)
    strict = neardup.pages(corpus, containment=0.9, resemblance=0.9)
    assert ("1-3", "1-103") in pairs(strict)
    moved = [row for row in result.passages.to_pylist() if row["id_b"] == "1-103"]
    assert len(moved) == 2
    assert moved[0]["start_b"] > moved[1]["start_b"]


def test_passages_are_where_they_are_said_to_be(
    corpus: list[dict[str, str]], result: neardup.Result
) -> None:
    texts = {page["id"]: page["text"] for page in corpus}
    found = {(row["id_a"], row["id_b"]): row for row in result.passages.to_pylist()}
    row = found["0-0", "1-100"]
    own = texts["0-0"][row["start_a"] : row["end_a"]]
    assert own == texts["1-100"][row["start_b"] : row["end_b"]]
    assert row["sentences"] == 20
    assert row["kind"] == "identical"
    assert len(own.split("\n")) == 20
    assert row["words"] == len(own.split())


def test_boilerplate_is_located_and_counted_by_site(
    corpus: list[dict[str, str]], result: neardup.Result
) -> None:
    texts = {page["id"]: page["text"] for page in corpus}
    frames = {line for site in (0, 1) for line in sentences(random.Random(site), 12)}
    rows = [row for row in result.boilerplate.to_pylist() if row["documents"] > 2]  # not the quotation
    pieces = [texts[row["id"]][row["start"] : row["end"]] for row in rows]
    assert all(any(piece in line for line in frames) for piece in pieces)
    assert sum(len(piece.split()) for piece in pieces) == sum(len(line.split()) for line in frames)
    for page, content in zip(corpus, result.documents["content"].to_pylist(), strict=True):
        story = sum(map(len, without_frame(page["text"]).split()))
        assert 0.95 * story <= content <= story  # one story is quoted by another of its site
    sites = {row["site"]: row for row in result.sites.to_pylist()}
    assert sum(sites[f"site{n}.example"]["boilerplate"] for n in (0, 1)) == result.boilerplate.num_rows
    assert (sites["site0.example"]["pages"], sites["site1.example"]["pages"]) == (9, 12)
    assert (sites["site0.example"]["pairs_inside"], sites["site0.example"]["pairs_across"]) == (1, 1)
    assert sites["site1.example"]["duplicates"] + sites["site0.example"]["duplicates"] == 4


def test_with_site_pages_0_nothing_is_boilerplate(corpus: list[dict[str, str]]) -> None:
    found = neardup.pages(corpus, site_pages=0)
    assert found.counts["boilerplate"] == 0
    assert found.pairs["similarity"].to_pylist()[0] < 1


def test_what_many_sites_say_is_boilerplate_but_no_story_on_many_sites() -> None:
    dice = random.Random(4)
    (note,), story = sentences(dice, 1), sentences(dice, 9)
    pages = [
        {"url": f"https://site{n}.example/", "text": "\n".join([*lines, note])}
        for n, lines in enumerate([*(sentences(dice, 9) for _ in range(20)), *[story] * 9])
    ]
    for page, line in zip(pages[20:], sentences(dice, 9), strict=True):
        page["text"] = line + "\n" + page["text"]  # they are no identical copies
    found = neardup.pages(pages)
    (own,) = {(row["site"], row["documents"]) for row in found.boilerplate.to_pylist()}
    assert own == (None, 29)
    assert found.counts["pairs"] == 9 * 8 // 2
    assert found.sites["boilerplate"].to_pylist() == [0] * 29


def test_copies_are_no_boilerplate_however_many_there_are() -> None:
    dice = random.Random(4)
    story = sentences(dice, 20)
    pages = [framed([*story[:n], *sentences(dice, 1), *story[n + 1 :]], 0, n) for n in range(7)]
    pages += [framed(sentences(dice, 20), 0, 100 + n) for n in range(9)]
    found = neardup.pages(pages)
    assert found.documents["content"].to_pylist() == [
        sum(map(len, without_frame(page["text"]).split())) for page in pages
    ]
    assert found.counts["pairs"] == 7 * 6 // 2


def test_the_result_is_the_same_for_any_number_of_workers(
    corpus: list[dict[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, corpus * 3)))
    for workers in (1, 2):
        neardup.pages(str(tmp_path / "pages.jsonl"), output=tmp_path / str(workers), workers=workers)
    names = sorted(path.name for path in (tmp_path / "1").glob("*.parquet"))
    assert len(names) == 8
    for name in [*names, "run.json"]:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_identical_pages_are_pairs_with_all_that_their_first_is_paired_with(
    corpus: list[dict[str, str]],
) -> None:
    found = neardup.pages(
        [*corpus, corpus[0] | {"id": "copy"}, corpus[0] | {"id": "again"}], max_copies=2
    )
    assert found.counts["identical_copies"] == 2
    assert found.counts["pairs.identical"] == 2  # the third is listed with the first only
    assert ("1-100", "copy") in pairs(found)
    assert found.counts["copies_with_first_only"] == 1
    whole = [row for row in found.passages.to_pylist() if row["id_b"] == "copy"]
    assert whole[0]["end_a"] == len(corpus[0]["text"])


# --- the other measures


@pytest.mark.parametrize(
    "chosen", [{"measure": "cosine"}, {"measure": "simhash", "bits": 128, "distance": 8}]
)
def test_other_measures_find_copies_in_the_same_template(
    corpus: list[dict[str, str]], chosen: dict[str, Any]
) -> None:
    edited = corpus[4] | {
        "id": "edited",
        "text": corpus[4]["text"].replace(" ", "  ").replace("da", "ko", 1),
    }
    found = neardup.pages([*corpus, edited], **chosen)
    assert ("0-4", "edited") in pairs(found)
    assert ("1-5", "1-105") not in pairs(found)
    assert (found.counts["boilerplate"] == 0) == (chosen["measure"] == "simhash")
    assert found.threshold <= min(found.pairs["similarity"].to_pylist())
    assert "resemblance" in str(found.explain("0-4", "edited"))


# --- pages of which no other pages of their sites are known


def alone(*pages: dict[str, str], url: bool = True) -> bool:
    given = pages if url else [{"id": page["id"], "text": page["text"]} for page in pages]
    return neardup.pages(list(given)).counts["pairs"] == 1


@pytest.mark.parametrize("url", [True, False])
def test_two_pages_alone_are_told_apart_by_their_templates(url: bool) -> None:
    dice = random.Random(8)
    short, other, story = (sentences(dice, count) for count in (8, 8, 20))
    assert not alone(framed(short, 0, 1), framed(other, 0, 2), url=url)
    assert not alone(framed(story, 0, 1), framed(sentences(dice, 20), 0, 2), url=url)
    assert alone(framed(story, 0, 1), framed([*story, *other], 0, 2), url=url)
    assert alone(framed(story, 0, 1), framed(story, 1, 2), url=url) == url


@pytest.mark.parametrize("at", [0, 6, 12])
def test_texts_without_addresses_that_share_less_than_half_are_no_pair(at: int) -> None:
    dice = random.Random(18)
    shared, own, other = (sentences(dice, count) for count in (10, 12, 12))
    texts = ["\n".join([*lines[:at], *shared, *lines[at:]]) for lines in (own, other[::-1])]
    assert neardup.pages(texts).counts["pairs"] == 0
    edited = "\n".join([*own[:at], *shared, *own[at:9], *other[:3]])
    assert neardup.pages([texts[0], edited]).counts["pairs"] == 1


@pytest.mark.parametrize(("length", "is_pair"), [(12, False), (34, True)])
def test_an_excerpt_without_address_is_a_pair_if_it_has_much_of_the_whole(
    length: int, is_pair: bool
) -> None:
    whole = sentences(random.Random(20), 60)
    excerpt = "\n".join(whole[20 : 20 + length])
    assert neardup.pages(["\n".join(whole), excerpt]).counts["pairs"] == is_pair
    site = [
        {"id": str(n), "text": t, "url": f"https://{n}.example/"}
        for n, t in enumerate((excerpt, "\n".join(whole)))
    ]
    assert neardup.pages(site).counts["pairs"] == 1


def test_a_form_with_other_facts_is_no_pair_unless_a_site_tells_its_template() -> None:
    form = (
        "Public notice is given that the board of {} will hold a hearing on {} at {} o'clock, at which "
        "all persons who are interested will be given an opportunity to be heard. The applicant, {}, "
        "seeks a variance for the property at {} in {}.\nMaps and documents that relate to the "
        "application are on file in the office of the secretary and "
        "may be inspected by the public in business hours."
    )
    facts = ("Aberfell", "12 May", "7", "Anna Orford", "31 Mill Lane", "Kirkton")
    first, same = form.format(*facts), form.format(*facts[:2], "8", *facts[3:])
    other = form.format("Lowick", "3 June", "6", "John Salter", "9 Bridge Street", "Norham")
    texts = [{"id": name, "text": text} for name, text in zip("abc", (first, same, other), strict=True)]
    found = neardup.pages(texts)
    assert pairs(found) == {("a", "b")}
    assert {(row["id_a"], row["id_b"]) for row in found.rejected.to_pylist()} == {("a", "c"), ("b", "c")}
    assert neardup.pages(texts, preset="paper", rounds=8).counts["pairs"] == 3


def test_the_rule_of_the_paper_knows_two_limits_and_no_templates() -> None:
    dice = random.Random(28)
    shared, own, other = (sentences(dice, count) for count in (10, 12, 12))
    texts = ["\n".join([*shared, *lines]) for lines in (own, other)]
    printed = neardup.pages(texts, preset="paper")
    (pair,) = printed.pairs.to_pylist()
    assert 0.28 <= pair["similarity"] < 0.5
    given = ("rule", "site_pages", "unit")
    assert tuple(printed.settings[name] for name in given) == ("paper", 0, "character")
    assert neardup.pages(texts, preset="paper", resemblance=0.5).counts["pairs"] == 0
    short = "A ferry sails to the islands. It sails on Friday at noon."
    inside = "\n".join([short, *own])
    assert neardup.pages([short, inside], preset="paper").counts["pairs"] == 1
    assert neardup.pages([short, inside]).counts["pairs"] == 0  # so short a text is in many pages


def test_pages_of_navigation_are_told_of_and_left_out_if_that_is_asked_for() -> None:
    story = sentences(random.Random(30), 8)
    menu = [f'<a href="/{n}">{line}</a>' for n, line in enumerate(story)]
    pages = [{"id": name, "html": html(body)} for name, body in (("story", story), ("menu", menu))]
    found = neardup.pages(pages).documents
    assert found["page_type"].to_pylist() == ["topic", "navigation"]
    assert found["link_share"][0].as_py() == 0 < 0.9 < found["link_share"][1].as_py()
    assert neardup.pages(["\n".join(story)]).documents["page_type"].to_pylist() == [None]
    kept = neardup.pages(pages, topic_pages_only=True)
    assert kept.documents["id"].to_pylist() == ["story"]
    assert kept.skipped.select(["id", "problem"]).to_pylist() == [
        {"id": "menu", "problem": "navigation page"}
    ]


def test_the_heaviest_page_represents_its_set(tmp_path: Path) -> None:
    dice = random.Random(31)
    story = sentences(dice, 10)
    pages = [
        {"id": str(n), "text": "\n".join([*story, *sentences(dice, 1)]), "rank": rank}
        for n, rank in enumerate([None, "0.25", "-3", "7", "many"])
    ]
    options: Any = {"output": tmp_path / "out", "keep_steps": True, "weight_column": "rank"}
    found = neardup.pages(pages, **options)
    (kept,) = (found.folder / "steps").glob("*-sets")
    tables = [pa.ipc.open_file(str(part)).read_all() for part in StoredTable(kept).parts]
    assert {doc & 7 for table in tables for doc in table["representative"].to_pylist()} == {3}
    assert found.documents["rank"].to_pylist()[2:4] == ["-3", "7"]


def test_short_lines_count_little() -> None:
    dice = random.Random(9)
    menu = [" ".join(sentence.split()[:4]) for sentence in sentences(dice, 60)]
    story = sentences(dice, 6)
    bare, framed_by_menu = ({"text": "\n".join(lines)} for lines in (story, [*menu, *story, *menu]))
    (found,) = neardup.pages([bare, framed_by_menu]).pairs.to_pylist()
    assert found["containment_a"] == 1
    assert found["similarity"] > 0.3  # by all characters, less than 0.2


def test_the_expected_recall_falls_with_the_limit_and_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    dice = random.Random(33)
    texts = ["\n".join(sentences(dice, 4)) for _ in range(60)]
    found = {least: neardup.pages([*texts, texts[0]], resemblance=least) for least in (0.02, 0.3, 1.0)}
    assert {result.counts["probes"] for result in found.values()} == {60}  # copies are tried once
    recalls = [result.counts["probes_found"] / 60 for result in found.values()]
    assert recalls == sorted(recalls)
    assert recalls[0] < recalls[2] == 1
    found[1.0].own_method.show_summary(found[1.0])
    assert "expected recall at this resemblance: 1.00 (measured on 60 pages" in capsys.readouterr().out


# --- real pages


@pytest.mark.skipif(not VARIANTS.is_dir(), reason=f"no labelled pages in {VARIANTS} (set NEARDUP_DATA)")
def test_every_pair_of_the_variants_of_real_pages_is_right() -> None:
    found = pairs(neardup.pages(VARIANTS / "raw_html"))
    for line in (VARIANTS / "pairs.jsonl").read_text().splitlines():
        row = json.loads(line)
        a, b = sorted(Path(row[side]["html_path"]).name for side in ("page_a", "page_b"))
        assert ((a, b) in found) == bool(row["label"]), row["pair_id"]


def test_what_is_contained_follows_the_setting(corpus: list[dict[str, str]]) -> None:
    rows = neardup.pages(corpus, containment=0.3).pairs.to_pylist()
    kinds = {(row["id_a"], row["id_b"]): row for row in rows}
    longer = kinds["1-5", "1-105"]  # two fifths of it are the other story
    assert 0.3 < longer["containment_b"] < 0.7 < longer["containment_a"]
    assert longer["kind"] == "near-duplicate"
    for row in rows:
        shares = (row["containment_a"], row["containment_b"])
        assert (row["kind"] == "contained") == (min(shares) < 0.3 <= max(shares))
