"""Texts: tokens as everywhere, ends with their closing marks, and sentences by simple rules."""

from collections.abc import Sequence
from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.twins import passages as twins

from neardup.kernels.texts import LINES, UNWRAPPED, is_wrapped, split_texts
from neardup.signatures.shingles import utf8
from neardup.text import tokenise, unicode_table

CHARACTERS = st.characters(codec="utf-8", exclude_categories=["Cn", "Cs"])
MARKS = st.sampled_from(list("aB c. .\n\n!?\"')]}»”’…。！？」）।؟۔ \t\r\u00a0\u3000,;-"))
MIXED = st.sampled_from(list("aZ9éßİΣ漢字かกאבشع\u05b4\u064b\u0301\u0323\u00ad\u200b\u200d\ufe0f🦊𝒳"))
TEXTS = st.text(st.one_of(MARKS, MIXED, CHARACTERS), max_size=60)


def split(texts: Sequence[str | None], feeds: int = 2) -> list[dict[str, Any]]:
    hashes, starts, ends, bounds, sentences, sentence_bounds, lengths = split_texts(
        *utf8(pa.array(texts, pa.large_string())), unicode_table(), feeds
    )
    found = []
    for t in range(len(texts)):
        own = slice(bounds[t], bounds[t + 1])
        found.append(
            {
                "hashes": hashes[own].tolist(),
                "spans": list(zip(starts[own].tolist(), ends[own].tolist(), strict=True)),
                "sentences": sentences[sentence_bounds[t] : sentence_bounds[t + 1]].tolist(),
                "length": lengths[t],
            }
        )
    return found


def sentences_of(text: str) -> list[str]:
    found = split([text])[0]
    bounds = [*found["sentences"], len(found["spans"])]
    return [text[found["spans"][a][0] : found["spans"][b - 1][1]] for a, b in pairwise(bounds)]


@given(st.lists(TEXTS, max_size=5))
@example(["", "a", ""])
def test_tokens_are_those_of_every_method(texts: list[str]) -> None:
    for text, found in zip(texts, split(texts), strict=True):
        tokens = tokenise(text)
        assert found["hashes"] == tokens.hashes.tolist()
        assert [start for start, _ in found["spans"]] == tokens.starts.tolist()
        assert found["length"] == len(text)


@given(TEXTS)
@example("(She said: “Yes.”) No?!")
@example("end.\u00ad.")
@example("漢。」字")
def test_ends_take_in_closing_marks_as_the_twin_says(text: str) -> None:
    assert split([text])[0]["spans"] == twins.closed_spans(text)


@given(TEXTS)
@example("A.\n\nb")
@example("a\n.\nb")
@example("a?b. C… D")
def test_sentences_are_those_of_the_twin(text: str) -> None:
    assert split([text])[0]["sentences"] == twins.sentences(text)


@given(TEXTS)
@example("a?b e. g. 3.14 x.y\nz")
def test_by_marks_each_of_them_ends_a_sentence(text: str) -> None:
    tokens = tokenise(text)
    expected = [0] if len(tokens.starts) else []
    for number in range(1, len(tokens.starts)):
        gap = text[tokens.ends[number - 1] : tokens.starts[number]]
        after_stop = gap[gap.rfind(".") + 1 :] if "." in gap else ""
        if set(gap) & set("\n!?。！？।॥؟۔։።…") or set(after_stop) & set(" \r\t\u00a0"):
            expected.append(number)
    assert split([text], 0)[0]["sentences"] == expected


PROSE = "The ferry to the islands stays in the harbour because of the storm of that night. " * 9
ANY_LINE = st.text(st.sampled_from("aaaaaa漢é. \t\r"), max_size=70)
ANY_LINES = st.lists(ANY_LINE, max_size=9).map("\n".join)
WRAPPED = st.builds(
    lambda width, indent, text: "\n".join(wrap(text, width, initial_indent=indent)),
    st.integers(30, 130),
    st.sampled_from(("", "    ")),
    st.lists(st.text("aé漢", min_size=1, max_size=20), min_size=1, max_size=60).map(" ".join),
)


