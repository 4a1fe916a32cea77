"""pages: near-duplicates whatever the template, from any input, and nothing that stalls."""

import gzip
import json
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from neardup.errors import InputError, SettingsError
from neardup.evaluation.gold import PairGold
from neardup.evaluation.page_study import study_pages
from neardup.kernels.regions import in_prose
from neardup.methods.pages.curve import ACROSS, edit_curve
from neardup.methods.pages.pairs import compare_again, least_contained, trimmed_pages
from neardup.methods.pages.settings import PageSettings
from neardup.methods.pages.tlcs import Page, compare, first_round
from neardup.methods.pages.units import sites_of
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source
from neardup.results.removing import members_of
from neardup.settings.run import RunSettings

DATA = Path(os.environ.get("NEARDUP_DATA") or Path(__file__).parents[2] / "shared" / "data")
VARIANTS = DATA / "html-variants"
VOCABULARY = [
    f"{a}{b}{c}"
    for a in "bdfgklmnprst"
    for b in ("ar", "el", "in", "o", "u")
    for c in ("da", "ko", "mi", "te")
]


def sentences(dice: random.Random, count: int) -> list[str]:
    return [
        " ".join(dice.choices(VOCABULARY, k=dice.randint(8, 16))).capitalize() + "."
        for _ in range(count)
    ]


def framed(story: Sequence[str], site: int, number: int) -> dict[str, str]:
    """Put the template of a site around a story."""
    frame = sentences(random.Random(site), 12)
    text = "\n".join([*frame[:5], *story, *frame[5:]])
    return {"id": f"{site}-{number}", "url": f"https://www.site{site}.example/{number}", "text": text}


def without_frame(text: str) -> str:
    """Take the template out of a page again."""
    return "\n".join(text.split("\n")[5:-7])


@pytest.fixture(scope="module")
def corpus() -> list[dict[str, str]]:
    """Return ten stories on each of two sites; some are on both, updated, or with parts moved."""
    dice = random.Random(11)
    stories = [sentences(dice, 20) for _ in range(16)]
    pages = [framed(stories[n], n % 2, n) for n in range(16)]
    pages.append(framed(stories[0], 1, 100))  # on the other site
    pages.append(framed([*stories[2][:12], *sentences(dice, 2), *stories[2][12:]], 0, 102))  # updated
    pages.append(framed([*stories[3][12:], *stories[3][:12]], 1, 103))  # moved
    pages.append(framed([*stories[5], *sentences(dice, 30)], 1, 105))  # contained
    pages.append(framed(["Quoted here.", stories[7][3], *sentences(dice, 20)], 1, 107))  # quoted
    return pages


RIGHT = {("0-0", "1-100"), ("0-2", "0-102"), ("1-3", "1-103"), ("1-5", "1-105")}


def pairs(result: neardup.Result) -> set[tuple[str, str]]:
    ids = (result.pairs[name].to_pylist() for name in ("id_a", "id_b"))
    return set(zip(*ids, strict=True))


@pytest.fixture(scope="module")
def result(corpus: list[dict[str, str]]) -> neardup.Result:
    return neardup.pages(corpus)


# --- what is found


def test_stories_are_found_and_templates_are_not(result: neardup.Result) -> None:
    assert pairs(result) == RIGHT
    assert result.counts["pieces of boilerplate"] >= 24
    kinds = dict(zip(result.pairs["id_b"].to_pylist(), result.pairs["kind"].to_pylist(), strict=True))
    assert kinds["1-105"] == "contained"
    assert kinds["1-100"] == "near-duplicate"


