"""Two texts side by side: what matches, and where they differ."""

from itertools import accumulate, combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import prose

from neardup.showing.alignment import (
    MOST_CELLS,
    Match,
    align,
    common_matches,
    equal_blocks,
    in_order,
    pieces,
)
from neardup.text import tokenise

WORDS = "the old stone bridge over the river was closed to all traffic for six weeks from monday".split()  # noqa: SIM905
Runs = list[tuple[str, str]]


def runs_of(match: list[Any], texts: tuple[str, str]) -> Runs:
    """Return the runs of a match that are said to be the same, in both texts."""
    _, _, _, start_a, end_a, start_b, end_b, flat = match
    if not flat:
        return [(texts[0][start_a:end_a], texts[1][start_b:end_b])]
    found, at = [], [start_a, start_b]
    for i in range(0, len(flat), 4):
        skip_a, size_a, skip_b, size_b = flat[i : i + 4]
        at = [at[0] + skip_a, at[1] + skip_b]
        found.append((texts[0][at[0] : at[0] + size_a], texts[1][at[1] : at[1] + size_b]))
        at = [at[0] + size_a, at[1] + size_b]
    assert at[0] <= end_a and at[1] <= end_b
    return found


@given(
    st.lists(st.sampled_from(WORDS), max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=40),
    st.lists(st.tuples(*[st.integers(0, 250)] * 4), max_size=4),
    st.one_of(st.none(), st.integers(1, 120)),
)
def test_pieces_are_of_the_text_and_runs_are_the_same(
    a: list[str], b: list[str], spans: list[tuple[int, ...]], limit: int | None
) -> None:
    texts = " ".join(a), " ".join(b)
    matches = []
    for span in spans:
        a0, a1 = sorted(min(v, len(texts[0])) for v in span[:2])
        b0, b1 = sorted(min(v, len(texts[1])) for v in span[2:])
        matches.append(Match(a0, a1, b0, b1))
    found = align(*texts, [*matches, *common_matches(*texts, 3)], limit)
    for text, shown in zip(texts, (found.shown_a, found.shown_b), strict=True):
        at = 0
        for start, piece in pieces(text, shown):
            assert start >= at and text[start : start + len(piece)] == piece
            at = start + len(piece)
        assert at <= len(text)
        if limit is None:
            assert shown == [(0, len(text))]
    for match in found.matches:
        if match[7]:
            assert all(one.split() == other.split() for one, other in runs_of(match, texts))


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=60), st.lists(st.booleans(), max_size=60))
def test_words_outside_of_differences_are_the_same_on_both_sides(
    words: list[str], drop: list[bool]
) -> None:
    other = [w for i, w in enumerate(words) if not (i < len(drop) and drop[i])] or ["nothing"]
    texts = " ".join(words), " ".join(other)
    [match] = align(*texts, [Match(0, len(texts[0]), 0, len(texts[1]))]).matches
    kind, similarity, common = match[:3]
    same = [[w for run in runs_of(match, texts) for w in run[side].split()] for side in (0, 1)]
    if words == other or match[7]:
        assert same[0] == same[1]
        assert common == len(same[0])
    assert (kind == "identical") == (words == other)
    assert similarity == pytest.approx(2 * common / (len(words) + len(other)), abs=1e-4)


def test_a_moved_passage_is_a_match_of_its_own() -> None:
    first = "alpha beta gamma delta epsilon zeta eta theta."
    second = "one two three four five six seven eight nine ten."
    found = align(*(texts := (f"{first} {second}", f"{second} {first}")), common_matches(*texts, 5))
    assert [match[0] for match in found.matches] == ["identical", "identical"]
    assert [match[3] for match in found.matches] == [0, len(first) + 1]
    assert [match[5] for match in found.matches] == [len(second) + 1, 0]


def test_a_long_text_is_cut_around_its_matches_on_both_sides() -> None:
    filler = [" ".join(f"{side}{i}" for i in range(5000)) for side in "xyz"]
    common = "this sentence stands in both of the texts word for word and is found"
    texts = f"{filler[0]} {common} {filler[1]}", f"{common} {filler[2]}"
    found = align(*texts, common_matches(*texts, 5), limit=2000)
    for shown, text in zip((found.shown_a, found.shown_b), texts, strict=True):
        parts = [piece for _, piece in pieces(text, shown)]
        assert any(common in part for part in parts)
        assert sum(map(len, parts)) <= 2000


def test_a_match_is_cut_only_where_it_is_very_long_and_never_inside_of_a_word() -> None:
    filler = [" ".join(f"{side}{i}" for i in range(5000)) for side in "xyz"]
    common = " ".join(f"common{i}" for i in range(300))
    texts = f"{filler[0]} {common} {filler[1]}", f"{common} {filler[2]}"
    found = align(*texts, common_matches(*texts, 5), limit=4000)
    for shown, text in zip((found.shown_a, found.shown_b), texts, strict=True):
        parts = [piece for _, piece in pieces(text, shown)]
        assert any(common in part for part in parts)
        assert all(set(part.split()) <= set(text.split()) for part in parts)


def test_inside_of_a_long_match_both_texts_are_cut_at_the_same_words() -> None:
    words = [f"w{i}" for i in range(3000)]
    other = [*words]
    other[1500] = "changed"
    texts = " ".join(words), ",  ".join(other)
    found = align(*texts, [Match(0, len(texts[0]), 0, len(texts[1]))], limit=5000)
    sides = [
        [piece.replace(",", "").split() for _, piece in pieces(text, shown)]
        for text, shown in zip(texts, (found.shown_a, found.shown_b), strict=True)
    ]
    assert len(sides[0]) == len(sides[1]) > 2
    for one, two in zip(*sides, strict=True):
        assert [("changed" if w == "w1500" else w) for w in one] == two
    assert "w1500" in [w for piece in sides[0] for w in piece]


def test_offsets_beyond_the_basic_plane_do_not_shift() -> None:
    text = "🎉🎉 the same eight words are in both texts 🎉"
    found = align(text, text.replace("🎉", ""), common_matches(text, text.replace("🎉", ""), 5))
    [match] = found.matches
    assert text[match[3] : match[4]] == "the same eight words are in both texts"


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)), max_size=8))
def test_runs_in_order_are_the_best_that_brute_force_finds(places: list[tuple[int, int]]) -> None:
    starts = accumulate((count for _, count in places), initial=0)
    runs = [(at, other, count) for at, (other, count) in zip(starts, places, strict=False)]

    def follows(chain: tuple[tuple[int, int, int], ...]) -> bool:
        return all(one[1] + one[2] <= other[1] for one, other in pairwise(chain))

    chains = (c for size in range(len(runs) + 1) for c in combinations(runs, size) if follows(c))
    found = in_order(runs)
    assert follows(tuple(found)) and all(run in runs for run in found)
    assert sum(run[2] for run in found) == max(sum(run[2] for run in chain) for chain in chains)


def test_very_long_texts_are_compared_in_order_and_whole() -> None:
    words = prose(9_000, 1).split()
    for at in (40, 41, 5_000, 8_990):
        words[at] = words[at + 3]
    texts = prose(9_000, 1), " ".join(words)
    a, b = map(tokenise, texts)
    assert len(a.hashes) * len(b.hashes) > MOST_CELLS
    blocks = list(equal_blocks(a, b))
    for one, other in pairwise(blocks):
        assert one[0] + one[2] <= other[0] and one[1] + one[2] <= other[1]
    assert sum(count for *_, count in blocks) >= 9_000 - 8
