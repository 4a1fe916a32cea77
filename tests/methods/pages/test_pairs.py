"""Pairs of pages: explained, compared again, and removed."""

import json
import random
from pathlib import Path
from unicodedata import normalize

import pytest
from tests.methods.pages.sites import sentences

import neardup
from neardup.errors import InputError
from neardup.methods.pages.curve import ACROSS, edit_curve
from neardup.methods.pages.pairs import compare_again, least_contained, trimmed, trimmed_pages
from neardup.methods.pages.settings import PageSettings
from neardup.methods.pages.tlcs import compare
from neardup.results.removing import members_of
from neardup.steps.counters import KeySet


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


def test_characters_match_where_words_do_not() -> None:
    text = "Réunion, Izmir and Malmö are names of towns, written as their people write them. "
    words = text.split()
    plain = " ".join(words * 3)
    joined = " ".join("".join(two) for two in zip(words[::2], words[1::2], strict=True)) * 3
    decomposed = normalize("NFD", joined).upper()
    for unit, least, most in (("word", 0, 0), ("character", 0.97, 1)):
        settings = PageSettings(unit=unit)  # type: ignore[arg-type]
        pages = trimmed(settings, KeySet(), [plain, joined, decomposed], [None] * 3)
        for other in pages[1:]:
            assert least <= compare(pages[0], other, settings, whole=True).resemblance <= most
    assert pages[0].ends[-1] == len(plain) - 1  # without the full stop
    assert pages[2].starts[2] == pages[1].starts[2] + 1  # a letter and its mark are one
