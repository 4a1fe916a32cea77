"""pages: input that is odd, huge or broken, and settings that make no sense."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.methods.pages.sites import framed, html, pairs, sentences

import neardup
from neardup.errors import SettingsError


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
    assert found.counts["skipped.no text"] == 2
    details = {row["id"]: row["detail"] for row in found.skipped.to_pylist()}
    assert details["frames.html"] == "the page shows frames only"
    assert found.counts["skipped.no words"] == 1


def test_pages_of_boilerplate_only_have_no_pairs_but_with_their_copies() -> None:
    dice = random.Random(6)
    pages = [framed(sentences(dice, 15), 0, n) for n in range(8)]
    pages += [framed([], 0, 100), framed([], 0, 101)]
    found = neardup.pages(pages)
    assert found.counts["boilerplate_only"] == 2
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
    assert found.counts["boilerplate"] >= 12
    assert found.counts["candidates"] < 10 * len(pages)
    assert found.counts["pairs"] == 0


def test_signatures_of_a_template_propose_nothing_and_long_lists_few_pairs() -> None:
    dice = random.Random(9)
    pages = [framed(sentences(dice, 1), 0, n) for n in range(120)]
    dropped = neardup.pages(pages, site_pages=0, max_site_pages=50, max_list=20)
    assert dropped.counts["template_signatures"] > 0
    cut = neardup.pages(pages, site_pages=0, max_site_pages=1000, max_list=20)
    assert cut.counts["lists_too_long"] > 0
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
