"""Reference lists, with headings in many languages and without one."""

import pytest

from neardup.text.bibliography import headings, is_heading, reference_lists

ENTRIES = """Hale, M. (1998). Iron bridges of Wales. Leeds: Orme.
Jones, P., & Smith, K. L. (2003). On repair. Journal of Bridges, 12(3), 3-19.
Adams, R. (2011). Bridges and tides. London: Carr, pp. 12-30."""
FULL_NAMES = """Hale, Mary Ann. Iron Bridges: A History of Wales. Leeds: Orme, 1998.
Jones, Peter, and Karen Smith. “On Repair.” Journal of Bridges, vol. 12, no. 3, 2003, pp. 3–19.
———. Bridges and Tides. London: Carr and Sons, 2011. Print.
Santos, Luís. 2004. The Ferry and the Bridge. Translated by Ann Lee. New York: Penguin."""
BODY = "In 1998 the bridge was closed for repairs.\n\nIt was opened again in 2003, after much talk."


@pytest.mark.parametrize(
    "heading",
    [
        *("References", "## 7. Works cited", "Literaturverzeichnis:", "VI. Bibliographie", "Kaynakça"),
        *("Список литературы", "参考文献", "المراجع", "REFERENCIAS BIBLIOGRÁFICAS"),
    ],
)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_list_under_a_heading_is_found_with_it(heading: str, between: str) -> None:
    own = f"{heading}{between}{ENTRIES.replace(chr(10), between)}"
    text = f"{BODY}\n\n{own}\n\nAppendix A\n\nMore text follows here, of no more use than before."
    assert [text[start:end] for start, end in reference_lists(text)] == [own]


@pytest.mark.parametrize("label", ["", "[{}] ", "{}. "])
def test_a_list_without_a_heading_is_known_by_its_form(label: str) -> None:
    lines = [label.format(n) + line for n, line in enumerate(ENTRIES.splitlines(), 1)]
    own = "\n".join(lines)
    text = f"{BODY}\n\n{own}\n"
    assert [text[start:end] for start, end in reference_lists(text)] == [own]
    assert not reference_lists("\n".join(lines[:2]))


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("heading", ["Works Cited", ""])
def test_authors_may_have_their_full_names(heading: str, between: str) -> None:
    own = "\n".join(line for line in (heading, FULL_NAMES) if line).replace("\n", between)
    text = f"{BODY}\n\n{own}"
    assert [text[start:end] for start, end in reference_lists(text)] == [own]


def test_a_book_may_be_cited_as_in_a_footnote() -> None:
    own = "Bibliography\n\nMary Ann Hale, Iron Bridges of Wales. Leeds: Orme, 1998."
    assert [own[start:end] for start, end in reference_lists(own)] == [own]


def test_entries_may_go_on_in_the_next_line() -> None:
    own = "Literatur\nHale, Mary: Eiserne Brücken in Wales.\n   Leipzig 1998, S. 5–7.\n" + ENTRIES
    text = f"{BODY}\n\n{own}"
    assert [text[start:end] for start, end in reference_lists(text)] == [own]


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        "References\n\nThe references of this text are many and none of them is here to be seen.",
        "1. In 1998 the bridge was closed.\n2. In 1999 it fell.\n3. In 2003 it was opened again.",
        "Sources\n\nThe aim: France and Italy in May 1849.\n\nThe result: Rome fell in 1849, in June.",
        "Sources\n\nHowever, Rome fell. It was taken again in 1849 by the French, and lost.",
        "\n".join(["Smith, John. He came in 1998 and stayed.", "Lee, Ann. She left before 2001."] * 2),
        "Sources\n\nThe river has two sources. Both are in the hills.\n\nThey were found in 1850.",
    ],
)
def test_text_that_is_no_list_is_none(text: str) -> None:
    assert reference_lists(text) == []


def test_headings_are_those_of_very_many_languages() -> None:
    assert len(headings()) > 200
    assert is_heading("7.2.  Informative References") and not is_heading("The references")


WRAPPED = """Jones, Aled. Powers of the Press: Newspapers, Power and the Public in
Nineteenth-Century England. Aldershot: Scolar Press, 1996.

Rowbotham, Judith, Kim Stevenson, and Samantha Pegg. Crime News in
Modern Britain: Press Reporting and Responsibility, 1820–2010.
Basingstoke: Palgrave Macmillan, 2013.

Shpayer-Makov, Haia. The Ascent of the Detective: Police Sleuths in
Victorian and Edwardian England. Oxford: Oxford University Press, 2011."""
WEB = """https://en.wikipedia.org/wiki/Victorian_era (accessed
3 March 2024)

https://www.oldbaileyonline.org/browse.jsp?div=t18850518 (accessed 4 March
2024)

Illustrated Police News, 12 May 1885"""


@pytest.mark.parametrize(
    "own", [WRAPPED, f"Sources and Literature\n\n{WRAPPED}", f"Bibliography\n\n{WEB}"]
)
def test_entries_that_are_cut_into_lines_are_whole(own: str) -> None:
    text = f"{BODY}\n\n{own}\n"
    assert [text[start:end] for start, end in reference_lists(text)] == [own]


@pytest.mark.parametrize(
    "ends",
    [
        "It ended when the mayor spoke to all of them on Monday, 12 May 1885.",
        "https://a.org/b says so too.",
    ],
)
def test_prose_that_ends_with_a_day_or_begins_with_an_address_is_no_entry(ends: str) -> None:
    own = "The strike is known to us from what they wrote when it was over, and from no other source. "
    prose = f"{own}{ends}" if ends.endswith("1885.") else f"{ends} In 1885 all was over. {own}"
    assert not reference_lists(f"{BODY}\n\nSources\n\n{prose}\n\n{BODY}")


def test_a_paragraph_of_prose_under_a_heading_of_sources_is_none() -> None:
    assert not reference_lists(f"Primary sources\n\n{BODY}\n\nOf these, the mayor wrote on 12 May.")


COLONS = """Anarchism. In: Wikipedia, The Free Encyclopedia, 2 January 2015.
McPherson, James M.: Battle Cry of Freedom. The Civil War Era. Oxford: Oxford University Press 1988.
Müller, Hans Peter: Brücken und Fähren. Berlin 1998.
Wood, Gordon S.: The Creation of the Republic, 1776–1787. Chapel Hill: North Carolina Press 1969."""


@pytest.mark.parametrize("heading", ["Literaturverzeichnis\n", ""])
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_colon_may_follow_the_author_and_a_year_the_publisher(heading: str, between: str) -> None:
    own = (heading + COLONS).replace("\n", between)
    text = f"{BODY}\n\n{own}\n"
    assert [text[start:end] for start, end in reference_lists(text)] == [own]