def test_what_is_contained_follows_the_setting(corpus: list[dict[str, str]]) -> None:
    rows = neardup.pages(corpus, containment=0.3).pairs.to_pylist()
    kinds = {(row["id_a"], row["id_b"]): row for row in rows}
    longer = kinds["1-5", "1-105"]  # two fifths of it are the other story
    assert 0.3 < longer["containment_b"] < 0.7 < longer["containment_a"]
    assert longer["kind"] == "near-duplicate"
    for row in rows:
        shares = (row["containment_a"], row["containment_b"])
        assert (row["kind"] == "contained") == (min(shares) < 0.3 <= max(shares))


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
    assert found.counts["pieces of boilerplate"] == 0
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
    assert found.counts["identical copies"] == 2
    assert found.counts["pairs: identical"] == 2  # the third is listed with the first only
    assert ("1-100", "copy") in pairs(found)
    assert found.counts["copies paired with the first only"] == 1
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
    assert (found.counts["pieces of boilerplate"] == 0) == (chosen["measure"] == "simhash")
    assert found.threshold <= min(found.pairs["similarity"].to_pylist())
    assert "resemblance" in str(found.explain("0-4", "edited"))


# --- looking at pairs


def test_a_pair_is_explained_by_its_passages(result: neardup.Result) -> None:
    found = result.explain("1-3", "1-103")
    assert found.kind == "near-duplicate"
    assert [p.kind for p in found.passages] == ["identical", "identical"]
    assert result.explain("0-0", "0-2").kind is None


def test_a_pair_is_compared_again_as_the_run_saw_it(result: neardup.Result) -> None:
    again, curve = compare_again(result, "0-2", "0-102")
    pair = next(row for row in result.pairs.to_pylist() if row["id_b"] == "0-102")
    assert again.resemblance == pair["similarity"]
    assert curve is not None
    svg = edit_curve(curve, "0-2 and <0-102>")
    assert ACROSS in svg, "by this a curve is known that may be written over"
    assert svg.startswith("<svg")
    assert "trustable region" in svg
    assert "<0-102>" not in svg
    with pytest.raises(InputError, match="no document has the id"):
        trimmed_pages(result, ["nobody"])


def test_results_of_other_methods_have_no_pages(result: neardup.Result, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"method": "documents", "settings": {}}')
    other = neardup.Result(tmp_path)
    with pytest.raises(neardup.OutputError, match="a result of documents has no pages"):
        trimmed_pages(other, ["memory#1"])
    with pytest.raises(neardup.OutputError, match="has no sites"):
        _ = other.sites
    assert "site" in result._repr_html_()
    assert "clusters" in repr(result)


