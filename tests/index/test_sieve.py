"""What is new of some texts, held against a slow way that compares all with all."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import neardup
from neardup.errors import InputError, SettingsError
from neardup.index.analysis import Analysis
from neardup.index.settings import IndexSettings, Likeness
from neardup.index.sieve import AT_ONCE, Sieve

WORDS = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


def shingles(text: str, width: int) -> set[tuple[str, ...]]:
    words = text.split()
    last = max(len(words) - width, 0)
    return {tuple(words[at : at + width]) for at in range(last + 1)} if words else set()


def slowly(texts: list[str], threshold: float, measure: Likeness, width: int) -> list[str]:
    """Keep a text if none that was kept is like it."""
    kept: list[str] = []
    for text in texts:
        own = shingles(text, width)
        others = [shingles(other, width) for other in kept]
        whole = [own | other if measure == "resemblance" else own for other in others]
        values = [len(own & other) / len(all_) for other, all_ in zip(others, whole, strict=True) if own]
        if not any(value >= threshold for value in values):
            kept.append(text)
    return kept


@given(
    st.lists(WORDS, max_size=30),
    st.sampled_from([0.2, 0.5, 0.75, 1.0]),
    st.sampled_from(["resemblance", "containment"]),
)
def test_what_is_unique_is_what_a_comparison_of_all_with_all_keeps(
    texts: list[str], threshold: float, measure: Likeness
) -> None:
    found = neardup.unique(texts, threshold, measure=measure, shingle="word:2")
    assert found == slowly(texts, threshold, measure, 2)


def test_many_texts_go_through_part_by_part_as_all_at_once() -> None:
    texts = [f"w{n * n % 701} is not w{n % 13} nor is it w{n % 7}" for n in range(3 * AT_ONCE)]
    found = neardup.unique(texts, 0.6, shingle="word:2")
    assert found == slowly(texts, 0.6, "resemblance", 2)
    assert 10 < len(found) < len(texts)


def test_what_did_not_go_through_is_no_reason_to_hold_anything_back() -> None:
    sieve = Sieve(Analysis.of(IndexSettings("word:1")), 0.5, "resemblance")
    first, second, third = sieve.sift([b"a b c d", b"c d a e", b"e f g c"])
    assert first is None and third is None  # the third shares a half of the second only
    assert second is not None and (second.doc, second.similarity) == (0, 0.6)


def test_items_of_any_kind_have_a_text() -> None:
    hits = [{"body": "one two three four five"}, {"body": "One, two, three, four, five!"}]
    assert neardup.unique(hits, text="body") == hits[:1]
    assert neardup.unique([5, 6], text=lambda number: "the same text") == [5]
    assert neardup.unique([]) == []
    nothing = [None, "one two three four five", math.nan, "one two three four five", ""]
    assert neardup.unique(nothing) == [nothing[0], nothing[1], nothing[2], nothing[4]]
    with pytest.raises(InputError, match="the text of item 300 is a Python int"):
        neardup.unique([*map(str, range(299)), 3])
    with pytest.raises(InputError, match="item 1 has no field 'txt'"):
        neardup.unique(hits, text="txt")
    with pytest.raises(InputError, match="dict"):
        neardup.unique(hits)
    with pytest.raises(SettingsError, match="threshold"):
        neardup.unique(["text"], 0)
    with pytest.raises(SettingsError, match="measure"):
        neardup.unique(["text"], measure="likeness")  # type: ignore[arg-type]
