"""Named characters of XML against one replacement after the other."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from neardup.kernels.references import without_references

NAMES = {b"&lt;": b"<", b"&gt;": b">", b"&quot;": b'"', b"&amp;": b"&"}
PARTS = st.sampled_from([*NAMES, b"&", b";", b"lt", b"amp;", b"quot", b"&nbsp;", "é".encode(), b"a b"])


@given(st.lists(PARTS, max_size=12).map(b"".join))
@example(b"&amp;lt;")
@example(b"&quot")
def test_names_are_undone_once(data: bytes) -> None:
    expected = data
    for name, character in NAMES.items():
        expected = expected.replace(name, character)
    assert without_references(np.frombuffer(data, np.uint8)).tobytes() == expected
