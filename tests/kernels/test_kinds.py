"""The kinds of change of many pairs at a time are those that the slow twin tells one by one."""

from hypothesis import given
from hypothesis import strategies as st
from tests.described import described
from tests.twins import kinds as twin
from tests.twins.kinds import Place

from neardup.methods.sentences.lexicon import words

WORDS = sorted(
    words(
        "The the THE of and It is was 2 two 3 13 thirteen 1,200 1200 5TH 47th second May may March 1874",
        "1870s Rome Roma Romes Paris Anna Smith Smyth General Lesser GNU License licence License's",
        "not cannot wont north South northern possible impossible happy unhappy km kilometres 80",
        "Page page [RFC2119] [11] (3) 4. b) IV) LMp.10 U.S. US United States Saint-Étienne St.",
        "WHO World Health Organization witness witnoss takcn torn to rn together 第 三 三条 条 五 年",
        "Section Street Mount taken 没 有 北京 Psalm Panthera leo tigris der und ist nicht",
        "| ----- +-+- http://x.org pp. 3–4 ISBN Press 11 (1): 73-80. ..........",
        "7 500 2000 we SHOUTING LOUD ½ ² % € —",
    )
)
SIDES = st.lists(st.sampled_from(WORDS), max_size=12)
TITLES = st.none() | st.sampled_from(
    ["", "Rome", "Paris", "Saint-Étienne", "General Smith", "The North"]
)
PLACES = st.builds(
    Place,
    st.sampled_from([-1, 0, 5, 50, 150]),
    st.sampled_from([-1.0, 0.0, 0.3, 0.6, 1.0]),
    st.booleans(),
    st.booleans(),
)
EDITS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 2), SIDES.map(lambda w: w[:2])), max_size=4
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str, str | None, str | None, Place]:
    """Draw a sentence, and another one that is like it at most places."""
    own = draw(SIDES)
    other = list(own)
    for at, size, new in draw(EDITS):
        other[at : at + size] = new
    return " ".join(own), " ".join(other), draw(TITLES), draw(TITLES), draw(PLACES)


@given(st.lists(pairs(), max_size=12))
def test_descriptions_are_those_of_the_twin(
    drawn: list[tuple[str, str, str | None, str | None, Place]],
) -> None:
    assert described(drawn) == [twin.describe(*pair) for pair in drawn]


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), max_size=5))
def test_any_characters_will_do(drawn: list[tuple[str, str]]) -> None:
    near = [(a, b, None, None, Place()) for x, y in drawn for a, b in ((x, y), (x + " " + y, y + " x"))]
    assert described(near) == [twin.describe(*pair) for pair in near]
