"""Shingles of texts, against their twins."""

from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.flat_lists import unflat
from tests.twins import documents as twins

from neardup.signatures.shingles import Shingles, utf8


@pytest.mark.parametrize("shingles", ["word:1", "word:3", "word:5", "char:2", "char:4", "char:64"])
@given(texts=st.lists(st.text("ab é漢か\u3099각. ", max_size=40), max_size=5))
def test_shingles_of_texts(shingles: str, texts: list[str]) -> None:
    chosen = Shingles.parse(shingles)
    found = chosen.of(pa.array(texts, pa.large_string()))
    twin = twins.word_shingles if chosen.kind == "word" else twins.character_shingles
    assert unflat(found.values, found.bounds) == [twin(text, chosen.width) for text in texts]
    assert found.characters.tolist() == [len(text) for text in texts]
    assert found.tokens.tolist() == [len(twins.token_spans(text)) for text in texts]
    whole = twins.words_in_order if chosen.kind == "word" else twins.characters_in_order
    alike = [whole(text) for text in texts]
    same = [[one == other for other in alike] for one in alike]
    assert (found.digests[:, None] == found.digests).tolist() == same


def test_shingles_of_a_slice_are_those_of_its_texts() -> None:
    column = pa.array(["one two", "three four", None, "five six"], pa.large_string())
    data, offsets = utf8(column.slice(1))
    assert [bytes(data[a:b]) for a, b in pairwise(offsets)] == [
        b"three four", b"", b"five six",
    ]  # fmt: skip


def test_bytes_of_texts_are_of_one_kind_wherever_they_come_from() -> None:
    made = pa.array(["one", "two"], pa.large_string())
    frozen = pa.LargeStringArray.from_buffers(2, made.buffers()[1], pa.py_buffer(b"onetwo"))
    for texts in (made, frozen, pa.array([""], pa.large_string())):
        assert utf8(texts)[0].flags.writeable, "kernels would be compiled once more"
    assert bytes(utf8(frozen)[0]) == b"onetwo"
