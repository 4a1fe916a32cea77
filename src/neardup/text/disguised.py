"""Texts whose words may hide from a comparison: letters of other alphabets, widths or styles in them."""

import pyarrow as pa
import pyarrow.compute as pc

LEAST = 8  # such places in a text: fewer are names, units and formulas,
LEAST_SHARE = 1 / 5_000  # as are more of them in a long text, of so many characters
LOOKALIKE = r"\p{Cyrillic}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανοριτυ"
ALPHABETS = r"\p{Latin}\p{Cyrillic}\p{Greek}"
PLACE = (
    rf"\p{{Latin}}[{LOOKALIKE}]|[{LOOKALIKE}]\p{{Latin}}"
    rf"|[{ALPHABETS}]\x{{200B}}+[{ALPHABETS}]"
    r"|[\x{1D400}-\x{1D7CB}]{3}"  # bold and other letters for formulas
)
SPACED = rf"(?:[{ALPHABETS}] ){{5}}"
SPACED_CHARACTERS = 10  # of such a run
LEAST_SPACED = 0.05  # of a text: less is headings and drawings
WIDE = r"[\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A}]{4}"
WIDE_SCRIPTS = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]"  # in which wide letters are usual


def disguised(texts: pa.Array) -> pa.Array:
    """Return which texts have words that mix alphabets, or invisible or unusual letters in many of them.

    >>> disguised(pa.array(["a bridge over the sea " * 9, "a brіdgе over the sea " * 9])).to_pylist()
    [False, True]
    """
    least = pc.max_element_wise(pc.multiply(pc.utf8_length(texts), LEAST_SHARE), LEAST)
    wide = pc.and_not(
        pc.greater_equal(pc.count_substring_regex(texts, WIDE), least),
        pc.match_substring_regex(texts, WIDE_SCRIPTS),
    )
    runs = pc.multiply(pc.count_substring_regex(texts, SPACED), SPACED_CHARACTERS)
    spaced = pc.and_(
        pc.greater(runs, pc.multiply(pc.utf8_length(texts), LEAST_SPACED)),
        pc.greater_equal(runs, LEAST * SPACED_CHARACTERS),
    )
    mixed = pc.greater_equal(pc.count_substring_regex(texts, PLACE), least)
    return pc.fill_null(pc.or_(pc.or_(mixed, spaced), wide), False)