def test_duplicates_are_removed(corpus: list[dict[str, str]], tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    found = neardup.pages(str(tmp_path / "pages.jsonl"), output=tmp_path / "out")
    done = neardup.dedup(found, tmp_path / "clean", mode="remove")
    assert done.removed == 4
    assert len((tmp_path / "clean" / "pages.jsonl").read_text().splitlines()) == len(corpus) - 4


def test_other_keepers_join_what_the_run_joined() -> None:
    dice = random.Random(3)
    story = sentences(dice, 20)
    updated = [*story[:15], *sentences(dice, 5)]  # three quarters of each are in the other one
    found = neardup.pages([{"text": "\n".join(lines)} for lines in (story, updated)], resemblance=0.9)
    assert found.counts["clusters"] == 1
    removal = found.own_method.removal(found, "longest,first", None, None)
    assert members_of(found, "longest,first", None, least_contained(found)).equals(found.clusters)
    assert removal.removed.to_pylist()[0]["reason"].startswith("resemblance 0.")


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
    assert alone(framed(story, 0, 1), framed(story, 1, 2), url=url)


def test_short_lines_count_little() -> None:
    dice = random.Random(9)
    menu = [" ".join(sentence.split()[:4]) for sentence in sentences(dice, 60)]
    story = sentences(dice, 6)
    bare, framed_by_menu = ({"text": "\n".join(lines)} for lines in (story, [*menu, *story, *menu]))
    (found,) = neardup.pages([bare, framed_by_menu]).pairs.to_pylist()
    assert found["containment_a"] == 1
    assert found["similarity"] > 0.3  # by all characters, less than 0.2


# --- the measure itself


def page(words: Sequence[int], prose: Sequence[bool] | None = None) -> Page:
    starts = np.arange(len(words), dtype=np.int32) * 6
    return Page(
        np.array([w * 0x9E3779B97F4A7C15 % 2**64 for w in words], np.uint64),
        starts,
        starts + np.int32(5),
        bare=True,
        prose=None if prose is None else np.resize(np.array(prose), len(words)),
    )


@given(st.lists(st.integers(1, 5), max_size=12), st.integers(1, 6))
def test_words_of_long_sentences_are_prose(counts: list[int], least: int) -> None:
    starts = np.arange(sum(counts), dtype=np.int32) * 3
    begins = starts[np.cumsum([0, *counts])[:-1]] if counts else starts
    expected = [count >= least for count in counts for _ in range(count)]
    assert in_prose(starts, begins, least).tolist() == expected


WORDS = st.lists(st.integers(1, 30), min_size=1, max_size=80)


@settings(max_examples=30)
@given(WORDS, WORDS, st.integers(1, 40), st.lists(st.booleans(), min_size=1, max_size=9))
def test_a_sketch_that_is_too_short_never_hides_a_pair(
    a: list[int], b: list[int], window: int, prose: list[bool]
) -> None:
    chosen = PageSettings(window=window)
    one, other = page(a, prose), page(b, prose[::-1])
    found, whole = (compare(one, other, chosen, whole=w) for w in (False, True))
    if found.stopped:
        assert not whole.is_pair
    assert whole.common <= min(whole.sketch_a, whole.sketch_b, whole.chars_a, whole.chars_b)
    turned = compare(other, one, chosen, whole=True)
    assert turned.limits == whole.limits
    if len(a) != len(b):  # of pages of the same length, the first one's edits are looked at
        assert turned.common == whole.common
    for region in whole.regions:
        assert [a[i] for i in region.matched_a] == [b[j] for j in region.matched_b]
        assert (np.diff(region.matched_b) > 0).all()
    used = [i for region in whole.regions for i in region.matched_a.tolist()]
    assert len(used) == len(set(used))


def test_a_page_is_all_in_itself_and_other_words_share_nothing() -> None:
    words = list(range(1, 200))
    same = compare(page(words), page(words), PageSettings())
    assert (same.resemblance, same.containment) == (1.0, 1.0)
    assert compare(page(words), page([w + 500 for w in words]), PageSettings()).stopped
    assert first_round(page([1]), page([2]), PageSettings()) is None


# --- the study


def test_the_study_prints_table_1(corpus: list[dict[str, str]]) -> None:
    wrong = frozenset({("0-0", "0-2"), ("0-4", "0-6"), ("1-1", "1-3"), ("1-107", "1-7")})
    gold = PairGold(where="gold", right=frozenset(RIGHT), wrong=wrong)
    source = open_source(corpus, ReaderSettings())
    found = study_pages(source, gold, PageSettings(), RunSettings.make(2))
    assert found.scores["tlcs"]["all"].f1 == 1
    assert found.scores["tlcs"]["same site"].right == 3
    assert found.scores["simhash"]["all"].f1 < 1
    best = {row.measure: row.f1 for row in found.best}
    assert best["tlcs"] == 1
    assert min(best.values()) < 1
    assert found.coverage[-1][0] == 112
    assert found.coverage[-1][1] == 1
    windows, away, reserved = zip(*found.sketch, strict=True)
    assert windows[0] < windows[-1]
    assert away[0] < away[-1]
    assert reserved[0] == 1
    assert [len(table.rows) for table in found.tables()] == [9, 4, 5, 11]
    assert set(found.plots()) == {"coverage.svg", "sketch.svg"}
    with pytest.raises(InputError, match="labelled right and wrong"):
        study_pages(
            source, PairGold(where="gold", right=frozenset(RIGHT)), PageSettings(), RunSettings.make(1)
        )


# --- input


def html(story: Sequence[str], canonical: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    body = "".join(f"<p>{line}</p>" for line in story)
    head = f"<head><title>A story</title>{link}</head>"
    return f"<html>{head}<body><nav>Home</nav><article>{body}</article></body></html>"


def test_html_and_url_columns_of_jsonl(tmp_path: Path) -> None:
    dice = random.Random(2)
    story, other = sentences(dice, 10), sentences(dice, 10)
    rows = [
        {"id": "a", "html": html(story), "url": "http://www.One.example:80/x"},
        {"id": "b", "html": html([*story, "The end of it."]), "url": "https://two.example/"},
        {"id": "c", "html": html(other), "url": None},
        {"id": "d", "html": "<html><body></body></html>", "url": "http://one.example/empty"},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for source in (str(tmp_path / "pages.jsonl"), rows, pa.Table.from_pylist(rows)):
        found = neardup.pages(source)
        assert pairs(found) == {("a", "b")}
        assert found.documents["site"].to_pylist() == ["one.example", "two.example", None]
        assert found.documents["title"].to_pylist() == ["A story"] * 3
        assert found.counts["skipped: no text"] == 1
        text = found.explain("a", "b").passages[0].difference.text_a
        assert text.split("\n")[0] == story[0]


def test_folders_of_html_know_their_site_by_what_pages_say(tmp_path: Path) -> None:
    story = sentences(random.Random(3), 10)
    (tmp_path / "one.html").write_text(html(story, "https://www.one.example/story"))
    (tmp_path / "two.html").write_text(html(story[1:], "/story"))
    found = neardup.pages(tmp_path)
    assert found.counts["pairs"] == 1
    assert found.documents["site"].to_pylist() == ["one.example", None]


def test_web_archives(tmp_path: Path) -> None:
    story = sentences(random.Random(3), 10)
    records = []
    for site, own in (("one", story), ("two", story[1:])):
        page = html(own).encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{site}>\r\n"
            f"WARC-Target-URI: https://www.{site}.example/\r\n"
            "Content-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n"
        )
        records.append(gzip.compress(head.encode() + http + b"\r\n\r\n"))
    (tmp_path / "pages.warc.gz").write_bytes(b"".join(records))
    found = neardup.pages(tmp_path / "pages.warc.gz")
    assert found.counts["pairs"] == 1
    assert found.documents["site"].to_pylist() == ["one.example", "two.example"]


def test_sites_are_hosts() -> None:
    urls = [
        "https://user@www.News.Example.org:8080/a?b",
        "http://example.org",
        "ftp://x.y/z",
        "no address",
        "",
        None,
    ]
    assert sites_of(pa.array(urls)).to_pylist() == [
        "news.example.org",
        "example.org",
        "x.y",
        None,
        None,
        None,
    ]


# --- bad input


def test_pages_without_text_frames_and_broken_encodings_are_counted_or_read(tmp_path: Path) -> None:
    story = sentences(random.Random(5), 10)
    broken = html(story).encode().replace(b"<p>", b"<p>\xff\xfe\x80 ")
    (tmp_path / "whole.html").write_text(html(story))
    (tmp_path / "broken.html").write_bytes(broken)
    (tmp_path / "empty.html").write_text("<html><body><script>x = 1</script></body></html>")
    (tmp_path / "frames.html").write_text('<html><frameset><frame src="a.html"></frameset></html>')
    (tmp_path / "dots.html").write_text("<html><body><p>…</p></body></html>")
    found = neardup.pages(tmp_path)
    assert {p["id_a"].split(".")[0] for p in found.pairs.to_pylist()} == {"broken"}
    assert found.counts["documents"] == 2
    assert found.counts["skipped: no text"] == 2
    details = {row["id"]: row["detail"] for row in found.skipped.to_pylist()}
    assert details["frames.html"] == "the page shows frames only"
    assert found.counts["skipped: no words"] == 1


def test_pages_of_boilerplate_only_have_no_pairs_but_with_their_copies() -> None:
    dice = random.Random(6)
    pages = [framed(sentences(dice, 15), 0, n) for n in range(8)]
    pages += [framed([], 0, 100), framed([], 0, 101)]
    found = neardup.pages(pages)
    assert found.counts["pages of boilerplate only"] == 2
    assert pairs(found) == {("0-100", "0-101")}


def test_pages_in_several_languages() -> None:
    dice = random.Random(7)
    chinese = "".join(
        chr(0x4E00 + dice.randrange(2000)) + ("。\n" if n % 20 == 19 else "") for n in range(400)
    )
    arabic = " ".join("".join(chr(0x0627 + dice.randrange(25)) for _ in range(5)) for _ in range(150))
    russian = " ".join("".join(chr(0x0430 + dice.randrange(30)) for _ in range(6)) for _ in range(150))
    texts = [
        chinese,
        "新闻首页\n" + chinese,
        arabic,
        arabic.replace("  ", " ") + " ط",
        russian,
        russian[40:],
    ]
    found = neardup.pages([{"id": str(n), "text": text} for n, text in enumerate(texts)])
    assert pairs(found) == {("0", "1"), ("2", "3"), ("4", "5")}


@pytest.mark.parametrize("megabytes", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_a_very_long_page_is_compared_by_its_beginning(tmp_path: Path, megabytes: int) -> None:
    dice = random.Random(8)
    story = sentences(dice, 60)
    long = "".join(f"<p>{line}</p>" for line in story) + "<p>and so on</p>" * 65_000 * megabytes
    (tmp_path / "long.html").write_text(f"<html><body>{long}</body></html>")
    (tmp_path / "short.html").write_text(html(story))
    found = neardup.pages(tmp_path, limit=1000)
    assert (tmp_path / "long.html").stat().st_size > megabytes * 1_000_000
    assert found.counts["pairs"] == 1


def test_one_template_on_very_many_pages_does_not_stall() -> None:
    dice = random.Random(9)
    pages = [framed(sentences(dice, 1), 0, n) for n in range(2000)]
    found = neardup.pages(pages)
    assert found.counts["pieces of boilerplate"] >= 12
    assert found.counts["candidates"] < 10 * len(pages)
    assert found.counts["pairs"] == 0


def test_signatures_of_a_template_propose_nothing_and_long_lists_few_pairs() -> None:
    dice = random.Random(9)
    pages = [framed(sentences(dice, 1), 0, n) for n in range(120)]
    dropped = neardup.pages(pages, site_pages=0, max_site_pages=50, max_list=20)
    assert dropped.counts["signatures of templates or spam"] > 0
    cut = neardup.pages(pages, site_pages=0, max_site_pages=1000, max_list=20)
    assert cut.counts["lists too long to pair all"] > 0
    assert dropped.counts["candidates"] < cut.counts["candidates"] < 30 * len(pages)


@pytest.mark.parametrize(
    "chosen",
    [
        {"measure": "jaccard"},
        {"resemblance": 0},
        {"bits": 96},
        {"distance": 9},
        {"turns": 17},
        {"slope": -0.1},
        {"clusters": "rings"},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(chosen))):
        neardup.pages(["text"], **chosen)


# --- real pages


@pytest.mark.skipif(not VARIANTS.is_dir(), reason=f"no labelled pages in {VARIANTS} (set NEARDUP_DATA)")
def test_every_pair_of_the_variants_of_real_pages_is_right() -> None:
    found = pairs(neardup.pages(VARIANTS / "raw_html"))
    for line in (VARIANTS / "pairs.jsonl").read_text().splitlines():
        row = json.loads(line)
        a, b = sorted(Path(row[side]["html_path"]).name for side in ("page_a", "page_b"))
        assert ((a, b) in found) == bool(row["label"]), row["pair_id"]
