"""Sentences cut out of texts against a slow twin, on all that Python calls white space."""

import re
from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.twins.sentences import Heading, Limits, cut

from neardup.kernels.sentence_texts import KEPT, breaks, cut_sentences, is_space
from neardup.signatures.shingles import utf8

Text = tuple[str, list[int], list[Heading]]
SPACES = "".join(c for c in map(chr, range(0x110000)) if c.isspace())
TEXTS = st.text(st.sampled_from("ab.é漢😀 \n\u00a0\u2003\u3000\x1c"), max_size=40)
LIMITS = st.builds(
    Limits, st.integers(1, 4), st.integers(4, 12), st.floats(0.1, 1), st.sampled_from([0, 2, 6])
)


@st.composite
def cut_texts(draw: st.DrawFn) -> Text:
    """Draw a text, where to cut it, and the headings over it."""
    text = draw(TEXTS)
    places = st.lists(st.integers(0, len(text)), max_size=6).map(sorted)
    headings = [(start, draw(st.integers(1, 6))) for start in draw(places)]
    return text, draw(places), [(-1, 0), *headings]


def test_white_space_is_what_it_is_in_python() -> None:
    codes = np.arange(0x110000, dtype=np.uint32)
    assert "".join(chr(code) for code in codes.tolist() if is_space.py_func(code)) == SPACES


BREAK = r"(?>\r\n|\n|\r)"  # two signs, but one break
LINES, PARAGRAPHS = re.compile(BREAK), re.compile(rf"{BREAK}(?:[ \t]*{BREAK})+")
BROKEN = st.text(st.sampled_from("aé漢😀 \t\n\r"), max_size=30)


@given(st.lists(BROKEN | BROKEN.map(lambda text: text.replace("a", "\r\n")), min_size=1, max_size=4))
def test_lines_and_paragraphs_begin_behind_their_breaks(texts: list[str]) -> None:
    for pattern in (LINES, PARAGRAPHS):
        begins, bounds = breaks(*utf8(pa.array(texts, pa.large_string())), pattern is PARAGRAPHS)
        found = [begins[a:b].tolist() for a, b in pairwise(bounds.tolist())]
        assert found == [[0, *(own.end() for own in pattern.finditer(text))] for text in texts]


@given(st.lists(cut_texts(), min_size=1, max_size=4), st.integers(1, 3), LIMITS)
def test_sentences_are_cut_out(texts: list[Text], unit: int, limits: Limits) -> None:
    headings = [heading for _, _, own in texts for heading in own]
    rows, data, ends, bounds, characters, fates = cut_sentences(
        *utf8(pa.array([text for text, _, _ in texts], pa.large_string())),
        np.array([begin for _, begins, _ in texts for begin in begins], np.int64),
        np.cumsum([0, *(len(begins) for _, begins, _ in texts)]),
        *np.array(headings, np.int64).T.copy(),
        np.cumsum([0, *(len(own) for _, _, own in texts)]),
        unit,
        np.array(limits, np.float64),
    )
    assert characters.tolist() == [len(text) for text, _, _ in texts]
    first = 0
    for t, (text, begins, own) in enumerate(texts):
        kept, counts = cut(text, begins, own, unit, limits)
        found = slice(bounds[t], bounds[t + 1])
        strings = [
            bytes(data[a:b]).decode()
            for a, b in zip(ends[found], ends[bounds[t] + 1 : bounds[t + 1] + 1], strict=True)
        ]
        assert strings == [sentence for _, _, _, _, sentence in kept]
        assert rows[found, :3].tolist() == [[*row[:3]] for row in kept]
        assert rows[found, 3].tolist() == [own[row[3]][1] for row in kept]
        assert (rows[found, 4] - first).tolist() == [row[3] for row in kept]
        assert fates[t].tolist() == [*counts, len(kept)] and len(counts) == KEPT
        first += len(own)
