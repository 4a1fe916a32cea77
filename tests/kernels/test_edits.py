"""Edit distances against the whole table of distances, and against another library."""

import numpy as np
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from tests.twins.sentences import edit_distance

from neardup.kernels.edits import code_points, edit_distances
from neardup.signatures.shingles import utf8

Pair = tuple[str, str]
ALPHABETS = ("ab", "abcdefgh ", "aé漢😀\u0161", "".join(map(chr, range(0x61, 0x400))))


@st.composite
def edited(draw: st.DrawFn) -> Pair:
    """Draw two texts, often one that is the other with some edits."""
    letters = st.sampled_from(draw(st.sampled_from(ALPHABETS)))
    a = draw(st.lists(letters, max_size=200))
    b = list(a) if draw(st.booleans()) else draw(st.lists(letters, max_size=200))
    for _ in range(draw(st.integers(0, 8))):
        at = draw(st.integers(0, len(b)))
        b[at : at + draw(st.integers(0, 2))] = draw(st.lists(letters, max_size=2))
    return "".join(a), "".join(b)


def distances(pairs: list[Pair], limit: float) -> list[float]:
    texts = [text for pair in pairs for text in pair]
    left = np.arange(0, len(texts), 2)
    codes = code_points(*utf8(pa.array(texts, pa.large_string())))
    return edit_distances(*codes, left, left + 1, limit).tolist()  # type: ignore[no-any-return]


def test_characters_are_code_points_of_any_length() -> None:
    codes, bounds = code_points(*utf8(pa.array(["aé", "", "漢😀"], pa.large_string())))
    assert codes[: bounds[-1]].tolist() == [*map(ord, "aé漢😀")]
    assert bounds.tolist() == [0, 2, 2, 4]


@given(st.lists(edited(), min_size=1, max_size=4), st.sampled_from([0.01, 0.1, 0.25, 0.3, 0.7, 1.0]))
@example([("", ""), ("", "a"), ("a", "")], 1.0)
@example([("a" * 64, "a" * 64 + "b"), ("a" * 65, "b" * 65), ("ab" * 64, "ba" * 64)], 0.5)
def test_distances_up_to_a_limit_are_those_of_the_table(pairs: list[Pair], limit: float) -> None:
    found = distances(pairs, limit)
    for (a, b), distance in zip(pairs, found, strict=True):
        expected = edit_distance(a, b) / max(len(a), len(b), 1)
        assert distance == (expected if expected <= limit else 1.0)
        assert expected == Levenshtein.normalized_distance(a, b)


@given(st.lists(st.text("abc漢", max_size=80), min_size=2, max_size=5))
def test_what_was_known_of_one_text_says_nothing_of_the_next(texts: list[str]) -> None:
    codes = code_points(*utf8(pa.array(texts, pa.large_string())))
    left, right = np.divmod(np.arange(len(texts) ** 2), len(texts))
    found = edit_distances(*codes, left, right, 1.0)
    expected = [Levenshtein.normalized_distance(a, b) for a in texts for b in texts]
    assert found.tolist() == expected
