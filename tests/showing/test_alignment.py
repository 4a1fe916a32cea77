"""Two texts side by side: what matches, and where they differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.embedded import whole

from neardup.showing.alignment import Match, align, common_matches

WORDS = "the old stone bridge over the river was closed to all traffic for six weeks from monday".split()  # noqa: SIM905


@given(
    st.lists(st.sampled_from(WORDS), max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=40),
    st.lists(st.tuples(*[st.integers(0, 250)] * 4), max_size=4),
    st.one_of(st.none(), st.integers(1, 120)),
)
def test_parts_put_together_are_the_text(
    a: list[str], b: list[str], spans: list[tuple[int, ...]], limit: int | None
) -> None:
    texts = " ".join(a), " ".join(b)
    matches = []
    for span in spans:
        a0, a1 = sorted(min(v, len(texts[0])) for v in span[:2])
        b0, b1 = sorted(min(v, len(texts[1])) for v in span[2:])
        matches.append(Match(a0, a1, b0, b1))
    found = align(*texts, [*matches, *common_matches(*texts, 3)], limit)
    for text, parts in zip(texts, (found.parts_a, found.parts_b), strict=True):
        at = 0
        for part in parts:
            if isinstance(part, int):
                assert part > 0
                at += part
            else:
                assert text[at : at + len(str(part[0]))] == part[0]
                at += len(str(part[0]))
        assert at == len(text)
        if limit is None:
            assert whole(parts) == text


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=60), st.lists(st.booleans(), max_size=60))
def test_words_outside_of_differences_are_the_same_on_both_sides(
    words: list[str], drop: list[bool]
) -> None:
    other = [w for i, w in enumerate(words) if not (i < len(drop) and drop[i])] or ["nothing"]
    texts = " ".join(words), " ".join(other)
    found = align(*texts, [Match(0, len(texts[0]), 0, len(texts[1]))])
    same = [
        [
            w
            for part in parts
            if not isinstance(part, int) and len(part) == 2
            for w in str(part[0]).split()
        ]
        for parts in (found.parts_a, found.parts_b)
    ]
    assert same[0] == same[1]
    [(kind, similarity, common)] = found.matches
    assert common == len(same[0])
    assert (kind == "identical") == (words == other)
    assert similarity == pytest.approx(2 * common / (len(words) + len(other)), abs=1e-4)


def test_a_moved_passage_is_a_match_of_its_own() -> None:
    first = "alpha beta gamma delta epsilon zeta eta theta."
    second = "one two three four five six seven eight nine ten."
    found = align(*(texts := (f"{first} {second}", f"{second} {first}")), common_matches(*texts, 5))
    assert [kind for kind, *_ in found.matches] == ["identical", "identical"]
    assert [part[1:] for part in found.parts_b if isinstance(part, list) and len(part) > 1] == [[1], [0]]


def test_a_long_text_is_cut_around_its_matches_on_both_sides() -> None:
    filler = [" ".join(f"{side}{i}" for i in range(5000)) for side in "xyz"]
    common = "this sentence stands in both of the texts word for word and is found"
    texts = f"{filler[0]} {common} {filler[1]}", f"{common} {filler[2]}"
    found = align(*texts, common_matches(*texts, 5), limit=2000)
    for parts, text in zip((found.parts_a, found.parts_b), texts, strict=True):
        assert common in [part[0] for part in parts if isinstance(part, list)]
        assert len(whole(parts)) <= 2000
        assert sum(p if isinstance(p, int) else len(str(p[0])) for p in parts) == len(text)


def test_offsets_beyond_the_basic_plane_do_not_shift() -> None:
    text = "🎉🎉 the same eight words are in both texts 🎉"
    found = align(text, text.replace("🎉", ""), common_matches(text, text.replace("🎉", ""), 5))
    assert [part for part in found.parts_a if isinstance(part, list) and len(part) == 2] == [
        ["the same eight words are in both texts", 0]
    ]
