"""Sentences of languages: where they begin, for any text, however strange or long."""

from itertools import pairwise
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.text import tokenise
from neardup.text.sentences import LONGEST_PIECE, detected, pieces, sentence_offsets, sentence_starts

CHARACTERS = st.characters(exclude_categories=["Cs"])
MARKS = st.sampled_from(list("aB. .\n\n!?\"')。！？」।؟ \t\r\u00a0\u3000\u2028\x00\u0301\u200d🦊漢"))
CHINESE = (
    "中华人民共和国公民有言论、出版、集会、结社、游行、示威的自由。国家保护公民的合法的私有财产不受侵犯，"
    "任何组织或者个人不得侵占。全国人民代表大会是最高国家权力机关，它的常设机关是全国人民代表大会常务委员会。"
)
ENGLISH = (
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of "
    "foolishness, it was the epoch of belief, it was the epoch of incredulity."
)
TEXTS = st.text(st.one_of(MARKS, CHARACTERS), max_size=80)
SPACES = [character for character in map(chr, range(0x4000)) if character.isspace()]


def sentences(text: str, language: str) -> list[str]:
    starts = tokenise(text).starts
    words = sentence_starts(text, starts, language).tolist()
    bounds = [*starts[words].tolist(), len(text)]
    return [text[a:b].strip() for a, b in pairwise(bounds)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Dr. Smith came. He left.", ["Dr. Smith came.", "He left."]),
        ("en", "Title\n\nA text. And more.", ["Title", "A text.", "And more."]),
        ("zh", "第一句话。第二句话！第三句", ["第一句话。", "第二句话！", "第三句"]),
        ("auto", "Short. One.", ["Short.", "One."]),
        ("en", "Take vitamin A\u00a0. It is good.", ["Take vitamin A\u00a0.", "It is good."]),
        ("auto", "", []),
        ("en", " … ", []),
    ],
)
def test_sentences_of_a_language(language: str, text: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


def test_the_language_is_detected_where_the_text_is_long_enough() -> None:
    assert detected(CHINESE) == "zh"
    assert detected("Сегодня хорошая погода, и мы идём гулять в парк вместе с друзьями.") == "ru"
    assert detected(ENGLISH) == "en"
    assert detected("12345 " * 30) == "en"
    assert detected("") == "en"


def test_a_detected_language_has_its_own_rules() -> None:
    assert len(sentences(CHINESE, "auto")) == 3


@pytest.mark.parametrize("language", ["en", "zh", "auto", "ar", "hi", "ja"])
@given(text=TEXTS)
def test_sentences_begin_with_the_first_word_and_ascend(language: str, text: str) -> None:
    starts = tokenise(text).starts
    found = sentence_starts(text, starts, language)
    assert found.dtype == np.int32
    assert found.tolist()[:1] == [0] * bool(len(starts))
    assert found.tolist() == sorted(set(found.tolist()))
    assert all(word < len(starts) for word in found)


@pytest.mark.parametrize("language", ["en", "zh", "de", "fr", "ar"])
@given(st.lists(st.sampled_from(["A", "É", "Mr. X", ".", "?", "。", "word ", *SPACES]), max_size=12))
def test_any_space_may_stand_before_a_full_stop(language: str, parts: list[str]) -> None:
    text = "".join(parts)
    found = sentence_offsets(text, language)
    assert found == sorted(set(found)) and all(0 <= place < len(text) for place in found)


def test_a_text_at_which_the_splitter_fails_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = type("PanicException", (BaseException,), {})  # as pyo3 names it
    monkeypatch.setattr("sentencex.segment", Mock(side_effect=fault("in Rust")))
    assert sentence_offsets("One. Two.", "en") == [0]
    monkeypatch.setattr("sentencex.segment", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        sentence_offsets("One. Two.", "en")


@given(st.text(st.sampled_from(list("ab .\n。é漢🦊")), max_size=60), st.integers(1, 400))
def test_pieces_make_up_the_text(text: str, times: int) -> None:
    whole = text * times
    found = list(pieces(whole))
    assert "".join(piece for _, piece, _ in found) == whole
    assert [begin for begin, _, _ in found] == np.cumsum([0, *(len(p) for _, p, _ in found)]).tolist()[
        :-1
    ]
    assert all(0 < len(piece) <= LONGEST_PIECE for _, piece, _ in found)


def test_a_long_text_is_cut_behind_a_sentence() -> None:
    text = "Some words that end here. " * 1000
    assert all(piece.endswith(". ") for _, piece, _ in pieces(text))
    assert len(sentences(text, "en")) == 1000


@pytest.mark.parametrize("text", ["x" * 1_000_000, "word " * 200_000, "漢" * 300_000, "\n" * 1_000_000])
def test_a_long_text_without_any_mark_does_not_stall(text: str) -> None:
    starts = tokenise(text).starts
    assert sentence_starts(text, starts, "en").tolist()[:1] == [0] * bool(len(starts))


def test_a_long_text_has_no_sentences_that_begin_in_the_middle_of_one() -> None:
    text = "This sentence has quite a number of words in it,\nand so it goes on over two lines. " * 300
    assert len(sentences(text, "en")) == 300


def test_lone_surrogates_are_no_trouble() -> None:
    text = "One \ud800 two. Three \udfff four."
    assert len(sentence_starts(text, tokenise(text).starts, "en")) == 2
