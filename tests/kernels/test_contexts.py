"""What stands around sentences: sketches against a slow twin, and what they say of two surroundings."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.twins.documents import mix

from neardup.kernels.contexts import AROUND, PARTS, UNKNOWN, alikeness, contexts
from neardup.signatures.shingles import utf8
from neardup.text import tokenise, unicode_table

TEXTS = st.lists(st.lists(st.text("ab c.é漢1 ", max_size=20), max_size=7), min_size=1, max_size=3)


def twin(sentences: list[str], at: int) -> int:
    """Return the sketch of what is around a sentence of a text."""
    others = sentences[max(at - AROUND, 0) : at] + sentences[at + 1 : at + AROUND + 1]
    values = {mix(int(word)) for text in others for word in tokenise(text).hashes}
    sketch = 0
    for part in range(PARTS):
        if own := [value for value in values if value % PARTS == part]:
            sketch |= (1 + (min(own) >> 4) % 15) << (4 * part)
    return sketch


def sketches(texts: list[list[str]]) -> list[int]:
    flat = [sentence for text in texts for sentence in text]
    bounds = np.cumsum([0, *map(len, texts)])
    return contexts(*utf8(pa.array(flat, pa.large_string())), bounds, unicode_table()).tolist()  # type: ignore[no-any-return]


@given(TEXTS)
def test_sketches_are_those_of_the_twin(texts: list[list[str]]) -> None:
    assert sketches(texts) == [twin(text, at) for text in texts for at in range(len(text))]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=6))
def test_alikeness_counts_the_parts_that_agree(values: list[int]) -> None:
    left, right = np.array(values[:-1], np.uint64), np.array(values[1:], np.uint64)
    for (a, b), found in zip(pairwise(values), alikeness(left, right).tolist(), strict=True):
        parts = [((a >> 4 * k) & 15, (b >> 4 * k) & 15) for k in range(PARTS)]
        known = [(x, y) for x, y in parts if x or y]
        same = sum(x == y for x, y in known)
        assert found == (UNKNOWN if not a or not b else same / len(known))


def test_the_same_surroundings_are_alike_and_others_are_not() -> None:
    around = [f"The {word} of the county stands in the north of it." for word in ("hall", "mill", "inn")]
    other = [f"Many {word} were counted twice by every editor." for word in ("dates", "names", "votes")]
    texts = [[around[0], own, *around[1:]] for own in ("He left.", "She stayed.")]
    one, two, three = (
        np.array([sketches([text])[1]], np.uint64)
        for text in (*texts, [other[0], "He left.", *other[1:]])
    )
    assert alikeness(one, two)[0] == 1
    assert alikeness(one, three)[0] < 0.3
