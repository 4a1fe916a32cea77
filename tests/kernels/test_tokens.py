"""Tokens: the kernel against its twin, and what normalisation must and must not change."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import documents as twins

from neardup.kernels.tokens import characters
from neardup.text import tokenise, unicode_table

# every script, and no character that this Python does not know
CHARACTERS = st.characters(codec="utf-8", exclude_categories=["Cn", "Cs"])
MIXED = st.sampled_from(
    list("aZ9 .-'éÉßİıΣςσ각ᄀ가ᅡᆨがかばก็ำລາខ្មမြ々ー漢字ｱ\u0301\u0323\u0307\u3099\u00ad\u200b\u200d\ufe0f_")
)
TEXTS = st.text(st.one_of(MIXED, CHARACTERS), max_size=60)


def spans(text: str) -> list[tuple[int, int]]:
    tokens = tokenise(text)
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in spans(text)]


@given(TEXTS)
def test_tokens_are_those_of_the_twin(text: str) -> None:
    assert spans(text) == twins.token_spans(text)
    expected = [twins.token_hash(text[a:b]) for a, b in twins.token_spans(text)]
    assert tokenise(text).hashes.tolist() == expected


@given(TEXTS)
def test_canonically_equal_texts_have_equal_tokens(text: str) -> None:
    hashes = [tokenise(unicodedata.normalize(form, text)).hashes.tolist() for form in ("NFC", "NFD")]
    assert hashes[0] == hashes[1]


@given(TEXTS)
def test_characters_are_those_of_the_twin(text: str) -> None:
    data = np.frombuffer(bytearray(text.encode()), np.uint8)
    hashes, heads = np.empty(len(data) + 1, np.uint64), np.empty(len(data) + 1, np.int64)
    count, tokens, chars = characters(data, 0, len(data), unicode_table(), hashes, heads)
    assert (hashes[:count].tolist(), heads[:tokens].tolist()) == twins.character_hashes(text)
    assert chars == len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't panic!", ["Don", "t", "panic"]),
        ("state-of-the-art, 2nd ed.", ["state", "of", "the", "art", "2nd", "ed"]),
        ("東京タワー is 333m", ["東", "京", "タ", "ワ", "ー", "is", "333m"]),
        ("iPhone用ケース", ["iPhone", "用", "ケ", "ー", "ス"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("zu\u00adsammen", ["zu\u00adsammen"]),
        ("one\u200btwo", ["one", "two"]),
        ("", []),
        ("… — ♥ !!", []),
    ],
)
def test_tokens_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("STRASSE Äpfel", "strasse äpfel"),
        ("ΟΔΟΣ", "οδος"),
        ("İstanbul", "i\u0307stanbul"),
        ("Việt", unicodedata.normalize("NFD", "VIỆT")),
        ("zu\u00adsammen", "zusammen"),
        ("각", unicodedata.normalize("NFD", "각")),
        ("が", "か\u3099"),
        ("\u2126", "ω"),
    ],
)
def test_what_makes_no_difference(left: str, right: str) -> None:
    assert tokenise(left).hashes.tolist() == tokenise(right).hashes.tolist()


@pytest.mark.parametrize(
    ("left", "right"), [("resume", "résumé"), ("か", "が"), ("ab", "ba"), ("a", "aa")]
)
def test_what_makes_a_difference(left: str, right: str) -> None:
    assert tokenise(left).hashes.tolist() != tokenise(right).hashes.tolist()


def test_offsets_count_characters_of_the_original() -> None:
    text = "𝒳 naïve\r\nÜBER 漢"
    assert words(text) == ["𝒳", "naïve", "ÜBER", "漢"]


def test_the_shipped_table_is_that_of_its_unicode_version() -> None:
    known = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
    text = " ".join(known)
    assert spans(text) == twins.token_spans(text)