@given(st.one_of(ANY_LINES, WRAPPED, st.builds("{}\n{}".format, WRAPPED, WRAPPED)))
def test_lines_are_wrapped_if_they_have_no_room_as_the_twin_says(text: str) -> None:
    data = np.frombuffer(text.encode(), np.uint8)
    assert is_wrapped(data, 0, len(data)) == twins.is_wrapped(text)


def test_a_line_that_was_wrapped_ends_no_sentence_where_that_is_asked() -> None:
    story = "\n".join(wrap(PROSE, 60))
    verse = "\n".join(["Roses are red", "violets too", "and so", PROSE[:44]])
    assert [len(split([text], UNWRAPPED)[0]["sentences"]) for text in (story, verse)] == [9, 4]
    assert len(split([story], LINES)[0]["sentences"]) > 9


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_a_text_does_not_depend_on_its_neighbours(texts: list[str]) -> None:
    assert split(texts) == [split([text])[0] for text in texts]


@given(TEXTS)
def test_the_first_sentence_begins_with_the_first_word_and_none_is_empty(text: str) -> None:
    found = split([text])[0]
    assert found["sentences"][:1] == [0] * bool(found["spans"])
    assert found["sentences"] == sorted(set(found["sentences"]))
    assert all(word < len(found["spans"]) for word in found["sentences"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two. Three four.", ["One two.", "Three four."]),
        ("He said “no.” She left!", ["He said “no.”", "She left!"]),
        ("J. R. Smith came. He left", ["J. R. Smith came.", "He left"]),
        ("about 3.5 percent, e.g. this one", ["about 3.5 percent, e.g. this one"]),
        ("Is it I? Yes", ["Is it I?", "Yes"]),
        ("A title\n\nand a text", ["A title", "and a text"]),
        ("A title\r\n \r\nand a text", ["A title", "and a text"]),
        ("a wrapped\nline", ["a wrapped\nline"]),
        ("第一句。第二句！第三句", ["第一句。", "第二句！", "第三句"]),
        ("他说：「好。」然后走了。", ["他说：「好。」", "然后走了。"]),
        ("Он пришёл. Она ушла", ["Он пришёл.", "Она ушла"]),
        ("", []),
        ("… !? ", []),
    ],
)
def test_sentences_of_many_scripts(text: str, expected: list[str]) -> None:
    assert sentences_of(text) == expected


@pytest.mark.parametrize("mark", sorted(twins.END_MARKS))
def test_every_end_mark_ends_a_sentence(mark: str) -> None:
    assert split([f"Ab cd{mark} Ef gh"])[0]["sentences"] == [0, 2]


def test_every_end_mark_belongs_to_the_word_that_it_closes() -> None:
    assert [mark for mark in sorted(twins.END_MARKS) if sentences_of(f"Ab{mark}") != [f"Ab{mark}"]] == []


def test_a_missing_text_has_no_words() -> None:
    assert split([None, "one"])[0] == {"hashes": [], "spans": [], "sentences": [], "length": 0}


def test_one_huge_token_is_one_sentence() -> None:
    found = split(["x" * 3_000_000 + "."])[0]
    assert (found["spans"], found["sentences"]) == ([(0, 3_000_001)], [0])


def test_many_short_words_and_sentences_have_room() -> None:
    text = "ab! " * 50_000
    found = split(["A b. C", text, "x y " * 50_000])
    assert [len(one["spans"]) for one in found] == [3, 50_000, 100_000]
    assert found[1]["sentences"] == [0]  # each next word begins small
    assert len(split(["Ab! " * 50_000])[0]["sentences"]) == 50_000


def test_types_are_those_of_the_tables() -> None:
    found = split_texts(*utf8(pa.array(["One. Two."], pa.large_string())), unicode_table(), 2)
    kinds = [np.uint64, np.int32, np.int32, np.int64, np.int32, np.int64, np.int64]
    assert [array.dtype for array in found] == [np.dtype(kind) for kind in kinds]
