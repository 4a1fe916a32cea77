"""Spans that are repeated anywhere: what goes is what brute force says, for any number of workers."""

import re
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import whole_runs

import neardup

WORDS = re.compile(r"\w+")


def recipe(words: int, at_most: int = 1, **more: Any) -> dict[str, Any]:
    """Return a recipe of spans alone; the first copies stay."""
    stage = {"name": "spans", "words": words, **more}
    return {"keep": "first", "keep_at_most": at_most, "stage": [stage]}


def repeated(texts: list[list[str]], span: int, at_most: int) -> set[tuple[int, int]]:
    """Say by brute force which words go: those in a window of words of which enough copies stand before.

    A window that overlaps the last copy that stays is not a repeat.
    """
    stay: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    gone = set()
    for doc, words in enumerate(texts):
        for at in range(len(words) - span + 1):
            copies = stay.setdefault(tuple(words[at : at + span]), [])
            if copies and copies[-1][0] == doc and at - copies[-1][1] < span:
                continue
            if len(copies) < at_most:
                copies.append((doc, at))
            else:
                gone |= {(doc, word) for word in range(at, at + span)}
    return gone


def cut_words(texts: list[str], ledger: list[dict[str, Any]]) -> set[tuple[int, int]]:
    """Return the words that a ledger says went."""
    found = set()
    for row in ledger:
        if row["action"] == "cut":
            doc = row["position"] - 1
            for number, word in enumerate(WORDS.finditer(texts[doc])):
                if row["start"] <= word.start() and word.end() <= row["end"]:
                    found.add((doc, number))
    return found


@st.composite
def pieced(draw: st.DrawFn) -> list[list[str]]:
    """Make texts out of pieces that come again and again, some of them inside others."""
    letters = st.sampled_from("abcdefgh")
    pieces = draw(st.lists(st.lists(letters, min_size=1, max_size=14), min_size=1, max_size=5))
    texts = st.lists(st.sampled_from(pieces), min_size=0, max_size=6).map(lambda own: [*chain(*own)])
    return draw(st.lists(texts, min_size=1, max_size=6))


@whole_runs(12)
@given(pieced(), st.integers(4, 9), st.integers(1, 3))
def test_what_goes_is_what_brute_force_says(texts: list[list[str]], span: int, at_most: int) -> None:
    joined = [" ".join(words) or "." for words in texts]
    if not any(WORDS.search(text) for text in joined):
        return
    done = neardup.clean(joined, recipe=recipe(span, at_most), dry_run=True, workers=1)
    rows = done.result.ledger.to_pylist()
    assert cut_words(joined, rows) == repeated(texts, span, at_most)
    for row in rows:
        if row["action"] == "cut":
            keeper = joined[int(row["keeper_id"].partition("#")[2]) - 1]
            stays = WORDS.findall(keeper[row["keeper_start"] : row["keeper_end"]])
            assert WORDS.findall(joined[row["position"] - 1][row["start"] : row["end"]]) == stays


SHARED = "One copy of these dozen words in a row is enough for anyone. "


def test_text_that_very_many_documents_share_goes_from_all_but_one() -> None:
    texts = [f"Number {n}. {SHARED}{n + n} ends it." for n in range(150)]
    done = neardup.clean(texts, recipe=recipe(10), dry_run=True)
    rows = done.result.ledger.to_pylist()
    assert {row["position"] for row in rows} == set(range(2, 151))
    assert {row["keeper_id"] for row in rows} == {"memory#1"}
    cut = texts[1][: rows[0]["start"]] + texts[1][rows[0]["end"] :]
    assert cut == "Number 1. 2 ends it."


def test_with_sentences_nothing_goes_but_whole_ones() -> None:
    texts = [
        f"First. {SHARED}Then come words that differ.",
        f"Quite another. {SHARED}Then come words of its own.",
    ]
    [words] = neardup.clean(texts, recipe=recipe(8), dry_run=True).result.ledger.to_pylist()
    [whole] = neardup.clean(
        texts, recipe=recipe(8, cut="sentences"), dry_run=True
    ).result.ledger.to_pylist()
    assert texts[1][words["start"] : words["end"]] == f"{SHARED}Then come words "
    assert texts[1][whole["start"] : whole["end"]] == SHARED


@pytest.mark.parametrize("keep, kept", [("longest", "memory#2"), ("first", "memory#1")])
def test_the_copy_stays_in_the_document_that_is_rather_kept(keep: str, kept: str) -> None:
    texts = [
        f"Short. {SHARED}",
        f"{SHARED} This one is longer, by the words that stand here at its end.",
    ]
    [row] = neardup.clean(texts, recipe=recipe(8), keep=keep, dry_run=True).result.ledger.to_pylist()
    assert row["keeper_id"] == kept


def test_text_of_the_same_words_over_and_over_is_cut_in_little_memory() -> None:
    text = "a b " * 300_000
    done = neardup.clean([text], recipe=recipe(50), dry_run=True, memory="64MB", workers=1)
    assert done.result.counts["characters_kept"] == 100
    assert len(done.result.ledger) == 12_000 - 1
