"""Character references are undone as Python does it, and those of thousands of digits do no harm."""

import html

import pytest

from neardup.text.references import unescaped


@pytest.mark.parametrize(
    "text",
    ["a & b", "&#65;&#x41;&eacute;", "&#xD800;", "&#12345678901;", "&#65abcdefabcdefabcdefabcdef"],
)
def test_references_are_undone_as_by_python(text: str) -> None:
    assert unescaped(text) == html.unescape(text)


def test_references_of_thousands_of_digits_are_replaced() -> None:
    assert unescaped(f"a &#{'1' * 5000}; b &#x{'f' * 5000} c") == "a \ufffd b \ufffd c"
    assert unescaped(f"&#{'0' * 5000}65;&#X{'0' * 5000}42;") == "AB"
